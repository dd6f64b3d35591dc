/** An entry in the order of a `RecencyMap`. */
interface Entry<Key, Value> {
  readonly key: Key;
  value: Value;
  older: Entry<Key, Value> | undefined;
  newer: Entry<Key, Value> | undefined;
}

/**
 * A map that knows which of its keys was set the longest time ago. Each step costs the same, whatever the size is: a `Map` whose first
 * keys are deleted keeps their places, and who asks it for its first key looks at all of them.
 */
export class RecencyMap<Key, Value> {
  readonly #entries = new Map<Key, Entry<Key, Value>>();
  #oldest: Entry<Key, Value> | undefined;
  #newest: Entry<Key, Value> | undefined;

  /** Number of keys. */
  get size(): number {
    return this.#entries.size;
  }

  /** The key that was set the longest time ago, with its value; undefined when there is none. */
  get oldest(): { readonly key: Key; readonly value: Value } | undefined {
    return this.#oldest;
  }

  /** @returns The value of a key, which stays where it is in the order. */
  get(key: Key): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  /** Sets a value; its key is the newest from then on. */
  set(key: Key, value: Value): void {
    const known = this.#entries.get(key);
    const entry = known ?? { key, value, older: undefined, newer: undefined };
    if (known === undefined) this.#entries.set(key, entry);
    else {
      known.value = value;
      if (known === this.#newest) return;
      this.#unlink(known);
    }
    entry.older = this.#newest;
    entry.newer = undefined;
    if (this.#newest === undefined) this.#oldest = entry;
    else this.#newest.newer = entry;
    this.#newest = entry;
  }

  /** @returns Whether it was there. */
  delete(key: Key): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) return false;
    this.#entries.delete(key);
    this.#unlink(entry);
    return true;
  }

  /** Deletes all. */
  clear(): void {
    this.#entries.clear();
    this.#oldest = undefined;
    this.#newest = undefined;
  }

  #unlink({ older, newer }: Entry<Key, Value>): void {
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
  }
}
