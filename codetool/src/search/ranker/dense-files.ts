import type { CorpusView } from "../corpus-view.ts";

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
  readonly order: readonly number[];
  readonly #figures = new Map<number, DenseFigures>();

  /**
   * @param nearness How near each chunk is, about the cosine.
   * @param isIncluded Leaves out the files of others.
   */
  constructor(
    corpus: CorpusView,
    nearness: Float32Array,
    isIncluded: (file: number) => boolean = () => true,
  ) {
    const best = new Float64Array(corpus.files.length);
    const bestChunk = new Uint32Array(corpus.files.length);
    for (const [file, { firstChunk, chunkEnd }] of corpus.files.entries())
      for (let chunk = firstChunk; chunk < chunkEnd; chunk += 1) {
        if ((nearness[chunk] as number) <= (best[file] as number)) continue;
        best[file] = nearness[chunk] as number;
        bestChunk[file] = chunk - firstChunk;
      }
    const found: number[] = [];
    for (const [file, score] of best.entries()) if (score > 0 && isIncluded(file)) found.push(file);
    this.order = found.sort((a, b) => (best[b] as number) - (best[a] as number) || a - b);
    const top = best[this.order[0] ?? 0] ?? 0;
    for (const [place, file] of this.order.entries())
      this.#figures.set(file, {
        share: (best[file] as number) / top,
        reciprocalRank: 1 / (place + 1),
        nearestChunk: bestChunk[file] as number,
      });
  }

  /** The figures of a file. */
  figuresOf(file: number): DenseFigures {
    return this.#figures.get(file) ?? far;
  }
}
