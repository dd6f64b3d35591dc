import { scanTerms } from "../../index/index.ts";
import type { NameMatcher } from "../ranker/index.ts";

/** Where words of a query are in a text, in their order. */
export interface WordSpots {
  /** Byte offsets. */
  readonly starts: Uint32Array;
  /** The groups of the query that the word belongs to, a bit each. */
  readonly bits: Uint32Array;
  readonly count: number;
}

/** Finds the words of a query in a text. */
export function findWordSpots(text: Buffer, matcher: NameMatcher): WordSpots {
  let starts = new Uint32Array(256);
  let bits = new Uint32Array(256);
  let count = 0;
  const bitsOfHash = matcher.groupsByHash;
  // oxlint-disable-next-line max-params -- a TermSink: called for each term, an object each would be garbage
  const take = (source: Uint8Array, start: number, end: number, hash: number): void => {
    let own = bitsOfHash.get(hash);
    if (own === undefined) {
      own = matcher.groupsOf(
        Buffer.from(source.buffer, source.byteOffset + start, end - start)
          .toString("utf8")
          .toLowerCase(),
      );
      bitsOfHash.set(hash, own);
    }
    if (own === 0) return;
    if (count === starts.length) {
      const larger = new Uint32Array(count * 2);
      larger.set(starts);
      starts = larger;
      const more = new Uint32Array(count * 2);
      more.set(bits);
      bits = more;
    }
    starts[count] = start;
    bits[count] = own;
    count += 1;
  };
  matcher.spots.visit(text, (start, end) => {
    scanTerms(text, start, end, take);
  });
  return { starts, bits, count };
}

/** The number of the first spot at or behind an offset. */
export function firstSpotFrom({ starts, count }: WordSpots, offset: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] as number) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
