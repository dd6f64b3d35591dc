import { growTo, type KernelMemory, makeKernel } from "../text/index.ts";
import { codeProduct } from "./quantise.ts";

/**
 * How near many vectors are to a query by their codes, sixteen axes at a time, as WebAssembly. The query's codes
 * have two bytes each, so that products of pairs are added as they are made. As text:
 *
 *   (module (memory (export "memory") 1)
 *     (func (export "scan") (param $q i32) (param $c i32) (param $n i32) (param $o i32) (param $d i32) (param $s i32) (param $f f64)
 *       (local $end i32) (local $k i32) (local $a v128) (local $b v128)
 *       (block (loop
 *         (br_if 1 (i32.eqz (local.get $n)))
 *         (local.set $a (v128.const i64x2 0 0))
 *         (local.set $b (v128.const i64x2 0 0))
 *         (local.set $end (i32.add (local.get $c) (local.get $d)))
 *         (local.set $k (local.get $q))
 *         (loop
 *           (local.set $a (i32x4.add (local.get $a)
 *             (i32x4.dot_i16x8_s (v128.load (local.get $k)) (v128.load8x8_s (local.get $c)))))
 *           (local.set $b (i32x4.add (local.get $b)
 *             (i32x4.dot_i16x8_s (v128.load offset=16 (local.get $k)) (v128.load8x8_s offset=8 (local.get $c)))))
 *           (local.set $k (i32.add (local.get $k) (i32.const 32)))
 *           (br_if 0 (i32.lt_u (local.tee $c (i32.add (local.get $c) (i32.const 16))) (local.get $end))))
 *         (local.set $a (i32x4.add (local.get $a) (local.get $b)))
 *         (f32.store (local.get $o) (f32.demote_f64 (f64.mul
 *           (f64.mul
 *             (f64.convert_i32_s (i32.add
 *               (i32.add (i32x4.extract_lane 0 (local.get $a)) (i32x4.extract_lane 1 (local.get $a)))
 *               (i32.add (i32x4.extract_lane 2 (local.get $a)) (i32x4.extract_lane 3 (local.get $a)))))
 *             (f64.promote_f32 (f32.load (local.get $s))))
 *           (local.get $f))))
 *         (local.set $o (i32.add (local.get $o) (i32.const 4)))
 *         (local.set $s (i32.add (local.get $s) (i32.const 4)))
 *         (local.set $n (i32.sub (local.get $n) (i32.const 1)))
 *         (br 0)))))
 */
const moduleText =
  "AGFzbQEAAAABCwFgB39/f39/f3wAAwIBAAUDAQABBxECBm1lbW9yeQIABHNjYW4AAArRAQHOAQICfwJ7AkADQCACRQ0B/QwAAAAAAAAAAAAAAAAAAA" +
  "AAIQn9DAAAAAAAAAAAAAAAAAAAAAAhCiABIARqIQcgACEIA0AgCSAI/QAEACAB/QEDAP26Af2uASEJIAogCP0ABBAgAf0BAwj9ugH9rgEhCiAIQSBq" +
  "IQggAUEQaiIBIAdJDQALIAkgCv2uASEJIAMgCf0bACAJ/RsBaiAJ/RsCIAn9GwNqarcgBSoCALuiIAaitjgCACADQQRqIQMgBUEEaiEFIAJBAWshAg" +
  "wACwsL";

/** Axes that are taken at a time. */
const axesAtOnce = 16;
/** Codes that are kept from scan to scan, bytes; more are read each time. */
const keptBytesMax = 256 * 1024 * 1024;
/** Vectors that are read at a time where they are not kept. */
const blockLength = 1024;

/** The codes of a query, and what a code of 1 means in it. */
export interface ScaledCodes {
  readonly codes: Int8Array;
  readonly scale: number;
}

/** Writes the codes of the vectors from `start` on, one after the other, as many as there is room for. */
export type CodeSource = (start: number, codes: Int8Array) => void;

/** The codes of many vectors, compared with those of one query after the other. */
export class CodeScanner {
  readonly #dimensions: number;
  readonly #count: number;
  readonly #source: CodeSource;
  readonly #scales: Float32Array;
  #scanCount = 0;
  #kernel: Kernel | null | undefined;
  #hasAll = false;

