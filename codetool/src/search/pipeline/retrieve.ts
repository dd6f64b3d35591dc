import { saturate, termsOf } from "../../index/index.ts";
import type { CorpusView } from "../../store/index.ts";
import { rarityOf } from "../ranker/index.ts";

/**
 * The lexical retriever: BM25 of all chunks, k1 = 1.5 and b = 0.75.
 *
 *     Σ over the query's terms of idf · tf·(k1+1) / (tf + k1·(1 − b + b·length/meanLength))
 *     idf = ln((N − df + 0.5) / (df + 0.5) + 1)
 *
 * Terms are identifiers as they are written, lower-cased, and their camelCase and snake_case parts, not stemmed, no stop words;
 * a term that the query says twice counts twice. A chunk holds its text, the stem of its file twice and its last three
 * folders: the index' field `body`.
 *
 * @param lengthMean Mean number of terms of a chunk.
 * @returns A score for each chunk.
 */
export function scoreLexically(
  query: string,
  corpus: Pick<CorpusView, "chunkCount" | "postingsOf" | "lengthsOf">,
  lengthMean: number,
): Float64Array {
  const scores = new Float64Array(corpus.chunkCount);
  const lengths = corpus.lengthsOf("body");
  const counts = new Map<string, number>();
  for (const term of termsOf(query)) counts.set(term, (counts.get(term) ?? 0) + 1);
  for (const [term, count] of counts) {
    const { documents, frequencies } = corpus.postingsOf("body", term);
    const rarity = rarityOf(corpus.chunkCount, documents.length);
    for (let at = 0; at < documents.length; at += 1) {
      const chunk = documents[at] as number;
      const ratio = (lengths[chunk] as number) / lengthMean;
      scores[chunk] =
        (scores[chunk] as number) + count * rarity * saturate(frequencies[at] as number, ratio);
    }
  }
  return scores;
}

/** Above this many, sorting costs less than keeping a short list in order. */
const insertedCountMax = 256;

/**
 * The chunks with the highest scores above 0, best first; equal ones in the order of chunks.
 *
 * @param options.countMax How many at most.
 * @param options.isIncluded Leaves out the chunks of files that are not searched.
 */
export function bestChunks(
  scores: Float64Array | Float32Array,
  options: { readonly countMax: number; readonly isIncluded: (chunk: number) => boolean },
): number[] {
  const { countMax, isIncluded } = options;
  if (countMax > insertedCountMax)
    return [...scores.keys()]
      .filter((chunk) => (scores[chunk] as number) > 0 && isIncluded(chunk))
      .sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b)
      .slice(0, countMax);
  const best: number[] = [];
  for (let chunk = 0; chunk < scores.length; chunk += 1) {
    const score = scores[chunk] as number;
    const isFull = best.length === countMax;
    if (score <= (isFull ? (scores[best.at(-1) as number] as number) : 0)) continue;
    if (!isIncluded(chunk)) continue;
    let at = best.length;
    while (at > 0 && (scores[best[at - 1] as number] as number) < score) at -= 1;
    best.splice(at, 0, chunk);
    if (best.length > countMax) best.pop();
  }
  return best;
}
