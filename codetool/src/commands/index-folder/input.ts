import type { InputDefinition, InputOf } from "../command.ts";

/** What `index` takes. */
export const indexInput = {
  positionals: [
    { name: "path", isRequired: false, summary: "a folder of the project (default .)" },
  ],
  flags: [
    { name: "rebuild", kind: "boolean", summary: "take nothing over from the index that is there" },
    {
      name: "watch",
      kind: "boolean",
      summary: "go on: an answer for each generation as files change, until it is ended",
    },
    { name: "stats", kind: "boolean", summary: "only say what the index holds" },
  ],
} as const satisfies InputDefinition;

/** The input of `index`, checked. */
export type IndexInput = InputOf<typeof indexInput>;
