import { growTo, type KernelMemory, makeKernel } from "../../text/index.ts";

/**
 * The best chunk of each file, and the files in the order of these, as WebAssembly: for 50 000 files a millisecond, where a process
 * that has just started takes twenty. As text:
 *
 *   (module (memory (export "memory") 1)
 *     (func (export "best") (param $scores i32) (param $starts i32) (param $files i32) (param $best i32)
 *       (param $chunks i32) (param $keys i32) (result i32)
 *       (local $file i32) (local $first i32) (local $at i32) (local $end i32) (local $top f32) (local $score f32)
 *       (local $place i32) (local $key i32)
 *       (local.set $key (local.get $keys))
 *       (block (loop
 *         (br_if 1 (i32.eq (local.get $file) (local.get $files)))
 *         (local.set $first (i32.load (local.get $starts)))
 *         (local.set $at (local.get $first))
 *         (local.set $end (i32.load offset=4 (local.get $starts)))
 *         (local.set $top (f32.const 0))
 *         (local.set $place (i32.const 0))
 *         (block (loop
 *           (br_if 1 (i32.ge_u (local.get $at) (local.get $end)))
 *           (local.set $score (f32.load (i32.add (local.get $scores) (i32.shl (local.get $at) (i32.const 2)))))
 *           (if (f32.gt (local.get $score) (local.get $top)) (then
 *             (local.set $top (local.get $score))
 *             (local.set $place (i32.sub (local.get $at) (local.get $first)))))
 *           (local.set $at (i32.add (local.get $at) (i32.const 1)))
 *           (br 0)))
 *         (f32.store (local.get $best) (local.get $top))
 *         (i32.store (local.get $chunks) (local.get $place))
 *         (if (f32.gt (local.get $top) (f32.const 0)) (then
 *           (f64.store (local.get $key) (f64.convert_i64_u (i64.or
 *             (i64.shl (i64.extend_i32_u (i32.reinterpret_f32 (local.get $top))) (i64.const 20))
 *             (i64.extend_i32_u (i32.sub (i32.const 1048575) (local.get $file))))))
 *           (local.set $key (i32.add (local.get $key) (i32.const 8)))))
 *         (local.set $starts (i32.add (local.get $starts) (i32.const 4)))
 *         (local.set $best (i32.add (local.get $best) (i32.const 4)))
 *         (local.set $chunks (i32.add (local.get $chunks) (i32.const 4)))
 *         (local.set $file (i32.add (local.get $file) (i32.const 1)))
 *         (br 0)))
 *       (i32.shr_u (i32.sub (local.get $key) (local.get $keys)) (i32.const 3)))
 *     (func (export "order") (param $keys i32) (param $count i32) (param $order i32) (param $places i32)
 *       (local $place i32) (local $file i32)
 *       (local.set $keys (i32.add (local.get $keys) (i32.shl (local.get $count) (i32.const 3))))
 *       (block (loop
 *         (br_if 1 (i32.eq (local.get $place) (local.get $count)))
 *         (local.set $place (i32.add (local.get $place) (i32.const 1)))
 *         (local.set $keys (i32.sub (local.get $keys) (i32.const 8)))
 *         (local.set $file (i32.sub (i32.const 1048575)
 *           (i32.wrap_i64 (i64.and (i64.trunc_f64_u (f64.load (local.get $keys))) (i64.const 1048575)))))
 *         (i32.store (local.get $order) (local.get $file))
 *         (local.set $order (i32.add (local.get $order) (i32.const 4)))
 *         (i32.store (i32.add (local.get $places) (i32.shl (local.get $file) (i32.const 2))) (local.get $place))
 *         (br 0)))))
 */
const moduleText =
  "AGFzbQEAAAABEgJgBn9/f39/fwF/YAR/f39/AAMDAgABBQMBAAEHGQMGbWVtb3J5AgAEYmVzdAAABW9yZGVyAAEKpQICyAEDBH8CfQJ/IAUhDQ" +
  "JAA0AgBiACRg0BIAEoAgAhByAHIQggASgCBCEJQwAAAAAhCkEAIQwCQANAIAggCU8NASAAIAhBAnRqKgIAIQsgCyAKXgRAIAshCiAIIAdrIQwL" +
  "IAhBAWohCAwACwsgAyAKOAIAIAQgDDYCACAKQwAAAABeBEAgDSAKvK1CFIZB//8/IAZrrYS6OQMAIA1BCGohDQsgAUEEaiEBIANBBGohAyAEQQ" +
  "RqIQQgBkEBaiEGDAALCyANIAVrQQN2C1kBAn8gACABQQN0aiEAAkADQCAEIAFGDQEgBEEBaiEEIABBCGshAEH//z8gACsDALFC//8/g6drIQUg" +
  "AiAFNgIAIAJBBGohAiADIAVBAnRqIAQ2AgAMAAsLCw==";

/** Files that fit besides the bits of a score into a number. */
const fileCountMax = 2 ** 20;

// oxlint-disable max-params -- the signatures of compiled functions: WebAssembly passes numbers
interface Kernel {
  readonly memory: KernelMemory;
  readonly best: (
    scores: number,
    starts: number,
    files: number,
    best: number,
    chunks: number,
    keys: number,
  ) => number;
  readonly order: (keys: number, count: number, order: number, places: number) => void;
}
// oxlint-enable max-params

let kernel: Kernel | null | undefined;

/** Files by their best chunks. */
export interface OrderedFiles {
  /** Highest score first, equal ones by number; without those that have none above 0. */
  readonly order: Uint32Array;
  /** By file: one more than its place in the order, 0 for one that is not there. */
  readonly places: Uint32Array;
  readonly best: Float32Array;
  /** By file: which of its chunks is the best, the first being 0. */
  readonly bestChunk: Uint32Array;
}

/**
 * Orders files by their best chunks.
 *
 * @param scores Of the chunks, none of them NaN.
 * @returns `undefined` where the runtime cannot, for too many files, and where there is too little memory.
 */
export function orderFiles(
  { chunkStarts, fileCount }: { readonly chunkStarts: Uint32Array; readonly fileCount: number },
  scores: Float32Array,
): OrderedFiles | undefined {
  if (fileCount > fileCountMax) return undefined;
  kernel ??= makeKernel(moduleText) as Kernel | null;
  if (kernel === null) return undefined;
  const { memory } = kernel;
  const keysAt = 0;
  const startsAt = keysAt + 8 * fileCount;
  const bestAt = startsAt + 4 * (fileCount + 1);
  const chunksAt = bestAt + 4 * fileCount;
  const orderAt = chunksAt + 4 * fileCount;
  const placesAt = orderAt + 4 * fileCount;
  const scoresAt = placesAt + 4 * fileCount;
  if (!growTo(memory, scoresAt + 4 * scores.length)) return undefined;
  const { buffer } = memory;
  new Uint32Array(buffer, startsAt, fileCount + 1).set(chunkStarts);
  new Float32Array(buffer, scoresAt, scores.length).set(scores);
  const places = new Uint32Array(buffer, placesAt, fileCount).fill(0);
  const count = kernel.best(scoresAt, startsAt, fileCount, bestAt, chunksAt, keysAt);
  // An array of only numbers is sorted without calling us.
  new Float64Array(buffer, keysAt, count).sort();
  kernel.order(keysAt, count, orderAt, placesAt);
  return {
    order: new Uint32Array(buffer, orderAt, count).slice(),
    places: places.slice(),
    best: new Float32Array(buffer, bestAt, fileCount).slice(),
    bestChunk: new Uint32Array(buffer, chunksAt, fileCount).slice(),
  };
}
