import {
  type Address,
  messageInternals,
  type Message,
  type OpenRequests,
  type ReplySlot,
  type SlotWatcher,
  type TracePoint,
} from "../messages/index.ts";
import type { FaultOwner, Origin } from "../tree/index.ts";
import type { JsonObject } from "../values/index.ts";
import type { Watchdog } from "./watchdog.ts";

/** The incarnation that handles a message. */
export interface HandlingOwner {
  readonly name: string;
  readonly isSealed: boolean;
  readonly requests: OpenRequests;
  /** What the message was sent to. */
  readonly home: Address;
  /** @returns The place in its trace from which what is sent for it continues. */
  pointIn(message: Message): TracePoint;
  /** Takes a fault of code that works on the message. */
  crash(error: unknown, message?: Message | null): void;
  /** Takes a fault of code that works on a message which nobody waits for any more. */
  forgive(error: unknown, message: Message): void;
  /** Ends what was asked for a message that is no longer wanted. */
  endRequestsOf(handling: Handling, reason: Error): void;
  /** Forgets a reply that was put off, because nobody waits for it any more. */
  forgetDeferred(handling: Handling): void;
  /** {@inheritDoc Origin.noteAnswer} */
  noteAnswer(to: string, value: JsonObject | Error): void;
}

/**
 * One message while it is handled: what code that works on it asks others for carries its deadline and its trace, and
 * ends when its answer is no longer wanted. The code is found by its async context.
 */
export class Handling implements FaultOwner, Origin, SlotWatcher {
  readonly owner: HandlingOwner;
  readonly message: Message;
  /** Where its reply goes. */
  readonly #reply: ReplySlot | undefined;
  /** Enforces `handleTimeoutMs`, when there is one. */
  watchdog: Watchdog | undefined = undefined;
  /** Monotonic time at which it began, where several messages are handled at once. */
  beganAtMs = 0;
  /** The handler has ended. */
  #isHandled = false;
  /** The reply was put off: open, given, or not put off at all. */
  #deferral: "none" | "open" | "given" = "none";

  constructor(owner: HandlingOwner, message: Message) {
    this.owner = owner;
    this.message = message;
    const reply = messageInternals.replyOf(message);
    this.#reply = reply;
    if (reply !== undefined) reply.watcher = this;
  }

  get name(): string {
    return this.owner.name;
  }

  get messageType(): string {
    return this.message.type;
  }

  get isSealed(): boolean {
    return this.owner.isSealed;
  }

  /** {@inheritDoc Origin.deadlineMs} */
  get deadlineMs(): number | undefined {
    return this.isOver ? undefined : this.#reply?.deadlineMs;
  }

  get requests(): OpenRequests {
    return this.owner.requests;
  }

  /** {@inheritDoc Origin.upstream} */
  get upstream(): Origin | undefined {
    if (this.#isHandled) return undefined;
    return this.#reply?.caller as Origin | undefined;
  }

  /** {@inheritDoc Origin.blocked} */
  get blocked(): Address | undefined {
    return this.#isHandled ? undefined : this.owner.home;
  }

  /** True when the caller has left, or its deadline has passed. */
  get isUnwanted(): boolean {
    return this.#reply?.callerGone !== undefined;
  }

  /** True when nothing of the message is left to do: code that still works on it is on its own. */
  get isOver(): boolean {
    return this.#isHandled && this.#deferral !== "open";
  }

  /** True when the reply was put off, given or not. */
  get isDeferred(): boolean {
    return this.#deferral !== "none";
  }

  /** {@inheritDoc Origin.tracePoint} */
  tracePoint(): TracePoint {
    return this.owner.pointIn(this.message);
  }

  /** {@inheritDoc Origin.noteAnswer} */
  noteAnswer(to: string, value: JsonObject | Error): void {
    this.owner.noteAnswer(to, value);
  }

  /** {@inheritDoc FaultOwner.crash} */
  crash(error: unknown): void {
    if (this.isUnwanted) this.owner.forgive(error, this.message);
    else this.owner.crash(error, this.isOver ? null : this.message);
  }

  /** {@inheritDoc SlotWatcher.onUnwanted} */
  onUnwanted(reason: Error): void {
    if (this.isOver) return;
    this.owner.endRequestsOf(this, reason);
    if (this.isDeferred) this.owner.forgetDeferred(this);
  }

  /** Takes note that the reply was put off. */
  beginDeferral(): void {
    this.#deferral = "open";
  }

  /** Takes note that the reply was given. */
  endDeferral(): void {
    this.#deferral = "given";
  }

  /** Takes note that the handler has ended. */
  end(): void {
    this.#isHandled = true;
  }
}
