import type { CodeSymbol } from "../../syntax/index.ts";

/** One row of a flat outline. */
export interface FlatSymbol {
  readonly name: string;
  readonly kind: string;
  readonly lines: { readonly start: number; readonly end: number };
  readonly signature: string;
}

/** Lists nested symbols in document order, each before those inside it. The parser is not loaded for that. */
export function flatSymbolsOf(symbols: readonly CodeSymbol[]): FlatSymbol[] {
  const flat: FlatSymbol[] = [];
  const add = (symbol: CodeSymbol): void => {
    flat.push({
      name: symbol.name,
      kind: symbol.kind,
      lines: { start: symbol.startLine1, end: symbol.endLine1 },
      signature: symbol.signature,
    });
    symbol.children.forEach(add);
  };
  symbols.forEach(add);
  return flat;
}
