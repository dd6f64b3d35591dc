import { isToken } from "./scan-tokens.ts";
import type { CountedTokens, TextEmbedder } from "./text-embedder.ts";
import { tokenHash } from "./token-hash.ts";

/** Of a term that was not looked up yet, and of one that the table does not know; a row is kept with 2 added. */
const isUnknown = 0;
const hasNoRow = 1;

/**
 * Counts the tokens of stretches of text while they are counted for the lexical index: the same as `countText` of a
 * `TextEmbedder`, but each word is stemmed and looked up once however often it occurs.
 *
 * Serves one numbering of terms, for example that of one `PostingsBuilder`.
 */
export class ChunkEmbedder {
  readonly #embedder: TextEmbedder;
  readonly #bytesOf: (term: number) => Uint8Array;
  #rowOfTerm = new Int32Array(1 << 14);

  /** @param bytesOf The bytes of a term by its number, lower-cased. */
  constructor(embedder: TextEmbedder, bytesOf: (term: number) => Uint8Array) {
    this.#embedder = embedder;
    this.#bytesOf = bytesOf;
  }

  /** Takes a term of the stretch, other than a compound word, so many times. */
  take(term: number, times: number): void {
    if (term >= this.#rowOfTerm.length) this.#grow(term);
    let known = this.#rowOfTerm[term] as number;
    if (known === isUnknown) {
      const bytes = this.#bytesOf(term);
      const row = isToken(bytes, 0, bytes.length)
        ? this.#embedder.rowOf(tokenHash(bytes, 0, bytes.length))
        : -1;
      known = row < 0 ? hasNoRow : row + 2;
      this.#rowOfTerm[term] = known;
    }
    if (known !== hasNoRow) this.#embedder.countRow(known - 2, times);
  }

  /** The tokens of the terms that were taken; the next one begins a new stretch. */
  finish(): CountedTokens {
    return this.#embedder.takeCounted();
  }

  #grow(term: number): void {
    const larger = new Int32Array(Math.max(term + 1, this.#rowOfTerm.length * 2));
    larger.set(this.#rowOfTerm);
    this.#rowOfTerm = larger;
  }
}
