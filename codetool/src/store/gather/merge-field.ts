import { join } from "node:path";
import {
  appendSection,
  type GrowingBytes,
  type SectionFile,
  type SectionWriter,
} from "../sections/index.ts";
import { ScratchBytes } from "./scratch-bytes.ts";

/** The same field of one of several runs. */
export interface FieldRun {
  /** Holds the field as `writeField` wrote it. */
  readonly file: SectionFile;
  /** How many documents there are in the runs before. */
  readonly documentsBefore: number;
}

/** Terms of all runs that are in memory at a time, about. */
const partTermsAim = 1 << 17;
/** How many of the 53 bits of a number hold the number of a term within its part; the others hold its hash. */
const partTermsMax = 2 ** 21;

/**
 * Writes a field as `writeField` does, from runs whose documents follow each other: the same bytes as from one
 * builder that got all of them.
 *
 * The terms of a run lie in the order of their hashes, which are evenly spread. So the hashes are cut into parts, and
 * of each part the terms of all runs are read, put in order and written: the memory depends on neither the number of
 * terms nor that of their occurrences.
 *
 * @param options.scratchDirectory Where parts of sections may lie meanwhile.
 */
export function mergeField(
  writer: SectionWriter,
  name: string,
  options: { readonly runs: readonly FieldRun[]; readonly scratchDirectory: string },
): void {
  const cursors = options.runs.map((run) => new RunCursor(run, name));
  const termCount = cursors.reduce((sum, cursor) => sum + cursor.termCount, 0);
  const partCount = Math.max(1, Math.ceil(termCount / partTermsAim));
  const scratch = (section: string): ScratchBytes =>
    new ScratchBytes(join(options.scratchDirectory, `${name}.${section}`));
  const merged: MergedSections = {
    hashes: scratch("hashes"),
    offsets: scratch("offsets"),
    bytes: scratch("bytes"),
    postings: scratch("postings"),
    starts: scratch("starts"),
  };
  try {
    merged.offsets.appendUint32(0);
    merged.starts.appendUint32(0);
    for (let part = 1; part <= partCount; part += 1) {
      const bound = part === partCount ? 2 ** 32 : Math.floor((part * 2 ** 32) / partCount);
      const terms = cursors.flatMap((cursor) => cursor.takeBelow(bound, partCount) ?? []);
      writePart(terms, merged);
    }
    for (const [section, bytes] of Object.entries(merged) as [string, ScratchBytes][]) {
      writer.begin(`${name}.${section}`);
      bytes.copyTo(writer);
    }
  } finally {
    for (const bytes of Object.values(merged) as ScratchBytes[]) bytes.close();
  }
  writer.begin(`${name}.lengths`);
  for (const { file } of options.runs) appendSection(writer, file, `${name}.lengths`);
}

/** In the order in which they are written. */
interface MergedSections {
  readonly hashes: ScratchBytes;
  readonly offsets: ScratchBytes;
  readonly bytes: ScratchBytes;
  readonly postings: ScratchBytes;
  readonly starts: ScratchBytes;
}

/** Some neighbouring terms of a run. */
interface RunTerms {
  readonly documentsBefore: number;
  readonly hashes: Uint32Array;
  /** Where each ends in `bytes`; the first begins at 0. */
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;
  /** The same for where they occur. */
  readonly postings: Uint8Array;
  readonly postingEnds: Uint32Array;
}

/** Reads the terms of a run part by part. */
class RunCursor {
  readonly #run: FieldRun;
  readonly #name: string;
  readonly termCount: number;
  #place = 0;

  constructor(run: FieldRun, name: string) {
    this.#run = run;
    this.#name = name;
    this.termCount = run.file.lengthOf(`${name}.hashes`) / 4;
  }

