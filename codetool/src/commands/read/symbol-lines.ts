import { ambiguity, findSymbols, symbolPathsOf, withBodies, writePath } from "../../edits/index.ts";
import { errors } from "../../envelope/index.ts";
import type { CodeSymbol } from "../../syntax/index.ts";
import { nearestName } from "../nearest-name.ts";
import type { LineRange } from "./line-range.ts";

/**
 * Finds the lines of a symbol: by its name or by a path such as `Class/method`, as `edit` takes them. Of several with one
 * name the first is shown.
 *
 * @param file As the caller named it.
 * @param warnings Gets the places of all, where several have the name.
 * @throws invalid_range for a name that the file does not have.
 */
export function linesOfSymbol(
  symbol: string,
  symbols: readonly CodeSymbol[],
  { file, warnings }: { readonly file: string; readonly warnings: string[] },
): LineRange {
  const paths = symbolPathsOf(symbols);
  const found = withBodies(findSymbols(symbol, paths));
  const [first] = found;
  if (first === undefined) {
    const names = paths.flatMap((path) => [path.symbol.name, writePath(path)]);
    const nearest = nearestName(symbol, names);
    const own = [...new Set(paths.map((path) => path.symbol.name))].slice(0, 8).join(", ");
    const hint = nearest === undefined ? `it has ${own || "none"}` : `did you mean "${nearest}"`;
    throw new errors.invalid_range({
      range: `symbol ${symbol}`,
      reason: `"${file}" has no symbol of this name; ${hint}`,
    });
  }
  if (found.length > 1)
    warnings.push(`Of "${symbol}" the first is shown: ${ambiguity("symbols", found)}`);
  return { start: first.symbol.startLine1, end: first.symbol.endLine1 };
}
