import { codeProduct } from "./quantise.ts";

/**
 * The products of a query's codes with those of many vectors, sixteen axes at a time, as WebAssembly. The query's codes
 * have two bytes each, so that products of pairs are added as they are made. As text:
 *
 *   (module (memory (export "memory") 1)
 *     (func (export "scan") (param $q i32) (param $c i32) (param $n i32) (param $o i32) (param $d i32)
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
 *         (i32.store (local.get $o) (… the sum of the four lanes of $a …))
 *         (local.set $o (i32.add (local.get $o) (i32.const 4)))
 *         (local.set $n (i32.sub (local.get $n) (i32.const 1)))
 *         (br 0)))))
 */
const moduleText =
  "AGFzbQEAAAABCQFgBX9/f39/AAMCAQAFAwEAAQcRAgZtZW1vcnkCAARzY2FuAAAKvgEBuwECAn8CewJAA0AgAkUNAf0MAAAAAA" +
  "AAAAAAAAAAAAAAACEH/QwAAAAAAAAAAAAAAAAAAAAAIQggASAEaiEFIAAhBgNAIAcgBv0ABAAgAf0BAwD9ugH9rgEhByAIIAb9" +
  "AAQQIAH9AQMI/boB/a4BIQggBkEgaiEGIAFBEGoiASAFSQ0ACyAHIAj9rgEhByADIAf9GwAgB/0bAWogB/0bAiAH/RsDamo2Ag" +
  "AgA0EEaiEDIAJBAWshAgwACwsL";

/** Axes that are taken at a time. */
const axesAtOnce = 16;
const pageBytes = 64 * 1024;
/** Codes that are kept from scan to scan, bytes; more are read each time. */
const keptBytesMax = 256 * 1024 * 1024;
/** Vectors that are read at a time where they are not kept. */
const blockLength = 1024;

/** Where codes come from: those of the vectors from `start` to before `end`, one after the other. */
export type CodeSource = (start: number, end: number) => Int8Array;

/** The codes of many vectors, multiplied with those of one query after the other. */
export class CodeScanner {
  readonly #dimensions: number;
  readonly #count: number;
  readonly #source: CodeSource;
  #scanCount = 0;
  #kernel: Kernel | null | undefined;
  #hasAll = false;

  /**
   * @param options.count How many vectors there are.
   */
  constructor(options: {
    readonly dimensions: number;
    readonly count: number;
    readonly source: CodeSource;
  }) {
    this.#dimensions = options.dimensions;
    this.#count = options.count;
    this.#source = options.source;
  }

  /**
   * Multiplies all vectors with a query. From the second time on the codes are kept in memory.
   *
   * @param take Given the products of the vectors from `start` on; valid until the next call.
   */
  scan(query: Int8Array, take: (products: Int32Array, start: number) => void): void {
    this.#scanCount += 1;
    this.#kernel ??= this.#dimensions % axesAtOnce === 0 ? loadKernel() : null;
    const kernel = this.#kernel;
    if (kernel === null) {
      this.#scanSlowly(query, take);
      return;
    }
    const isKept = this.#scanCount > 1 && this.#count * this.#dimensions <= keptBytesMax;
    const step = isKept ? this.#count : Math.min(this.#count, blockLength);
    const { bytes, codesAt, productsAt } = this.#layOut(kernel, step);
    new Int16Array(kernel.memory.buffer, 0, this.#dimensions).set(query);
    for (let start = 0; start < this.#count; start += step) {
      const end = Math.min(this.#count, start + step);
      if (!this.#hasAll) bytes.set(this.#source(start, end), codesAt);
      kernel.scan(0, codesAt, end - start, productsAt, this.#dimensions);
      take(new Int32Array(kernel.memory.buffer, productsAt, end - start), start);
    }
    this.#hasAll ||= isKept;
  }

  /** The query first, then codes, then their products. */
  #layOut(
    { memory }: Kernel,
    count: number,
  ): { readonly bytes: Int8Array; readonly codesAt: number; readonly productsAt: number } {
    const codesAt = 2 * this.#dimensions;
    const productsAt = codesAt + count * this.#dimensions;
    const missing = productsAt + count * 4 - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / pageBytes));
    return { bytes: new Int8Array(memory.buffer), codesAt, productsAt };
  }

  #scanSlowly(query: Int8Array, take: (products: Int32Array, start: number) => void): void {
    for (let start = 0; start < this.#count; start += blockLength) {
      const end = Math.min(this.#count, start + blockLength);
      const codes = this.#source(start, end);
      const products = new Int32Array(end - start);
      for (let index = 0; index < products.length; index += 1)
        products[index] = codeProduct(query, codes, index);
      take(products, start);
    }
  }
}

interface Kernel {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pageCount: number): number };
  // oxlint-disable-next-line max-params -- the signature of the compiled function: WebAssembly passes numbers
  readonly scan: (
    query: number,
    codes: number,
    count: number,
    products: number,
    dimensions: number,
  ) => void;
}

/** What this file uses of WebAssembly, which the types of Node leave out. */
interface Runtime {
  readonly WebAssembly: {
    readonly Module: new (bytes: Uint8Array) => object;
    readonly Instance: new (module: object) => { readonly exports: unknown };
    validate(bytes: Uint8Array): boolean;
  };
}

/** Makes a kernel with its own memory; `null` where the processor or the runtime has no such instructions. */
function loadKernel(): Kernel | null {
  const { WebAssembly } = globalThis as unknown as Runtime;
  const bytes = Buffer.from(moduleText, "base64");
  if (!WebAssembly.validate(bytes)) return null;
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
  return exports as Kernel;
}
