import type { KeyedSlot } from "./keyed-slot.ts";

/** Waits until keys have ended the messages that they had at hand. */
export class KeysAtWork {
  /** What each wait still waits for. */
  readonly #waits = new Map<Set<KeyedSlot>, () => void>();

  /** @returns Settles when those of the keys that have a message at hand now have ended it. */
  whenRested(slots: Iterable<KeyedSlot>): Promise<void> {
    const busy = new Set<KeyedSlot>();
    for (const slot of slots) if (slot.driver.busyCount > 0) busy.add(slot);
    if (busy.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waits.set(busy, resolve));
  }

  /** Takes note that a key has nothing at hand, or is down. */
  onRest(slot: KeyedSlot): void {
    for (const [busy, resolve] of this.#waits) {
      if (!busy.delete(slot) || busy.size > 0) continue;
      this.#waits.delete(busy);
      resolve();
    }
  }
}
