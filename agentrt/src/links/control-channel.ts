import {
  type JsonObject,
  type System,
  WheelEntry,
  type TimerWheel,
  busErrors,
} from "../core/index.ts";
import { type Envelope, type Serializer } from "../wire/index.ts";
import { answerEnvelope } from "./envelopes.ts";
import { linkErrors } from "./errors.ts";
import { decodeFault, encodeFault } from "./fault-codec.ts";
import type { Link } from "./link.ts";

/** What a control channel is made from. */
export interface ControlChannelInit {
  readonly link: Link;
  readonly serializer: Serializer;
  readonly system: System;
  readonly wheel: TimerWheel;
  /** Where answers come to; nobody else has it. */
  readonly ownTopic: string;
  /** Number of the lead of this supervisor, which goes with each question; undefined where nobody else could lead. */
  readonly term?: (() => number) | undefined;
  /** Takes secrets out of the errors that it answers with; default nothing does. */
  readonly redactText?: ((text: string) => string) | undefined;
  /** Called for what came and could not be used, with the reason. */
  readonly onRefused: (error: Error) => void;
}

/** A message of one process to another, about the processes themselves. */
export interface ControlMessage {
  readonly type: string;
  readonly payload: JsonObject;
}

/** Answers such messages; what it throws is the answer, too. Undefined answers nothing to those who do not ask. */
export type ControlHandler = (
  message: ControlMessage,
) => JsonObject | undefined | Promise<JsonObject | undefined>;

class Question extends WheelEntry {
  readonly topic: string;
  readonly promise: Promise<JsonObject>;
  readonly resolve: (answer: JsonObject) => void;
  readonly reject: (error: Error) => void;
  readonly #onLate: () => void;

  constructor(topic: string, onLate: () => void) {
    super();
    this.topic = topic;
    const { promise, resolve, reject } = Promise.withResolvers<JsonObject>();
    this.promise = promise;
    this.resolve = resolve;
    this.reject = reject;
    this.#onLate = onLate;
  }

  override onDue(): void {
    this.#onLate();
  }
}

/** Questions and news between processes, apart from the mailboxes of agents: a full mailbox delays none of them. */
export class ControlChannel {
  readonly #init: ControlChannelInit;
  readonly #questions = new Map<string, Question>();
  readonly #ends: (() => void)[] = [];
  #cutCount = 0;

  constructor(init: ControlChannelInit) {
    this.#init = init;
    init.link.onRejoined(() => (this.#cutCount += 1));
  }

  /** How often the connection was cut, and is there again. What was asked before may be lost. */
  get cutCount(): number {
    return this.#cutCount;
  }

  /** Calls back each time that the connection was cut, and is there again. */
  onRejoined(callback: () => void): void {
    this.#init.link.onRejoined(callback);
  }

  /** Takes answers from now on. The link is connected. */
  async start(): Promise<void> {
    const { link, ownTopic } = this.#init;
    this.#ends.push(await link.subscribe(ownTopic, (bytes) => this.#takeAnswer(bytes)));
  }

  /** Answers what comes for a topic. */
  async listen(topic: string, handle: ControlHandler): Promise<void> {
    const end = await this.#init.link.subscribe(topic, (bytes) => {
      const envelope = this.#read(bytes);
      if (envelope !== undefined) void this.#answer(envelope, handle);
    });
    this.#ends.push(end);
  }

  /**
   * Tells without a wait for an answer.
   *
   * @throws AGENTRT_LINK_DOWN.
   */
  tell(topic: string, message: ControlMessage): void {
    this.#publish(topic, { ...this.#blank("send"), ...message });
  }

  /**
   * Asks, and waits for the answer.
   *
   * @throws AGENTRT_LINK_DOWN, AGENTRT_BUS_TIMEOUT, and what the other side throws.
   */
  ask(topic: string, message: ControlMessage, timeoutMs: number): Promise<JsonObject> {
    const { system, wheel, ownTopic, term } = this.#init;
    const { type } = message;
    const payload = term === undefined ? message.payload : { ...message.payload, term: term() };
    const envelope = { ...this.#blank("call"), type, payload, reply_to: ownTopic };
    const question = new Question(topic, () =>
      this.#close(envelope.id)?.reject(new busErrors.TIMEOUT({ address: topic, timeoutMs })),
    );
    this.#questions.set(envelope.id, question);
    wheel.arm(question, system.monotonicMs() + timeoutMs);
    try {
      this.#publish(topic, envelope);
    } catch (error) {
      this.#close(envelope.id)?.reject(error as Error);
    }
    return question.promise;
  }

  /** Ends the questions to a process that is gone. */
  failQuestionsTo(topic: string, reason: Error): void {
    for (const [id, question] of this.#questions)
      if (question.topic === topic) this.#close(id)?.reject(reason);
  }

  /** Ends it: questions that are open fail, nothing more is answered. */
  stop(reason: Error): void {
    for (const end of this.#ends.splice(0)) end();
    for (const id of this.#questions.keys()) this.#close(id)?.reject(reason);
  }

  #close(id: string): Question | undefined {
    const question = this.#questions.get(id);
    if (question === undefined) return undefined;
    this.#questions.delete(id);
    this.#init.wheel.disarm(question);
    return question;
  }

  #takeAnswer(bytes: Uint8Array): void {
    const envelope = this.#read(bytes);
    const question = this.#close(envelope?.correlation_id ?? "");
    if (envelope === undefined || question === undefined) return;
    if (envelope.kind === "reply") question.resolve(envelope.payload);
    else question.reject(decodeFault(envelope.payload));
  }

  async #answer(envelope: Envelope, handle: ControlHandler): Promise<void> {
    const { type, payload, id: about, reply_to: to } = envelope;
    try {
      const answer = (await handle({ type, payload })) ?? {};
      if (to === null) return;
      const { system } = this.#init;
      this.#publish(to, answerEnvelope({ kind: "reply", about, payload: answer }, system));
    } catch (error) {
      if (to === null) this.#init.onRefused(error as Error);
      else this.#answerFault(about, to, error);
    }
  }

  #answerFault(about: string, to: string, error: unknown): void {
    const payload = encodeFault(error, this.#init.redactText);
    try {
      this.#publish(to, answerEnvelope({ kind: "error", about, payload }, this.#init.system));
    } catch (fault) {
      // Who asked is gone with the link, or asks again.
      if (!(fault instanceof linkErrors.DOWN)) this.#init.onRefused(fault as Error);
    }
  }

  #blank(kind: Envelope["kind"]): Envelope {
    const parts = { kind, about: "", payload: {} };
    return { ...answerEnvelope(parts, this.#init.system), correlation_id: null };
  }

  #publish(topic: string, envelope: Envelope): void {
    this.#init.link.publish(topic, this.#init.serializer.encode(envelope));
  }

  #read(bytes: Uint8Array): Envelope | undefined {
    try {
      return this.#init.serializer.decode(bytes);
    } catch (error) {
      this.#init.onRefused(error as Error);
      return undefined;
    }
  }
}
