import type { Chunk } from "../../index/index.ts";
import type { CorpusView } from "../../store/index.ts";
import type { RankedList } from "./lazy-list.ts";
import type { WhyPlace } from "./why-place.ts";
import type { VerbatimPlace } from "../verbatim/index.ts";
import { whyVerbatim } from "./verbatim-chunks.ts";
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
  /** Why it comes before the next chunk of its file. */
  readonly why: WhyPlace;
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
      if (entry === undefined || isAhead(file, entry.index)) return [];
      return [{ file, ...entry, next: nearest[place + 1] }];
    }),
  );
  const first = ahead.map(({ file, chunk: index, line1, share }) => ({
    file,
    index,
    line1,
    share,
    score: top,
  }));
  const places = [...first, ...others];
  return {
    count: places.length,
    // A chunk is read when it is asked for.
    first: async (count) =>
      await Promise.resolve(
        places.slice(0, count).flatMap((place) => {
          const { file, index, score } = place;
          const chunks = corpus.chunksOf(file);
          const chunk = chunks[index];
          if (chunk === undefined) return [];
          const found = { file, chunk, relevance: score / top };
          if ("share" in place)
            return [{ ...found, line1: place.line1, why: whyVerbatim(place.share) }];
          return [{ ...found, line1: chunk.startLine1, why: whyNear(place, chunks) }];
        }),
      ),
  };
}

/** Why a chunk comes before the next one of its file. */
function whyNear(
  { score, next }: NearChunk & { readonly next: NearChunk | undefined },
  chunks: readonly Chunk[],
): WhyPlace {
  const rounded = (value: number): number => Math.round(value * 1000) / 1000;
  const what = "nearness by meaning, about the cosine";
  const value = rounded(score);
  const evidence = [{ what, value, points: value }];
  const chunk = next === undefined ? undefined : chunks[next.index];
  if (next === undefined || chunk === undefined) return { evidence, next: null };
  const points_behind = rounded(score - next.score);
  const lack = { what, value: rounded(next.score), value_here: value, points: -points_behind };
  const lacks = points_behind > 0 ? [lack] : [];
  return { evidence, next: { line: chunk.startLine1, name: null, points_behind, lacks } };
}

/** A chunk by its number in its file, and how near it is. */
interface NearChunk {
  readonly index: number;
  readonly score: number;
}

/** The chunks of a file that are nearest, by their numbers in it. */
function nearestIn({ chunkStarts }: CorpusView, nearness: Float32Array, file: number): NearChunk[] {
  const firstChunk = chunkStarts[file] as number;
  const found: NearChunk[] = [];
  for (let index = 0; firstChunk + index < (chunkStarts[file + 1] as number); index += 1) {
    const score = nearness[firstChunk + index] as number;
    if (score > 0) found.push({ index, score });
  }
  return found.sort((a, b) => b.score - a.score || a.index - b.index).slice(0, chunksOfFileMax);
}
