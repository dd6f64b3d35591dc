import type { JsonObject, MessageIds } from "../values/index.ts";
import { agentErrors } from "../errors.ts";
import type { DropReason } from "./drop-reason.ts";
import type { DeferredReply } from "./deferred-reply.ts";
import type { ReplySlot, StreamSlot } from "./reply-slot.ts";

/** What a message is made from. Numbers stand for ids that nobody has read yet. */
export interface MessageInit {
  readonly ids: MessageIds;
  readonly sequence: number;
  readonly type: string;
  readonly sender: string;
  readonly recipient: string;
  /** A payload that nobody else holds. */
  readonly payload: JsonObject;
  readonly timestampMs: number;
  readonly trace: TracePoint | undefined;
  /** Id of its span, where another process has sent it and made that; else it is made of `sequence`. */
  readonly span?: string | undefined;
  readonly reply: ReplySlot | undefined;
  /** True when it was sent by `cast`; only a GenServer tells casts from sends. */
  readonly isCast: boolean;
  readonly correlationId: string | undefined;
  /** Address of the client's connection that it came over. */
  readonly session?: string | undefined;
  readonly priority: number;
  readonly ttlMs: number | undefined;
  /** Monotonic time at which it was sent. */
  readonly sentAtMs: number;
  /** Who keeps the message until it is known what became of it; nobody for most. */
  readonly receipt?: MessageReceipt | undefined;
}

/** Keeps a message outside of this process until it is known what became of it. */
export interface MessageReceipt {
  /** Of one that comes again: how often its handling was begun since, as far as that was counted. */
  readonly beginCount?: number | undefined;
  /**
   * To be awaited before its handling begins, where it is there.
   *
   * @returns False when it is not to begin: something was said of the message meanwhile.
   */
  readonly begins?: (() => Promise<boolean>) | undefined;
  /** Its handler has ended well. */
  handled(): void;
  /** @returns True when it is kept, and comes again: then it is not lost. */
  dropped(reason: DropReason): boolean;
}

/** Where in a trace a message is sent from: a number for an id of this process, text for one from outside. */
export interface TracePoint {
  readonly trace: number | string;
  readonly span: number | string | undefined;
  /** Whether its spans are recorded, where the one that began the trace said so; else the sampling ratio decides. */
  readonly isSampled?: boolean | undefined;
}

/** Who handles a message and can answer it later. */
export interface MessageHolder {
  /** @throws AGENTRT_AGENT_NOT_AT_HAND, AGENTRT_AGENT_REPLIES_EXHAUSTED, AGENTRT_AGENT_REPLY_GIVEN. */
  defer(message: Message): DeferredReply;
  /** @returns True when the reply to a message that is at hand was put off. */
  isDeferred(message: Message): boolean;
}

/** The runtime's own view of a message: what handlers must not see. */
export interface MessageInternals {
  /** @returns The open call behind the message, if it is one. */
  replyOf(message: Message): ReplySlot | undefined;
  /** @returns Where its chunks go, if it asks for a stream. */
  streamOf(message: Message): StreamSlot | undefined;
  /** @returns Who wants to know what becomes of it. */
  receiptOf(message: Message): MessageReceipt | undefined;
  /** @returns True when it was sent by `cast`. */
  isCast(message: Message): boolean;
  /** Says that its sender no longer waits for its delivery. */
  cancel(message: Message): void;
  /** @returns False once its sender has cancelled it or, for a call, has its answer or no longer waits for it. */
  isWanted(message: Message): boolean;
  /** Says who handles the message, so that its reply can be put off. */
  hold(message: Message, holder: MessageHolder): void;
  /** @returns True when the reply was put off. */
  isDeferred(message: Message): boolean;
  /** @returns Monotonic time at which it was sent. */
  sentAtMsOf(message: Message): number;
  /** Counts one more attempt to handle the message. */
  nextAttempt(message: Message): number;
  /** @returns The place in the trace from which messages sent while handling this one continue. */
  tracePointOf(message: Message): TracePoint;
  /** @returns The number that its ids are made of. */
  sequenceOf(message: Message): number;
  /** @returns The id of its span: a number for one of this process. */
  spanOf(message: Message): number | string;
  /** @returns Where it was sent from; undefined where it begins a trace. */
  sentFrom(message: Message): TracePoint | undefined;
}

/** The one instance of `MessageInternals`; `Message` sets it when this file is loaded. Not exported from the package. */
export let messageInternals: MessageInternals;

/**
 * Says whether a message asks for the agent's state, as `GET /agents/{name}/state` does.
 *
 * @param message Any message.
 * @returns True for type `state` with a payload whose `__op__` is `"state"`.
 */
export function isStateRequest(message: Message): boolean {
  return asksForState(message.type, message.payload);
}

/** The same for a message that is not made yet. */
export function asksForState(type: string, payload: JsonObject): boolean {
  return type === "state" && payload["__op__"] === "state";
}

/**
 * One message, as `handle` receives it. Read-only; its payload is the receiver's own copy. An agent that declares its
 * messages gets them with the type, the payload and the reply that it declared.
 */
export class Message<
  out Type extends string = string,
  out Payload extends object = JsonObject,
  Reply extends object = object,
