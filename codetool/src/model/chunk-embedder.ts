import { HeldWords, isToken } from "./scan-tokens.ts";
import type { TextEmbedder } from "./text-embedder.ts";
import { tokenHash } from "./token-hash.ts";

/** Of a term that was not looked up yet, and of one that the table does not know; a row is kept with 2 added. */
const isUnknown = 0;
const hasNoRow = 1;

/**
 * Embeds stretches of text while they are scanned for the lexical index: the same vectors as `embedChunk` without a
 * path, but each word is stemmed and looked up once however often it occurs.
 *
 * Serves one numbering of terms, for example that of one `PostingsBuilder`.
 */
export class ChunkEmbedder {
  readonly #embedder: TextEmbedder;
  readonly #words: HeldWords;
  #rowOfTerm = new Int32Array(1 << 14);

  constructor(embedder: TextEmbedder) {
    this.#embedder = embedder;
    // oxlint-disable-next-line max-params -- called for each term of a tree: an object each would be garbage
    this.#words = new HeldWords((text, start, end, term) => this.#count(text, start, end, term));
  }

  /** Takes the next term of the stretch, as the scanner gives it. */
  // oxlint-disable-next-line max-params -- called for each term of a tree: an object each would be garbage
  take(text: Uint8Array, start: number, end: number, term: number): void {
    this.#words.take(text, start, end, term);
  }

  /** The vector of the terms that were taken; the next one begins a new stretch. */
  finish(): Float32Array {
    this.#words.finish();
    return this.#embedder.countedVector();
  }

  // oxlint-disable-next-line max-params -- called for each term of a tree: an object each would be garbage
  #count(text: Uint8Array, start: number, end: number, term: number): void {
    if (term >= this.#rowOfTerm.length) this.#grow(term);
    let known = this.#rowOfTerm[term] as number;
    if (known === isUnknown) {
      const row = isToken(text, start, end)
        ? this.#embedder.rowOf(tokenHash(text, start, end))
        : -1;
      known = row < 0 ? hasNoRow : row + 2;
      this.#rowOfTerm[term] = known;
    }
    if (known !== hasNoRow) this.#embedder.countRow(known - 2);
  }

  #grow(term: number): void {
    const larger = new Int32Array(Math.max(term + 1, this.#rowOfTerm.length * 2));
    larger.set(this.#rowOfTerm);
    this.#rowOfTerm = larger;
  }
}
