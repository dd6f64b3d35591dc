import type { InputDefinition, InputOf } from "../command.ts";

/** What `diff` takes. */
export const diffInput = {
  positionals: [
    {
      name: "file",
      isPath: true,
      aliases: ["path"],
      isRequired: false,
      summary: "a file or a folder (default everything)",
    },
  ],
  flags: [
    {
      name: "since",
      kind: "string",
      placeholder: "REF",
      summary: "a commit, branch or tag (default HEAD), or two: A..B, A...B since they parted",
    },
    { name: "staged", kind: "boolean", summary: "what is staged instead of the working tree" },
    { name: "stat_only", kind: "boolean", summary: "counts and a few names, no lines" },
    { name: "functions", kind: "boolean", summary: "the functions that changed, no lines" },
  ],
} as const satisfies InputDefinition;

/** The input of `diff`, checked. */
export type DiffInput = InputOf<typeof diffInput>;
