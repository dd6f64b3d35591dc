const firstCapacity = 8;

// Filled, so that the array has no holes and its reads stay fast.
function emptyItems<Item>(capacity: number): (Item | undefined)[] {
  // The first of every queue, and of most the last: written out it costs an eighth.
  if (capacity === firstCapacity)
    return [undefined, undefined, undefined, undefined, undefined, undefined, undefined, undefined];
  return Array.from({ length: capacity }, () => undefined);
}

// Shared by all queues that never held anything; it is replaced before the first write.
const noItems: never[] = [];

/** A first-in first-out queue in one array that doubles when full and never shifts its items. */
export class RingBuffer<Item> {
  #items: (Item | undefined)[] = noItems;
  /** One less than the capacity, which is a power of two; -1 before the first item. */
  #mask = -1;
  #head = 0;
  #length = 0;

  /** Number of items. */
  get length(): number {
    return this.#length;
  }

  /** Adds an item at the end. */
  push(item: Item): void {
    if (this.#length > this.#mask) this.#grow();
    this.#items[(this.#head + this.#length) & this.#mask] = item;
    this.#length += 1;
  }

  /** @returns The oldest item, which stays; undefined when there is none. */
  peek(): Item | undefined {
    return this.#length === 0 ? undefined : this.#items[this.#head];
  }

  /** @returns The oldest item, removed; undefined when there is none. */
  shift(): Item | undefined {
    if (this.#length === 0) return undefined;
    const item = this.#items[this.#head];
    this.#items[this.#head] = undefined;
    this.#head = (this.#head + 1) & this.#mask;
    this.#length -= 1;
    return item;
  }

  /**
   * Removes the oldest item that fits. As slow as the queue is long.
   *
   * @returns The item; undefined when none fits.
   */
  remove(fits: (item: Item) => boolean): Item | undefined {
    const items = this.#items;
    const slot = (index: number): number => (this.#head + index) & this.#mask;
    for (let index = 0; index < this.#length; index += 1) {
      const item = items[slot(index)] as Item;
      if (!fits(item)) continue;
      // Those in front of it move up: the order stays.
      for (let at = index; at > 0; at -= 1) items[slot(at)] = items[slot(at - 1)];
      this.shift();
      return item;
    }
    return undefined;
  }

  /** Walks over the items, oldest first. Nothing is to be added or taken meanwhile. */
  *[Symbol.iterator](): Iterator<Item> {
    for (let index = 0; index < this.#length; index += 1) {
      yield this.#items[(this.#head + index) & this.#mask] as Item;
    }
  }

  /** @returns The items, oldest first. */
  toArray(): Item[] {
    const items: Item[] = [];
    for (let index = 0; index < this.#length; index += 1) {
      items.push(this.#items[(this.#head + index) & this.#mask] as Item);
    }
    return items;
  }

  /** Removes all items and gives back the memory. */
  clear(): void {
    this.#items = noItems;
    this.#mask = -1;
    this.#head = 0;
    this.#length = 0;
  }

  #grow(): void {
    const items = this.#length === 0 ? noItems : this.toArray();
    const capacity = Math.max(firstCapacity, (this.#mask + 1) * 2);
    this.#items = emptyItems<Item>(capacity);
    for (let index = 0; index < items.length; index += 1) this.#items[index] = items[index];
    this.#mask = capacity - 1;
    this.#head = 0;
  }
}
