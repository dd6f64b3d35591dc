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
 */
export function scanTokens(text: Uint8Array, sink: TokenSink): void {
  const words = new HeldWords((source, from, to) => {
    if (isToken(source, from, to)) sink(source, from, to);
  });
  scanTerms(text, 0, text.length, (source, from, to) => words.take(source, from, to));
  words.finish();
}

const noText = new Uint8Array(0);

/** Of the terms of a text lets through those that are not compound: words, and the parts of others. */
class HeldWords {
  readonly #sink: TokenSink;
  // A compound word comes before its parts: it is held back until the next term tells which it is.
  #held: Uint8Array = noText;
  #start = 0;
  #end = 0;
  #isHolding = false;

  constructor(sink: TokenSink) {
    this.#sink = sink;
  }

  /** Takes the next term. */
  take(text: Uint8Array, start: number, end: number): void {
    if (text === this.#held && start < this.#end && end <= this.#end) {
      this.#isHolding = false;
      this.#sink(text, start, end);
      return;
    }
    if (this.#isHolding) this.#sink(this.#held, this.#start, this.#end);
    this.#held = text;
    this.#start = start;
    this.#end = end;
    this.#isHolding = true;
  }

  /** Lets the last one through. */
  finish(): void {
    if (this.#isHolding) this.#sink(this.#held, this.#start, this.#end);
  }
}

/** Says whether a word is one that the table may know: not too short or long, and no number. */
export function isToken(text: Uint8Array, start: number, end: number): boolean {
  const length = end - start;
  if (length < tokenBytesMin || length > tokenBytesMax) return false;
  for (let index = start; index < end; index += 1) {
    const byte = text[index] as number;
    if (byte < 0x30 || byte > 0x39) return true;
  }
  return false;
}
