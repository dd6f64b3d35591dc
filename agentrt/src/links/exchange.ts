import {
  type Address,
  busErrors,
  correctionType,
  type DropReason,
  evalEventType,
  haltType,
  isReservedType,
  type Message,
  messageInternals,
  type MessageReceipt,
  type Registration,
  type Registry,
  type ReplySlot,
  type StreamControl,
  StreamProducer,
  type System,
  type TimerWheel,
} from "../core/index.ts";
import { type Envelope, type Serializer, wireErrors } from "../wire/index.ts";
import { type AnswerParts, answerEnvelope, envelopeOf, messageOf } from "./envelopes.ts";
import { linkErrors } from "./errors.ts";
import { FairLines } from "./fair-lines.ts";
import { encodeFault } from "./fault-codec.ts";
import type { Link } from "./link.ts";
import { OpenChecks } from "./open-checks.ts";
import { RemoteRequest } from "./open-request.ts";
import { RemoteReply } from "./remote-reply.ts";
import { Beginnings } from "./beginnings.ts";
import { PassedMessages } from "./passed-messages.ts";
import { ReceiptSlot } from "./receipt-slot.ts";
import type { StoredDelivery } from "./stored-topics.ts";

/** Most requests of this process to others that wait for answers, and most of others to it that are worked on. */
export const openRequestCountMax = 100_000;
/** Chunks of a stream from another process that may be on their way. */
const streamCredit = 64;

/** How often the handling of a message that is kept begins at most: each time its process has died before it ended. */
const beginCountMax = 5;
/** How long a message that is kept waits for its agent before it comes again, milliseconds. */
const waitMs = 1000;
/** Errors of an agent that is not there at the moment. */
const awayCodes: ReadonlySet<string> = new Set([
  "AGENTRT_AGENT_STOPPED",
  "AGENTRT_BUS_NO_ROUTE",
  "AGENTRT_BUS_MAILBOX_FULL",
]);
/** Messages dropped for that reason were not handled because their agent is not there. */
const awayReasons: ReadonlySet<DropReason> = new Set(["stopped", "refused", "noRoute"]);

/** A message that a broker keeps: says what became of it. */
type KeptDelivery = Omit<StoredDelivery, "bytes" | "park">;

/** What an exchange is made from. */
export interface ExchangeInit {
  readonly link: Link;
  readonly serializer: Serializer;
  readonly system: System;
  readonly wheel: TimerWheel;
  /** Who gets the messages that come for the names of this process. */
  readonly registry: Registry;
  /** Name of this process among those of the topology, new at each start. */
  readonly processId: string;
  /** Called for what came and could not be used, with the reason. */
  readonly onRefused: (error: Error) => void;
  /** @returns True for a name whose messages without an answer are kept by the broker, where the link can. */
  readonly isStored?: ((name: string) => boolean) | undefined;
  /** Records a message that nobody handled. */
  readonly drop: (message: Message, reason: DropReason) => void;
}

/** Where an agent of another process is. */
export interface RemotePlace {
  readonly topic: string;
  readonly process?: string | undefined;
}

/** A request of another process that is worked on here. */
interface Served {
  readonly control: (control: StreamControl) => void;
}

/**
 * Messages to and from the agents of other processes. A request goes to the topic of the agent's name; what is said about
 * it afterwards (answers, chunks, credit, cancellation) goes from process to process, by the id of the request.
 */
export class Exchange {
  readonly #init: ExchangeInit;
  readonly #ownTopic: string;
  readonly #asked = new Map<string, RemoteRequest>();
  readonly #openCounts = new Map<string, number>();
  readonly #served = new Map<string, Served>();
  readonly #hosted = new Map<string, () => void>();
  readonly #checks: OpenChecks;
  readonly #passed: PassedMessages;
  readonly #beginnings: Beginnings;
  /** Of the names of this process that take messages for many keys. */
  readonly #lines = new Set<FairLines>();
  #endInbox: (() => void) | undefined;
  #isLeaving = false;
  #refusalOf: ((name: string) => Error) | undefined;

