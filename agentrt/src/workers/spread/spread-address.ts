import type { Address, Message } from "../../core/index.ts";

/** What the address of a node on several workers asks of it. */
export interface SpreadTarget {
  readonly mailboxLengthMax: number;
  readonly mailboxDepth: number;
  readonly isAccepting: boolean;
  /** Sends a message to the worker that it is for. It may throw. */
  send(message: Message): void;
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

  get isAccepting(): boolean {
    return this.#target.isAccepting;
  }

  accept(message: Message): undefined {
    this.#target.send(message);
    return undefined;
  }

  control(message: Message): boolean {
    this.#target.send(message);
    return true;
  }
}
