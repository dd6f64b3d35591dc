import type { SymbolKind } from "../../syntax/index.ts";
import type { PipelineHit } from "./hits.ts";

/** How much a definition adds, in the highest score. */
export const definitionWeights = { symbol: 12, question: 4 } as const;

/** What it is multiplied with where the file is named for the query, too. */
export const stemMultiplier = 1.5;

/** A definition that begins in a chunk. */
export interface HitDefinition {
  readonly name: string;
  readonly kind: SymbolKind;
}

/** What the stage knows. */
export interface DefinitionOptions {
  /** Lower-cased. */
  readonly keywords: readonly string[];
  /** The name that is asked for; `null` for a query of words. */
  readonly symbolName: string | null;
  /** What a chunk defines. */
  readonly definitionsOf: (hit: PipelineHit) => readonly HitDefinition[];
  /** The name of a hit's file without its ending, lower-cased. */
  readonly stemOf: (hit: PipelineHit) => string;
}

/**
 * Definitions: a chunk that defines what is asked for comes before those that use it.
 *
 *     highest · (12 for the name of a symbol, 4 for words) · (1.5 where the file's stem holds a keyword, too)
 *
 * For a symbol the names must be equal, except the case of letters; for words a keyword must be in the name, lower-cased.
 * Constants define nothing for a query of words. Whether a chunk defines something comes from
 * the symbols of the index, not from how a line begins, so that modifiers (`pub`, `export`, `static`) do not hide it.
 *
 * @returns 0, 1 or 1.5 for each hit.
 */
export function definitionsAskedFor(
  hits: readonly PipelineHit[],
  { keywords, symbolName, definitionsOf, stemOf }: DefinitionOptions,
): Float64Array {
  const asked = symbolName?.toLowerCase();
  const isAsked = ({ name, kind }: HitDefinition): boolean => {
    const own = name.toLowerCase();
    if (asked !== undefined) return own === asked;
    return kind !== "const" && keywords.some((keyword) => own.includes(keyword));
  };
  return Float64Array.from(hits, (hit) => {
    if (!definitionsOf(hit).some(isAsked)) return 0;
    const stem = stemOf(hit);
    return keywords.some((keyword) => stem.includes(keyword)) ? stemMultiplier : 1;
  });
}
