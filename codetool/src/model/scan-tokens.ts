import { scanTerms } from "../index/index.ts";

/** Receives one token: the bytes of `text` from `start` to `end`, upper-case ASCII letters meaning lower-case ones. */
export type TokenSink = (text: Uint8Array, start: number, end: number) => void;

/** Shorter tokens say nothing, longer ones are encoded data. */
const tokenBytesMin = 2;
const tokenBytesMax = 30;

/**
 * Calls the sink with each token of a text: a word, or the parts of a compound one (`parseHttpRequest` gives `parse`,
 * `http`, `request`, and unlike in the lexical index not itself). Numbers and single letters give nothing.
 *
 * @param text UTF-8, well-formed or not.
 * @param start Byte offset where to begin.
 * @param end Byte offset where to end.
 */
export function scanTokens(text: Uint8Array, start: number, end: number, sink: TokenSink): void {
  // A compound word comes before its parts: it is held back until the next term tells which it is.
  let held = text;
  let heldStart = 0;
  let heldEnd = 0;
  let isHolding = false;
  scanTerms(text, start, end, (source, from, to) => {
    if (source === held && from < heldEnd && to <= heldEnd) {
      isHolding = false;
      offer(source, from, to, sink);
      return;
    }
    if (isHolding) offer(held, heldStart, heldEnd, sink);
    held = source;
    heldStart = from;
    heldEnd = to;
    isHolding = true;
  });
  if (isHolding) offer(held, heldStart, heldEnd, sink);
}

function offer(text: Uint8Array, start: number, end: number, sink: TokenSink): void {
  const length = end - start;
  if (length < tokenBytesMin || length > tokenBytesMax) return;
  for (let index = start; index < end; index += 1) {
    const byte = text[index] as number;
    if (byte < 0x30 || byte > 0x39) {
      sink(text, start, end);
      return;
    }
  }
}
