import type { InputDefinition, InputOf } from "../command.ts";

/** What `map` takes. */
export const mapInput = {
  positionals: [
    {
      name: "path",
      isPath: true,
      aliases: ["directory", "file"],
      isRequired: false,
      summary: "a folder or a file (default .)",
    },
  ],
  flags: [
    {
      name: "focus",
      isPath: true,
      kind: "strings",
      placeholder: "FILE",
      summary: "what this file depends on comes first, and the file itself is left out; may repeat",
    },
    { name: "include_tests", kind: "boolean", summary: "show symbols of tests as well" },
  ],
} as const satisfies InputDefinition;

/** The input of `map`, checked. */
export type MapInput = InputOf<typeof mapInput>;