  constructor(init: ExchangeInit) {
    this.#init = init;
    this.#ownTopic = processTopic(init.processId);
    const { link, system } = init;
    const [asked, served] = [this.#asked, this.#served];
    const say = (said: AnswerParts): void => this.#say(said);
    this.#checks = new OpenChecks({ link, system, asked, served, say });
    this.#beginnings = new Beginnings({ link, system });
    this.#passed = new PassedMessages({ served, say });
  }

  /** Kept messages that came again although they were handled, or were sent twice; undefined where no broker keeps any. */
  get duplicateCount(): number | undefined {
    const { stored } = this.#init.link;
    return stored === undefined ? undefined : stored.duplicateCount + this.#passed.duplicateCount;
  }

  /** Connects, and takes answers from then on. */
  async start(): Promise<void> {
    const { link } = this.#init;
    await link.start();
    this.#endInbox = await link.subscribe(this.#ownTopic, (bytes) => this.#receive(bytes, "inbox"));
    await this.#checks.start();
  }

  /** Takes messages of other processes for a name of this one; settles when the broker knows. */
  async host(name: string): Promise<void> {
    const { link, isStored } = this.#init;
    const end = await link.subscribe(name, (bytes) => this.#receive(bytes));
    const endStored = isStored?.(name) === true ? this.#hostStored(name) : undefined;
    this.#hosted.get(name)?.();
    this.#hosted.set(name, () => {
      end();
      endStored?.();
    });
  }

