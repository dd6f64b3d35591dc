import { CodeScanner, quantise } from "../../model/index.ts";
import {
  copySections,
  GrowingBytes,
  type SectionFile,
  type SectionWriter,
} from "../sections/index.ts";

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

/** Writes the sections `vectors.*` of several runs, one behind the other. */
export function mergeVectors(writer: SectionWriter, runs: readonly SectionFile[]): void {
  const dimensions = runs.map((run) => run.array("vectors.dimensions", Uint32Array)[0] ?? 0);
  writer.section("vectors.dimensions", Uint32Array.of(Math.max(0, ...dimensions)));
  copySections(writer, runs, ["vectors.codes", "vectors.scales"]);
}

/** The vectors of a segment. */
export class VectorTable {
  readonly #file: SectionFile;
  #scanner: CodeScanner | undefined;
  #scales: Float32Array | undefined;

  constructor(file: SectionFile) {
    this.#file = file;
  }

  /**
   * How near each vector is to that of a query, by their codes.
   *
   * @param query Length one.
   * @param scores Written where a vector belongs, about the cosine; as long as the numbers reach.
   * @param numbers Where each vector belongs, below 0 for those that are left out; absent where each has its own place.
   */
  score(query: Float32Array, scores: Float32Array, numbers: Int32Array | undefined): void {
    const dimensions = this.#file.array("vectors.dimensions", Uint32Array)[0] ?? 0;
    if (dimensions !== query.length) return;
    const queryCodes = new Int8Array(dimensions);
    const queryScale = quantise(query, queryCodes);
    const scales = (this.#scales ??= this.#file.array("vectors.scales", Float32Array));
    this.#scanner ??= new CodeScanner({
      dimensions,
      count: scales.length,
      scales,
      source: (start, codes) => this.#file.read("vectors.codes", codes, start * dimensions),
    });
    this.#scanner.scan({ codes: queryCodes, scale: queryScale }, (part, start) => {
      if (numbers === undefined) {
        scores.set(part, start);
        return;
      }
      for (let index = 0; index < part.length; index += 1) {
        const number = numbers[start + index] as number;
        if (number >= 0) scores[number] = part[index] as number;
      }
    });
  }
}
