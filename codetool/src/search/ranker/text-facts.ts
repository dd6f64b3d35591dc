import { isWordByte, scanTerms } from "../../index/index.ts";
import type { NameMatcher } from "./name-words.ts";
import type { RankQuery } from "./query.ts";

/** What reading a file tells of it for one query. */
export interface TextFacts {
  /** Share of the query in its first lines; 0 to 1. */
  readonly head: number;
  /** Share of the neighbours in the query that are neighbours in the text too; 0 to 1. */
  readonly pairs: number;
  /** 1 when the query is in it as it is. */
  readonly phrase: number;
}

const headBytesMax = 1500;
const pairDistanceMax = 3;

/** Reads a text for what an index does not tell. */
export function readTextFacts(query: RankQuery, matcher: NameMatcher, text: Buffer): TextFacts {
  const bits = new Map<number, number>();
  const positions: { readonly at: number; readonly bits: number }[] = [];
  let position = 0;
  let headBits = 0;
  // oxlint-disable-next-line max-params -- a TermSink: called for each term, an object each would be garbage
  const take = (source: Uint8Array, start: number, end: number, hash: number): void => {
    position += 1;
    let own = bits.get(hash);
    if (own === undefined) {
      own = matcher.groupsOf(
        Buffer.from(source.buffer, source.byteOffset + start, end - start)
          .toString("utf8")
          .toLowerCase(),
      );
      bits.set(hash, own);
    }
    if (own === 0) return;
    if (start < headBytesMax) headBits |= own;
    positions.push({ at: position, bits: own });
  };
  let lastEnd = 0;
  matcher.spots.visit(text, (start, end) => {
    if (positions.length > 0) position += countNextTerms(text, lastEnd, start);
    scanTerms(text, start, end, take);
    lastEnd = end;
  });
  const pairCount = query.groups.length - 1;
  let pairBits = 0;
  for (let index = 1; index < positions.length; index += 1) {
    const current = positions[index] as (typeof positions)[number];
    for (let before = index - 1; before >= 0 && before >= index - pairDistanceMax; before -= 1) {
      const previous = positions[before] as (typeof positions)[number];
      if (current.at - previous.at > pairDistanceMax) break;
      pairBits |= ((previous.bits << 1) & current.bits) | (previous.bits & (current.bits << 1));
    }
  }
  let found = 0;
  for (let index = 1; index <= pairCount; index += 1)
    if ((pairBits & (1 << index)) !== 0) found += 1;
  return {
    head: matcher.shareOf(headBits),
    pairs: pairCount === 0 ? 0 : found / pairCount,
    phrase: query.groups.length > 1 && text.includes(query.text) ? 1 : 0,
  };
}

/** How many terms are in a stretch of text; after enough for what is behind it to be far, it counts no further. */
function countNextTerms(text: Uint8Array, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end && count < pairDistanceMax;) {
    while (at < end && !isWordByte(text[at] as number)) at += 1;
    const wordStart = at;
    while (at < end && isWordByte(text[at] as number)) at += 1;
    count += scanTerms(text, wordStart, at, ignoreTerm);
  }
  return count;
}

function ignoreTerm(): void {}
