import { growTo, type KernelMemory, makeKernel } from "../../text/index.ts";

/**
 * The loops of a choice of candidates over postings and scores, as WebAssembly: in a process that has just started they take a
 * fifth of the time. A "space" is 48 bytes that describe documents (chunks or files) and their scores:
 *
 *   0 counts · 4 touched · 8 how many are touched · 12 plain · 16 merged · 20 held · 24 scored · 28 how many are scored ·
 *   32 lengths: where each array begins, u32, and plain and merged f64 · 40 mean length, f64
 *
 * As text:
 *
 *   (module (memory (export "memory") 1)
 *     (func (export "spread") (param $starts i32) (param $files i32) (param $fileOf i32) (param $lengths i32) (param $sums i32) (result i32)
 *       (local $file i32) (local $at i32) (local $end i32) (local $sum i32) (local $count i32)
 *       (block (loop
 *         (br_if 1 (i32.eq (local.get $file) (local.get $files)))
 *         (local.set $at (i32.load (local.get $starts)))
 *         (local.set $end (i32.load offset=4 (local.get $starts)))
 *         (local.set $sum (i32.const 0))
 *         (if (i32.lt_u (local.get $at) (local.get $end)) (then
 *           (local.set $count (i32.add (local.get $count) (i32.const 1)))
 *           (loop
 *             (i32.store (i32.add (local.get $fileOf) (i32.shl (local.get $at) (i32.const 2))) (local.get $file))
 *             (local.set $sum (i32.add (local.get $sum)
 *               (i32.load (i32.add (local.get $lengths) (i32.shl (local.get $at) (i32.const 2))))))
 *             (br_if 0 (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 1))) (local.get $end))))))
 *         (i32.store (local.get $sums) (local.get $sum))
 *         (local.set $starts (i32.add (local.get $starts) (i32.const 4)))
 *         (local.set $sums (i32.add (local.get $sums) (i32.const 4)))
 *         (local.set $file (i32.add (local.get $file) (i32.const 1)))
 *         (br 0)))
 *       (local.get $count))
 *     (func (export "measure") (param $lengths i32) (param $count i32) (param $out i32)
 *       (local $end i32) (local $length i32) (local $sum i64) (local $some i32)
 *       (local.set $end (i32.add (local.get $lengths) (i32.shl (local.get $count) (i32.const 2))))
 *       (block (loop
 *         (br_if 1 (i32.eq (local.get $lengths) (local.get $end)))
 *         (local.set $length (i32.load (local.get $lengths)))
 *         (local.set $sum (i64.add (local.get $sum) (i64.extend_i32_u (local.get $length))))
 *         (local.set $some (i32.add (local.get $some) (i32.ne (local.get $length) (i32.const 0))))
 *         (local.set $lengths (i32.add (local.get $lengths) (i32.const 4)))
 *         (br 0)))
 *       (f64.store (local.get $out) (f64.convert_i64_u (local.get $sum)))
 *       (f64.store offset=8 (local.get $out) (f64.convert_i32_u (local.get $some))))
 *     (func (export "tally") (param $space i32) (param $documents i32) (param $frequencies i32) (param $count i32) (param $fileOf i32) (result i32)
 *       (local $counts i32) (local $touched i32) (local $touchedCount i32) (local $document i32) (local $at i32) (local $before i32)
 *       (local.set $counts (i32.load (local.get $space)))
 *       (local.set $touched (i32.load offset=4 (local.get $space)))
 *       (local.set $touchedCount (i32.load offset=8 (local.get $space)))
 *       (block (loop
 *         (br_if 1 (i32.eqz (local.get $count)))
 *         (local.set $document (i32.load (local.get $documents)))
 *         (if (local.get $fileOf) (then
 *           (local.set $document (i32.load (i32.add (local.get $fileOf) (i32.shl (local.get $document) (i32.const 2)))))))
 *         (local.set $at (i32.add (local.get $counts) (i32.shl (local.get $document) (i32.const 2))))
 *         (local.set $before (i32.load (local.get $at)))
 *         (if (i32.eqz (local.get $before)) (then
 *           (i32.store (i32.add (local.get $touched) (i32.shl (local.get $touchedCount) (i32.const 2))) (local.get $document))
 *           (local.set $touchedCount (i32.add (local.get $touchedCount) (i32.const 1)))))
 *         (i32.store (local.get $at) (i32.add (local.get $before) (i32.load16_u (local.get $frequencies))))
 *         (local.set $documents (i32.add (local.get $documents) (i32.const 4)))
 *         (local.set $frequencies (i32.add (local.get $frequencies) (i32.const 2)))
 *         (local.set $count (i32.sub (local.get $count) (i32.const 1)))
 *         (br 0)))
 *       (i32.store offset=8 (local.get $space) (local.get $touchedCount))
 *       (local.get $touchedCount))
 *     (func (export "spend") (param $space i32) (param $weight f64) (param $isMerged i32) (param $bit i32)
 *       (local $touched i32) (local $left i32) (local $document i32) (local $at i32) (local $frequency f64) (local $mean f64)
 *       (local $scores i32) (local $held i32) (local $counts i32) (local $lengths i32) (local $scored i32) (local $score f64)
 *       (local.set $counts (i32.load (local.get $space)))
 *       (local.set $touched (i32.load offset=4 (local.get $space)))
 *       (local.set $left (i32.load offset=8 (local.get $space)))
 *       (local.set $scores (if (result i32) (local.get $isMerged)
 *         (then (i32.load offset=16 (local.get $space))) (else (i32.load offset=12 (local.get $space)))))
 *       (local.set $held (i32.load offset=20 (local.get $space)))
 *       (local.set $scored (i32.add (i32.load offset=24 (local.get $space))
 *         (i32.shl (i32.load offset=28 (local.get $space)) (i32.const 2))))
 *       (local.set $lengths (i32.load offset=32 (local.get $space)))
 *       (local.set $mean (f64.load offset=40 (local.get $space)))
 *       (block (loop
 *         (br_if 1 (i32.eqz (local.get $left)))
 *         (local.set $document (i32.load (local.get $touched)))
 *         (local.set $at (i32.add (local.get $counts) (i32.shl (local.get $document) (i32.const 2))))
 *         (local.set $frequency (f64.convert_i32_u (i32.load (local.get $at))))
 *         (i32.store (local.get $at) (i32.const 0))
 *         (local.set $at (i32.add (local.get $scores) (i32.shl (local.get $document) (i32.const 3))))
 *         (local.set $score (f64.load (local.get $at)))
 *         (if (local.get $isMerged) (then
 *           (if (i32.eqz (f64.gt (local.get $score) (f64.const 0))) (then
 *             (i32.store (local.get $scored) (local.get $document))
 *             (local.set $scored (i32.add (local.get $scored) (i32.const 4)))
 *             (i32.store offset=28 (local.get $space)
 *               (i32.add (i32.load offset=28 (local.get $space)) (i32.const 1)))))
 *           (i32.store (i32.add (local.get $held) (i32.shl (local.get $document) (i32.const 2)))
 *             (i32.or (local.get $bit)
 *               (i32.load (i32.add (local.get $held) (i32.shl (local.get $document) (i32.const 2))))))))
 *         (f64.store (local.get $at) (f64.add (local.get $score) (f64.mul (local.get $weight)
 *           (f64.div
 *             (f64.mul (local.get $frequency) (f64.const 2.5))
 *             (f64.add (local.get $frequency) (f64.mul (f64.const 1.5) (f64.add (f64.const 0.25) (f64.mul (f64.const 0.75)
 *               (f64.div
 *                 (f64.convert_i32_u (i32.load (i32.add (local.get $lengths) (i32.shl (local.get $document) (i32.const 2)))))
 *                 (local.get $mean))))))))))
 *         (local.set $touched (i32.add (local.get $touched) (i32.const 4)))
 *         (local.set $left (i32.sub (local.get $left) (i32.const 1)))
 *         (br 0)))
 *       (i32.store offset=8 (local.get $space) (i32.const 0)))
 *     (func (export "best") (param $space i32) (param $fileOf i32) (param $best i32) (param $bestChunk i32)
 *       (local $scored i32) (local $left i32) (local $merged i32) (local $chunk i32) (local $file i32) (local $value f64) (local $most f64)
 *       (local.set $scored (i32.load offset=24 (local.get $space)))
 *       (local.set $left (i32.load offset=28 (local.get $space)))
 *       (local.set $merged (i32.load offset=16 (local.get $space)))
 *       (block (loop
 *         (br_if 1 (i32.eqz (local.get $left)))
 *         (local.set $chunk (i32.load (local.get $scored)))
 *         (local.set $file (i32.load (i32.add (local.get $fileOf) (i32.shl (local.get $chunk) (i32.const 2)))))
 *         (local.set $value (f64.load (i32.add (local.get $merged) (i32.shl (local.get $chunk) (i32.const 3)))))
 *         (local.set $most (f64.load (i32.add (local.get $best) (i32.shl (local.get $file) (i32.const 3)))))
 *         (if (i32.or (f64.gt (local.get $value) (local.get $most))
 *           (i32.and (f64.eq (local.get $value) (local.get $most))
 *             (i32.le_s (local.get $chunk) (i32.load (i32.add (local.get $bestChunk) (i32.shl (local.get $file) (i32.const 2)))))))
 *           (then
 *             (f64.store (i32.add (local.get $best) (i32.shl (local.get $file) (i32.const 3))) (local.get $value))
 *             (i32.store (i32.add (local.get $bestChunk) (i32.shl (local.get $file) (i32.const 2))) (local.get $chunk))))
 *         (local.set $scored (i32.add (local.get $scored) (i32.const 4)))
 *         (local.set $left (i32.sub (local.get $left) (i32.const 1)))
 *         (br 0))))
 *     (func (export "part") (param $numbers i32) (param $count i32) (param $values i32) (param $weight f64) (param $score i32) (param $found i32) (result i32)
 *       (local $at i32) (local $end i32) (local $most f64) (local $file i32) (local $before f64) (local $place i32) (local $first i32)
 *       (local.set $first (local.get $found))
 *       (local.set $end (i32.add (local.get $numbers) (i32.shl (local.get $count) (i32.const 2))))
 *       (local.set $at (local.get $numbers))
 *       (block (loop
 *         (br_if 1 (i32.eq (local.get $at) (local.get $end)))
 *         (local.set $most (f64.max (local.get $most)
 *           (f64.load (i32.add (local.get $values) (i32.shl (i32.load (local.get $at)) (i32.const 3))))))
 *         (local.set $at (i32.add (local.get $at) (i32.const 4)))
 *         (br 0)))
 *       (local.set $at (local.get $numbers))
 *       (block (loop
 *         (br_if 1 (i32.eq (local.get $at) (local.get $end)))
 *         (local.set $file (i32.load (local.get $at)))
 *         (local.set $place (i32.add (local.get $score) (i32.shl (local.get $file) (i32.const 3))))
 *         (local.set $before (f64.load (local.get $place)))
 *         (if (f64.eq (local.get $before) (f64.const 0)) (then
 *           (i32.store (local.get $found) (local.get $file))
 *           (local.set $found (i32.add (local.get $found) (i32.const 4)))))
 *         (f64.store (local.get $place) (f64.add (local.get $before) (f64.div
 *           (f64.mul (local.get $weight) (f64.load (i32.add (local.get $values) (i32.shl (local.get $file) (i32.const 3)))))
 *           (local.get $most))))
 *         (local.set $at (i32.add (local.get $at) (i32.const 4)))
 *         (br 0)))
 *       (i32.shr_u (i32.sub (local.get $found) (local.get $first)) (i32.const 2)))
 *     (func (export "pick") (param $found i32) (param $count i32) (param $score i32) (param $out i32)
 *       (local $end i32)
 *       (local.set $end (i32.add (local.get $found) (i32.shl (local.get $count) (i32.const 2))))
 *       (block (loop
 *         (br_if 1 (i32.eq (local.get $found) (local.get $end)))
 *         (f64.store (local.get $out) (f64.load (i32.add (local.get $score) (i32.shl (i32.load (local.get $found)) (i32.const 3)))))
 *         (local.set $out (i32.add (local.get $out) (i32.const 8)))
 *         (local.set $found (i32.add (local.get $found) (i32.const 4)))
 *         (br 0))))
 *     (func (export "above") (param $found i32) (param $count i32) (param $score i32) (param $least f64) (param $out i32) (result i32)
 *       (local $end i32) (local $first i32)
 *       (local.set $first (local.get $out))
 *       (local.set $end (i32.add (local.get $found) (i32.shl (local.get $count) (i32.const 2))))
 *       (block (loop
 *         (br_if 1 (i32.eq (local.get $found) (local.get $end)))
 *         (if (f64.ge (f64.load (i32.add (local.get $score) (i32.shl (i32.load (local.get $found)) (i32.const 3)))) (local.get $least)) (then
 *           (i32.store (local.get $out) (i32.load (local.get $found)))
 *           (local.set $out (i32.add (local.get $out) (i32.const 4)))))
 *         (local.set $found (i32.add (local.get $found) (i32.const 4)))
 *         (br 0)))
 *       (i32.shr_u (i32.sub (local.get $out) (local.get $first)) (i32.const 2))))
 */
