import {
  checkOptions,
  type OptionNames,
  agentErrors,
  busErrors,
  asksForState,
  Message,
  discardChunks,
  keepReplyHead,
  messageInternals,
  readStreamLimits,
  type ChunkStream,
  StreamConsumer,
  streamErrors,
  StreamProducer,
  supervisionStatusType,
  type BroadcastReport,
  type Bus,
  type DeadLetters,
  type DropReason,
  type JsonObject,
  type MessageSchemas,
  type Origin,
  OwnTrace,
  type OutgoingPayload,
  type Registry,
  type ReservedMessage,
  type ReplySlot,
  type SendOptions,
  type Address,
  type StreamLimits,
  type StreamOptions,
  type StreamRequest,
  type System,
  type TimerWheel,
  timeoutMsMax,
  type TracePoint,
  type Tracer,
  isReservedType,
  runtimeName,
} from "../core/index.ts";
import { copyPayload } from "./copy-payload.ts";
import { cancelled, PendingCall } from "./pending-call.ts";
import type { Transport } from "./transport.ts";

/** What a bus is made from. */
export interface MessageBusInit {
  readonly system: System;
  readonly wheel: TimerWheel;
  readonly registry: Registry;
  readonly transport: Transport;
  /** Where messages end that nobody handles. */
  readonly deadLetters: DeadLetters;
  /** Where the spans of sending go; none without it. */
  readonly tracer?: Tracer | undefined;
}

/** How long a call waits for its reply when it does not say, milliseconds. */
export const defaultTimeoutMs = 30_000;
const noOptions: SendOptions = {};
const accepted: Promise<void> = Promise.resolve();

/** Routing: finds the receiver, copies the payload, stamps the envelope, hands it to the transport. */
export class MessageBus implements Bus {
  readonly #system: System;
  readonly #wheel: TimerWheel;
  readonly #registry: Registry;
  readonly #transport: Transport;
  readonly #deadLetters: DeadLetters;
  readonly #tracer: Tracer | undefined;

  constructor(init: MessageBusInit) {
    this.#system = init.system;
    this.#wheel = init.wheel;
    this.#registry = init.registry;
    this.#transport = init.transport;
    this.#deadLetters = init.deadLetters;
    this.#tracer = init.tracer;
  }