  /**
   * @param options.count How many vectors there are.
   * @param options.scales What a code of 1 means, for each vector.
   */
  constructor(options: {
    readonly dimensions: number;
    readonly count: number;
    readonly source: CodeSource;
    readonly scales: Float32Array;
  }) {
    this.#scales = options.scales;
    this.#dimensions = options.dimensions;
    this.#count = options.count;
    this.#source = options.source;
  }

  /**
   * Compares all vectors with a query: the sum of the products of their codes, times the scales of both. From the second
   * time on the codes are kept in memory.
   *
   * @param query.scale What a code of 1 means in the query.
   * @param take Given the scores of the vectors from `start` on; valid until the next call.
   */
  scan(query: ScaledCodes, take: (scores: Float32Array, start: number) => void): void {
    this.#scanCount += 1;
    this.#kernel ??=
      this.#dimensions % axesAtOnce === 0 ? (makeKernel(moduleText) as Kernel | null) : null;
    const kernel = this.#kernel;
    let isKept = this.#scanCount > 1 && this.#count * this.#dimensions <= keptBytesMax;
    let step = isKept ? this.#count : Math.min(this.#count, blockLength);
    let places = kernel === null ? undefined : this.#layOut(kernel, step);
    if (kernel !== null && places === undefined && isKept) {
      // Too little memory to keep them all; a block may still fit.
      isKept = false;
      step = Math.min(this.#count, blockLength);
      places = this.#layOut(kernel, step);
    }
    if (kernel === null || places === undefined) {
      this.#scanSlowly(query, take);
      return;
    }
    const { bytes, codesAt, scoresAt, scalesAt } = places;
    const { buffer } = kernel.memory;
    new Int16Array(buffer, 0, this.#dimensions).set(query.codes);
    for (let start = 0; start < this.#count; start += step) {
      const end = Math.min(this.#count, start + step);
      const codesEnd = codesAt + (end - start) * this.#dimensions;
      if (!this.#hasAll) this.#source(start, bytes.subarray(codesAt, codesEnd));
      new Float32Array(buffer, scalesAt, end - start).set(this.#scales.subarray(start, end));
      const own = [0, codesAt, end - start, scoresAt, this.#dimensions, scalesAt] as const;
      kernel.scan(...own, query.scale);
      take(new Float32Array(buffer, scoresAt, end - start), start);
    }
    this.#hasAll ||= isKept;
  }

  /** The query first, then codes, their scales and their scores; `undefined` where there is too little memory. */
  #layOut(
    { memory }: Kernel,
    count: number,
  ):
    | {
        readonly bytes: Int8Array;
        readonly codesAt: number;
        readonly scoresAt: number;
        readonly scalesAt: number;
      }
    | undefined {
    const codesAt = 2 * this.#dimensions;
    const scalesAt = codesAt + count * this.#dimensions;
    const scoresAt = scalesAt + count * 4;
    if (!growTo(memory, scoresAt + count * 4)) return undefined;
    return { bytes: new Int8Array(memory.buffer), codesAt, scoresAt, scalesAt };
  }

  #scanSlowly(query: ScaledCodes, take: (scores: Float32Array, start: number) => void): void {
    for (let start = 0; start < this.#count; start += blockLength) {
      const end = Math.min(this.#count, start + blockLength);
      const codes = new Int8Array((end - start) * this.#dimensions);
      this.#source(start, codes);
      const scores = new Float32Array(end - start);
      for (let index = 0; index < scores.length; index += 1) {
        const scale = this.#scales[start + index] as number;
        scores[index] = codeProduct(query.codes, codes, index) * scale * query.scale;
      }
      take(scores, start);
    }
  }
}

interface Kernel {
  readonly memory: KernelMemory;
  // oxlint-disable-next-line max-params -- the signature of the compiled function: WebAssembly passes numbers
  readonly scan: (
    query: number,
    codes: number,
    count: number,
    scores: number,
    dimensions: number,
    scales: number,
    queryScale: number,
  ) => void;
}
