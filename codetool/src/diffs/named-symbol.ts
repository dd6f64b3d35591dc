import type { CodeSymbol, SymbolKind } from "../syntax/index.ts";

/** A symbol with the names around it. */
export interface NamedSymbol {
  readonly symbol: CodeSymbol;
  /** The names from the outermost on, joined by slashes: `Class/method`, `outer/inner`. */
  readonly path: string;
  readonly kind: SymbolKind;
  /** A function or a method. */
  readonly isCallable: boolean;
  readonly parent: NamedSymbol | null;
  readonly children: readonly NamedSymbol[];
}

/** Names nested symbols; a symbol written outside of its type's body has the type in its path. */
export function nameSymbols(
  symbols: readonly CodeSymbol[],
  parent: NamedSymbol | null = null,
): readonly NamedSymbol[] {
  return symbols.map((symbol) => {
    const own = symbol.container === undefined ? symbol.name : `${symbol.container}/${symbol.name}`;
    const children: NamedSymbol[] = [];
    const named: NamedSymbol = {
      symbol,
      path: parent === null ? own : `${parent.path}/${own}`,
      kind: symbol.kind,
      isCallable: symbol.kind === "function" || symbol.kind === "method",
      parent,
      children,
    };
    children.push(...nameSymbols(symbol.children, named));
    return named;
  });
}

/** Calls back for each symbol, those around before those inside. */
export function forEachSymbol(
  symbols: readonly NamedSymbol[],
  visit: (symbol: NamedSymbol) => void,
): void {
  for (const symbol of symbols) {
    visit(symbol);
    forEachSymbol(symbol.children, visit);
  }
}
