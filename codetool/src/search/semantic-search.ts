import type { Chunk } from "../index/index.ts";
import type { CorpusView } from "./corpus-view.ts";
import { DenseFiles } from "./ranker/dense-files.ts";

/** A chunk that is about what a query is about. */
export interface SemanticHit {
  /** Number of its file. */
  readonly file: number;
  readonly chunk: Chunk;
  /** 0 to 1, comparable within one answer. */
  readonly relevance: number;
}

/** Files of an answer, and chunks of each. */
const fileCountMax = 200;
const chunksOfFileMax = 5;

/**
 * Orders files by their nearest chunk, and shows the nearest chunk of each before the second of any. Equal scores are
 * ordered by path and place.
 *
 * @param nearness How near each chunk is, about the cosine.
 * @param isIncluded Leaves out the files of others.
 */
export function nearestChunks(
  corpus: CorpusView,
  nearness: Float32Array,
  isIncluded: (file: number) => boolean,
): SemanticHit[] {
  const { order } = new DenseFiles(corpus, nearness, isIncluded);
  const ranked = order.slice(0, fileCountMax).map((file) => {
    const firstChunk = corpus.chunkStarts[file] as number;
    const count = (corpus.chunkStarts[file + 1] as number) - firstChunk;
    const chunks = Array.from({ length: count }, (_, index) => index)
      .map((index) => ({ index, score: nearness[firstChunk + index] as number }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.index - b.index)
      .slice(0, chunksOfFileMax);
    return { file, order: chunks, best: chunks[0]?.score ?? 0 };
  });
  const top = ranked[0]?.best ?? 1;
  const hits: SemanticHit[] = [];
  for (let place = 0; place < chunksOfFileMax; place += 1)
    for (const { file, order } of ranked) {
      const entry = order[place];
      const chunk = entry === undefined ? undefined : corpus.chunksOf(file)[entry.index];
      if (entry === undefined || chunk === undefined) continue;
      hits.push({ file, chunk, relevance: entry.score / top });
    }
  return hits;
}