  /** The next terms, those whose hash is below a bound; `undefined` when there is none. */
  takeBelow(bound: number, partCount: number): RunTerms | undefined {
    const start = this.#place;
    const end = this.#findEnd(bound, Math.ceil((1.25 * this.termCount) / partCount) + 64);
    this.#place = end;
    if (start === end) return undefined;
    const { file, documentsBefore } = this.#run;
    const section = (name: string): string => `${this.#name}.${name}`;
    const column = (name: string): Uint32Array =>
      file.slice(section(name), Uint32Array, { start, end: end + 1 });
    const bytesOf = (name: string, at: Uint32Array): Uint8Array =>
      file.slice(section(name), Uint8Array, {
        start: at[0] as number,
        end: at.at(-1) as number,
      });
    const offsets = column("offsets");
    const starts = column("starts");
    return {
      documentsBefore,
      hashes: file.slice(section("hashes"), Uint32Array, { start, end }),
      bytes: bytesOf("bytes", offsets),
      ends: endsOf(offsets),
      postings: bytesOf("postings", starts),
      postingEnds: endsOf(starts),
    };
  }

  #findEnd(bound: number, step: number): number {
    if (bound === 2 ** 32) return this.termCount;
    for (let from = this.#place; ; from += step) {
      const end = Math.min(this.termCount, from + step);
      const hashes = this.#run.file.slice(`${this.#name}.hashes`, Uint32Array, {
        start: from,
        end,
      });
      for (let index = 0; index < hashes.length; index += 1)
        if ((hashes[index] as number) >= bound) return from + index;
      if (end === this.termCount) return end;
    }
  }
}

/** Where things end, counted from where the first begins. */
function endsOf(starts: Uint32Array): Uint32Array {
  const ends = new Uint32Array(starts.length - 1);
  for (let index = 0; index < ends.length; index += 1)
    ends[index] = (starts[index + 1] as number) - (starts[0] as number);
  return ends;
}

/** Terms of all runs in a part, numbered run by run. */
class PartTerms {
  readonly #runs: readonly RunTerms[];
  readonly #firsts: number[] = [];
  /** The run of each term; there are 64 at most. */
  readonly #runOf: Uint8Array;
  readonly count: number;

  constructor(runs: readonly RunTerms[]) {
    this.#runs = runs;
    this.count = runs.reduce((sum, { hashes }) => sum + hashes.length, 0);
    this.#runOf = new Uint8Array(this.count);
    let first = 0;
    for (const [run, { hashes }] of runs.entries()) {
      this.#firsts.push(first);
      this.#runOf.fill(run, first, first + hashes.length);
      first += hashes.length;
    }
  }

  /** Numbers of the terms by hash, then run. */
  inOrder(): Float64Array {
    const order = new Float64Array(this.count);
    for (const [run, { hashes }] of this.#runs.entries()) {
      const first = this.#firsts[run] as number;
      for (let index = 0; index < hashes.length; index += 1)
        order[first + index] = (hashes[index] as number) * partTermsMax + first + index;
    }
    if (this.count > partTermsMax) {
      // Only if millions of terms have the same hash, which does not happen by chance.
      for (let index = 0; index < order.length; index += 1) order[index] = index;
      return order.sort((left, right) => this.hashOf(left) - this.hashOf(right) || left - right);
    }
    order.sort();
    for (let index = 0; index < order.length; index += 1)
      order[index] = (order[index] as number) % partTermsMax;
    return order;
  }

  hashOf(term: number): number {
    const run = this.#runOf[term] as number;
    return this.#runs[run]?.hashes[term - (this.#firsts[run] as number)] as number;
  }

