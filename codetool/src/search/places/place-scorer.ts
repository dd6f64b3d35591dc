import type { NameMatcher, RankQuery } from "../ranker/index.ts";
import { type PlacedFile, placeFeatureNames, placeRows } from "./place-features.ts";
import { placeWeights } from "./place-weights.ts";

/** A place with its score. */
export interface ScoredPlace {
  /** What it is, from its first line. */
  readonly startLine1: number;
  readonly endLine1: number;
  /** Finds the line to point at. */
  readonly line1: () => number;
  /** Sum of features times weights: comparable within an answer, over files. */
  readonly score: number;
  readonly values: readonly number[];
  /** The words of the query in it, a bit each, as the groups of the query are. */
  readonly bits: number;
  /** Of the definition; `null` between definitions. */
  readonly name: string | null;
}

/** Scores the places of files for one query. */
export class PlaceScorer {
  readonly #query: RankQuery;
  readonly #matcher: NameMatcher;
  /** In the order of the features. */
  readonly weights: Float64Array;

  /** @param isHybrid Whether the nearness of chunks is known. */
  constructor(query: RankQuery, matcher: NameMatcher, isHybrid: boolean) {
    this.#query = query;
    this.#matcher = matcher;
    this.weights = isHybrid ? tables.hybrid : tables.lexical;
  }

  /** The places of a file, best first; equal ones in the order of lines. */
  score(file: PlacedFile): ScoredPlace[] {
    const { weights } = this;
    return placeRows(this.#query, this.#matcher, file)
      .map(({ unit, line1, values, bits }) => {
        let score = 0;
        for (let at = 0; at < weights.length; at += 1)
          score += (weights[at] as number) * (values[at] as number);
        const { startLine1, endLine1, symbol } = unit;
        const name = symbol?.name ?? null;
        return { startLine1, endLine1, line1, score, values, bits, name };
      })
      .sort((a, b) => b.score - a.score || a.startLine1 - b.startLine1);
  }
}

const tableOf = (weights: { readonly [feature: string]: number }): Float64Array =>
  Float64Array.from(placeFeatureNames, (name) => weights[name] ?? 0);
const tables = { hybrid: tableOf(placeWeights.hybrid), lexical: tableOf(placeWeights.lexical) };

/** The features of a place by name, each with its weight, those that count most first. */
export function explainPlace(
  { values }: ScoredPlace,
  weights: Float64Array,
): { readonly feature: string; readonly value: number; readonly weight: number }[] {
  return placeFeatureNames
    .map((feature, at) => ({ feature, value: values[at] ?? 0, weight: weights[at] ?? 0 }))
    .filter(({ value, weight }) => value * weight !== 0)
    .sort((a, b) => Math.abs(b.value * b.weight) - Math.abs(a.value * a.weight));
}
