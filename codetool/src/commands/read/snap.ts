import type { CodeSymbol, EnclosingBlock } from "../../syntax/index.ts";
import type { LineRange } from "./line-range.ts";

/** Lines widened to the symbol or block around them, and its name. */
export interface Snapped {
  readonly range: LineRange;
  /** `null` where nothing encloses them: the lines are as asked for. */
  readonly reason: string | null;
}

const kindsOf: { readonly [snap: string]: ReadonlySet<string> } = {
  function: new Set(["function", "method"]),
  class: new Set(["class", "struct", "enum", "trait", "interface", "type", "module"]),
};

/**
 * Widens lines to the smallest function or class around them. If none holds all of them, each end is widened to
 * the one around it. A line belongs to a symbol that begins or ends on it, whatever its indentation; a blank line belongs
 * to the symbol around it.
 *
 * @param snap `function` or `class`.
 * @param symbols Of the whole file, nested.
 */
export function snapToSymbol(
  snap: string,
  range: LineRange,
  symbols: readonly CodeSymbol[],
): Snapped {
  const kinds = kindsOf[snap] ?? new Set();
  const whole = smallestAround(range, symbols, kinds);
  if (whole !== undefined) return snapped(range, [whole]);
  const first = smallestAround({ start: range.start, end: range.start }, symbols, kinds);
  const last = smallestAround({ start: range.end, end: range.end }, symbols, kinds);
  return snapped(
    range,
    [first, last].filter((symbol) => symbol !== undefined),
  );
}

/** Widens lines to a block that was found around them. */
export function snapToBlock(range: LineRange, block: EnclosingBlock | undefined): Snapped {
  if (block === undefined) return { range, reason: null };
  return {
    range: { start: block.startLine1, end: block.endLine1 },
    reason: `expanded to enclosing ${block.kind}`,
  };
}

function snapped(range: LineRange, around: readonly CodeSymbol[]): Snapped {
  if (around.length === 0) return { range, reason: null };
  const names = around.map(({ kind, name }) => `${kind} \`${name}\``);
  return {
    range: {
      start: Math.min(range.start, ...around.map(({ startLine1 }) => startLine1)),
      end: Math.max(range.end, ...around.map(({ endLine1 }) => endLine1)),
    },
    reason: `expanded to enclosing ${names.join(" and ")}`,
  };
}

/** The innermost symbol of some kinds that holds all lines; of several on one line, the first. */
function smallestAround(
  range: LineRange,
  symbols: readonly CodeSymbol[],
  kinds: ReadonlySet<string>,
): CodeSymbol | undefined {
  for (const symbol of symbols) {
    const inner = smallestAround(range, symbol.children, kinds);
    if (inner !== undefined) return inner;
    const isAround = symbol.startLine1 <= range.start && range.end <= symbol.endLine1;
    if (isAround && kinds.has(symbol.kind)) return symbol;
  }
  return undefined;
}
