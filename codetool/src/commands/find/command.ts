import { defineCommand } from "../define-command.ts";
import { findInput } from "./input.ts";
import type { FolderTree, TreeLeaf } from "./file-tree.ts";
import type { FindPayload, ListedEntry } from "./payload.ts";

/** `codetool find`: which files there are, as a tree and as a list. */
export const findFilesCommand = defineCommand({
  name: "find",
  summary: "list files as tree and list, with lines and languages",
  examples: [
    {
      commandLine: 'codetool find "*.{ts,tsx}" --flat',
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
  ...findInput,
  isBatchable: true,
  answerSchema: async () => (await import("./answer-schema.ts")).findAnswer,
  run: async (input, context) => {
    const { runFind } = await import("./run.ts");
    return await runFind(input, context);
  },
  unixEquivalent: async (input) => {
    const { findEquivalent } = await import("../fallback/index.ts");
    return findEquivalent(input);
  },
  renderPlain,
});

/** One path a line, with `--related-to` its relevance before it; with `--tree` names indented below their folders; with `--outline` the symbols behind a tab. */
function renderPlain({ tree, flat }: FindPayload): string {
  const symbolsOf = ({ symbols }: Pick<TreeLeaf, "symbols">): string =>
    symbols === null ? "" : `\t${symbols}`;
  const relevanceOf = ({ relevance = null }: ListedEntry): string =>
    relevance === null ? "" : `${relevance.toFixed(2)} `;
  if (flat !== null)
    return flat.map((file) => `${relevanceOf(file)}${file.path}${symbolsOf(file)}\n`).join("");
  const lines: string[] = [];
  const add = (node: FolderTree, indent: string): void => {
    for (const [name, child] of Object.entries(node))
      if (isFolder(child, name)) {
        lines.push(`${indent}${name}\n`);
        add(child, `${indent}  `);
      } else lines.push(`${indent}${name}${symbolsOf(child)}\n`);
  };
  add(tree ?? {}, "");
  return lines.join("");
}

function isFolder(_child: FolderTree | TreeLeaf, name: string): _child is FolderTree {
  return name.endsWith("/");
}
