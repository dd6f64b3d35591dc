import type { RankQuery } from "../ranker/index.ts";
import { type PlaceFeature, placeFeatureNames, type ScoredPlace } from "../places/index.ts";

/** Something that counted for a place, or against it. */
export interface PlaceEvidence {
  /** In words. */
  readonly what: string;
  readonly value: number;
  /** Its share of the score of the place. */
  readonly points: number;
}

/** Something that a place lacks, or has to its harm, next to a better one of its file. */
export interface LackedEvidence {
  /** In words. */
  readonly what: string;
  readonly value: number;
  /** The value of the better place. */
  readonly value_here: number;
  /** What the place lost by it. */
  readonly points: number;
}

/** Why a place is shown, and not the next one of its file; keys in the order of printing. */
export interface WhyPlace {
  /** The words of the query that are in it; absent where places are not told apart by words. */
  readonly words?: readonly string[];
  /** What counted most first. */
  readonly evidence: readonly PlaceEvidence[];
  /** The place of the same file that comes next by its score; `null` where there is none. */
  readonly next: NextPlace | null;
}

/** A place that came behind another one of its file; keys in the order of printing. */
export interface NextPlace {
  readonly line: number;
  /** Of the definition; `null` between definitions, and where text or chunks are compared. */
  readonly name: string | null;
  /** As those of the better place. */
  readonly words?: readonly string[];
  readonly points_behind: number;
  /** What cost it most first. */
  readonly lacks: readonly LackedEvidence[];
}

const evidenceCountMax = 6;
const lacksCountMax = 4;
/** Points that are worth a word. */
const pointsMin = 0.05;

const wordsOfFeature: { readonly [Feature in PlaceFeature]: string } = {
  fileBelow: "points that its file is behind the best one, in tens",
  fileRank: "one over the rank of its file",
  bm25: "BM25 of the query's words in it",
  coverHead: "share of the query in its first line, rare words counting more",
  count: "share of the query's words that it holds",
  name: "how its name fits the query",
  isAsked: "the query writes its name",
  aroundShare: "share of the query in the names around it",
  pairs: "share of the query's neighbouring words that are neighbours in it",
  near: "nearness by meaning, against the nearest place of all",
  nearInFile: "nearness by meaning, against the nearest place of its file",
  isFunction: "a function or method",
  isHeader: "the head of a definition that holds others",
  isValue: "a constant",
  isType: "a type or another definition that is not run",
  isPlain: "between definitions",
  size: "length, 1 at 256 lines",
  isOneLine: "a single line",
  isTestUnit: "a test",
  isExported: "exported",
  isAtTop: "among the first lines of its file",
  isTest: "in a file of tests",
  isDocs: "in documentation",
  isOther: "in a file that is neither source nor test nor documentation",
  bm25InFile: "BM25 against the best place of its file",
};

/** What the points of places are worked out from. */
export interface WhyOptions {
  readonly query: RankQuery;
  /** In the order of the features. */
  readonly weights: Float64Array;
}

/**
 * Says why a place comes before the next one of its file.
 *
 * @param next The place behind it; `undefined` for the last one.
 */
export function whyPlace(
  place: ScoredPlace,
  next: ScoredPlace | undefined,
  { query, weights }: WhyOptions,
): WhyPlace {
  const pointsOf = ({ values }: ScoredPlace, at: number): number =>
    (values[at] ?? 0) * (weights[at] ?? 0);
  const evidence = placeFeatureNames.map((feature, at) => ({
    what: wordsOfFeature[feature],
    value: place.values[at] ?? 0,
    points: pointsOf(place, at),
  }));
  const words = wordsOf(place, query);
  if (next === undefined) return { words, evidence: mostOf(evidence), next: null };
  const lacks = placeFeatureNames.map((feature, at) => ({
    what: wordsOfFeature[feature],
    value: next.values[at] ?? 0,
    value_here: place.values[at] ?? 0,
    points: pointsOf(next, at) - pointsOf(place, at),
  }));
  return {
    words,
    evidence: mostOf(evidence),
    next: {
      line: next.startLine1,
      name: next.name,
      words: wordsOf(next, query),
      points_behind: rounded(place.score - next.score),
      lacks: mostLacked(lacks),
    },
  };
}

function wordsOf({ bits }: ScoredPlace, { groups }: RankQuery): readonly string[] {
  return groups.flatMap(({ word }, at) => ((bits & (1 << at)) === 0 ? [] : [word]));
}

/** What counted most, for or against. */
function mostOf(evidence: readonly PlaceEvidence[]): readonly PlaceEvidence[] {
  return evidence
    .filter(({ points }) => Math.abs(points) >= pointsMin)
    .sort((a, b) => Math.abs(b.points) - Math.abs(a.points))
    .slice(0, evidenceCountMax)
    .map(({ what, value, points }) => ({ what, value: rounded(value), points: rounded(points) }));
}

function mostLacked(lacks: readonly LackedEvidence[]): readonly LackedEvidence[] {
  return lacks
    .filter(({ points }) => points <= -pointsMin)
    .sort((a, b) => a.points - b.points)
    .slice(0, lacksCountMax)
    .map((lack) => ({
      what: lack.what,
      value: rounded(lack.value),
      value_here: rounded(lack.value_here),
      points: rounded(lack.points),
    }));
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;
