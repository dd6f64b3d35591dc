import type { LabelledQuery } from "./dataset.ts";

/** One place of an answer: a file, and the lines of it that are shown. */
export interface RankedPlace {
  /** Relative to the top of the repository, with forward slashes. */
  readonly path: string;
  /** 1-based, both included. */
  readonly startLine1: number;
  readonly endLine1: number;
}

/** How well one query was answered; all 0 to 1. */
export interface QueryScore {
  /** Over distinct files. */
  readonly ndcg5: number;
  readonly ndcg10: number;
  /** Over places, and where labels name lines a place must show some of them. */
  readonly strictNdcg10: number;
  /** True when none of the first ten files is a wanted one. */
  readonly isMiss: boolean;
}

/**
 * Scores the answer to a labelled query.
 *
 * `DCG@k = Σ gain / log2(rank + 1)` over the first k ranks, gain `2^grade - 1`, each target counting once, at its first
 * place; `NDCG@k` divides by the DCG of the best order there could be. A query that wants nothing (`isNegative`, or no
 * target) scores 1 for an empty answer, else 0.
 *
 * @param places Best first.
 */
export function scoreQuery(query: LabelledQuery, places: readonly RankedPlace[]): QueryScore {
  if (query.targets.length === 0) {
    const score = places.length === 0 ? 1 : 0;
    return { ndcg5: score, ndcg10: score, strictNdcg10: score, isMiss: score === 0 };
  }
  const files = [...new Map(places.map((place) => [place.path, place])).keys()];
  const fileGains = gainsAlong(query, files, (target, path) => isSamePath(target.path, path));
  const placeGains = gainsAlong(
    query,
    places,
    (target, place) =>
      isSamePath(target.path, place.path) &&
      (target.spans.length === 0 ||
        target.spans.some(
          (span) => span.startLine1 <= place.endLine1 && place.startLine1 <= span.endLine1,
        )),
  );
  const ideal = query.targets.map(gainOf).sort((a, b) => b - a);
  const ratio = (gains: readonly number[], rankCount: number): number =>
    discounted(gains, rankCount) / Math.max(discounted(ideal, rankCount), Number.MIN_VALUE);
  const ndcg10 = ratio(fileGains, 10);
  return {
    ndcg5: ratio(fileGains, 5),
    ndcg10,
    strictNdcg10: ratio(placeGains, 10),
    isMiss: ndcg10 === 0,
  };
}

type Target = LabelledQuery["targets"][number];

function gainOf(target: Target): number {
  return 2 ** target.grade - 1;
}

/** The gain at each rank: a target counts where it is met first, and several met at one rank add up. */
function gainsAlong<Item>(
  query: LabelledQuery,
  items: readonly Item[],
  isMet: (target: Target, item: Item) => boolean,
): number[] {
  const open = new Set(query.targets);
  return items.map((item) => {
    let gain = 0;
    for (const target of open) {
      if (!isMet(target, item)) continue;
      open.delete(target);
      gain += gainOf(target);
    }
    return gain;
  });
}

function discounted(gains: readonly number[], rankCount: number): number {
  let sum = 0;
  for (const [index, gain] of gains.slice(0, rankCount).entries())
    sum += gain / Math.log2(index + 2);
  return sum;
}

/** Labels may be relative to another folder than the answer: one path may be the end of the other. */
function isSamePath(left: string, right: string): boolean {
  return left === right || left.endsWith(`/${right}`) || right.endsWith(`/${left}`);
}