  // oxlint-disable-next-line max-params -- the verbs of SendVerbs, the sender first; on the way of every message
  call(
    origin: Origin,
    name: string,
    payload: OutgoingPayload,
    options: SendOptions = noOptions,
  ): Promise<JsonObject> {
    const to = options.key === undefined ? name : `${name}/${options.key}`;
    const sentAtMs = this.#system.monotonicMs();
    let timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
    const limitMs = origin.deadlineMs;
    if (limitMs !== undefined && sentAtMs + timeoutMs > limitMs) {
      timeoutMs = Math.max(0, limitMs - sentAtMs);
    }
    const deadlineMs = sentAtMs + timeoutMs;
    const pending = new PendingCall(this.#wheel, origin, to, timeoutMs, deadlineMs);
    const { promise } = pending;
    try {
      const route = this.#registry.get(to);
      const isAsked = options.type === supervisionStatusType;
      const status = isAsked ? route?.supervisionStatus?.() : undefined;
      if (status !== undefined) {
        pending.resolve(status);
        return promise;
      }
      if (route?.address === undefined) throw this.#noRoute(origin, to, options);
      pending.isFor(route.address, payload as JsonObject);
      if (options.failIfSuspended === true) {
        failIfSuspended(route.address, { to, payload });
        pending.isImpatient = true;
      }
      const { blocked } = origin;
      if (blocked !== undefined) refuseCycle(origin, { to, payload }, route.address);
      const { schemas } = route;
      const body =
        schemas === undefined ? payload : checkedPayload(origin, schemas, { to, payload, options });
      const message = this.#makeMessage(origin, to, body, options, sentAtMs, pending);
      const { signal } = options;
      if (signal !== undefined && signal !== null) pending.follow(signal);
      if (timeoutMs <= 0) pending.onDue();
      if (!pending.isOpen) return promise;
      pending.begin();
      const room = this.#transport.deliver(message, route, undefined);
      if (this.#tracer !== undefined) traceSend(this.#tracer, message, this.#system);
      if (room !== undefined) {
        pending.fullLengthMax = route.address?.mailboxLengthMax;
        awaitRoom(pending, room);
      }
    } catch (error) {
      pending.reject(error as Error);
    }
    return promise;
  }

  // oxlint-disable-next-line max-params -- the verbs of SendVerbs, the sender first; on the way of every message
  send(
    origin: Origin,
    to: string,
    payload: OutgoingPayload,
    options: SendOptions = noOptions,
  ): Promise<void> {
    return this.#post(origin, to, payload, options, false);
  }

  // oxlint-disable-next-line max-params -- the verbs of SendVerbs, the sender first; on the way of every message
  cast(
    origin: Origin,
    to: string,
    payload: OutgoingPayload,
    options: SendOptions = noOptions,
  ): Promise<void> {
    return this.#post(origin, to, payload, options, true);
  }

  /**
   * Puts a message into a mailbox that has room.
   *
   * @param message Of an application: a reserved type is refused. `timeoutMs`: how long it may wait for room, or for the broker
   *   that keeps it; default not at all.
   * @returns The id of the message.
   * @throws As `cast`; AGENTRT_BUS_MAILBOX_FULL without a wait for room.
   */
  async inject(
    origin: Origin,
    to: string,
    message: ReservedMessage & { readonly timeoutMs?: number },
  ): Promise<string> {
    const { type, payload, timeoutMs = 0 } = message;
    const options = { type };
    const route = this.#registry.get(to);
    if (route?.address === undefined) throw this.#noRoute(origin, to, options);
    const { schemas } = route;
    const body =
      schemas === undefined ? payload : checkedPayload(origin, schemas, { to, payload, options });
    const sentAtMs = this.#system.monotonicMs();
    const made = this.#makeMessage(origin, to, body, options, sentAtMs, undefined, true);
    if (this.#tracer !== undefined) traceSend(this.#tracer, made, this.#system);
    await this.#transport.deliver(made, route, sentAtMs + timeoutMs);
    return made.id;
  }

  stream(request: StreamRequest): ChunkStream {
    const { origin, payload, options = noOptions } = request;
    const sentAtMs = this.#system.monotonicMs();
    let reply: StreamProducer | undefined;
    const asked = request.to;
    const chosen = typeof asked === "string" ? asked : this.#tryCapable(origin, asked.capability);
    const name = typeof chosen === "string" ? chosen : "";
    const to = options.key === undefined ? name : `${name}/${options.key}`;
    const consumer = new StreamConsumer({
      system: this.#system,
      wheel: this.#wheel,
      address: to,
      send: (control) => reply?.accept(control),
      origin,
      requests: origin.requests,
    });
    try {
      if (typeof chosen !== "string") throw chosen;
      this.admit(name, consumer);
      const limits = streamLimits(options, { origin, sentAtMs });
      reply = new StreamProducer({
        agent: to,
        creditChunkCount: limits.bufferLengthMax,
        send: (frame) => consumer.accept(frame),
        caller: origin,
        deadlineMs: sentAtMs + limits.durationMsMax,
      });
      const route = this.#registry.get(to);
      if (route?.address === undefined) throw this.#noRoute(origin, to, options);
      const { address } = route;
      if (options.failIfSuspended === true) failIfSuspended(address, { to, payload });
      consumer.isSuspended = () => isSuspended(address, { to, payload });
      if (origin.blocked !== undefined) refuseCycle(origin, { to, payload }, address);
      const { schemas } = route;
      const body =
        schemas === undefined ? payload : checkedPayload(origin, schemas, { to, payload, options });
      const message = this.#makeMessage(origin, to, body, options, sentAtMs, reply);
      consumer.open({ limits, signal: options.signal ?? undefined });
      // The call that it is made for has no time left: nobody begins with it.
      if (limits.durationMsMax <= 0) consumer.onDue();
      if (consumer.isSettled) return consumer;
      const { roomTimeoutMs } = limits;
      const isBounded = roomTimeoutMs !== Number.POSITIVE_INFINITY;
      const roomAtMs = isBounded ? sentAtMs + roomTimeoutMs : undefined;
      const room = this.#transport.deliver(message, route, roomAtMs);
      if (this.#tracer !== undefined) traceSend(this.#tracer, message, this.#system);
      if (room !== undefined) {
        consumer.fullLengthMax = route.address.mailboxLengthMax;
        awaitRoom(consumer, room);
      }
    } catch (error) {
      consumer.fail(error as Error);
    }
    return consumer;
  }

  /** The agents stop for good: no call is made again. */
  endRetries(): void {}

  /**
   * Called before a stream is asked for.
   *
   * @throws What the stream fails with.
   */
  protected admit(_name: string, _consumer: StreamConsumer): void {}

  isolate(value: object): JsonObject {
    return copyPayload(value);
  }

  reply(message: Message, result: unknown): void {
    const slot = messageInternals.replyOf(message);
    if (slot === undefined || !slot.isOpen) return;
    if (result === undefined || result === null) {
      slot.resolve({});
      return;
    }
    if (typeof result !== "object") {
      throw new agentErrors.HANDLER_RESULT({
        agent: message.recipient,
        found: `a ${typeof result}`,
      });
    }
    let copy: JsonObject;
    try {
      copy = copyPayload(result);
    } catch (error) {
      if (!discardChunks(result)) throw error;
      throw new streamErrors.NOT_A_REPLY({ agent: message.recipient });
    }
    keepReplyHead(result, copy);
    slot.resolve(copy);
  }

  drop(message: Message, reason: DropReason): void {
    if (messageInternals.receiptOf(message)?.dropped(reason) === true) return;
    this.#deadLetters.add(message, { reason, atMs: this.#system.nowMs() });
  }

  sendReserved(origin: Origin, to: string, { type, payload }: ReservedMessage): Promise<void> {
    return this.#post(origin, to, payload, noOptions, false, type);
  }

  control(origin: Origin, to: string, { type, payload }: ReservedMessage): boolean {
    const address = this.#registry.get(to)?.address;
    if (address === undefined) {
      this.#noRoute(origin, to, { type });
      return false;
    }
    const sentAtMs = this.#system.monotonicMs();
    const message = this.#makeMessage(
      origin,
      to,
      payload,
      noOptions,
      sentAtMs,
      undefined,
      false,
      type,
    );
    if (address.control(message)) return true;
    this.drop(message, "refused");
    return false;
  }

  // oxlint-disable-next-line max-params -- the verbs of SendVerbs, the sender first
  async broadcast(
    origin: Origin,
    pattern: string,
    payload: OutgoingPayload,
    options: SendOptions = noOptions,
  ): Promise<BroadcastReport> {
    // What is wrong with the message itself is told at once, even when nobody would get it.
    typeOf(options);
    const kept = copyPayload(payload);
    const receivers = this.#registry
      .matching(pattern)
      .filter(({ address }) => address?.isAccepting === true && address.isRefusing !== true);
    const results = await Promise.allSettled(
      receivers.map(({ name }) => this.send(origin, name, kept, options)),
    );
    const failures = results.flatMap((result, index) =>
      result.status === "rejected"
        ? [{ name: receivers[index]?.name ?? "", error: result.reason as Error }]
        : [],
    );
    return { receiverCount: receivers.length - failures.length, failures };
  }

  // oxlint-disable-next-line max-params -- the verbs of SendVerbs, the sender first
  async sendCapable(
    origin: Origin,
    tag: string,
    payload: OutgoingPayload,
    options: SendOptions = noOptions,
  ): Promise<string> {
    const random = this.#system.random();
    const name = this.#registry.chooseCapable(tag, { random });
    await this.send(origin, name, payload, options);
    return name;
  }

  // oxlint-disable-next-line max-params -- the verbs of SendVerbs, the sender first
  async callCapable(
    origin: Origin,
    tag: string,
    payload: OutgoingPayload,
    options: SendOptions = noOptions,
  ): Promise<JsonObject> {
    return await this.call(origin, this.#capable(origin, tag), payload, options);
  }

  /** Chooses who declares a capability, and does not wait itself for the answer. */
  #capable(origin: Origin, tag: string): string {
    const random = this.#system.random();
    const isFit = (address: Address): boolean => findCycle(origin, address) === undefined;
    return this.#registry.chooseCapable(tag, { random, isFit });
  }

  #tryCapable(origin: Origin, tag: string): string | Error {
    try {
      return this.#capable(origin, tag);
    } catch (error) {
      return error as Error;
    }
  }

  // oxlint-disable-next-line max-params -- called for each message: no object for its parameters
  #post(
    origin: Origin,
    name: string,
    payload: OutgoingPayload,
    options: SendOptions,
    isCast: boolean,
    /** One of the runtime's own; else what the options say. */
    type?: string,
  ): Promise<void> {
    try {
      const to = options.key === undefined ? name : `${name}/${options.key}`;
      const route = this.#registry.get(to);
      if (route?.address === undefined) {
        const error = this.#noRoute(origin, to, options);
        if (to === runtimeName) return accepted;
        throw error;
      }
      const sentAtMs = this.#system.monotonicMs();
      const { schemas } = route;
      const body =
        schemas === undefined || type !== undefined
          ? payload
          : checkedPayload(origin, schemas, { to, payload, options });
      const message = this.#makeMessage(
        origin,
        to,
        body,
        options,
        sentAtMs,
        undefined,
        isCast,
        type,
      );
      const { signal, timeoutMs = defaultTimeoutMs } = options;
      if (signal?.aborted === true) throw cancelled(to, signal);
      const deadlineMs = Math.min(
        sentAtMs + timeoutMs,
        origin.deadlineMs ?? Number.POSITIVE_INFINITY,
      );
      const isForEver = deadlineMs === Number.POSITIVE_INFINITY;
      const room = this.#transport.deliver(message, route, isForEver ? undefined : deadlineMs);
      if (this.#tracer !== undefined) traceSend(this.#tracer, message, this.#system);
      if (room === undefined) return accepted;
      return signal === undefined || signal === null ? room : untilAborted(room, message, signal);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #noRoute(origin: Origin, to: string, options: SendOptions): Error {
    this.#deadLetters.addUnroutable({
      type: options.type ?? "message",
      sender: origin.name,
      recipient: to,
      atMs: this.#system.nowMs(),
    });
    return new busErrors.NO_ROUTE({ address: to });
  }