  #hostStored(name: string): (() => void) | undefined {
    const { link, registry, serializer, system } = this.#init;
    if (registry.get(name)?.takesKeys !== true)
      return link.stored?.take(name, (delivery) => this.#takeStored(delivery));
    const lines = new FairLines({
      system,
      serve: (open) => this.#takeKept(() => serializer.decode(open.bytes), open, undefined),
    });
    const end = link.stored?.take(name, (delivery) => this.#takeLined(lines, delivery), true);
    this.#lines.add(lines);
    return () => {
      lines.end();
      this.#lines.delete(lines);
      end?.();
    };
  }

  /**
   * Takes no more messages that the broker keeps: what comes for the names of this process waits.
   *
   * @param refuse Makes the error that senders get who wait for an answer of these names, unless this process waits for what they
   *   do. Default their messages are taken on, too, as all others are.
   */
  leave(refuse?: (name: string) => Error): void {
    this.#isLeaving = true;
    this.#refusalOf ??= refuse;
    for (const lines of this.#lines) lines.end();
  }

  /** True for a message that the broker keeps until it was handled. */
  keeps(message: Message, { topic }: Pick<RemotePlace, "topic">): boolean {
    const { link, isStored } = this.#init;
    if (link.stored === undefined || isStored?.(topic) !== true) return false;
    return messageInternals.replyOf(message) === undefined && !isReservedType(message.type);
  }

  /**
   * Takes what other processes send to one address of this one, whatever name their messages are for.
   *
   * @returns Ends it; settles when the broker knows.
   */
  async hostAddress(topic: string, address: Address): Promise<() => void> {
    return await this.#init.link.subscribe(topic, (bytes) => this.#receive(bytes, address));
  }

  /** @returns Requests of this process to a topic that wait for answers. */
  openCountOf(topic: string): number {
    return this.#openCounts.get(topic) ?? 0;
  }

  /** Takes no more of them. */
  unhost(name: string): void {
    this.#hosted.get(name)?.();
    this.#hosted.delete(name);
  }

  /**
   * Sends a message to an agent of another process. One that a broker keeps and has given out to this process is passed on: the
   * other process says when it is handled.
   *
   * @param to.topic The name that it is registered by: of `ticket/4711`, `ticket`.
   * @param to.process The process where it is, if that is known; its end ends the request.
   * @param deadlineMs Monotonic time until which a message that is kept is tried.
   * @returns For a message that the broker keeps, a promise that settles when it has it.
   * @throws AGENTRT_LINK_DOWN, AGENTRT_LINK_REQUESTS, AGENTRT_WIRE_TOO_LARGE.
   */
  send(message: Message, to: RemotePlace, deadlineMs?: number): Promise<void> | undefined {
    const { system, serializer } = this.#init;
    const slot = messageInternals.replyOf(message);
    const credit = slot?.isStream === true ? streamCredit : null;
    const nowMs = system.monotonicMs();
    const envelope = envelopeOf(message, { replyTo: this.#ownTopic, nowMs, credit });
    const bytes = serializer.encode(envelope);
    this.#checkSize(message.recipient, bytes);
    const receipt = messageInternals.receiptOf(message);
    const { stored } = this.#init.link;
    if (stored !== undefined && receipt === undefined && this.keeps(message, to)) {
      const { topic } = to;
      const untilMs = deadlineMs ?? Number.POSITIVE_INFINITY;
      return stored.store({ topic, bytes, id: message.id, deadlineMs: untilMs });
    }
    const answered = slot ?? (receipt === undefined ? undefined : new ReceiptSlot(receipt));
    if (answered === undefined) {
      this.#init.link.publish(to.topic, bytes);
      return undefined;
    }
    if (this.#asked.size >= openRequestCountMax) {
      const address = message.recipient;
      throw new linkErrors.REQUESTS({ address, openCountMax: openRequestCountMax });
    }
    this.#init.link.publish(to.topic, bytes);
    this.#open(envelope, answered, to);
    return undefined;
  }

  /** Ends the requests that a process that is gone will not answer. */
  failRequestsTo(process: string): void {
    for (const request of this.#asked.values())
      if (request.process === process) request.fail(request.lost());
  }

  /** Ends all that waits, and disconnects. */
  async stop(): Promise<void> {
    for (const request of this.#asked.values()) request.fail(request.lost());
    for (const end of this.#hosted.values()) end();
    this.#hosted.clear();
    await this.#init.link.flush().catch(() => undefined);
    this.#checks.stop();
    this.#endInbox?.();
    await this.#init.link.stop();
  }

  #open(envelope: Envelope, slot: ReplySlot, { topic, process }: RemotePlace): void {
    const { id, recipient, trace_id: traceId } = envelope;
    this.#count(topic, 1);
    this.#checks.watch();
    this.#asked.set(
      id,
      new RemoteRequest({
        slot,
        address: recipient,
        topic,
        traceId,
        process,
        // Which process serves the request is known with the first chunk; until then the agent's topic leads there.
        sendBack: (kind, payload, to = topic) => this.#say({ kind, about: id, to, payload }),
        onClosed: () => {
          this.#asked.delete(id);
          this.#count(topic, -1);
        },
      }),
    );
  }

  #count(topic: string, by: 1 | -1): void {
    const count = (this.#openCounts.get(topic) ?? 0) + by;
    if (count === 0) this.#openCounts.delete(topic);
    else this.#openCounts.set(topic, count);
  }

  #receive(bytes: Uint8Array, to?: Address | "inbox"): void {
    let envelope: Envelope;
    try {
      envelope = this.#init.serializer.decode(bytes);
    } catch (error) {
      this.#init.onRefused(error as Error);
      return;
    }
    const about = envelope.correlation_id ?? "";
    if (envelope.kind === "credit" || envelope.kind === "cancel")
      this.#served.get(about)?.control(controlOf(envelope));
    else if (envelope.kind === "check") this.#checks.take(about, envelope.payload, envelope.sender);
    else if (to === "inbox") this.#asked.get(about)?.take(envelope);
    else if (isPassed(envelope)) this.#servePassed(envelope, to);
    else if (isRequestKind(envelope.kind)) this.#serve(envelope, to);
  }

  /** A message that the broker keeps, and has given out to another process. */
  #servePassed(envelope: Envelope, to: Address | undefined): void {
    const delivery = this.#passed.take(envelope);
    if (delivery !== undefined) this.#takeKept(() => envelope, delivery, to);
  }

  #serve(envelope: Envelope, to: Address | undefined): void {
    const { registry, system } = this.#init;
    const reply = this.#replyTo(envelope);
    const message = messageOf(envelope, reply, system);
    const route = registry.get(envelope.recipient);
    try {
      if (route?.address === undefined)
        throw new busErrors.NO_ROUTE({ address: envelope.recipient });
      checkForeign(envelope, route);
      // What nobody waits for would be lost: it is taken on as long as there is time.
      const isRefusable = reply !== undefined && to === undefined && !isReservedType(envelope.type);
      if (isRefusable && this.#refusalOf !== undefined && !this.#isWaitedFor(envelope))
        throw this.#refusalOf(envelope.recipient);
      const address = to ?? route.address;
      if (isCorrection(envelope)) {
        if (!address.control(message)) this.#init.drop(message, "refused");
        return;
      }
      const room = address.accept(message, reply?.deadlineMs ?? this.#roomUntilMs());
      room?.catch((error: unknown) => this.#refuse(message, reply, error));
    } catch (error) {
      this.#refuse(message, reply, error);
    }
  }

  /** True for what is done for work of this process that is in the middle of a call. */
  #isWaitedFor({ trace_id: traceId }: Envelope): boolean {
    return traceId !== "" && this.#asked.values().some((asked) => asked.traceId === traceId);
  }

  /** A message that the broker keeps is done when its handler has ended, well or not; when its agent is not there, it waits. */
  #takeStored(delivery: StoredDelivery): void {
    if (this.#isLeaving) {
      delivery.later(waitMs);
      return;
    }
    const { serializer } = this.#init;
    this.#takeKept(() => serializer.decode(delivery.bytes), delivery, undefined);
  }

  /** A message for one of many keys: it is handled in the order of its key. */
  #takeLined(lines: FairLines, delivery: StoredDelivery): void {
    if (this.#isLeaving) {
      delivery.later(waitMs);
      return;
    }
    let envelope: Envelope;
    let line: string | undefined;
    try {
      envelope = this.#init.serializer.decode(delivery.bytes);
      line = this.#init.registry.get(envelope.recipient)?.address?.lineOf?.(envelope);
    } catch {
      // What is wrong with it is said where it is taken.
      this.#takeStored(delivery);
      return;
    }
    const open = lines.enter(line ?? envelope.recipient, delivery);
    if (open !== undefined) this.#takeKept(() => envelope, open, undefined);
  }

  /** @param to Undefined for whom its name is registered. */
  #takeKept(read: () => Envelope, delivery: KeptDelivery, to: Address | undefined): void {
    const { registry, system, onRefused } = this.#init;
    let message: Message | undefined;
    try {
      const envelope = read();
      const receipt = this.#receiptOf(envelope.id, delivery);
      message = messageOf(envelope, undefined, system, receipt);
      const route = registry.get(envelope.recipient);
      if (route?.address === undefined)
        throw new busErrors.NO_ROUTE({ address: envelope.recipient });
      checkForeign(envelope, route);
      const kept = message;
      if (isExhausted(delivery)) {
        this.#init.drop(kept, "exhausted");
        return;
      }
      const room = (to ?? route.address).accept(kept, this.#roomUntilMs());
      room?.catch((error: unknown) => this.#putOff(delivery, error, kept));
    } catch (error) {
      if (message === undefined) onRefused(error as Error);
      this.#putOff(delivery, error, message);
    }
  }

  #receiptOf(id: string, delivery: KeptDelivery): MessageReceipt {
    const { beginCount } = delivery;
    const beginning = beginCount === undefined ? undefined : this.#beginnings.add(id, beginCount);
    return {
      beginCount,
      begins: beginning?.begin,
      handled: () => {
        beginning?.end();
        delivery.done();
      },
      dropped: (reason) => {
        beginning?.end();
        const isAway = awayReasons.has(reason);
        if (isAway) delivery.later(waitMs);
        else delivery.done();
        return isAway;
      },
    };
  }

  /** What no agent will ever take is dropped; all else comes again. */
  #putOff(delivery: KeptDelivery, error: unknown, message: Message | undefined): void {
    const { code, isRetryable } = error as {
      readonly code?: string;
      readonly isRetryable?: boolean;
    };
    if (message !== undefined && (isRetryable === true || awayCodes.has(code ?? ""))) {
      delivery.later(waitMs);
      return;
    }
    delivery.done();
    if (message !== undefined) this.#init.drop(message, "refused");
  }

  #refuse(message: Message, reply: ReplySlot | undefined, error: unknown): void {
    if (reply === undefined) this.#init.drop(message, "refused");
    else reply.reject(error as Error);
  }

