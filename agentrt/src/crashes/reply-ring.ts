import type { JsonObject } from "../core/index.ts";
import { replyCountMax, replyWeightMax } from "./limits.ts";
import { weightOf } from "./weight.ts";

/** The first replies are all weighed, later ones now and then: that is on the way of every call. */
const [weighedCount, weighedMask] = [4, 63] as const;

/** A reply of another agent. */
export interface KeptReply {
  readonly name: string;
  readonly reply: JsonObject | undefined;
  readonly error: Error | undefined;
  readonly sequence: number;
  /** Tells which of two answers came first. */
  readonly order: number;
}

/** The latest replies of other agents to the calls of one life. To keep one makes no object. */
export class ReplyRing {
  readonly #names: string[] = [];
  readonly #values: (JsonObject | Error)[] = [];
  readonly #sequences: number[] = [];
  readonly #orders: number[] = [];
  #count = 0;
  /** Once a reply was large, each is weighed. */
  #isHeavy = false;
  #leftOutCount = 0;

  /**
   * Keeps a reply.
   *
   * @param name Whose it is.
   * @param value The payload, or the error.
   * @param at.sequence Of the message at hand.
   * @param at.order Later ones have larger ones.
   */
  // oxlint-disable-next-line max-params -- called for each call of an agent: no object for its parameters
  add(name: string, value: JsonObject | Error, sequence: number, order: number): void {
    const count = this.#count;
    const isWeighed = this.#isHeavy || count < weighedCount || (count & weighedMask) === 0;
    if (isWeighed && weightOf(value, replyWeightMax) > replyWeightMax) {
      this.#isHeavy = true;
      this.#leftOutCount += 1;
      return;
    }
    const at = count & (replyCountMax - 1);
    this.#names[at] = name;
    this.#values[at] = value;
    this.#sequences[at] = sequence;
    this.#orders[at] = order;
    this.#count = count + 1;
  }

  /** True where replies that came after a message are not kept any more. */
  hasLost(sequence: number): boolean {
    if (this.#leftOutCount > 0) return true;
    const oldest = this.#sequences[this.#count & (replyCountMax - 1)];
    return this.#count > replyCountMax && (oldest ?? 0) > sequence;
  }

  /** @returns Those that are kept, oldest first. */
  toArray(): KeptReply[] {
    const first = Math.max(0, this.#count - replyCountMax);
    return Array.from({ length: this.#count - first }, (_, index) => {
      const at = (first + index) & (replyCountMax - 1);
      const value = this.#values[at];
      const isError = value instanceof Error;
      return {
        name: this.#names[at] ?? "",
        reply: isError ? undefined : value,
        error: isError ? value : undefined,
        sequence: this.#sequences[at] ?? 0,
        order: this.#orders[at] ?? 0,
      };
    });
  }
}