> {
  /** Kept as it is: a field for each of its members would make every message twice as large. */
  readonly #init: MessageInit;
  #attempt = 0;
  #isCancelled = false;
  #holder: MessageHolder | undefined = undefined;

  static {
    messageInternals = {
      replyOf: (message) => message.#init.reply,
      streamOf: (message) =>
        message.#init.reply?.isStream === true ? message.#init.reply : undefined,
      receiptOf: (message) => message.#init.receipt,
      isCast: (message) => message.#init.isCast,
      cancel: (message) => {
        message.#isCancelled = true;
      },
      isWanted: (message) => !message.#isCancelled && message.#init.reply?.isOpen !== false,
      hold: (message, holder) => {
        message.#holder = holder;
      },
      isDeferred: (message) => message.#holder?.isDeferred(message) === true,
      sentAtMsOf: (message) => message.#init.sentAtMs,
      nextAttempt: (message) => (message.#attempt += 1),
      tracePointOf: (message) => ({
        trace:
          message.#init.trace === undefined ? message.#init.sequence : message.#init.trace.trace,
        span: message.#init.span ?? message.#init.sequence,
        isSampled: message.#init.trace?.isSampled,
      }),
      sequenceOf: (message) => message.#init.sequence,
      spanOf: (message) => message.#init.span ?? message.#init.sequence,
      sentFrom: (message) => message.#init.trace,
    };
  }

  /** @param init Belongs to the message from now on. */
  constructor(init: MessageInit) {
    this.#init = init;
  }

  /** UUIDv7 with dashes. */
  get id(): string {
    return this.#init.ids.messageId(this.#init.sequence, this.#init.timestampMs);
  }

  /** What kind of message it is; `"message"` unless the sender says otherwise. */
  get type(): Type {
    return this.#init.type as Type;
  }

  /** Name of the sending agent; empty when it came from outside the tree. */
  get sender(): string {
    return this.#init.sender;
  }

  /** Name of the agent it was sent to. */
  get recipient(): string {
    return this.#init.recipient;
  }

  /** Plain JSON; this receiver's own copy. */
  get payload(): Payload {
    return this.#init.payload as object as Payload;
  }

  /** What the sender gave; else for a call its own id, or null. */
  get correlationId(): string | null {
    return this.#init.correlationId ?? (this.#init.reply === undefined ? null : this.id);
  }

  /**
   * Address of the WebSocket connection that it came over, while that is open: `await this.send(message.session, payload)`
   * sends the client a message at any time. Null for what came another way.
   */
  get session(): string | null {
    return this.#init.session ?? null;
  }

  /** Address of the reply when the sender waits for one, else null. */
  get replyTo(): string | null {
    return this.#init.reply === undefined ? null : `_reply.${this.id}`;
  }

  /** When it was sent: wall-clock milliseconds since the Unix epoch. */
  get timestampMs(): number {
    return this.#init.timestampMs;
  }

  /** W3C trace id: the sender's trace, or a new one. */
  get traceId(): string {
    const trace = this.#init.trace === undefined ? this.#init.sequence : this.#init.trace.trace;
    return typeof trace === "string" ? trace : this.#init.ids.traceId(trace);
  }

  /** W3C span id of this message. */
  get spanId(): string {
    return this.#init.span ?? this.#init.ids.spanId(this.#init.sequence);
  }

  /** Span of the message whose handling sent this one, or of the caller outside; null at the root of a trace. */
  get parentSpanId(): string | null {
    const span = this.#init.trace?.span;
    if (span === undefined) return null;
    return typeof span === "string" ? span : this.#init.ids.spanId(span);
  }

  /** 0 at first, one more for each retry in place. */
  get attempt(): number {
    return this.#attempt;
  }

  /** Above 0 it is served before messages of priority 0. */
  get priority(): number {
    return this.#init.priority;
  }

  /** Milliseconds after `timestampMs` at which it is no longer worth handling; null for never. */
  get ttlMs(): number | null {
    return this.#init.ttlMs ?? null;
  }

  /** True when its sender asked with `stream()`. */
  get isStream(): boolean {
    return this.#init.reply?.isStream === true;
  }

  /**
   * Aborted when nobody waits for the answer any more: the caller has left, its deadline has passed, or the consumer of
   * the stream has gone; and when this agent ends before it has answered. What a handler throws after that does not crash it.
   * For a message that nobody waits for it is never aborted.
   */
  get signal(): AbortSignal {
    return this.#init.reply?.cancellation.signal ?? new AbortController().signal;
  }

  /**
   * Puts the reply off: the handler may end, the next message is handled, and the caller gets its reply when the agent
   * gives it. The caller's deadline goes on.
   *
   * @returns The reply, to be given once. For a message that nobody waits for, what is given goes nowhere.
   * @throws AGENTRT_AGENT_NOT_AT_HAND when the message is not being handled, AGENTRT_AGENT_REPLY_GIVEN when it was
   *   put off already, AGENTRT_AGENT_REPLIES_EXHAUSTED when 1000 replies of the agent are open.
   */
  defer(): DeferredReply<Reply> {
    if (this.#holder === undefined) {
      throw new agentErrors.NOT_AT_HAND({ agent: this.#init.recipient, id: this.id });
    }
    return this.#holder.defer(this as AnyMessage as Message);
  }

  /** What `console.log` shows: without it the private fields would print as nothing. */
  [Symbol.for("nodejs.util.inspect.custom")](): object {
    const { id, type, sender, recipient, payload, timestampMs, traceId, spanId, attempt } = this;
    return { id, type, sender, recipient, payload, timestampMs, traceId, spanId, attempt };
  }
}

/** A message of any agent. */
export type AnyMessage = Message<string, object>;
