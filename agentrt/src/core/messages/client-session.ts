import { busErrors } from "../errors.ts";
import type { TimerWheel } from "../ports/index.ts";
import type { JsonObject } from "../values/index.ts";
import type { DropReason } from "./drop-reason.ts";
import { Mailbox, type MailboxOwner } from "./mailbox.ts";
import { type Message, messageInternals } from "./message.ts";
import type { Address, Registry } from "./registry.ts";

/** Most messages that wait for one client, besides what its connection holds. */
export const sessionQueueLengthMax = 256;

/** The connection of a client, as messages for it see it. */
export interface SessionSink {
  /** False while the client has to take what it was sent already. */
  readonly hasRoom: boolean;
  /** Sends a payload. */
  send(payload: JsonObject): void;
}

/** What a session needs of its runtime. */
export interface ClientSessionInit {
  /** The address: no agent has it. */
  readonly name: string;
  readonly sink: SessionSink;
  readonly registry: Registry;
  readonly wheel: TimerWheel;
  readonly system: { monotonicMs(): number };
  /** Records a message that the client does not get. */
  readonly drop: (message: Message, reason: DropReason) => void;
}

/**
 * The connection of a client as an address: what is sent to it goes to the client. A slow client makes senders wait, as
 * a full mailbox does. It is in no list of agents and matches no pattern.
 */
export class ClientSession implements Address, MailboxOwner {
  readonly name: string;
  readonly concurrency = 1;
  readonly isSuspended = false;
  isAccepting = true;
  readonly #init: ClientSessionInit;
  readonly #mailbox: Mailbox;

  constructor(init: ClientSessionInit) {
    this.#init = init;
    this.name = init.name;
    this.#mailbox = new Mailbox(this, sessionQueueLengthMax);
    init.registry.openSession({
      name: init.name,
      kind: "agent",
      capabilities: [],
      capabilityMetadata: {},
      address: this,
    });
  }

  get mailboxLengthMax(): number {
    return this.#mailbox.lengthMax;
  }

  get mailboxDepth(): number {
    return this.#mailbox.depth;
  }

  /** See `Address.control`: a client takes none. */
  control(): boolean {
    return false;
  }

  /** See `Address.accept`. A call is answered with an empty object when the client has room for the message. */
  accept(message: Message, deadlineMs: number | undefined): Promise<void> | undefined {
    if (!this.#mailbox.hasMessages && this.#init.sink.hasRoom) {
      this.#hand(message);
      return undefined;
    }
    if (this.#mailbox.push(message)) return undefined;
    const { wheel } = this.#init;
    return this.#mailbox.wait(
      message,
      deadlineMs === undefined ? undefined : { wheel, deadlineMs },
    );
  }

  /** See `MailboxOwner.onRefused`. */
  onRefused(message: Message): void {
    this.#init.drop(message, "refused");
  }

  /** To be called when the client has taken what it was sent. */
  onRoom(): void {
    const { sink, system } = this.#init;
    while (this.#mailbox.hasMessages && sink.hasRoom) {
      const unwanted = this.#mailbox.takeUnwanted(system.monotonicMs());
      if (unwanted !== undefined) {
        this.#init.drop(unwanted, "expired");
        continue;
      }
      const message = this.#mailbox.take();
      if (message !== undefined) this.#hand(message);
    }
  }

  /** To be called when the client has gone: nobody has the address any more. */
  close(): void {
    this.isAccepting = false;
    this.#init.registry.closeSession(this.name);
    const gone = (): Error => new busErrors.NO_ROUTE({ address: this.name });
    for (const message of this.#mailbox.drain(gone)) {
      messageInternals.replyOf(message)?.reject(gone());
      this.#init.drop(message, "noRoute");
    }
  }

  #hand(message: Message): void {
    this.#init.sink.send(message.payload);
    messageInternals.replyOf(message)?.resolve({});
  }
}
