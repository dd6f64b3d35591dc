import type { System, TimerHandle } from "../../core/index.ts";

/** What a follower of a feed gets. */
export type FeedPiece<Item> =
  | { readonly kind: "item"; readonly number: number; readonly item: Item }
  /** So many items are gone that it did not get: it was too slow, or away too long. */
  | { readonly kind: "gap"; readonly missedCount: number }
  /** Nothing came for some time. */
  | { readonly kind: "quiet" };

/** How a feed is made. */
export interface FeedOptions {
  readonly system: Pick<System, "setTimer" | "clearTimer">;
  /** Items that are kept; the oldest go first. */
  readonly lengthMax: number;
  /** Followers at once. */
  readonly followerCountMax: number;
  /** After so long without an item a follower gets `quiet`, milliseconds. */
  readonly quietMs: number;
}

/** How somebody follows a feed. */
export interface FollowOptions<Item> {
  /** The first item it gets has this number, or the next one that is wanted. */
  readonly from: number;
  /** Items that are not wanted are passed over. */
  readonly wants: (item: Item) => boolean;
}

/** Which items of a feed are taken at once. */
export interface PageOptions<Item> extends FollowOptions<Item> {
  /** At most so many. */
  readonly countMax: number;
  /** And no more behind one with which they are so long together, by `lengthOf`. */
  readonly lengthMax: number;
  readonly lengthOf: (item: Item) => number;
}

/** Items of a feed, in their order. */
export interface FeedPage<Item> {
  /** Items that are gone and that it should have had. */
  readonly missedCount: number;
  readonly items: readonly { readonly number: number; readonly item: Item }[];
  /** Where the next page begins. */
  readonly next: number;
}

const done: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** Waits for the next item, for the feed's end, or for its time to be over. */
interface Waiting {
  readonly wake: () => void;
}

/**
 * The latest items of something that goes on, numbered from 1, and those who follow it. A follower holds nothing but its
 * place: one that reads slowly, or not at all, costs no memory and holds nobody up. When what it did not read is gone, it is
 * told how much.
 */
export class Feed<Item> {
  readonly #options: FeedOptions;
  /** Item `number` is at `number % lengthMax`. */
  readonly #items: Item[] = [];
  readonly #waiting = new Set<Waiting>();
  #followerCount = 0;
  #lastNumber = 0;
  #isEnded = false;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  /** Number of the latest item; 0 before the first. */
  get lastNumber(): number {
    return this.#lastNumber;
  }

  /** Number of the oldest item that is kept; one more than `lastNumber` when none is. */
  get firstNumber(): number {
    return this.#lastNumber - Math.min(this.#lastNumber, this.#options.lengthMax) + 1;
  }

  /** True when nobody else may follow. */
  get isFull(): boolean {
    return this.#followerCount >= this.#options.followerCountMax;
  }

  /** True when nothing more comes. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /**
   * Counts somebody who takes pages among the followers.
   *
   * @returns Ends that; twice is harmless.
   */
  hold(): () => void {
    this.#followerCount += 1;
    let isHeld = true;
    return () => {
      if (isHeld) this.#followerCount -= 1;
      isHeld = false;
    };
  }

  /** Adds an item, and wakes those who wait for one. */
  publish(item: Item): void {
    this.#lastNumber += 1;
    this.#items[this.#lastNumber % this.#options.lengthMax] = item;
    this.#wakeAll();
  }