const moduleText =
  "AGFzbQEAAAABMQZgBX9/f39/AX9gA39/fwBgBH98f38AYAR/f39/AGAGf39/fH9/AX9gBX9/f3x/AX8DCQgAAQACAwQDBQUDAQABB0oJBm1lbW9yeQ" +
  "IABnNwcmVhZAAAB21lYXN1cmUAAQV0YWxseQACBXNwZW5kAAMEYmVzdAAEBHBhcnQABQRwaWNrAAYFYWJvdmUABwqQCQh+AQV/AkADQCAFIAFGDQEg" +
  "ACgCACEGIAAoAgQhB0EAIQggBiAHSQRAIAlBAWohCQNAIAIgBkECdGogBTYCACAIIAMgBkECdGooAgBqIQggBkEBaiIGIAdJDQALCyAEIAg2AgAgAE" +
  "EEaiEAIARBBGohBCAFQQFqIQUMAAsLIAkLUQMCfwF+AX8gACABQQJ0aiEDAkADQCAAIANGDQEgACgCACEEIAUgBK18IQUgBiAEQQBHaiEGIABBBGoh" +
  "AAwACwsgAiAFujkDACACIAa4OQMIC5UBAQZ/IAAoAgAhBSAAKAIEIQYgACgCCCEHAkADQCADRQ0BIAEoAgAhCCAEBEAgBCAIQQJ0aigCACEICyAFIA" +
  "hBAnRqIQkgCSgCACEKIApFBEAgBiAHQQJ0aiAINgIAIAdBAWohBwsgCSAKIAIvAQBqNgIAIAFBBGohASACQQJqIQIgA0EBayEDDAALCyAAIAc2Aggg" +
  "Bwu6AgQEfwJ8BX8BfCAAKAIAIQwgACgCBCEEIAAoAgghBSACBH8gACgCEAUgACgCDAshCiAAKAIUIQsgACgCGCAAKAIcQQJ0aiEOIAAoAiAhDSAAKw" +
  "MoIQkCQANAIAVFDQEgBCgCACEGIAwgBkECdGohByAHKAIAuCEIIAdBADYCACAKIAZBA3RqIQcgBysDACEPIAIEQCAPRAAAAAAAAAAAZEUEQCAOIAY2" +
  "AgAgDkEEaiEOIAAgACgCHEEBajYCHAsgCyAGQQJ0aiADIAsgBkECdGooAgByNgIACyAHIA8gASAIRAAAAAAAAARAoiAIRAAAAAAAAPg/RAAAAAAAAN" +
  "A/RAAAAAAAAOg/IA0gBkECdGooAgC4IAmjoqCioKOioDkDACAEQQRqIQQgBUEBayEFDAALCyAAQQA2AggLmwECBX8CfCAAKAIYIQQgACgCHCEFIAAo" +
  "AhAhBgJAA0AgBUUNASAEKAIAIQcgASAHQQJ0aigCACEIIAYgB0EDdGorAwAhCSACIAhBA3RqKwMAIQogCSAKZCAJIAphIAcgAyAIQQJ0aigCAExxcg" +
  "RAIAIgCEEDdGogCTkDACADIAhBAnRqIAc2AgALIARBBGohBCAFQQFrIQUMAAsLC7cBBQJ/AXwBfwF8An8gBSEMIAAgAUECdGohByAAIQYCQANAIAYg" +
  "B0YNASAIIAIgBigCAEEDdGorAwClIQggBkEEaiEGDAALCyAAIQYCQANAIAYgB0YNASAGKAIAIQkgBCAJQQN0aiELIAsrAwAhCiAKRAAAAAAAAAAAYQ" +
  "RAIAUgCTYCACAFQQRqIQULIAsgCiADIAIgCUEDdGorAwCiIAijoDkDACAGQQRqIQYMAAsLIAUgDGtBAnYLPgEBfyAAIAFBAnRqIQQCQANAIAAgBEYN" +
  "ASADIAIgACgCAEEDdGorAwA5AwAgA0EIaiEDIABBBGohAAwACwsLVQECfyAEIQYgACABQQJ0aiEFAkADQCAAIAVGDQEgAiAAKAIAQQN0aisDACADZg" +
  "RAIAQgACgCADYCACAEQQRqIQQLIABBBGohAAwACwsgBCAGa0ECdgs=";

