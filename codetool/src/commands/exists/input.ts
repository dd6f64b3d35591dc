import type { InputDefinition, InputOf } from "../command.ts";

/** What `exists` takes. */
export const existsInput = {
  positionals: [
    { name: "pattern", isRequired: true, summary: "the exact text, or a path" },
    {
      name: "path",
      isPath: true,
      isRequired: false,
      summary: "the folder or file to look in (default .)",
    },
  ],
  flags: [{ name: "exact", kind: "boolean", summary: "be certain, even where that takes long" }],
} as const satisfies InputDefinition;

/** The input of `exists`, checked. */
export type ExistsInput = InputOf<typeof existsInput>;
