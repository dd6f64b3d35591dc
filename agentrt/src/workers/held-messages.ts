import { busErrors, type DropReason, type Message, messageInternals } from "../core/index.ts";

/** Messages for an agent of a worker that starts, or starts again: they wait for it, as in the mailbox of one that is here. */
export class HeldMessages {
  readonly #messages: Message[] = [];
  readonly #lengthMax: () => number;
  readonly #drop: (message: Message, reason: DropReason) => void;

  /**
   * @param lengthMax Most that wait.
   * @param drop Records a message that nobody handles.
   */
  constructor(
    lengthMax: number | (() => number),
    drop: (message: Message, reason: DropReason) => void,
  ) {
    this.#lengthMax = typeof lengthMax === "number" ? () => lengthMax : lengthMax;
    this.#drop = drop;
  }

  /** Messages that wait. */
  get length(): number {
    return this.#messages.length;
  }

  /** A message that a broker keeps has room: that gives out only so many. @throws AGENTRT_BUS_MAILBOX_FULL. */
  add(message: Message): void {
    const { recipient: address } = message;
    const mailboxLengthMax = this.#lengthMax();
    if (this.#messages.length >= mailboxLengthMax && !isKept(message))
      throw new busErrors.MAILBOX_FULL({ address, mailboxLengthMax });
    this.#messages.push(message);
  }

  /** Sends them, in their order; those whose senders wait no longer are left out. */
  release(send: (message: Message) => void): void {
    for (const message of this.#messages.splice(0)) {
      if (!messageInternals.isWanted(message)) continue;
      try {
        send(message);
      } catch (error) {
        this.#fail(message, error as Error);
      }
    }
  }

  /** Ends them: their senders get the error. */
  refuse(error: Error): void {
    for (const message of this.#messages.splice(0)) this.#fail(message, error);
  }

  /** The same, but what a broker keeps waits on. */
  refuseUnkept(error: Error): void {
    for (const message of this.#messages.splice(0))
      if (isKept(message)) this.#messages.push(message);
      else this.#fail(message, error);
  }

  #fail(message: Message, error: Error): void {
    const slot = messageInternals.replyOf(message);
    if (slot === undefined) this.#drop(message, "stopped");
    else slot.reject(error);
  }
}

/** True for a message that a broker keeps, and has given out to this process. */
export function isKept(message: Message): boolean {
  return messageInternals.receiptOf(message) !== undefined;
}
