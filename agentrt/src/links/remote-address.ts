import type { Address, Message } from "../core/index.ts";

/** What is known of an agent in another process, as it said itself. */
export interface RemoteFacts {
  readonly concurrency: number;
  readonly mailboxLengthMax: number;
  mailboxDepth: number;
  isSuspended: boolean;
  isRefusing: boolean;
  isAccepting: boolean;
}

/** What is not known yet: an agent that takes messages. */
export function unknownFacts(): RemoteFacts {
  return {
    concurrency: Number.POSITIVE_INFINITY,
    mailboxLengthMax: Number.POSITIVE_INFINITY,
    mailboxDepth: 0,
    isSuspended: false,
    isRefusing: false,
    isAccepting: true,
  };
}

/**
 * Sends a message to another process.
 *
 * @param deadlineMs Monotonic time until which its sender waits; undefined for a call, and for ever.
 * @returns For a message that a broker keeps, a promise that settles when it has it; undefined for any other.
 */
export type SendRemote = (message: Message, deadlineMs: number | undefined) => Promise<void> | void;

/** The address of an agent in another process: what it accepts is sent there. */
export class RemoteAddress implements Address {
  readonly facts: RemoteFacts;
  readonly #send: SendRemote;
  readonly #isAway: () => boolean;

  /**
   * @param facts Kept up to date by who hears from the other process.
   * @param send Sends a message there. It may throw.
   * @param isAway Says whether the other process is away. Default it is there.
   */
  constructor(facts: RemoteFacts, send: SendRemote, isAway = (): boolean => false) {
    this.facts = facts;
    this.#send = send;
    this.#isAway = isAway;
  }

  get concurrency(): number {
    return this.facts.concurrency;
  }

  get mailboxLengthMax(): number {
    return this.facts.mailboxLengthMax;
  }

  get mailboxDepth(): number {
    return this.facts.mailboxDepth;
  }

  get isSuspended(): boolean {
    return this.facts.isSuspended;
  }

  get isRefusing(): boolean {
    return this.facts.isRefusing;
  }

  /** {@inheritDoc Address.isAway} */
  get isAway(): boolean {
    return this.#isAway();
  }

  get isAccepting(): boolean {
    return this.facts.isAccepting;
  }

  accept(message: Message, deadlineMs?: number): Promise<void> | undefined {
    return this.#send(message, deadlineMs) ?? undefined;
  }

  control(message: Message): boolean {
    void this.#send(message, undefined);
    return true;
  }
}