// oxlint-disable max-params -- the signatures of compiled functions: WebAssembly passes numbers
/** Its functions take addresses in its memory. */
export interface ScoreKernel {
  readonly memory: KernelMemory;
  /** Writes the file of each chunk and the terms of each file; says how many files have chunks. */
  readonly spread: (
    starts: number,
    files: number,
    fileOf: number,
    lengths: number,
    sums: number,
  ) => number;
  /** Writes the sum of some lengths, and behind it how many are not 0. */
  readonly measure: (lengths: number, count: number, out: number) => void;
  /** Counts the places of a term, in files if `fileOf` is not 0; says how many documents are touched. */
  readonly tally: (
    space: number,
    documents: number,
    frequencies: number,
    count: number,
    fileOf: number,
  ) => number;
  /** Adds the weight of what was counted to the scores, and forgets the counts. */
  readonly spend: (space: number, weight: number, isMerged: number, bit: number) => void;
  /** Writes the best chunk of each file and its score. */
  readonly best: (space: number, fileOf: number, best: number, bestChunk: number) => void;
  /** Adds a part to the scores of files; says how many of them had none before, which are written. */
  readonly part: (
    numbers: number,
    count: number,
    values: number,
    weight: number,
    score: number,
    found: number,
  ) => number;
  /** Writes the scores of some files. */
  readonly pick: (found: number, count: number, score: number, out: number) => void;
  /** Writes those of some files whose score is not below the least; says how many. */
  readonly above: (
    found: number,
    count: number,
    score: number,
    least: number,
    out: number,
  ) => number;
}
// oxlint-enable max-params

