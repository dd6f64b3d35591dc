import type { CommandDefinition, CommandResult } from "../command.ts";

/** `codetool find`: which files there are, as a tree and as a list. */
export const findFilesCommand: CommandDefinition = {
  name: "find",
  summary: "list files as tree and list, with lines and languages",
  examples: [
    {
      commandLine: 'codetool find --pattern "*.{ts,tsx}" --flat',
      remark: "TypeScript files at any depth, as a list",
    },
    {
      commandLine: 'codetool find --pattern "src/**/index.ts" --outline',
      remark: "a pattern with a slash is about the path; --outline counts symbols",
    },
    {
      commandLine:
        "codetool find --related-to 'retry failed requests' --pattern '!*.test.ts' --flat",
      remark: "the files about something, tests left out",
    },
    {
      commandLine: "codetool find src --depth 2 --tree --budget 500",
      remark: "two levels of src as a tree of at most 500 tokens",
    },
    {
      commandLine: "codetool find --changed-since main --flat",
      remark: "files that differ from main, uncommitted and untracked ones too",
    },
  ],
  positionals: [{ name: "path", isRequired: false, summary: "the folder to list (default .)" }],
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
    { name: "tree", kind: "boolean", aliases: ["tree_only"], summary: "the tree alone" },
    { name: "flat", kind: "boolean", aliases: ["flat_only"], summary: "the list alone" },
  ],
  isBatchable: true,
  run: async (input, context) => {
    const { findFilesPayload } = await import("./run.ts");
    return await findFilesPayload(input, context);
  },
  renderPlain,
};

interface PlainFile {
  readonly path: string;
  readonly symbols: number | null;
  readonly relevance?: number | null;
}

/** One path a line, with `--related-to` its relevance before it; with `--tree` names indented below their folders; with `--outline` the symbols behind a tab. */
function renderPlain(data: CommandResult["data"]): string {
  const countOf = ({ symbols }: Pick<PlainFile, "symbols">): string =>
    symbols === null ? "" : `\t${symbols}`;
  const flat = data["flat"] as readonly PlainFile[] | null;
  const relevanceOf = ({ relevance = null }: PlainFile): string =>
    relevance === null ? "" : `${relevance.toFixed(2)} `;
  if (flat !== null)
    return flat.map((file) => `${relevanceOf(file)}${file.path}${countOf(file)}\n`).join("");
  const lines: string[] = [];
  const add = (node: object, indent: string): void => {
    for (const [name, child] of Object.entries(node) as [string, object][]) {
      const isFolder = name.endsWith("/");
      lines.push(`${indent}${name}${isFolder ? "" : countOf(child as PlainFile)}\n`);
      if (isFolder) add(child, `${indent}  `);
    }
  };
  add(data["tree"] as object, "");
  return lines.join("");
}
