import type { ObjectPlace } from "../../nats/index.ts";
import type { LazyBucket } from "../../nats/index.ts";

/** What the bytes of large messages are read with. */
export interface KeptBytesInit {
  readonly kept: LazyBucket;
  readonly topic: string;
  readonly onFailed: (reason: string) => void;
}

/** Most bytes of large messages of one topic that were read and are not handled yet; one always has room. */
const openBytesMax = 64 * 1024 * 1024;

/** Bytes of large messages that the broker keeps: read when there is room, deleted when the message was handled. */
export class KeptBytes {
  readonly #init: KeptBytesInit;
  #openBytes = 0;
  readonly #open = new Set<ObjectPlace>();
  #wake: (() => void) | undefined;
  #isEnded = false;

  constructor(init: KeptBytesInit) {
    this.#init = init;
  }

  /**
   * Reads the bytes of a message. One at a time.
   *
   * @param place Undefined for a message that does not say where its bytes are.
   * @returns Undefined when they are gone for good, after `onFailed`; `later` when nothing is read any more.
   * @throws What the server refuses it with, or that it is away.
   */
  async read(place: ObjectPlace | undefined): Promise<Uint8Array | "later" | undefined> {
    const { kept, topic, onFailed } = this.#init;
    if (place === undefined) {
      onFailed(`a message that is kept for "${topic}" does not say where its bytes are`);
      return undefined;
    }
    // One that is tried again has its room.
    if (!this.#open.has(place)) {
      await this.#room(place.sizeBytes);
      this.#open.add(place);
      this.#openBytes += place.sizeBytes;
    }
    if (this.#isEnded) return "later";
    const bytes = await kept.get(place);
    if (bytes === undefined)
      onFailed(`the ${place.sizeBytes} bytes of a message that is kept for "${topic}" are gone`);
    return bytes;
  }

  /** A message was handled, or given back: its bytes need no room any more. */
  release(place: ObjectPlace | undefined): void {
    if (place === undefined || !this.#open.delete(place)) return;
    this.#openBytes -= place.sizeBytes;
    this.#wake?.();
  }

  /** Deletes the bytes of a message that was handled; what is left when that fails goes by its age. */
  remove(place: ObjectPlace): void {
    this.#init.kept.remove(place).catch(() => undefined);
  }

  /** Reads nothing more. */
  end(): void {
    this.#isEnded = true;
    this.#wake?.();
  }

  async #room(sizeBytes: number): Promise<void> {
    while (!this.#isEnded && this.#openBytes > 0 && this.#openBytes + sizeBytes > openBytesMax) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      // oxlint-disable-next-line no-await-in-loop -- until there is room
      await promise;
    }
  }
}
