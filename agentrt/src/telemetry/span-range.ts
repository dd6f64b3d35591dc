import type { IdSequence } from "../core/index.ts";
import { recordAt } from "./block-records.ts";
import { rowLength, type SpanBlock } from "./span-block.ts";
import type { SpanRecord } from "./span-record.ts";

/** Some spans of a block that follow each other. */
export interface SpanRange {
  readonly block: SpanBlock;
  /** Index of the first. */
  from: number;
}

/** Spans in blocks, the oldest first. */
export class SpanRanges {
  readonly #ranges: SpanRange[] = [];
  #length = 0;

  /** How many spans there are. */
  get length(): number {
    return this.#length;
  }

  /** Adds the spans of a block. */
  add(block: SpanBlock): void {
    this.#ranges.push({ block, from: 0 });
    this.#length += block.length;
  }

  /** Takes out all. */
  clear(): void {
    this.#ranges.length = 0;
    this.#length = 0;
  }

  /**
   * Takes out the oldest spans.
   *
   * @param count How many at most.
   * @returns Blocks that hold just them.
   */
  take(count: number): SpanBlock[] {
    const taken: SpanBlock[] = [];
    let left = count;
    while (left > 0) {
      const range = this.#ranges[0];
      if (range === undefined) break;
      const { block, from } = range;
      const length = Math.min(left, block.length - from);
      taken.push(partOf(block, from, length));
      this.#forward(range, length);
      left -= length;
    }
    return taken;
  }

  /** Drops the oldest span. */
  drop(): void {
    const range = this.#ranges[0];
    if (range !== undefined) this.#forward(range, 1);
  }

  #forward(range: SpanRange, count: number): void {
    range.from += count;
    this.#length -= count;
    if (range.from >= range.block.length) this.#ranges.shift();
  }
}

/** @returns The records of blocks. */
export function recordsOf(blocks: readonly SpanBlock[], ids: IdSequence): SpanRecord[] {
  return blocks.flatMap((block) =>
    Array.from({ length: block.length }, (_, index) => recordAt(block, index, ids)),
  );
}

function partOf(block: SpanBlock, from: number, length: number): SpanBlock {
  if (length === block.length) return block;
  return {
    ...block,
    length,
    rows: block.rows.slice(from * rowLength, (from + length) * rowLength),
  };
}
