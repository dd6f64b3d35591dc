import type { CodeSymbol } from "../symbol.ts";
import type { FormatSyntax } from "./entry.ts";

/** Lines of one entry that stay, before what is inside of it. */
const headLinesMax = 12;
/** Lines of a value that stays whole. */
const wholeLineCountMax = 3;

/**
 * Shortens a text in a data format to the lines on which its entries begin and end.
 *
 * Of prose under a heading the first line stays; what is left out shows as one ellipsis.
 *
 * @param text The text that the symbols were extracted from.
 * @param symbols What was found in it.
 */
export function skeletonOfFormat(
  text: string,
  symbols: readonly CodeSymbol[],
  format: FormatSyntax,
): string {
  const lines = text.split("\n");
  const bytes = Buffer.from(text);
  const kept = new Uint8Array(lines.length + 2);
  const stack = [...symbols];
  for (let symbol = stack.pop(); symbol !== undefined; symbol = stack.pop()) {
    keep(symbol, { lines, bytes, kept, isProse: format.language === "markdown" });
    stack.push(...symbol.children);
  }
  const shortened: string[] = [];
  let isCut = false;
  for (const [index, line] of lines.entries()) {
    // What a text as a whole is in (JSON), and what parts documents (YAML), stays.
    if (kept[index + 1] === 1 || /^(?:[{}[\]]\s*$|---)/.test(line)) {
      shortened.push(line.trimEnd());
      isCut = false;
    } else if (line.trim() !== "" && !isCut) {
      const indentation = /^[ \t]{0,40}/.exec(line)?.[0] ?? "";
      shortened.push(`${indentation}${format.ellipsis}`);
      isCut = true;
    }
  }
  const skeleton = `${shortened.join("\n")}\n`;
  return skeleton.length < text.length ? skeleton : text;
}

function keep(
  symbol: CodeSymbol,
  at: {
    readonly lines: readonly string[];
    readonly bytes: Buffer;
    readonly kept: Uint8Array;
    readonly isProse: boolean;
  },
): void {
  const { startLine1, endLine1, children } = symbol;
  const { lines, kept } = at;
  const firstChild = children[0]?.startLine1 ?? endLine1 + 1;
  kept[startLine1] = 1;
  if (at.isProse) {
    // Under the heading, or under its underline.
    for (let line1 = startLine1 + 1; line1 < firstChild && line1 <= endLine1; line1++) {
      kept[line1] =
        /[\p{L}\p{N}]/u.test(lines[line1 - 1] ?? "") || isUnderline(lines[line1 - 1]) ? 1 : 0;
      if (kept[line1] === 1 && !isUnderline(lines[line1 - 1])) break;
    }
    return;
  }
  let line1 = startLine1;
  let byte = symbol.startByte;
  for (; line1 - startLine1 < headLinesMax; line1++) {
    kept[line1] = 1;
    byte = at.bytes.indexOf("\n", byte) + 1;
    if (byte === 0 || byte > symbol.bodyStartByte || symbol.bodyStartByte === symbol.endByte) break;
  }
  if (endLine1 - startLine1 < wholeLineCountMax && children.length === 0 && symbol.kind === "const")
    kept.fill(1, startLine1, endLine1 + 1);
  if (/^\s*(?:[\])}$]|<\/|"""|'''|end)/i.test(lines[endLine1 - 1] ?? "")) kept[endLine1] = 1;
}

function isUnderline(line: string | undefined): boolean {
  return /^ {0,3}(?:=+|-+)\s*$/.test(line ?? "");
}
