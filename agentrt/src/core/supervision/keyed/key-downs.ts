import { Downs } from "../../messages/index.ts";

/** What the watchers of keys have to know of the whole. */
export interface WatchedWhole {
  readonly name: string;
  readonly downs: Downs;
  /** @returns True for a key that is there, with or without an object. */
  isThere(key: string): boolean;
}

/**
 * The watchers of keys. They outlive the objects: a key that is passivated is not down, and one that is out of its
 * budget is so no more when it has been left alone for its time. When the whole goes down, all keys do.
 */
export class KeyDowns {
  readonly #whole: WatchedWhole;
  /** Of keys that are watched, and of those that have crashed and are there. */
  readonly #downs = new Map<string, Downs>();

  /** @param whole The keyed agent. */
  constructor(whole: WatchedWhole) {
    this.#whole = whole;
  }

  /** @returns Those of a key. */
  of(key: string): Downs {
    let downs = this.#downs.get(key);
    if (downs !== undefined) return downs;
    const { name, downs: whole } = this.#whole;
    downs = new Downs(`${name}/${key}`, () => this.#tidy(key));
    this.#downs.set(key, downs);
    if (whole.isDown) downs.end("stopped");
    if (whole.willRestart !== undefined) downs.settle(whole.willRestart);
    return downs;
  }

  /** Takes note that a key is not there any more while the whole runs: it is not down. */
  onForgotten(key: string): void {
    this.#downs.get(key)?.begin();
    this.#tidy(key);
  }

  /** The whole starts. */
  begin(): void {
    for (const [key, downs] of this.#downs) {
      downs.begin();
      this.#tidy(key);
    }
  }

  /** The whole has ended, and what is above it has decided whether it comes back. */
  settle(willRestart: boolean): void {
    for (const downs of this.#downs.values()) {
      if (!downs.isDown) downs.end("stopped");
      downs.settle(willRestart);
    }
  }

  #tidy(key: string): void {
    const isWatched = this.#downs.get(key)?.isWatched === true;
    if (!isWatched && !this.#whole.isThere(key)) this.#downs.delete(key);
  }
}
