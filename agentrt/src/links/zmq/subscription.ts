import { prefixOf } from "./frames.ts";

/** Senders whose last number is known; the one that is known longest is forgotten first. */
const senderCountMax = 1000;

/** What one process takes for one topic. */
export class Subscription {
  readonly prefix: Buffer;
  readonly #receivers = new Set<(bytes: Uint8Array) => void>();
  readonly #nextNumbers = new Map<string, number>();
  readonly #proofs = Promise.withResolvers<void>();

  constructor(topic: string) {
    this.prefix = prefixOf(topic);
    // Nobody need wait for it.
    this.#proofs.promise.catch(() => undefined);
  }

  /** True when nobody takes what comes. */
  get isUnused(): boolean {
    return this.#receivers.size === 0;
  }

  /** Settles when what is sent from then on comes. */
  get proven(): Promise<void> {
    return this.#proofs.promise;
  }

  /** Takes what comes until the returned function is called. */
  add(receive: (bytes: Uint8Array) => void): () => void {
    // The same function may be added twice.
    const each = (bytes: Uint8Array): void => receive(bytes);
    this.#receivers.add(each);
    return () => this.#receivers.delete(each);
  }

  /** A probe has come back. */
  prove(): void {
    this.#proofs.resolve();
  }

  /** It will not come back. */
  fail(error: Error): void {
    this.#proofs.reject(error);
  }

  /**
   * Hands messages over.
   *
   * @returns How many are missing before them.
   */
  take(sender: string, firstNumber: number, messages: readonly Uint8Array[]): number {
    const expected = this.#nextNumbers.get(sender);
    if (expected === undefined) this.#forgetOne();
    this.#nextNumbers.set(sender, firstNumber + messages.length);
    for (const bytes of messages) for (const receive of this.#receivers) receive(bytes);
    // A sender that forgot the topic counts from 1 again.
    return expected === undefined ? 0 : Math.max(0, firstNumber - expected);
  }

  #forgetOne(): void {
    const [oldest] = this.#nextNumbers.keys();
    if (this.#nextNumbers.size >= senderCountMax && oldest !== undefined)
      this.#nextNumbers.delete(oldest);
  }
}
