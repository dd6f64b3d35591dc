import { leadingCommentLine1 } from "./leading-comment.ts";
import type { NamedSymbol } from "./named-symbol.ts";

/** Tells to which symbol each line of a file belongs. */
export interface LineOwners {
  /**
   * The innermost function or method around a line, with the comment right above it; where there is none, the innermost
   * type, constant or other symbol.
   *
   * @param line1 From 1.
   */
  at(line1: number): NamedSymbol | undefined;
}

/** Paints the lines of a file with the symbols that hold them. */
export function makeLineOwners(
  symbols: readonly NamedSymbol[],
  source: { readonly lines: readonly string[]; readonly language: string },
): LineOwners {
  const { lines, language } = source;
  const listed: NamedSymbol[] = [];
  const painted = new Int32Array(lines.length + 2);
  const paint = (siblings: readonly NamedSymbol[], firstLine1: number): void => {
    let free = firstLine1;
    for (const named of siblings) {
      const { startLine1, endLine1 } = named.symbol;
      if (isOwnedByFunction(named)) {
        paint(named.children, startLine1);
        continue;
      }
      listed.push(named);
      const lead = leadingCommentLine1(lines, startLine1, { language, firstLine1: free });
      // A line that two symbols share belongs to the first.
      painted.fill(listed.length, Math.max(lead, free), endLine1 + 1);
      paint(named.children, startLine1 === endLine1 ? startLine1 : startLine1 + 1);
      free = Math.max(free, endLine1 + 1);
    }
  };
  paint(symbols, 1);
  return { at: (line1) => listed[(painted[line1] ?? 0) - 1] };
}

/** A symbol inside of a function that is not a function itself is a part of it. */
function isOwnedByFunction(named: NamedSymbol): boolean {
  if (named.isCallable) return false;
  for (let around = named.parent; around !== null; around = around.parent) {
    if (around.isCallable) return true;
  }
  return false;
}
