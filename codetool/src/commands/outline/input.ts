import type { InputDefinition, InputOf } from "../command.ts";

/** The values of `--kind`; `all` is the default. */
const kindChoices = [
  "function",
  "class",
  "method",
  "struct",
  "enum",
  "trait",
  "interface",
  "type",
  "const",
  "module",
  "all",
] as const;

/** What `outline` takes. */
export const outlineInput = {
  positionals: [
    {
      name: "path",
      isPath: true,
      aliases: ["file"],
      isRequired: true,
      summary: "a file or a directory",
    },
  ],
  flags: [
    {
      name: "depth",
      kind: "integer",
      placeholder: "N",
      minimum: 1,
      summary: "directory: folder levels, 1 is its own files; file: levels of nesting",
    },
    {
      name: "kind",
      kind: "string",
      placeholder: "KIND",
      choices: kindChoices,
      summary: "only symbols of this kind, wherever they are nested (default all)",
    },
  ],
} as const satisfies InputDefinition;

/** The input of `outline`, checked. */
export type OutlineInput = InputOf<typeof outlineInput>;
