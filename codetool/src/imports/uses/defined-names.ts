import type { ExtractedSource } from "../../syntax/index.ts";

const nameCountMax = 10_000;

/**
 * The names that other files can use of a file: its definitions at file level and in its namespaces.
 *
 * @param source What `extractSource` found.
 * @returns Each once, in document order, at most 10 000; not the namespaces themselves.
 */
export function definedNamesOf({
  symbols,
  namespaces,
}: Pick<ExtractedSource, "symbols" | "namespaces">): string[] {
  const names = new Set<string>();
  const left = [...symbols].reverse();
  while (names.size < nameCountMax) {
    const symbol = left.pop();
    if (symbol === undefined) break;
    const { kind, name, container, children } = symbol;
    // A method that is written outside of its type is not a name of the file.
    if (container !== undefined && kind === "method") continue;
    const isNamespace = kind === "module" && namespaces.some((each) => each.endsWith(name));
    if (!isNamespace) names.add(name.slice(name.lastIndexOf(":") + 1));
    if (kind === "module") for (const child of children.toReversed()) left.push(child);
  }
  return [...names];
}
