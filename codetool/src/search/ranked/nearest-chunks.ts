import type { Chunk } from "../../index/index.ts";
import type { CorpusView } from "../../store/index.ts";
import type { RankedList } from "./lazy-list.ts";
import type { VerbatimPlace } from "../verbatim/index.ts";
import { DenseFiles } from "../ranker/index.ts";

/** A chunk whose meaning is near to that of a query. */
export interface SemanticHit {
  /** Number of its file. */
  readonly file: number;
  readonly chunk: Chunk;
  /** The line to point at. */
  readonly line1: number;
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
 * @param options.isIncluded Leaves out the files of others; `undefined` where all are there.
 * @param options.ahead Places that come before all others.
 */
export function nearestChunks(
  corpus: CorpusView,
  nearness: Float32Array,
  options: {
    readonly isIncluded: ((file: number) => boolean) | undefined;
    readonly ahead: readonly VerbatimPlace[];
  },
): RankedList<SemanticHit> {
  const { isIncluded, ahead } = options;
  const dense = new DenseFiles(corpus, nearness, isIncluded);
  const ranked = dense.first(fileCountMax).map((file) => ({
    file,
    nearest: nearestIn(corpus, nearness, file),
  }));
  const top = ranked[0]?.nearest[0]?.score ?? 1;
  const isAhead = (file: number, index: number): boolean =>
    ahead.some((place) => place.file === file && place.chunk === index);
  const others = Array.from({ length: chunksOfFileMax }, (_, place) => place).flatMap((place) =>
    ranked.flatMap(({ file, nearest }) => {
      const entry = nearest[place];
      return entry === undefined || isAhead(file, entry.index) ? [] : [{ file, ...entry }];
    }),
  );
  const first = ahead.map(({ file, chunk: index, line1 }) => ({ file, index, line1, score: top }));
  const places = [...first, ...others];
  return {
    count: places.length,
    // A chunk is read when it is asked for.
    first: async (count) =>
      await Promise.resolve(
        places.slice(0, count).flatMap(({ file, index, score, ...place }) => {
          const chunk = corpus.chunksOf(file)[index];
          if (chunk === undefined) return [];
          const { line1 } = { line1: chunk.startLine1, ...place };
          return [{ file, chunk, line1, relevance: score / top }];
        }),
      ),
  };
}

/** The chunks of a file that are nearest, by their numbers in it. */
function nearestIn(
  { chunkStarts }: CorpusView,
  nearness: Float32Array,
  file: number,
): { readonly index: number; readonly score: number }[] {
  const firstChunk = chunkStarts[file] as number;
  const found: { readonly index: number; readonly score: number }[] = [];
  for (let index = 0; firstChunk + index < (chunkStarts[file + 1] as number); index += 1) {
    const score = nearness[firstChunk + index] as number;
    if (score > 0) found.push({ index, score });
  }
  return found.sort((a, b) => b.score - a.score || a.index - b.index).slice(0, chunksOfFileMax);
}