  /** @returns The number of the oldest of the last `count` items that are wanted. */
  numberOfLast(count: number, wants: (item: Item) => boolean): number {
    let number = this.#lastNumber + 1;
    let left = count;
    for (let at = this.#lastNumber; at >= this.firstNumber && left > 0; at -= 1) {
      if (!wants(this.#itemAt(at))) continue;
      number = at;
      left -= 1;
    }
    return number;
  }

  /** Ends all followers, and every later one at once. */
  end(): void {
    this.#isEnded = true;
    this.#wakeAll();
  }

  /**
   * Follows the feed from a place on. Nothing is held until the first piece is asked for, and nothing after `return`.
   *
   * @param options From where, and what.
   */
  follow(options: FollowOptions<Item>): AsyncIterableIterator<FeedPiece<Item>, undefined> {
    let next = Math.max(1, options.from);
    let state: "new" | "following" | "left" = "new";
    let waiting: Waiting | undefined;
    const leave = (): void => {
      if (state === "following") this.#followerCount -= 1;
      state = "left";
      waiting?.wake();
    };
    const take = (): FeedPiece<Item> | undefined => {
      const missedCount = this.firstNumber - next;
      if (missedCount > 0) {
        next = this.firstNumber;
        return { kind: "gap", missedCount };
      }
      while (next <= this.#lastNumber) {
        const number = next;
        const item = this.#itemAt(number);
        next += 1;
        if (options.wants(item)) return { kind: "item", number, item };
      }
      return undefined;
    };
    const iterator: AsyncIterableIterator<FeedPiece<Item>, undefined> = {
      next: async () => {
        if (state === "new") {
          state = "following";
          this.#followerCount += 1;
        }
        let isQuiet = false;
        for (;;) {
          if (state === "left") return done;
          const piece = take();
          if (piece !== undefined) return { done: false, value: piece };
          if (this.#isEnded) {
            leave();
            return done;
          }
          if (isQuiet) return { done: false, value: { kind: "quiet" } };
          isQuiet = await this.#wait((each) => {
            waiting = each;
          });
          waiting = undefined;
        }
      },
      return: async () => {
        leave();
        return done;
      },
      [Symbol.asyncIterator]: () => iterator,
    };
    return iterator;
  }

  /**
   * Takes the wanted items behind a place; where none is there, waits for one.
   *
   * @param options From where, what, and how much.
   * @param waitMs How long it waits at most.
   */
  async page(options: PageOptions<Item>, waitMs: number): Promise<FeedPage<Item>> {
    const { system } = this.#options;
    let isOver = false;
    let waiting: Waiting | undefined;
    const timer = system.setTimer(waitMs, () => {
      isOver = true;
      waiting?.wake();
    });
    let from = Math.max(1, options.from);
    try {
      for (;;) {
        const page = this.#pageNow({ ...options, from });
        const isEmpty = page.items.length === 0 && page.missedCount === 0;
        if (!isEmpty || isOver || this.#isEnded) return page;
        from = page.next;
        await new Promise<void>((resolve) => {
          const wake = (): void => {
            if (this.#waiting.delete(made)) resolve();
          };
          const made: Waiting = { wake };
          waiting = made;
          this.#waiting.add(made);
        });
      }
    } finally {
      system.clearTimer(timer);
    }
  }

  #pageNow({ from, wants, countMax, lengthMax, lengthOf }: PageOptions<Item>): FeedPage<Item> {
    const missedCount = Math.max(0, this.firstNumber - from);
    const items: { readonly number: number; readonly item: Item }[] = [];
    let next = from + missedCount;
    let length = 0;
    while (next <= this.#lastNumber && items.length < countMax && length < lengthMax) {
      const number = next;
      const item = this.#itemAt(number);
      next += 1;
      if (!wants(item)) continue;
      items.push({ number, item });
      length += lengthOf(item);
    }
    return { missedCount, items, next };
  }

  /** @returns True when the time was over and nothing came. */
  #wait(onWaiting: (waiting: Waiting) => void): Promise<boolean> {
    const { system, quietMs } = this.#options;
    return new Promise((resolve) => {
      const end = (isQuiet: boolean): void => {
        if (!this.#waiting.delete(waiting)) return;
        system.clearTimer(timer);
        resolve(isQuiet);
      };
      const timer: TimerHandle = system.setTimer(quietMs, () => end(true));
      const waiting: Waiting = { wake: () => end(false) };
      this.#waiting.add(waiting);
      onWaiting(waiting);
    });
  }

  #wakeAll(): void {
    // Those who wait again do so in a later turn.
    for (const waiting of this.#waiting) waiting.wake();
  }

  #itemAt(number: number): Item {
    return this.#items[number % this.#options.lengthMax] as Item;
  }
}
