const byteHex: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, "0"),
);
const wordRange = 0x1_0000_0000;

function wordHex(word: number): string {
  return (
    (byteHex[word >>> 24] as string) +
    (byteHex[(word >>> 16) & 0xff] as string) +
    (byteHex[(word >>> 8) & 0xff] as string) +
    (byteHex[word & 0xff] as string)
  );
}

function halfHex(half: number): string {
  return (byteHex[half >>> 8] as string) + (byteHex[half & 0xff] as string);
}

/** A bijection of 32-bit words with good avalanche, so neighbouring numbers give unrelated digits. */
function mixWord(word: number): number {
  let mixed = word ^ (word >>> 16);
  mixed = Math.imul(mixed, 0x21f0aaad);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0x735a2d97);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** Makes ids of the number that a message has. Of a message from another process, its own id is the one that it came with. */
export type MessageIds = Pick<IdSequence, "messageId" | "traceId" | "spanId">;

/**
 * A counter from which message, trace and span ids are derived. Taking a number costs one addition; the text is
 * made when it is read, which for most messages is never. Two sequences with different random words give different
 * ids; one sequence never gives the same id twice before 2^42 numbers are used up.
 */
export class IdSequence {
  #count = 0;
  readonly #words: Uint32Array;
  readonly #ownHex: string;
  /** Ids of one millisecond share how they begin, up to the last 16 bits of the counter. */
  #timeMs = Number.NaN;
  #counterHigh = Number.NaN;
  #head = "";

  /**
   * @param words Four random 32-bit words: the identity of this sequence.
   */
  constructor(words: Uint32Array) {
    if (words.length < 4) throw new RangeError(`Cannot seed ids: ${words.length} words, want 4`);
    this.#words = words.slice(0, 4);
    this.#ownHex = wordHex(this.#words[0] as number);
  }

  /** A copy of the random words: another thread makes the same ids of the same numbers with them. */
  get words(): Uint32Array {
    return this.#words.slice();
  }

  /**
   * Takes the next number.
   *
   * @returns 1, 2, 3, and so on.
   */
  next(): number {
    this.#count += 1;
    return this.#count;
  }

  /**
   * Renders a UUIDv7 whose order is the order of the numbers within one millisecond.
   *
   * @param sequence A number taken by `next`.
   * @param timestampMs Wall-clock milliseconds since the Unix epoch.
   * @returns 36 characters with dashes.
   */
  messageId(sequence: number, timestampMs: number): string {
    const counterHigh = Math.floor(sequence / 0x1_0000);
    const counterLow = sequence % 0x1_0000;
    const head = this.#headOf(counterHigh, Math.floor(timestampMs));
    return head + (halfHex(counterLow) + this.#ownHex);
  }

  /** The first 26 of 42 bits of the counter: 12 in rand_a, 14 in rand_b. The last 16 and 32 bits of the sequence follow. */
  #headOf(counterHigh: number, wholeMs: number): string {
    if (wholeMs !== this.#timeMs || counterHigh !== this.#counterHigh) {
      const time = wordHex(Math.floor(wholeMs / 0x1_0000) >>> 0);
      const timeLow = halfHex(wholeMs % 0x1_0000);
      const versioned = halfHex(0x7000 | (Math.floor(counterHigh / 0x4000) & 0xfff));
      this.#timeMs = wholeMs;
      this.#counterHigh = counterHigh;
      this.#head = `${time}-${timeLow}-${versioned}-${halfHex(0x8000 | (counterHigh % 0x4000))}-`;
    }
    return this.#head;
  }

  /**
   * Renders a W3C trace id. Every bit differs between ids, so that samplers may look at any of them.
   *
   * @param sequence A number taken by `next`.
   * @returns 32 lower-case hexadecimal digits, not all zero.
   */
  traceId(sequence: number): string {
    const [high, low] = this.#pair(sequence, 0);
    const [third, fourth] = this.#pair(sequence, 1);
    return isZero(high, low) && isZero(third, fourth)
      ? `${"0".repeat(31)}1`
      : wordHex(third) + wordHex(fourth) + wordHex(high) + wordHex(low);
  }

  /**
   * Gives what the last eight digits of a trace id say, without the text: a number that is as good as random.
   *
   * @param sequence A number taken by `next`.
   * @returns 0 to 2^32 - 1.
   */
  traceWord(sequence: number): number {
    return mixWord(((this.#words[0] as number) + (sequence >>> 0)) >>> 0);
  }

  /**
   * Renders a W3C span id.
   *
   * @param sequence A number taken by `next`.
   * @returns 16 lower-case hexadecimal digits, never all zero.
   */
  spanId(sequence: number): string {
    const [high, low] = this.#pair(sequence, 2);
    return isZero(high, low) ? `${"0".repeat(15)}1` : wordHex(high) + wordHex(low);
  }

  /**
   * Writes the bytes that `traceId` shows.
   *
   * @param sequence A number taken by `next`.
   * @param view Has 16 bytes from `at` on.
   * @param at Where they go.
   */
  // oxlint-disable-next-line max-params -- called for each span: no object for its parameters
  putTraceId(sequence: number, view: DataView, at: number): void {
    const [high, low] = this.#pair(sequence, 0);
    const [third, fourth] = this.#pair(sequence, 1);
    const isAllZero = isZero(high, low) && isZero(third, fourth);
    view.setUint32(at, third);
    view.setUint32(at + 4, fourth);
    view.setUint32(at + 8, high);
    view.setUint32(at + 12, isAllZero ? 1 : low);
  }

  /** The same for the 8 bytes that `spanId` shows. */
  // oxlint-disable-next-line max-params -- called for each span: no object for its parameters
  putSpanId(sequence: number, view: DataView, at: number): void {
    const [high, low] = this.#pair(sequence, 2);
    view.setUint32(at, high);
    view.setUint32(at + 4, isZero(high, low) ? 1 : low);
  }

  /**
   * Writes the 16 bytes that `messageId` shows.
   *
   * @param sequence A number taken by `next`.
   * @param timestampMs Wall-clock milliseconds since the Unix epoch.
   * @param view Has 16 bytes from `at` on.
   * @param at Where they go.
   */
  // oxlint-disable-next-line max-params -- called for each span: no object for its parameters
  putMessageId(sequence: number, timestampMs: number, view: DataView, at: number): void {
    const wholeMs = Math.floor(timestampMs);
    const counterHigh = Math.floor(sequence / 0x1_0000);
    view.setUint32(at, Math.floor(wholeMs / 0x1_0000));
    view.setUint16(at + 4, wholeMs % 0x1_0000);
    view.setUint16(at + 6, 0x7000 | (Math.floor(counterHigh / 0x4000) & 0xfff));
    view.setUint16(at + 8, 0x8000 | (counterHigh % 0x4000));
    view.setUint16(at + 10, sequence % 0x1_0000);
    view.setUint32(at + 12, this.#words[0] as number);
  }

  /** 64 bits of a number, no two numbers the same: for one low half the high word is a bijection of the high half. */
  #pair(sequence: number, kind: number): [high: number, low: number] {
    const lowHalf = sequence >>> 0;
    const highHalf = Math.floor(sequence / wordRange);
    const seed = this.#words[kind] as number;
    const low = mixWord((seed + lowHalf) >>> 0);
    const high = mixWord(((this.#words[3] as number) ^ highHalf) + mixWord(lowHalf ^ ~seed));
    return [high, low];
  }
}

function isZero(high: number, low: number): boolean {
  return high === 0 && low === 0;
}
