import type { DeadLetter, JsonObject, Message } from "../../core/index.ts";

/** Characters of all payloads together, as JSON; the oldest go first. */
const totalLengthMax = 16_777_216;

/** A message that nobody handled, with its payload. */
export interface KeptLetter {
  readonly recipient: string;
  readonly type: string;
  readonly payload: JsonObject;
  /** Id of the message that was sent again in its place; undefined before. */
  replayedAs: string | undefined;
  /** True while that is under way. */
  isInReplay: boolean;
}

/** The payloads of the latest messages that nobody handled, where somebody wants them kept. */
export class LetterBox {
  readonly #letters = new Map<string, KeptLetter & { readonly length: number }>();
  #countMax = 0;
  #lengthSum = 0;

  /** Keeps at least so many from now on. */
  keep(countMax: number): void {
    this.#countMax = Math.max(this.#countMax, countMax);
  }

  /** How many are kept. */
  get countMax(): number {
    return this.#countMax;
  }

  /** Takes a message that was given up. One that was never made has no payload. */
  add({ id, recipient, type }: DeadLetter, message: Message | undefined): void {
    if (this.#countMax === 0 || id === null || message === undefined) return;
    const { payload } = message;
    const { length } = JSON.stringify(payload);
    if (length > totalLengthMax) return;
    const letter = { recipient, type, payload, length, replayedAs: undefined, isInReplay: false };
    this.#letters.set(id, letter);
    this.#lengthSum += length;
    for (const [oldest, { length: freed }] of this.#letters) {
      if (this.#letters.size <= this.#countMax && this.#lengthSum <= totalLengthMax) break;
      this.#letters.delete(oldest);
      this.#lengthSum -= freed;
    }
  }

  /** @returns The message with its payload, if it is kept. */
  find(id: string): KeptLetter | undefined {
    return this.#letters.get(id);
  }

  /** True when a message can be sent again. */
  canReplay(id: string): boolean {
    const letter = this.#letters.get(id);
    return letter !== undefined && letter.replayedAs === undefined && !letter.isInReplay;
  }
}
