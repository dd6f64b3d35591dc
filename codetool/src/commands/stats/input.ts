import type { InputDefinition, InputOf } from "../command.ts";

/** What `stats` takes. */
export const statsInput = {
  positionals: [],
  flags: [
    {
      name: "verbose",
      kind: "boolean",
      aliases: ["compare"],
      summary: "of each command the tokens of its answers, those of the Unix way, and its time",
    },
    { name: "reset", kind: "boolean", summary: "forget all that was recorded" },
  ],
} as const satisfies InputDefinition;

/** The input of `stats`, checked. */
export type StatsInput = InputOf<typeof statsInput>;
