import { busErrors, type DropReason, type Message } from "../../core/index.ts";
import { HeldMessages, isKept } from "../held-messages.ts";

/** Messages for keys that are on their way from one worker to another, in the order of each partition. */
export class HeldKeys {
  readonly #init: HeldKeysInit;
  readonly #partitions = new Map<number, HeldMessages>();

  constructor(init: HeldKeysInit) {
    this.#init = init;
  }

  /** Messages that wait. */
  get length(): number {
    let length = 0;
    for (const held of this.#partitions.values()) length += held.length;
    return length;
  }

  /** A message that a broker keeps has room: that gives out only so many. @throws AGENTRT_BUS_MAILBOX_FULL. */
  add(partition: number, message: Message): void {
    const { lengthMax, drop } = this.#init;
    const mailboxLengthMax = lengthMax();
    if (this.length >= mailboxLengthMax && !isKept(message))
      throw new busErrors.MAILBOX_FULL({ address: message.recipient, mailboxLengthMax });
    let held = this.#partitions.get(partition);
    if (held === undefined) {
      held = new HeldMessages(Number.POSITIVE_INFINITY, drop);
      this.#partitions.set(partition, held);
    }
    held.add(message);
  }

  /** Sends those of a partition, in their order. */
  release(partition: number, send: (message: Message) => void): void {
    const held = this.#partitions.get(partition);
    this.#partitions.delete(partition);
    held?.release(send);
  }

  /** Ends all of them: their senders get the error. */
  refuse(error: Error): void {
    for (const held of this.#partitions.values()) held.refuse(error);
    this.#partitions.clear();
  }

  /** The same, but what a broker keeps waits on. */
  refuseUnkept(error: Error): void {
    for (const held of this.#partitions.values()) held.refuseUnkept(error);
  }
}

/** What holding messages takes. */
export interface HeldKeysInit {
  /** Most that wait, of all partitions. */
  readonly lengthMax: () => number;
  /** Records a message that nobody handles. */
  readonly drop: (message: Message, reason: DropReason) => void;
}
