import type { InputDefinition, InputOf } from "../command.ts";

/** What `context` takes. */
export const contextInput = {
  positionals: [
    {
      name: "path",
      isPath: true,
      aliases: ["directory", "file"],
      isRequired: true,
      summary: "the folder or the file",
    },
  ],
  flags: [
    { name: "no_edges", kind: "boolean", summary: "leave out who imports what" },
    { name: "no_doc", kind: "boolean", summary: "leave out README and comments at the head" },
    { name: "include_tests", kind: "boolean", summary: "show tests as well" },
    {
      name: "depth",
      kind: "integer",
      placeholder: "N",
      minimum: 1,
      summary: "files at most N names deep; 1 are the folder's own (default all)",
    },
  ],
} as const satisfies InputDefinition;

/** The input of `context`, checked. */
export type ContextInput = InputOf<typeof contextInput>;
