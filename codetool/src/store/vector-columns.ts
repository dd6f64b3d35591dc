import { codeProduct, quantise } from "../model/index.ts";
import { GrowingBytes } from "./growing-column.ts";
import type { SectionFile, SectionWriter } from "./section-file.ts";

/** The vectors of the chunks of a segment while it is built, 8 bits an axis. */
export class VectorColumns {
  readonly #codes = new GrowingBytes();
  readonly #scales: number[] = [];
  #dimensions = 0;

  /** Appends the vector of the next chunk. */
  add(vector: Float32Array): void {
    const codes = new Int8Array(vector.length);
    this.#scales.push(quantise(vector, codes));
    this.#codes.append(new Uint8Array(codes.buffer));
    this.#dimensions = vector.length;
  }

  /** Writes the sections `vectors.*`. */
  write(writer: SectionWriter): void {
    writer.section("vectors.dimensions", Uint32Array.of(this.#dimensions));
    writer.section("vectors.codes", this.#codes.bytes());
    writer.section("vectors.scales", Float32Array.from(this.#scales));
  }
}

/** Vectors that are scored at a time: what is read of them stays small. */
const blockLength = 4096;

/**
 * How near each vector of a segment is to that of a query, by their codes.
 *
 * @param query Length one.
 * @param visit Called with each number and its score, about the cosine; ascending.
 */
export function scoreVectors(
  file: SectionFile,
  query: Float32Array,
  visit: (index: number, score: number) => void,
): void {
  const dimensions = file.array("vectors.dimensions", Uint32Array)[0] ?? 0;
  if (dimensions !== query.length) return;
  const queryCodes = new Int8Array(dimensions);
  const queryScale = quantise(query, queryCodes);
  const scales = file.array("vectors.scales", Float32Array);
  for (let start = 0; start < scales.length; start += blockLength) {
    const end = Math.min(scales.length, start + blockLength);
    const codes = file.slice("vectors.codes", Int8Array, {
      start: start * dimensions,
      end: end * dimensions,
    });
    for (let index = start; index < end; index += 1) {
      const product = codeProduct(queryCodes, codes, index - start);
      visit(index, product * (scales[index] as number) * queryScale);
    }
  }
}
