import { isBorder } from "../scan/index.ts";

const question = /^(?:how|what|when|where|which|who|whose|why)\b|\?$/i;

/**
 * A query of several words as it is written, looked for in texts besides its words: error messages are searched that way. A
 * question is not: what quotes it does not answer it.
 */
export class Phrase {
  /** `null` for a query of one word and for a question. */
  readonly #bytes: Buffer | null;

  constructor(query: string) {
    const trimmed = query.trim();
    const isPhrase = /\S\s+\S/.test(trimmed) && !question.test(trimmed);
    this.#bytes = isPhrase ? Buffer.from(trimmed, "utf8") : null;
  }

  /**
   * Where the phrase is first between the borders of words, byte offset; -1 when it is nowhere.
   *
   * @param start Byte offset to begin at.
   * @param end Byte offset after the last byte that may belong to it.
   */
  find(text: Buffer, start: number, end: number): number {
    const bytes = this.#bytes;
    if (bytes === null) return -1;
    for (let at = text.indexOf(bytes, start); at >= 0; at = text.indexOf(bytes, at + 1)) {
      if (at + bytes.length > end) return -1;
      if (isBorder(text, at) && isBorder(text, at + bytes.length)) return at;
    }
    return -1;
  }
}
