import type { CodeSymbol } from "../syntax/index.ts";
import {
  ambiguity,
  findSymbols,
  symbolPathsOf,
  withBodies,
  writePath,
  type SymbolPath,
} from "./symbol-paths.ts";
import type { Stretch } from "./text-edit.ts";
import { unitOffsetsIn } from "./unit-offsets.ts";

/** The part of a file that an edit is limited to. */
export interface ScopeRequest {
  /** Name path of a function or method. */
  readonly inFunction?: string;
  /** Name path of a class or another type; with `inFunction`, the function lies in it. */
  readonly inClass?: string;
}

/** Where edits may be made; or the reason why that is not known, with the names to suggest from. */
export type EditScope =
  | { readonly stretches: readonly Stretch[] }
  | { readonly wanted: string; readonly reason: string; readonly names: readonly string[] };

const typeKinds: ReadonlySet<string> = new Set([
  "class",
  "struct",
  "enum",
  "trait",
  "interface",
  "type",
  "module",
]);
const functionKinds: ReadonlySet<string> = new Set(["function", "method"]);

/**
 * Finds the parts of the text that a scope means. A class includes its other parts in the file (`impl` blocks, partial
 * classes) and functions written outside of its body (Go, C++).
 *
 * A part includes whole lines if nothing else is on them, so that a copied line is found with its indentation.
 */
export function scopeOf(
  text: string,
  symbols: readonly CodeSymbol[],
  request: ScopeRequest,
): EditScope {
  const paths = symbolPathsOf(symbols);
  let parts: readonly SymbolPath[] | undefined;
  if (request.inClass !== undefined) {
    const found = findTypes(request.inClass, paths);
    if ("reason" in found) return { wanted: request.inClass, ...found };
    parts = found.found;
  }
  if (request.inFunction !== undefined) {
    const candidates =
      parts === undefined ? paths : paths.filter((path) => isIn(path, parts ?? []));
    const found = findFunction(request.inFunction, candidates, paths);
    if ("reason" in found) return { wanted: request.inFunction, ...found };
    parts = found.found;
  }
  return { stretches: stretchesOf(text, parts ?? []) };
}

type Found =
  | { readonly found: readonly SymbolPath[] }
  | { readonly reason: string; readonly names: readonly string[] };

function findFunction(
  wanted: string,
  candidates: readonly SymbolPath[],
  all: readonly SymbolPath[],
): Found {
  const functions = candidates.filter(({ symbol }) => functionKinds.has(symbol.kind));
  const found = withBodies(findSymbols(wanted, functions));
  if (found.length === 1) return { found };
  const names = namesOf(functions);
  if (found.length > 1) return { reason: ambiguity("functions", found), names: [] };
  const other = findSymbols(wanted, all)[0];
  if (other !== undefined && !functionKinds.has(other.symbol.kind))
    return { reason: `it is a ${other.symbol.kind}, wanted a function`, names: [] };
  return { reason: "there is no such function", names };
}

function findTypes(wanted: string, paths: readonly SymbolPath[]): Found {
  const types = paths.filter(({ symbol }) => typeKinds.has(symbol.kind));
  // Of a type whose body is in another file there are only functions here.
  const outside = paths.flatMap(({ symbol, names }) =>
    symbol.container === undefined ? [] : { symbol, names: names.slice(0, -1) },
  );
  const candidates = [...types, ...outside];
  const found = findSymbols(wanted, candidates);
  const wholePaths = new Set(found.map(writePath));
  if (wholePaths.size === 1) return { found };
  if (found.length > 1)
    return {
      reason: ambiguity(
        "classes",
        found.filter(
          (path, index) => found.findIndex((each) => writePath(each) === writePath(path)) === index,
        ),
      ),
      names: [],
    };
  const other = findSymbols(wanted, paths)[0];
  if (other !== undefined)
    return { reason: `it is a ${other.symbol.kind}, wanted a class`, names: [] };
  return { reason: "there is no such class", names: namesOf(candidates) };
}

function namesOf(paths: readonly SymbolPath[]): string[] {
  return [...new Set(paths.flatMap((path) => [path.names.at(-1) ?? "", writePath(path)]))];
}

function isIn({ symbol }: SymbolPath, parts: readonly SymbolPath[]): boolean {
  return parts.some(
    (part) => part.symbol.startByte <= symbol.startByte && symbol.endByte <= part.symbol.endByte,
  );
}

function stretchesOf(text: string, parts: readonly SymbolPath[]): Stretch[] {
  const offsets = unitOffsetsIn(text);
  const stretches = parts
    .map(({ symbol }) => {
      const start = offsets(symbol.startByte);
      const end = offsets(symbol.endByte);
      const lineStart = text.lastIndexOf("\n", start - 1) + 1;
      const feed = text.indexOf("\n", end);
      const lineEnd = feed === -1 ? text.length : feed + 1;
      return {
        start: start > 0 && text.slice(lineStart, start).trim() === "" ? lineStart : start,
        end: text.slice(end, lineEnd).trim() === "" ? lineEnd : end,
      };
    })
    .sort((left, right) => left.start - right.start || right.end - left.end);
  const merged: Stretch[] = [];
  for (const stretch of stretches) {
    const last = merged.at(-1);
    if (last === undefined || stretch.start > last.end) merged.push(stretch);
    else merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, stretch.end) };
  }
  return merged;
}