  /** How long a message for which nobody waits may wait for room. */
  #roomUntilMs(): number {
    return this.#init.system.monotonicMs() + 30_000;
  }

  #replyTo(envelope: Envelope): ReplySlot | undefined {
    const { id, reply_to: to, kind, recipient: agent, wait } = envelope;
    if (to === null || (kind !== "call" && kind !== "stream")) return undefined;
    const nowMs = this.#init.system.monotonicMs();
    const deadlineMs = wait === null ? Number.POSITIVE_INFINITY : nowMs + wait * 1000;
    const onClosed = (): void => void this.#served.delete(id);
    if (kind === "stream") return this.#streamTo(envelope, { to, deadlineMs, onClosed });
    const reply: RemoteReply = new RemoteReply({
      agent,
      deadlineMs,
      isImpatient: envelope.fail_if_suspended,
      send: (answer) =>
        "error" in answer
          ? this.#say({ kind: "error", about: id, to, payload: encodeFault(answer.error) })
          : this.#say({ kind: "reply", about: id, to, payload: answer.payload }),
      onClosed: () => {
        this.#init.wheel.disarm(reply);
        onClosed();
      },
    });
    if (deadlineMs !== Number.POSITIVE_INFINITY) this.#init.wheel.arm(reply, deadlineMs);
    this.#served.set(id, { control: () => reply.abandon() });
    return reply;
  }

  #streamTo(
    { id, recipient: agent, credit }: Envelope,
    ends: { readonly to: string; readonly deadlineMs: number; readonly onClosed: () => void },
  ): StreamProducer {
    const { to, deadlineMs, onClosed } = ends;
    const producer = new StreamProducer({
      agent,
      creditChunkCount: Math.max(1, credit ?? 1),
      caller: {},
      deadlineMs,
      send: (frame) => {
        if (frame.kind === "chunk")
          this.#say({ kind: "chunk", about: id, to, payload: frame.payload, seq: frame.seq });
        else if (frame.kind === "end")
          this.#say({ kind: "end", about: id, to, payload: {}, seq: frame.seq });
        else this.#say({ kind: "error", about: id, to, payload: encodeFault(frame.error) });
        if (frame.kind !== "chunk") onClosed();
      },
    });
    this.#served.set(id, {
      control: (control) => {
        producer.accept(control);
        if (control.kind === "cancel") onClosed();
      },
    });
    return producer;
  }

  /** @throws As `Serializer.encode`. A link that is down drops it: the other side learns of that by itself. */
  #say(parts: AnswerParts): void {
    const { link, serializer, system } = this.#init;
    const isAnswered = parts.kind === "check" || (parts.kind === "chunk" && parts.seq === 0);
    const from = isAnswered ? this.#ownTopic : "";
    const bytes = serializer.encode(answerEnvelope({ ...parts, from }, system));
    this.#checkSize(parts.to, bytes);
    try {
      link.publish(parts.to, bytes);
    } catch (error) {
      this.#init.onRefused(error as Error);
    }
  }

  #checkSize(to: string, bytes: Uint8Array): void {
    const { messageBytesMax: sizeBytesMax } = this.#init.link;
    if (bytes.length <= sizeBytesMax) return;
    const what = `a message for "${to}"`;
    throw new wireErrors.TOO_LARGE({ what, sizeBytes: bytes.length, sizeBytesMax });
  }
}