let kernel: ScoreKernel | null | undefined;

/** The functions; `null` where the runtime cannot. */
export function scoreKernel(): ScoreKernel | null {
  kernel ??= makeKernel(moduleText) as ScoreKernel | null;
  return kernel;
}

/** Room in the memory of a kernel for one choice; the next choice takes it again. */
export class KernelRoom {
  readonly #memory: KernelMemory;
  #end = 0;
  /** What choices before may have written to. */
  static #usedBytes = 0;

  private constructor(memory: KernelMemory) {
    this.#memory = memory;
  }

  /** Makes room for so many bytes; `undefined` where there is not as much memory. */
  static of(memory: KernelMemory, sizeBytes: number): KernelRoom | undefined {
    return growTo(memory, sizeBytes) ? new KernelRoom(memory) : undefined;
  }

  /** Takes bytes, the next multiple of 8 on; says where they begin. */
  take(sizeBytes: number): number {
    const start = this.#end;
    this.#end = start + 8 * Math.ceil(sizeBytes / 8);
    return start;
  }

  /** Takes bytes that are 0. */
  takeZeros(sizeBytes: number): number {
    const start = this.take(sizeBytes);
    // New memory is 0 already, and need not be touched.
    const used = Math.min(sizeBytes, KernelRoom.#usedBytes - start);
    if (used > 0) new Uint8Array(this.#memory.buffer, start, used).fill(0);
    return start;
  }

  /** Says that all was taken. */
  close(): void {
    KernelRoom.#usedBytes = Math.max(KernelRoom.#usedBytes, this.#end);
  }
}
