import type { CommandContext, CommandDefinition, CommandInput, CommandResult } from "../command.ts";

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

/** `codetool outline <file-or-dir>`: the symbol table of a file or a directory. */
export const outlineCommand: CommandDefinition = {
  name: "outline",
  summary: "list the functions, classes, types and constants of a file or a directory",
  examples: [
    { commandLine: "codetool outline src/server.ts", remark: "what a file defines, nested" },
    { commandLine: "codetool outline src --kind class", remark: "the classes of a directory" },
    { commandLine: "codetool outline . --budget 2000", remark: "the outermost symbols that fit" },
  ],
  positionals: [
    { name: "path", aliases: ["file"], isRequired: true, summary: "a file or a directory" },
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
  isBatchable: true,
  run,
  renderPlain,
};

async function run(input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const { runOutline } = await import("./run.ts");
  const { path, depth, kind, budget } = input;
  return runOutline(
    {
      path: typeof path === "string" ? path : "",
      ...(typeof depth === "number" ? { depth } : {}),
      ...(typeof kind === "string" && kind !== "all" ? { kind } : {}),
      ...(typeof budget === "number" ? { budgetTokens: budget } : {}),
    },
    context,
  );
}

/** One line a symbol: its lines and its signature, indented as it is nested, under the name of its file. */
function renderPlain(data: CommandResult["data"]): string {
  const symbols = data["symbols"] as readonly PlainSymbol[];
  const lines: string[] = [];
  let file = "";
  const width = Math.max(...symbols.flatMap(flattened).map((each) => rangeOf(each).length), 0);
  const add = (symbol: PlainSymbol, depth: number): void => {
    const indentation = "  ".repeat(depth);
    lines.push(`${rangeOf(symbol).padStart(width)}  ${indentation}${symbol.signature}`);
    for (const child of symbol.children) add(child, depth + 1);
  };
  if (typeof data["language"] === "string") lines.push(`${String(data["file"])}:`);
  for (const symbol of symbols) {
    if (symbol.file !== undefined && symbol.file !== file) {
      file = symbol.file;
      lines.push(...(lines.length > 0 ? [""] : []), `${file}:`);
    }
    add(symbol, 0);
  }
  if (symbols.length === 0) lines.push("no symbols");
  if (data["truncated"] === true) {
    lines.push("", `${String(data["returned"])} of ${String(data["total_symbols"])} symbols fit`);
  }
  return lines.join("\n");
}

interface PlainSymbol {
  readonly file?: string;
  readonly lines: { readonly start: number; readonly end: number };
  readonly signature: string;
  readonly children: readonly PlainSymbol[];
}

function flattened(symbol: PlainSymbol): PlainSymbol[] {
  return [symbol, ...symbol.children.flatMap(flattened)];
}

function rangeOf({ lines }: PlainSymbol): string {
  return lines.start === lines.end ? `${lines.start}` : `${lines.start}-${lines.end}`;
}
