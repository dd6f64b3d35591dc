import type { InputDefinition, InputOf } from "../command.ts";

/** What `index` takes. */
export const indexInput = {
  positionals: [
    {
      name: "path",
      isPath: true,
      isRequired: false,
      summary: "a folder of the project (default .)",
    },
  ],
  flags: [
    {
      name: "rebuild",
      kind: "boolean",
      summary: "build from scratch, without the index that exists",
    },
    {
      name: "watch",
      kind: "boolean",
      summary: "keep running: one answer for each update as files change, until you end it",
    },
    { name: "stats", kind: "boolean", summary: "only show what the index holds" },
  ],
} as const satisfies InputDefinition;

/** The input of `index`, checked. */
export type IndexInput = InputOf<typeof indexInput>;
