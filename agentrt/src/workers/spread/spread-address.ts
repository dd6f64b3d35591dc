import type { Address, Message } from "../../core/index.ts";

/** What the address of a node on several workers asks of it. */
export interface SpreadTarget {
  readonly mailboxLengthMax: number;
  readonly mailboxDepth: number;
  readonly isAccepting: boolean;
  /** {@inheritDoc Address.isAway} */
  readonly isAway: boolean;
  /** {@inheritDoc Address.lineOf} */
  lineOf(message: Pick<Message, "recipient" | "payload">): string | undefined;
  /**
   * Sends a message to the worker that it is for, or to the broker that keeps it. It may throw.
   *
   * @returns For a message that the broker keeps, a promise that settles when it has it.
   */
  send(message: Message, deadlineMs: number | undefined): Promise<void> | undefined;
}

/** The address of a pool or a keyed agent on several workers. */
export class SpreadAddress implements Address {
  readonly concurrency = Number.POSITIVE_INFINITY;
  readonly isSuspended = false;
  readonly #target: SpreadTarget;

  constructor(target: SpreadTarget) {
    this.#target = target;
  }

  get mailboxLengthMax(): number {
    return this.#target.mailboxLengthMax;
  }

  get mailboxDepth(): number {
    return this.#target.mailboxDepth;
  }

  /** {@inheritDoc Address.isAway} */
  get isAway(): boolean {
    return this.#target.isAway;
  }

  get isAccepting(): boolean {
    return this.#target.isAccepting;
  }

  /** {@inheritDoc Address.lineOf} */
  lineOf(message: Pick<Message, "recipient" | "payload">): string | undefined {
    return this.#target.lineOf(message);
  }

  accept(message: Message, deadlineMs?: number): Promise<void> | undefined {
    return this.#target.send(message, deadlineMs);
  }

  control(message: Message): boolean {
    void this.#target.send(message, undefined);
    return true;
  }
}