  /** Whether two terms have the same bytes. */
  areSame(left: number, right: number): boolean {
    const leftRun = this.#runOf[left] as number;
    const rightRun = this.#runOf[right] as number;
    const { bytes: leftBytes, ends: leftEnds } = this.#runs[leftRun] as RunTerms;
    const { bytes: rightBytes, ends: rightEnds } = this.#runs[rightRun] as RunTerms;
    const leftIndex = left - (this.#firsts[leftRun] as number);
    const rightIndex = right - (this.#firsts[rightRun] as number);
    const start = startIn(leftEnds, leftIndex);
    const shift = startIn(rightEnds, rightIndex) - start;
    const end = leftEnds[leftIndex] as number;
    if ((rightEnds[rightIndex] as number) - shift !== end) return false;
    for (let at = start; at < end; at += 1)
      if (leftBytes[at] !== rightBytes[at + shift]) return false;
    return true;
  }

  /** Compares the bytes of two terms. */
  compare(left: number, right: number): number {
    return Buffer.compare(this.#bytesOf(left), this.#bytesOf(right));
  }

  /** Appends the bytes of a term. */
  appendBytes(target: GrowingBytes, term: number): void {
    const run = this.#runOf[term] as number;
    const { bytes, ends } = this.#runs[run] as RunTerms;
    const index = term - (this.#firsts[run] as number);
    target.appendRange(bytes, startIn(ends, index), ends[index] as number);
  }

  /**
   * Appends the occurrences of a term in its run to those in the runs before: only the first distance changes.
   *
   * @param place.last The last document of the runs before.
   * @returns The last document, when there is more to come.
   */
  appendPostings(
    target: GrowingBytes,
    term: number,
    place: { readonly last: number; readonly isLast: boolean },
  ): number {
    const run = this.#runOf[term] as number;
    const { postings, postingEnds, documentsBefore } = this.#runs[run] as RunTerms;
    const index = term - (this.#firsts[run] as number);
    const end = postingEnds[index] as number;
    const reader = new VarintReader(postings, startIn(postingEnds, index));
    const head = reader.next();
    let document = Math.floor(head / 2) + documentsBefore;
    target.appendVarint((document - place.last) * 2 + (head % 2));
    target.appendRange(postings, reader.at, end);
    if (place.isLast) return document;
    if (head % 2 === 1) reader.next();
    while (reader.at < end) {
      const next = reader.next();
      document += Math.floor(next / 2);
      if (next % 2 === 1) reader.next();
    }
    return document;
  }

  #bytesOf(term: number): Uint8Array {
    const run = this.#runOf[term] as number;
    const { bytes, ends } = this.#runs[run] as RunTerms;
    const index = term - (this.#firsts[run] as number);
    return bytes.subarray(startIn(ends, index), ends[index]);
  }
}

function startIn(ends: Uint32Array, index: number): number {
  return index === 0 ? 0 : (ends[index - 1] as number);
}

function writePart(runs: readonly RunTerms[], merged: MergedSections): void {
  const terms = new PartTerms(runs);
  const order = terms.inOrder();
  for (let start = 0; start < order.length;) {
    const hash = terms.hashOf(order[start] as number);
    let end = start + 1;
    while (end < order.length && terms.hashOf(order[end] as number) === hash) end += 1;
    if (end === start + 1) writeTerm(terms, { order, start, end }, { hash, merged });
    else
      for (const same of sameTerms(terms, order.subarray(start, end)))
        writeTerm(terms, { order: same, start: 0, end: same.length }, { hash, merged });
    start = end;
  }
}

/** Terms with the same hash are mostly the same term; if not, their bytes distinguish them. */
function sameTerms(terms: PartTerms, group: Float64Array): ArrayLike<number>[] {
  const first = group[0] as number;
  let isOne = true;
  for (let index = 1; index < group.length; index += 1)
    isOne &&= terms.areSame(first, group[index] as number);
  if (isOne) return [group];
  const sorted = [...group].sort((left, right) => terms.compare(left, right) || left - right);
  const groups: number[][] = [];
  for (const term of sorted) {
    const last = groups.at(-1);
    if (last !== undefined && terms.areSame(last[0] as number, term)) last.push(term);
    else groups.push([term]);
  }
  return groups;
}

/** Writes one term: its numbers in the runs are in `order` from `start` to before `end`. */
function writeTerm(
  terms: PartTerms,
  same: { readonly order: ArrayLike<number>; readonly start: number; readonly end: number },
  { hash, merged }: { readonly hash: number; readonly merged: MergedSections },
): void {
  merged.hashes.appendUint32(hash);
  terms.appendBytes(merged.bytes.tail, same.order[same.start] as number);
  merged.bytes.settle();
  merged.offsets.appendUint32(merged.bytes.length);
  const { tail } = merged.postings;
  let last = 0;
  for (let index = same.start; index < same.end; index += 1) {
    const isLast = index + 1 === same.end;
    last = terms.appendPostings(tail, same.order[index] as number, { last, isLast });
  }
  merged.postings.settle();
  merged.starts.appendUint32(merged.postings.length);
}

class VarintReader {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, start: number) {
    this.#bytes = bytes;
    this.at = start;
  }

  next(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.#bytes[this.at] as number;
      this.at += 1;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
  }
}
