import { ringLengthMax, ringWeightMax } from "./limits.ts";
import type { TrailRoom } from "./trail-room.ts";
import { isLight, weightOf } from "./weight.ts";

/**
 * The latest things of one life, such as messages: the oldest goes first. To keep a light one makes no object. A heavy one is
 * held as long as there is room for it; without room it is known only to those who have it, as the message at hand is.
 */
export class WeighedRing<Item extends object> {
  readonly #room: TrailRoom;
  readonly #slots: (Item | WeakRef<Item>)[] = [];
  /** Where the next one goes. */
  #at = 0;
  /** What the heavy ones weigh that are held, by their slots, the oldest first. Made with the first heavy one. */
  #weights: Map<number, number> | undefined;
  #weight = 0;

  constructor(room: TrailRoom) {
    this.#room = room;
  }

  /**
   * Keeps one.
   *
   * @param item What is kept.
   * @param content What of it may be heavy.
   * @returns The slot that it has until that is taken by another one.
   */
  add(item: Item, content: object): number {
    const at = this.#at < this.#slots.length || this.#grows() ? this.#at : 0;
    if (this.#weights !== undefined) this.#free(at);
    this.#slots[at] = isLight(content) ? item : this.#held(item, { content, at });
    this.#at = at + 1 === ringLengthMax ? 0 : at + 1;
    return at;
  }

  /**
   * @param known One that is there even where there was no room for it.
   * @returns Those that are held with their slots, oldest first; none from before one that is not.
   */
  kept(known?: Item | null): { readonly item: Item; readonly slot: number }[] {
    const { length } = this.#slots;
    const kept: { readonly item: Item; readonly slot: number }[] = [];
    for (let count = 1; count <= length; count += 1) {
      const slot = (this.#at - count + length) % length;
      const found = this.#slots[slot];
      const item = found instanceof WeakRef ? found.deref() : found;
      if (item === undefined || (found instanceof WeakRef && item !== known)) break;
      kept.unshift({ item, slot });
    }
    return kept;
  }

  /** Gives up all of them. */
  clear(): void {
    this.#room.freeItems(Math.max(0, this.#slots.length - 1));
    this.#room.free(this.#weight);
    this.#slots.length = 0;
    this.#at = 0;
    this.#weights = undefined;
    this.#weight = 0;
  }

  /** The first one has its place; without room for another the ring begins again. */
  #grows(): boolean {
    return this.#slots.length === 0 || this.#room.takeItem();
  }

  #held(
    item: Item,
    { content, at }: { readonly content: object; readonly at: number },
  ): Item | WeakRef<Item> {
    const weights = (this.#weights ??= new Map());
    const weight = weightOf(content, ringWeightMax);
    if (weight > ringWeightMax) return new WeakRef(item);
    while (this.#weight + weight > ringWeightMax || !this.#room.take(weight)) {
      const [oldest] = weights.keys();
      if (oldest === undefined) return new WeakRef(item);
      this.#slots[oldest] = new WeakRef(this.#slots[oldest] as Item);
      this.#free(oldest);
    }
    weights.set(at, weight);
    this.#weight += weight;
    return item;
  }

  #free(slot: number): void {
    const weight = this.#weights?.get(slot) ?? 0;
    if (weight === 0) return;
    this.#weights?.delete(slot);
    this.#weight -= weight;
    this.#room.free(weight);
  }
}
