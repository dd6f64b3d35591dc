import { join } from "node:path";
import { appendSection } from "./copy-sections.ts";
import type { GrowingBytes } from "./growing-column.ts";
import { ScratchBytes } from "./scratch-bytes.ts";
import type { SectionFile, SectionWriter } from "./section-file.ts";

/** The same field of one of several runs. */
export interface FieldRun {
  /** Holds the field as `writeField` wrote it. */
  readonly file: SectionFile;
  /** How many documents there are in the runs before. */
  readonly documentsBefore: number;
}

/** Terms of all runs that are in memory at a time, about. */
const partTermsAim = 1 << 17;
/** The number of a term within its part is kept in so many of the 53 bits of a number, beside its hash. */
const partTermsMax = 2 ** 21;

/**
 * Writes a field as `writeField` does, from runs whose documents lie one after the other: the same bytes as from one
 * builder that was given all of them.
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

/** A term of a part: which of the runs it is of, and its place among those. */
class PartTerms {
  readonly #runs: readonly RunTerms[];
  readonly #firsts: number[] = [];
  readonly count: number;

  constructor(runs: readonly RunTerms[]) {
    this.#runs = runs;
    let count = 0;
    for (const { hashes } of runs) {
      this.#firsts.push(count);
      count += hashes.length;
    }
    this.count = count;
  }

  /** Numbers of the terms by hash, then bytes, then run. */
  inOrder(): Float64Array {
    const order = new Float64Array(this.count);
    for (const [run, { hashes }] of this.#runs.entries()) {
      const first = this.#firsts[run] as number;
      for (let index = 0; index < hashes.length; index += 1)
        order[first + index] = (hashes[index] as number) * partTermsMax + first + index;
    }
    if (this.count > partTermsMax) {
      // Only where millions of terms have one hash: nobody has those by chance.
      for (let index = 0; index < order.length; index += 1) order[index] = index;
      return order.sort((left, right) => this.hashOf(left) - this.hashOf(right) || left - right);
    }
    order.sort();
    for (let index = 0; index < order.length; index += 1)
      order[index] = (order[index] as number) % partTermsMax;
    return order;
  }

  runOf(term: number): number {
    let low = 0;
    let high = this.#firsts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#firsts[middle] as number) <= term) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  hashOf(term: number): number {
    const run = this.runOf(term);
    return this.#runs[run]?.hashes[term - (this.#firsts[run] as number)] as number;
  }

  bytesOf(term: number): Uint8Array {
    const run = this.runOf(term);
    const { bytes, ends } = this.#runs[run] as RunTerms;
    return partOf(bytes, ends, term - (this.#firsts[run] as number));
  }

  postingsOf(term: number): { readonly postings: Uint8Array; readonly documentsBefore: number } {
    const run = this.runOf(term);
    const { postings, postingEnds, documentsBefore } = this.#runs[run] as RunTerms;
    const index = term - (this.#firsts[run] as number);
    return { postings: partOf(postings, postingEnds, index), documentsBefore };
  }
}

function partOf(bytes: Uint8Array, ends: Uint32Array, index: number): Uint8Array {
  return bytes.subarray(index === 0 ? 0 : ends[index - 1], ends[index]);
}

function writePart(runs: readonly RunTerms[], merged: MergedSections): void {
  const terms = new PartTerms(runs);
  const order = terms.inOrder();
  for (let start = 0; start < order.length;) {
    const hash = terms.hashOf(order[start] as number);
    let end = start + 1;
    while (end < order.length && terms.hashOf(order[end] as number) === hash) end += 1;
    for (const same of sameTerms(terms, order.subarray(start, end)))
      writeTerm(terms, same, { hash, merged });
    start = end;
  }
}

/** Terms of one hash are mostly one term; where not, they are told apart by their bytes. */
function sameTerms(terms: PartTerms, group: Float64Array): ArrayLike<number>[] {
  if (group.length === 1) return [group];
  const first = terms.bytesOf(group[0] as number);
  let isOne = true;
  for (let index = 1; index < group.length; index += 1)
    isOne &&= Buffer.compare(first, terms.bytesOf(group[index] as number)) === 0;
  if (isOne) return [group];
  const sorted = [...group].sort(
    (left, right) => Buffer.compare(terms.bytesOf(left), terms.bytesOf(right)) || left - right,
  );
  const groups: number[][] = [];
  for (const term of sorted) {
    const last = groups.at(-1);
    if (
      last !== undefined &&
      Buffer.compare(terms.bytesOf(last[0] as number), terms.bytesOf(term)) === 0
    )
      last.push(term);
    else groups.push([term]);
  }
  return groups;
}

function writeTerm(
  terms: PartTerms,
  same: ArrayLike<number>,
  { hash, merged }: { readonly hash: number; readonly merged: MergedSections },
): void {
  merged.hashes.appendUint32(hash);
  merged.bytes.append(terms.bytesOf(same[0] as number));
  merged.offsets.appendUint32(merged.bytes.length);
  const { tail } = merged.postings;
  let last = 0;
  for (let index = 0; index < same.length; index += 1) {
    const { postings, documentsBefore } = terms.postingsOf(same[index] as number);
    const isLast = index + 1 === same.length;
    last = appendShifted(tail, postings, { documentsBefore, last, isLast });
  }
  merged.postings.settle();
  merged.starts.appendUint32(merged.postings.length);
}

/**
 * Appends the occurrences of a term in a run to those in the runs before: only the first distance changes.
 *
 * @returns The last document, when there is more to come.
 */
function appendShifted(
  target: GrowingBytes,
  postings: Uint8Array,
  place: { readonly documentsBefore: number; readonly last: number; readonly isLast: boolean },
): number {
  const reader = new VarintReader(postings);
  const head = reader.next();
  let document = Math.floor(head / 2) + place.documentsBefore;
  target.appendVarint((document - place.last) * 2 + (head % 2));
  target.append(postings.subarray(reader.at));
  if (place.isLast) return document;
  if (head % 2 === 1) reader.next();
  while (reader.at < postings.length) {
    const next = reader.next();
    document += Math.floor(next / 2);
    if (next % 2 === 1) reader.next();
  }
  return document;
}

class VarintReader {
  readonly #bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
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
