import type { ScoredPlace } from "../places/index.ts";
import type { RankQuery } from "../ranker/index.ts";
import { type WhyPlace, whyPlace } from "./why-place.ts";
import { type ChunkParts, partPoints, type ScoredChunk } from "./chunk-scorer.ts";

const wordsOfPart: { readonly [Part in keyof ChunkParts]: string } = {
  chunk: "BM25 of the query in its chunk, against the most that it could give",
  name: "how the best name that is defined in its chunk fits the query",
  coverage: "share of the query that its chunk holds",
  phrase: "its chunk holds the query as it is written",
};
const partNames = Object.keys(wordsOfPart) as (keyof ChunkParts)[];

/** A chunk, and the place that it shows where places are compared. */
interface ExplainedChunk extends ScoredChunk {
  readonly place?: ScoredPlace;
  /** The place of its file that comes behind it. */
  readonly next?: ScoredPlace | undefined;
}

/**
 * Says why a chunk, or its place, comes before the next one of its file; of one that was not
 * compared with others, why it is listed.
 *
 * @param behind The chunk behind it; `undefined` for the last one.
 */
export function whyChunk(
  chunk: ExplainedChunk,
  behind: ScoredChunk | undefined,
  { query, weights }: { readonly query: RankQuery; readonly weights: Float64Array | undefined },
): { readonly why: WhyPlace } {
  if (chunk.place !== undefined && weights !== undefined)
    return { why: whyPlace(chunk.place, chunk.next, { query, weights }) };
  return { why: whyParts(chunk, behind) };
}

/** Of a chunk that was not compared with others of its file: one that holds a word has the score 0, see `ChosenChunks`. */
function whyUncompared(score: number): WhyPlace {
  const what =
    score === 0
      ? "its chunk holds a word of the query"
      : "its file fits by its path, its names or its nearness; no part of it was chosen by words";
  return { evidence: [{ what, value: 1, points: 0 }], next: null };
}

function whyParts({ parts, score }: ScoredChunk, next: ScoredChunk | undefined): WhyPlace {
  if (parts === undefined) return whyUncompared(score);
  const evidence = partNames
    .filter((part) => parts[part] > 0)
    .map((part) => ({
      what: wordsOfPart[part],
      value: rounded(parts[part]),
      points: rounded(partPoints[part] * parts[part]),
    }))
    .sort((a, b) => b.points - a.points);
  const behind = next?.parts;
  if (next === undefined || behind === undefined) return { evidence, next: null };
  const lacks = partNames
    .filter((part) => behind[part] < parts[part])
    .map((part) => ({
      what: wordsOfPart[part],
      value: rounded(behind[part]),
      value_here: rounded(parts[part]),
      points: rounded(partPoints[part] * (behind[part] - parts[part])),
    }))
    .sort((a, b) => a.points - b.points);
  const points_behind = rounded(score - next.score);
  return { evidence, next: { line: next.line1, name: null, points_behind, lacks } };
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;
