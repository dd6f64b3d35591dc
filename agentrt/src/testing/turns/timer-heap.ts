/** What a heap orders: by time, then by the order in which it was set. */
export interface HeapEntry {
  readonly dueMs: number;
  readonly order: number;
  isPending: boolean;
}

/** The timers of a virtual clock, earliest first. What was given up stays inside until it comes to the top. */
export class TimerHeap<Entry extends HeapEntry> {
  readonly #entries: Entry[] = [];
  #pendingCount = 0;

  /** Timers that wait. */
  get pendingCount(): number {
    return this.#pendingCount;
  }

  /** Adds a timer that waits. */
  add(entry: Entry): void {
    this.#pendingCount += 1;
    const entries = this.#entries;
    let index = entries.length;
    entries.push(entry);
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = entries[parentIndex] as Entry;
      if (!isBefore(entry, parent)) break;
      entries[index] = parent;
      index = parentIndex;
    }
    entries[index] = entry;
  }

  /** Gives a timer up; one that does not wait is ignored. */
  giveUp(entry: Entry): void {
    if (!entry.isPending) return;
    entry.isPending = false;
    this.#pendingCount -= 1;
  }

  /** @returns The timer that is due first, or undefined when none waits. */
  peek(): Entry | undefined {
    for (;;) {
      const first = this.#entries[0];
      if (first === undefined || first.isPending) return first;
      this.#removeFirst();
    }
  }

  /** Takes the timer that is due first. */
  take(): Entry | undefined {
    const first = this.peek();
    if (first === undefined) return undefined;
    this.giveUp(first);
    this.#removeFirst();
    return first;
  }

  #removeFirst(): void {
    const entries = this.#entries;
    const last = entries.pop();
    if (last === undefined || entries.length === 0) return;
    let index = 0;
    for (;;) {
      let childIndex = 2 * index + 1;
      if (childIndex >= entries.length) break;
      const right = entries[childIndex + 1];
      if (right !== undefined && isBefore(right, entries[childIndex] as Entry)) childIndex += 1;
      const child = entries[childIndex] as Entry;
      if (!isBefore(child, last)) break;
      entries[index] = child;
      index = childIndex;
    }
    entries[index] = last;
  }
}

function isBefore(one: HeapEntry, other: HeapEntry): boolean {
  return one.dueMs < other.dueMs || (one.dueMs === other.dueMs && one.order < other.order);
}
