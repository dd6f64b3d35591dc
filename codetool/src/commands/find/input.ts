import type { InputDefinition, InputOf } from "../command.ts";

/** What `find` takes. */
export const findInput = {
  positionals: [
    {
      name: "path",
      isPath: true,
      isRequired: false,
      summary: "the folder to list (default .), or a glob: 'src/**/*.ts'",
    },
  ],
  flags: [
    {
      name: "pattern",
      kind: "strings",
      placeholder: "GLOB",
      summary:
        "files that match: * ** ? [..] {a,b}; without a slash by name; !GLOB leaves out; may repeat",
    },
    {
      name: "depth",
      kind: "integer",
      placeholder: "N",
      minimum: 1,
      summary:
        "at most N names deep; 1 lists the folder's own files; a tree names the folders at N",
    },
    {
      name: "changed_since",
      kind: "string",
      placeholder: "REF|TIME",
      summary:
        "files that differ from a commit, or changed since 2d, 2026-01-31, seconds since 1970",
    },
    {
      name: "related_to",
      kind: "string",
      placeholder: "QUERY",
      summary: "the files that have to do with it, best first, with their relevance",
    },
    { name: "outline", kind: "boolean", summary: "count the symbols of each file" },
    { name: "tree", kind: "boolean", aliases: ["tree_only"], summary: "only the tree" },
    { name: "flat", kind: "boolean", aliases: ["flat_only"], summary: "only the list" },
  ],
} as const satisfies InputDefinition;

/** The input of `find`, checked. */
export type FindInput = InputOf<typeof findInput>;
