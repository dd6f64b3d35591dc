import type { CodeSymbol } from "./symbol.ts";

/** All symbols, those inside of others too, outer ones first. */
export function flattenSymbols(symbols: readonly CodeSymbol[]): CodeSymbol[] {
  const all: CodeSymbol[] = [];
  const stack = symbols.toReversed();
  for (let symbol = stack.pop(); symbol !== undefined; symbol = stack.pop()) {
    all.push(symbol);
    for (const child of symbol.children.toReversed()) stack.push(child);
  }
  return all;
}
