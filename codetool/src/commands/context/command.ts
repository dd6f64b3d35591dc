import type { CommandDefinition, CommandResult } from "../command.ts";

/** `codetool context <directory>`: what one should know of a module before working in it. */
export const contextCommand: CommandDefinition = {
  name: "context",
  summary: "pack a folder or a file: documentation, entrypoints, skeletons and who imports what",
  examples: [
    {
      commandLine: "codetool context src/auth --budget 1500",
      remark: "the best of a module; default 4000 tokens",
    },
    { commandLine: "codetool context src/auth/token.ts", remark: "a file and its neighbours" },
    {
      commandLine: "codetool context . --depth 2 --no-edges",
      remark: "two levels of the project, without imports",
    },
  ],
  positionals: [
    {
      name: "path",
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
  isBatchable: true,
  run: async (input, context) => {
    const { runContext } = await import("./run.ts");
    return await runContext(input, context);
  },
  renderPlain,
};

interface PlainContext {
  readonly target: string;
  readonly stats: {
    readonly files: number;
    readonly lines: number;
    readonly symbols: number;
    readonly languages: { readonly [language: string]: number };
  };
  readonly doc?: { readonly source: string; readonly text: string; readonly truncated: boolean };
  readonly entrypoints: readonly {
    readonly file: string;
    readonly line: number;
    readonly signature: string;
    readonly ref_count: number;
  }[];
  readonly files: readonly {
    readonly path: string;
    readonly lines: number;
    readonly skeleton: readonly string[];
  }[];
  readonly edges?: {
    readonly imports_in: readonly PlainEdge[];
    readonly imports_out: readonly PlainEdge[];
  };
  readonly truncated: boolean;
}

interface PlainEdge {
  readonly file: string;
  readonly symbols: readonly string[];
}

/** The parts one after the other, each under a line that says what it is. */
function renderPlain(raw: CommandResult["data"]): string {
  const data = raw as unknown as PlainContext;
  const { stats, doc, entrypoints, files, edges } = data;
  const languages = Object.entries(stats.languages).map(([name, count]) => `${name} ${count}`);
  const lines = [
    `${data.target}: ${stats.files} files, ${stats.lines} lines, ${stats.symbols} symbols (${languages.join(", ")})`,
  ];
  if (doc !== undefined)
    lines.push("", `${doc.source}:`, doc.text, ...(doc.truncated ? ["…"] : []));
  if (entrypoints.length > 0) {
    lines.push("", "used most:");
    for (const { file, line, signature, ref_count } of entrypoints)
      lines.push(`  ${String(ref_count).padStart(4)}  ${file}:${line}  ${signature}`);
  }
  const edgeLine = ({ file, symbols }: PlainEdge): string => `  ${file}: ${symbols.join(", ")}`;
  if (edges !== undefined && edges.imports_in.length > 0)
    lines.push("", "imported by:", ...edges.imports_in.map(edgeLine));
  if (edges !== undefined && edges.imports_out.length > 0)
    lines.push("", "imports:", ...edges.imports_out.map(edgeLine));
  for (const { path, lines: count, skeleton } of files) {
    lines.push("", `${path} (${count} lines)`);
    for (const line of skeleton) lines.push(`  ${line}`);
  }
  if (data.truncated) lines.push("", "more did not fit");
  return `${lines.join("\n")}\n`;
}
