import type { IdSequence } from "../core/index.ts";
import { recordAt, traceIdAt } from "./block-records.ts";
import type { SpanBlock } from "./span-block.ts";
import type { SpanRecord } from "./span-record.ts";

/** As many finished spans are kept in memory at least; of what is older, whole blocks go. */
const recentSpanCount = 4096;

/** The latest finished spans, for those who look at a trace while the program runs. */
export class RecentSpans {
  readonly #blocks: SpanBlock[] = [];
  #length = 0;

  /** Keeps the spans of a block. */
  add(block: SpanBlock): void {
    this.#blocks.push(block);
    this.#length += block.length;
    for (;;) {
      const oldest = this.#blocks[0];
      if (oldest === undefined || this.#length - oldest.length < recentSpanCount) return;
      this.#length -= oldest.length;
      this.#blocks.shift();
    }
  }

  /** @returns All that are still there, the newest start first. */
  all(ids: IdSequence): SpanRecord[] {
    const found = this.#blocks.flatMap((block) =>
      Array.from({ length: block.length }, (_, index) => recordAt(block, index, ids)),
    );
    return found.toSorted((one, other) => other.startMs - one.startMs);
  }

  /** @returns The spans of a trace that are still there, in the order of their ends. */
  spansOf(traceId: string, ids: IdSequence): SpanRecord[] {
    return this.#blocks.flatMap((block) => {
      const found: SpanRecord[] = [];
      for (let index = 0; index < block.length; index += 1) {
        if (traceIdAt(block, index, ids) === traceId) found.push(recordAt(block, index, ids));
      }
      return found;
    });
  }
}
