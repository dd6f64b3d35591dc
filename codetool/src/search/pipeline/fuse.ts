/** Added to every rank: the larger it is, the smaller is the lead of the first places. */
export const rankOffset = 60;

/** How much meaning counts where the caller does not say. */
export const alphaDefaults = { symbol: 0.3, question: 0.5 } as const;

/** A chunk that a retriever found, with its rank in each list, 1 being the first; 0 where it is not in it. */
export interface FusedChunk {
  readonly chunk: number;
  readonly score: number;
  readonly lexicalRank: number;
  readonly semanticRank: number;
}

/**
 * Reciprocal rank fusion of the two retrievers, k = 60:
 *
 *     alpha / (60 + semantic rank) + (1 − alpha) / (60 + lexical rank)
 *
 * A list that lacks the chunk adds nothing; chunks without any score are left out.
 *
 * @param given.alpha 0 for only words to 1 for only meaning.
 * @returns In the order of chunks.
 */
export function fuseRanks(given: {
  readonly lexical: readonly number[];
  readonly semantic: readonly number[];
  readonly alpha: number;
}): FusedChunk[] {
  const ranksOf = (list: readonly number[]): ReadonlyMap<number, number> =>
    new Map(list.map((chunk, index) => [chunk, index + 1]));
  const lexical = ranksOf(given.lexical);
  const semantic = ranksOf(given.semantic);
  const share = (rank: number): number => (rank === 0 ? 0 : 1 / (rankOffset + rank));
  return [...new Set([...lexical.keys(), ...semantic.keys()])]
    .map((chunk) => {
      const lexicalRank = lexical.get(chunk) ?? 0;
      const semanticRank = semantic.get(chunk) ?? 0;
      const score = given.alpha * share(semanticRank) + (1 - given.alpha) * share(lexicalRank);
      return { chunk, score, lexicalRank, semanticRank };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => a.chunk - b.chunk);
}
