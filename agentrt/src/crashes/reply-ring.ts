import type { JsonObject } from "../core/index.ts";
import type { TrailRoom } from "./trail-room.ts";
import { WeighedRing } from "./weighed-ring.ts";

/** A reply of another agent. */
export interface KeptReply {
  readonly name: string;
  readonly reply: JsonObject | undefined;
  readonly error: Error | undefined;
  readonly sequence: number;
  /** Tells which of two answers came first. */
  readonly order: number;
}

/** The latest replies of other agents to the calls of one life. To keep a light one makes no object. */
export class ReplyRing {
  readonly #values: WeighedRing<JsonObject | Error>;
  readonly #names: string[] = [];
  readonly #sequences: number[] = [];
  readonly #orders: number[] = [];
  #count = 0;

  constructor(room: TrailRoom) {
    this.#values = new WeighedRing(room);
  }

  /**
   * Keeps a reply.
   *
   * @param name Whose it is.
   * @param value The payload, or the error.
   * @param sequence Of the message at hand.
   * @param order Later ones have larger ones.
   */
  // oxlint-disable-next-line max-params -- called for each call of an agent: no object for its parameters
  add(name: string, value: JsonObject | Error, sequence: number, order: number): void {
    const at = this.#values.add(value, value);
    this.#names[at] = name;
    this.#sequences[at] = sequence;
    this.#orders[at] = order;
    this.#count += 1;
  }

  /** @returns Those that are kept, oldest first. */
  toArray(): KeptReply[] {
    return this.#values.kept().map(({ item, slot }) => {
      const isError = item instanceof Error;
      return {
        name: this.#names[slot] ?? "",
        reply: isError ? undefined : item,
        error: isError ? item : undefined,
        sequence: this.#sequences[slot] ?? 0,
        order: this.#orders[slot] ?? 0,
      };
    });
  }

  /** True where replies that came after a message are not kept any more. */
  hasLost(sequence: number): boolean {
    const kept = this.#values.kept();
    const [oldest] = kept;
    if (this.#count === kept.length) return false;
    return oldest === undefined || (this.#sequences[oldest.slot] ?? 0) > sequence;
  }

  /** Gives up all of them. */
  clear(): void {
    this.#values.clear();
  }
}
