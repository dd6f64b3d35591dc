import type { CodeSymbol } from "../syntax/index.ts";

/** A symbol with the names that lead to it, its own last: `["Server", "start"]`. */
export interface SymbolPath {
  readonly symbol: CodeSymbol;
  readonly names: readonly string[];
}

/** The result of a name path: the symbols, or the reason why there is not exactly one, with the names that exist. */
export type FoundSymbols =
  | { readonly found: readonly SymbolPath[] }
  | { readonly reason: string; readonly names: readonly string[] };

/** Lists symbols with their paths, in document order. A member written outside of its type has the type in its path. */
export function symbolPathsOf(symbols: readonly CodeSymbol[]): SymbolPath[] {
  const paths: SymbolPath[] = [];
  const add = (symbol: CodeSymbol, above: readonly string[]): void => {
    const container = symbol.container === undefined ? [] : symbol.container.split(/::|\./);
    const own = container.length === 0 ? symbol.name : lastName(symbol.name);
    const names = [...above, ...container, own];
    paths.push({ symbol, names });
    for (const child of symbol.children) add(child, names);
  };
  for (const symbol of symbols) add(symbol, []);
  return paths;
}

/** Writes a path as it is given to `findSymbols`. */
export function writePath({ names }: SymbolPath): string {
  return names.join("/");
}

/**
 * Finds the symbols that a name path means: a name, or the end of a path such as `Class/method`; `Class.method`,
 * `Class::method` and `Class#method` are the same. A slash before it asks for the whole path, `:12` after it for the one
 * that line 12 belongs to.
 *
 * @param paths The candidates.
 */
export function findSymbols(wanted: string, paths: readonly SymbolPath[]): readonly SymbolPath[] {
  const line = /^(.+):(\d{1,9})$/s.exec(wanted);
  for (const [text, line1] of [
    [wanted, undefined],
    [line?.[1] ?? "", Number(line?.[2])],
  ] as const) {
    if (text === "") continue;
    const isWhole = text.startsWith("/");
    const path = isWhole ? text.slice(1) : text;
    for (const names of [[path], path.split("/"), path.split(/::|[/.#]/)]) {
      const found = paths.filter(
        (candidate) =>
          isEndOf(names, candidate.names, isWhole) &&
          (line1 === undefined || isAtLine(candidate.symbol, line1)),
      );
      if (found.length > 0) return found;
    }
  }
  return [];
}

/** Of symbols with one path, those that have a body: a declaration is not edited. */
export function withBodies(found: readonly SymbolPath[]): readonly SymbolPath[] {
  const defined = found.filter(({ symbol }) => symbol.bodyStartByte < symbol.endByte);
  return defined.length > 0 ? defined : found;
}

/** The reason when several symbols have the name, with the place of each. */
export function ambiguity(kind: string, found: readonly SymbolPath[]): string {
  const shown = found
    .slice(0, 5)
    .map((path) => `${writePath(path)}:${path.symbol.startLine1}`)
    .join(", ");
  const more = found.length > 5 ? ` and ${found.length - 5} more` : "";
  return `${found.length} ${kind} have this name: write one of ${shown}${more}`;
}

function isAtLine(symbol: CodeSymbol, line1: number): boolean {
  return symbol.startLine1 <= line1 && line1 <= symbol.endLine1;
}

function isEndOf(names: readonly string[], path: readonly string[], isWhole: boolean): boolean {
  if (isWhole ? names.length !== path.length : names.length > path.length) return false;
  const skipped = path.length - names.length;
  return names.every((name, index) => name === path[skipped + index]);
}

function lastName(name: string): string {
  const colons = name.lastIndexOf("::");
  return colons === -1 ? name : name.slice(colons + 2);
}
