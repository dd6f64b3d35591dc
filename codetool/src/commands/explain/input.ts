import type { InputDefinition, InputOf } from "../command.ts";

/** What `explain` takes. */
export const explainInput = {
  positionals: [
    {
      name: "symbol",
      aliases: ["name"],
      isRequired: true,
      summary: "a name, a member as Class.method, or file:name",
    },
    {
      name: "path",
      isPath: true,
      aliases: ["file", "directory"],
      isRequired: false,
      summary: "only definitions in this file or folder (default all of the project)",
    },
  ],
  flags: [
    { name: "no_tests", kind: "boolean", summary: "leave out the tests that touch it" },
    { name: "no_changes", kind: "boolean", summary: "leave out its latest commits" },
    { name: "no_code", kind: "boolean", summary: "leave out the text of the definition" },
  ],
} as const satisfies InputDefinition;

/** The input of `explain`, checked. */
export type ExplainInput = InputOf<typeof explainInput>;
