import type { InputDefinition, InputOf } from "../command.ts";

/** What `rename` takes. */
export const renameInput = {
  positionals: [
    { name: "old", isRequired: true, summary: "a function, class, type or value, or Class.member" },
    { name: "new", isRequired: true, summary: "its new name" },
    {
      name: "path",
      isPath: true,
      isRequired: false,
      summary: "a folder of the project (default .)",
    },
  ],
  flags: [
    {
      name: "in_file",
      isPath: true,
      kind: "string",
      placeholder: "FILE[:LINE]",
      summary:
        "the file that defines it, where several do; with a line also a member without its type",
    },
    {
      name: "apply",
      kind: "boolean",
      summary: "writes the files, all of them or none (default: only shows the result)",
    },
  ],
} as const satisfies InputDefinition;

/** The input of `rename`, checked. */
export type RenameInput = InputOf<typeof renameInput>;