/** Address of a process: answers come to it. */
export function processTopic(processId: string): string {
  return `_process.${processId}`;
}

/** True for a message that was begun as often as may be: the first time, which is not counted, and those that are. */
function isExhausted({ beginCount = -1 }: KeptDelivery): boolean {
  return beginCount + 1 >= beginCountMax;
}

/** True for a message without an answer of which a process wants to know when it is handled. */
function isPassed({ kind, reply_to: replyTo }: Envelope): boolean {
  return (kind === "cast" || kind === "send") && replyTo !== null;
}

function isRequestKind(kind: Envelope["kind"]): boolean {
  return kind === "send" || kind === "cast" || kind === "call" || kind === "stream";
}

/** What eval agents send acts on an agent past its mailbox, as in one process. */
function isCorrection({ type, kind }: Envelope): boolean {
  return kind === "send" && (type === haltType || type === correctionType);
}

/** What a process may not be sent from outside; and what the agent's schemas refuse. */
function checkForeign(envelope: Envelope, { schemas, isEvalAgent }: Registration): void {
  const { type, payload, recipient } = envelope;
  const isReport = type === evalEventType && isEvalAgent === true;
  if (isReport || isCorrection(envelope)) return;
  if (isReservedType(type)) throw new busErrors.RESERVED_TYPE({ type });
  schemas?.check({ address: recipient, type, payload });
}

function controlOf({ kind, payload }: Envelope): StreamControl {
  const { chunks, reason } = payload;
  if (kind === "credit") {
    const isCount = typeof chunks === "number" && chunks > 0 && chunks <= streamCredit;
    return { kind, chunkCount: isCount ? Math.floor(chunks) : 0 };
  }
  const text = typeof reason === "string" ? reason : "abandoned";
  return { kind: "cancel", reason: text, isLate: text === "expired" };
}
