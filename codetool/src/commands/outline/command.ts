import { defineCommand } from "../define-command.ts";
import { outlineInput } from "./input.ts";
import type { OutlineEntry, OutlinePayload } from "./payload.ts";

/** `codetool outline <file-or-dir>`: the symbol table of a file or a directory. */
export const outlineCommand = defineCommand({
  name: "outline",
  summary: "list the functions, classes, types and constants of a file or a directory",
  examples: [
    { commandLine: "codetool outline src/server.ts", remark: "what a file defines, nested" },
    { commandLine: "codetool outline src --kind class", remark: "the classes of a directory" },
    { commandLine: "codetool outline . --budget 2000", remark: "the outermost symbols that fit" },
  ],
  ...outlineInput,
  isBatchable: true,
  answerSchema: async () => (await import("./answer-schema.ts")).outlineAnswer,
  run: async (input, context) => {
    const { runOutline } = await import("./run.ts");
    return await runOutline(input, context);
  },
  unixEquivalent: async (input) => {
    const { outlineEquivalent } = await import("../fallback/index.ts");
    return outlineEquivalent(input);
  },
  renderPlain,
});

/** One line a symbol: its lines and its signature, indented as it is nested, under the name of its file. */
function renderPlain(payload: OutlinePayload): string {
  const { symbols } = payload;
  const lines: string[] = [];
  let file = "";
  const width = Math.max(...symbols.flatMap(flattened).map((each) => rangeOf(each).length), 0);
  const add = (symbol: OutlineEntry, depth: number): void => {
    const indentation = "  ".repeat(depth);
    lines.push(`${rangeOf(symbol).padStart(width)}  ${indentation}${symbol.signature}`);
    for (const child of symbol.children) add(child, depth + 1);
  };
  if (payload.language !== null) lines.push(`${payload.file}:`);
  for (const symbol of symbols) {
    if (symbol.file !== undefined && symbol.file !== file) {
      file = symbol.file;
      lines.push(...(lines.length > 0 ? [""] : []), `${file}:`);
    }
    add(symbol, 0);
  }
  if (symbols.length === 0) lines.push("no symbols");
  if (payload.truncated === true)
    lines.push("", `${payload.returned} of ${payload.total_symbols} symbols fit`);
  return lines.join("\n");
}

function flattened(symbol: OutlineEntry): OutlineEntry[] {
  return [symbol, ...symbol.children.flatMap(flattened)];
}

function rangeOf({ lines }: OutlineEntry): string {
  return lines.start === lines.end ? `${lines.start}` : `${lines.start}-${lines.end}`;
}
