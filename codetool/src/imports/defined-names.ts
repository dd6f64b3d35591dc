import type { CodeSymbol } from "../syntax/index.ts";

const nameCountMax = 10_000;

/**
 * The names that other files can use of a file: its definitions at file level and in its namespaces.
 *
 * @param symbols What `extractSource` found.
 * @returns Each once, in document order, at most 10 000.
 */
export function definedNamesOf(symbols: readonly CodeSymbol[]): string[] {
  const names = new Set<string>();
  const left = [...symbols].reverse();
  while (names.size < nameCountMax) {
    const symbol = left.pop();
    if (symbol === undefined) break;
    const { kind, name, container, children } = symbol;
    // A method that is written outside of its type is no name of the file.
    if (container !== undefined) continue;
    names.add(name.slice(Math.max(name.lastIndexOf(":"), name.lastIndexOf("\\")) + 1));
    if (kind === "module") for (const child of children.toReversed()) left.push(child);
  }
  return [...names];
}