  // oxlint-disable-next-line max-params -- called for each message: no object for its parameters
  #makeMessage(
    origin: Origin,
    to: string,
    payload: object,
    options: SendOptions,
    sentAtMs: number,
    reply: ReplySlot | undefined,
    isCast = false,
    type = typeOf(options),
  ): Message {
    const system = this.#system;
    const { trace, correlationId, session, priority = 0, ttlMs } = options;
    return new Message({
      ids: system.ids,
      sequence: system.ids.next(),
      type,
      sender: origin.name,
      recipient: to,
      payload: copyPayload(payload),
      timestampMs: system.wallTimeMs(sentAtMs),
      trace: trace === undefined ? origin.tracePoint() : outsideTrace(trace),
      reply,
      isCast,
      correlationId,
      session,
      priority,
      ttlMs,
      sentAtMs,
    });
  }
}

/** What an agent sends itself, and a question about its state, are not held to its schemas. */
function checkedPayload(
  origin: Origin,
  schemas: MessageSchemas,
  outgoing: {
    readonly to: string;
    readonly payload: OutgoingPayload;
    readonly options: SendOptions;
  },
): object {
  const { to, payload } = outgoing;
  const { type = "message" } = outgoing.options;
  if (origin.name === to || asksForState(type, payload as JsonObject)) return payload;
  return schemas.check({ address: to, type, payload });
}

