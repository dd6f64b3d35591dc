import {
  ambiguity,
  findSymbols,
  type SymbolPath,
  symbolPathsOf,
  withBodies,
  writePath,
} from "../../edits/index.ts";
import { errors } from "../../envelope/index.ts";
import type { ExtractedSymbols } from "../../syntax/index.ts";
import { nearestName } from "../nearest-name.ts";
import type { LineRange } from "./line-range.ts";

/**
 * Finds the lines of a symbol: by its name or by a path such as `Class/method`, as `edit` takes them. Several with one
 * name that follow each other, such as overloads or a getter and its setter, are shown together, else the first of them.
 *
 * @param file As the caller named it.
 * @param warnings Gets the places of all, where several have the name.
 * @throws invalid_range for a name that the file does not have, and for a file that is not parsed.
 */
export function linesOfSymbol(
  symbol: string,
  { symbols, unparsed }: ExtractedSymbols,
  { file, warnings }: { readonly file: string; readonly warnings: string[] },
): LineRange {
  const paths = symbolPathsOf(symbols);
  const found = withBodies(findSymbols(symbol, paths));
  const [first] = found;
  const range = `symbol ${symbol}`;
  if (unparsed !== undefined)
    throw new errors.invalid_range({ range, reason: `"${file}" is not parsed: ${unparsed}` });
  if (first === undefined) {
    const names = paths.flatMap((path) => [path.symbol.name, writePath(path)]);
    const nearest = nearestName(symbol, names);
    const own = [...new Set(paths.map((path) => path.symbol.name))].slice(0, 8).join(", ");
    const hint = nearest === undefined ? `it has ${own || "none"}` : `did you mean "${nearest}"`;
    throw new errors.invalid_range({
      range,
      reason: `"${file}" has no symbol of this name; ${hint}`,
    });
  }
  const last = found.at(-1) ?? first;
  if (isOneRun(found, paths)) return { start: first.symbol.startLine1, end: last.symbol.endLine1 };
  if (found.length > 1)
    warnings.push(`Of "${symbol}" the first is shown: ${ambiguity("symbols", found)}`);
  return { start: first.symbol.startLine1, end: first.symbol.endLine1 };
}

/** Whether nothing is between symbols but what is inside of them. */
function isOneRun(found: readonly SymbolPath[], all: readonly SymbolPath[]): boolean {
  return found.every((path, index) => {
    const next = found[index + 1];
    if (next === undefined) return true;
    return all
      .slice(all.indexOf(path) + 1, all.indexOf(next))
      .every(({ symbol }) => symbol.endByte <= path.symbol.endByte);
  });
}
