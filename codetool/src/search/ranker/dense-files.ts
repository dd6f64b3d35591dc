import type { CorpusView } from "../../store/index.ts";
import { orderFiles } from "./file-kernel.ts";

/** How near a file is to a query, by the vectors of its chunks. */
export interface DenseFigures {
  /** Cosine of its nearest chunk, over that of the nearest file; 0 to 1. */
  readonly share: number;
  /** One over its place among the files by their nearest chunks, the first being 1. */
  readonly reciprocalRank: number;
  /** Which of its chunks is the nearest, the first being 0. */
  readonly nearestChunk: number;
}

/** Of a file that is not near at all. */
export const far: DenseFigures = { share: 0, reciprocalRank: 0, nearestChunk: 0 };

/** The files of a corpus by how near they are to a query. */
export class DenseFiles {
  /** Nearest first; equal ones in the order of paths. */
  readonly #order: ArrayLike<number>;
  /** How near each chunk is. */
  readonly nearness: Float32Array;
  /** The same of the nearest one. */
  readonly nearest: number;
  /** By file: one more than its place in the order, 0 for one that is not near at all. */
  readonly #places: Uint32Array;
  readonly #best: Float32Array;
  readonly #bestChunk: Uint32Array;

  /**
   * @param nearness How near each chunk is, about the cosine.
   * @param isIncluded Leaves out the files of others; default all are there.
   */
  constructor(corpus: CorpusView, nearness: Float32Array, isIncluded?: (file: number) => boolean) {
    const { chunkStarts, fileCount } = corpus;
    this.nearness = nearness;
    const ordered = isIncluded === undefined ? orderFiles(corpus, nearness) : undefined;
    if (ordered !== undefined) {
      this.#order = ordered.order;
      this.#best = ordered.best;
      this.#bestChunk = ordered.bestChunk;
      this.#places = ordered.places;
      this.nearest = ordered.best[ordered.order[0] ?? 0] ?? 0;
      return;
    }
    const best = new Float32Array(fileCount);
    const bestChunk = new Uint32Array(fileCount);
    const found: number[] = [];
    for (let file = 0; file < fileCount; file += 1) {
      const firstChunk = chunkStarts[file] as number;
      const chunkEnd = chunkStarts[file + 1] as number;
      for (let chunk = firstChunk; chunk < chunkEnd; chunk += 1) {
        if ((nearness[chunk] as number) <= (best[file] as number)) continue;
        best[file] = nearness[chunk] as number;
        bestChunk[file] = chunk - firstChunk;
      }
      if ((best[file] as number) > 0 && isIncluded?.(file) !== false) found.push(file);
    }
    const order = nearestFirst(found, best);
    this.#order = order;
    this.nearest = best[order[0] ?? 0] ?? 0;
    this.#best = best;
    this.#bestChunk = bestChunk;
    this.#places = new Uint32Array(fileCount);
    for (let place = 0; place < order.length; place += 1)
      this.#places[order[place] as number] = place + 1;
  }

  /** The nearest files, nearest first, equal ones in the order of paths; at most so many. */
  first(countMax: number): number[] {
    const length = Math.min(countMax, this.#order.length);
    return Array.from({ length }, (_, place) => this.#order[place] as number);
  }

  /** The figures of a file. */
  figuresOf(file: number): DenseFigures {
    const place = this.#places[file] ?? 0;
    if (place === 0) return far;
    const top = this.#best[this.#order[0] as number] as number;
    return {
      share: (this.#best[file] as number) / top,
      reciprocalRank: 1 / place,
      nearestChunk: this.#bestChunk[file] as number,
    };
  }
}

/** Files that fit besides the bits of a score into a number. */
const fileCountMax = 2 ** 20;

/** Orders files, highest score first, equal ones by number: as numbers, which are sorted without calling us. */
function nearestFirst(files: readonly number[], scores: Float32Array): number[] {
  if (scores.length > fileCountMax)
    return files.toSorted((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
  // The bits of positive numbers are in their order.
  const bits = new Uint32Array(scores.buffer);
  const keys = Float64Array.from(
    files,
    (file) => (bits[file] as number) * fileCountMax + (fileCountMax - 1 - file),
  ).sort();
  const ordered: number[] = [];
  for (let at = keys.length - 1; at >= 0; at -= 1)
    ordered.push(fileCountMax - 1 - ((keys[at] as number) % fileCountMax));
  return ordered;
}