/** The limits of a stream, which does not outlast the message that it is read for. */
function streamLimits(
  options: StreamOptions,
  { origin, sentAtMs }: { readonly origin: Origin; readonly sentAtMs: number },
): StreamLimits {
  const limits = readStreamLimits(options);
  const remainingMs = (origin.deadlineMs ?? Number.POSITIVE_INFINITY) - sentAtMs;
  if (remainingMs >= limits.durationMsMax) return limits;
  return { ...limits, durationMsMax: Math.max(0, remainingMs) };
}

/** A request on its way, as its receiver finds out which of its objects it is for. */
interface Asked {
  readonly to: string;
  readonly payload: OutgoingPayload;
}

/** @returns Which of several objects behind a name a request is for; undefined when it is not there yet. */
function targetOf(behind: Address, { to, payload }: Asked): Address | undefined {
  if (behind.targetOf === undefined) return behind;
  return behind.targetOf({ recipient: to, payload: payload as JsonObject });
}

function isSuspended(behind: Address, asked: Asked): boolean {
  return behind.isSuspended || targetOf(behind, asked)?.isSuspended === true;
}

/** @throws AGENTRT_AGENT_SUSPENDED when the receiver is known to be suspended, or the one of its keys that is meant. */
function failIfSuspended(behind: Address, asked: Asked): void {
  if (!isSuspended(behind, asked)) return;
  throw new agentErrors.SUSPENDED({ agent: asked.to });
}

/**
 * Refuses a request that could never be answered: whom it is for waits, itself or over others, for the sender.
 *
 * @throws AGENTRT_BUS_CALL_CYCLE.
 */
function refuseCycle(origin: Origin, asked: Asked, behind: Address): void {
  const { to } = asked;
  const address = targetOf(behind, asked);
  if (address === undefined) return;
  const at = findCycle(origin, address);
  if (at === undefined) return;
  throw new busErrors.CALL_CYCLE({ address: to, chain: `${chainOf(origin, at)} -> ${to}` });
}

/** Finds the first of a chain of requests, where that began at an address that has no room for another one. */
function findCycle(origin: Origin, address: Address): Origin | undefined {
  let takenCount = 0;
  for (let at: Origin | undefined = origin; at !== undefined; at = at.upstream) {
    const { blocked } = at;
    if (blocked !== address && blocked?.pool !== address) continue;
    takenCount += 1;
    if (takenCount >= address.concurrency) return at;
  }
  return undefined;
}

function chainOf(origin: Origin, front: Origin): string {
  const names = [origin.name];
  for (let at: Origin | undefined = origin; at !== undefined && at !== front; at = at.upstream) {
    names.push(at.upstream?.name ?? "");
  }
  return names.toReversed().join(" -> ");
}

/** The span that has the message's own id: the others of the message, and of what its handling sends, are below it. */
function traceSend(tracer: Tracer, message: Message, system: System): void {
  if (!tracer.isSampled(message)) return;
  const startMs = message.timestampMs;
  const endMs = Math.max(startMs, system.nowMs());
  tracer.addMessageSpan(message, { name: `send ${message.type}`, step: "sent", startMs, endMs });
}

const sendOptionNames: OptionNames<StreamOptions> = {
  type: true,
  timeoutMs: true,
  failIfSuspended: true,
  key: true,
  priority: true,
  ttlMs: true,
  correlationId: true,
  session: true,
  trace: true,
  signal: true,
  firstChunkTimeoutMs: true,
  roomTimeoutMs: true,
  idleTimeoutMs: true,
  durationMsMax: true,
  bufferLengthMax: true,
  chunkCountMax: true,
  chunkSizeBytesMax: true,
};
const optionNames: ReadonlySet<string> = new Set(Object.keys(sendOptionNames));

/** The type of a message; checks what else its options say. */
function typeOf(options: SendOptions): string {
  if (options === noOptions) return "message";
  for (const name in options) {
    if (!optionNames.has(name)) checkOptions("the message", options, sendOptionNames);
  }
  const { timeoutMs, ttlMs, priority, type } = options;
  const isForEver = timeoutMs === Number.POSITIVE_INFINITY;
  if (timeoutMs !== undefined && !isForEver && !isBetween(timeoutMs, 1, timeoutMsMax)) {
    refuseOption("timeoutMs", timeoutMs, `a number from 1 to ${timeoutMsMax}, or Infinity`);
  }
  if (ttlMs !== undefined && !isBetween(ttlMs, 0, Number.POSITIVE_INFINITY))
    refuseOption("ttlMs", ttlMs, "a number of 0 or more");
  if (priority !== undefined && !Number.isFinite(priority)) {
    refuseOption("priority", priority, "a finite number");
  }
  if (type === undefined) return "message";
  if (isReservedType(type)) throw new busErrors.RESERVED_TYPE({ type });
  return type;
}

/** Programs without types may give a number as text, which would be added up as text. */
function isBetween(value: unknown, least: number, most: number): boolean {
  return typeof value === "number" && value >= least && value <= most;
}

function refuseOption(option: string, found: unknown, wanted: string): never {
  throw new busErrors.OPTION_INVALID({ option, found: String(found), wanted });
}

function outsideTrace(trace: NonNullable<SendOptions["trace"]>): TracePoint {
  if (trace instanceof OwnTrace) return trace.point;
  return { trace: trace.traceId, span: trace.parentSpanId, isSampled: trace.isSampled };
}

/** Waits for room no longer than the sender's signal allows; then the message is not delivered any more. */
function untilAborted(room: Promise<void>, message: Message, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = (): void => {
      messageInternals.cancel(message);
      reject(cancelled(message.recipient, signal));
    };
    signal.addEventListener("abort", cancel, { once: true });
    const release = (): void => signal.removeEventListener("abort", cancel);
    room.finally(release).then(resolve, reject);
  });
}

function awaitRoom(pending: PendingCall | StreamConsumer, room: Promise<void>): void {
  room.then(
    () => {
      pending.fullLengthMax = undefined;
    },
    (error: unknown) => pending.fail(error as Error),
  );
}
