import type { System, TimerHandle } from "../../core/index.ts";
import {
  consumerNameOf,
  type ConsumerMessages,
  faultOf,
  faultReason,
  type JetStream,
  type JetStreamManager,
  type JetStreamMessage,
  type ObjectPlace,
} from "../../nats/index.ts";
import type { StoredDelivery } from "../stored-topics.ts";
import type { Acknowledgements } from "./acknowledgements.ts";
import type { BegunCounts } from "./begun-counts.ts";
import { Chain } from "./chain.ts";
import { KeptBytes } from "./kept-bytes.ts";
import type { LazyBucket } from "../../nats/index.ts";
import { objectHeader, readReference } from "./object-reference.ts";

/** What the consumer of a topic is made from. */
export interface TopicConsumerInit {
  readonly jetStream: JetStream;
  readonly manager: JetStreamManager;
  readonly topic: string;
  readonly subject: string;
  readonly stream: () => string;
  /** Waits for an answer of the server, which fails when the connection is lost or is another one. */
  readonly attempt: <Result>(asked: Promise<Result>) => Promise<Result>;
  /** Makes the stream again where it is gone. */
  readonly restoreStream: () => Promise<void>;
  readonly system: System;
  /** True for the id of a message that was handled. */
  readonly isHandled: (id: string) => boolean;
  readonly onHandled: (id: string) => void;
  /** A message came again. */
  readonly onDuplicate: () => void;
  readonly onFailed: (reason: string) => void;
  readonly receive: (delivery: StoredDelivery) => void;
  readonly acknowledgements: Acknowledgements;
  /** How often messages were begun that come again. */
  readonly begun: Pick<BegunCounts, "read" | "remove">;
  /** Where the bytes of large messages are. */
  readonly kept: LazyBucket;
}

/** Messages of a topic that are given out at once: as many wait at most in the mailbox of its agent. */
const openCountMax = 256;
/** Messages that are on their way at once: what a broker that dies takes along comes again after `ackWaitMs`. */
const requestedCountMax = 64;
/** After which the server gives a message out again that nothing was said about, and how often it hears of one that waits. */
const [ackWaitMs, workingIntervalMs] = [10_000, 3000];
/** How long a request for messages stays with the server, and how often that says it is there. */
const [requestMs, heartbeatMs] = [30_000, 5000];
/** How long what is on its way is still given back once no more is taken, milliseconds: else the server would wait for an answer. */
const leaveMs = 1000;
/** The wait before another try, milliseconds. */
const retryWaitMs = 500;

/** A message that was given out. */
interface Open {
  /** The latest time it was given out: that one is acknowledged. */
  message: JetStreamMessage;
  /** Where its bytes are, when they are in a bucket. */
  place?: ObjectPlace | undefined;
}

/**
 * Takes the messages of one topic by a durable consumer: what no process has acknowledged is given out again. The request for
 * messages is made again whenever it ends, for whatever reason, and each time the connection is back.
 */
export class TopicConsumer {
  readonly #init: TopicConsumerInit;
  readonly #name: string;
  readonly #open = new Map<string, Open>();
  readonly #chain = new Chain();
  readonly #large: KeptBytes;
  #messages: ConsumerMessages | undefined;
  #running: Promise<void> | undefined;
  #timer: TimerHandle | undefined;
  #pause: { readonly timer: TimerHandle; readonly end: () => void } | undefined;
  #closing: TimerHandle | undefined;
  #isEnded = false;
  #lastReason = "";

  constructor(init: TopicConsumerInit) {
    this.#init = init;
    this.#name = consumerNameOf(init.topic);
    const { kept, topic, onFailed } = init;
    this.#large = new KeptBytes({ kept, topic, onFailed });
  }

  /** Takes messages from now on. */
  start(): void {
    this.#running = this.#run();
    this.#tellWorking();
  }

  /** Asks for messages again: the server has forgotten that it was asked. */
  resume(): void {
    void this.#messages?.close();
    this.#pause?.end();
  }

  /** Takes no more. What was taken can still be acknowledged; what is on its way is given back. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#pause?.end();
    this.#closing = this.#init.system.setTimer(leaveMs, () => this.resume());
  }

  /** Ends at once, and gives back what nothing was said about: this process ends. */
  async close(): Promise<void> {
    this.#isEnded = true;
    this.#large.end();
    for (const { message } of this.#open.values()) message.nak();
    this.#open.clear();
    this.#endTimer();
    if (this.#closing !== undefined) this.#init.system.clearTimer(this.#closing);
    this.resume();
    await this.#running;
  }

  /** True when it takes no more, and nothing of it is open. */
  get isOver(): boolean {
    return this.#isEnded && this.#open.size === 0 && this.#messages === undefined;
  }

  async #run(): Promise<void> {
    while (!this.#isEnded) {
      try {
        await this.#consume();
        this.#lastReason = "";
      } catch (error) {
        await this.#tellFailed(error);
      }
      if (!this.#isEnded) await this.#wait();
    }
  }

  async #consume(): Promise<void> {
    const { jetStream, stream, attempt } = this.#init;
    await attempt(this.#add());
    const consumer = await attempt(jetStream.consumers.get(stream(), this.#name));
    if (this.#isEnded) return;
    const messages = await consumer.consume({
      max_messages: requestedCountMax,
      expires: requestMs,
      idle_heartbeat: heartbeatMs,
      abort_on_missing_resource: true,
    });
    this.#messages = messages;
    try {
      for await (const message of messages) this.#take(message);
    } finally {
      this.#messages = undefined;
    }
  }

  async #add(): Promise<void> {
    const { manager, subject, stream } = this.#init;
    await manager.consumers.add(stream(), {
      durable_name: this.#name,
      filter_subject: subject,
      ack_policy: "explicit",
      deliver_policy: "all",
      ack_wait: ackWaitMs * 1e6,
      max_ack_pending: openCountMax,
      max_deliver: -1,
    });
  }

  #take(message: JetStreamMessage): void {
    if (this.#isEnded) {
      message.nak(leaveMs);
      return;
    }
    const { isHandled, onDuplicate } = this.#init;
    const id = message.headers?.get("Nats-Msg-Id") ?? "";
    const key = id === "" ? `#${message.info.streamSequence}` : id;
    const open = this.#open.get(key);
    if (open !== undefined) {
      // It waits or is handled at this moment: it was given out again because the connection was lost.
      open.message = message;
      onDuplicate();
      return;
    }
    if (id !== "" && isHandled(id)) {
      onDuplicate();
      message.ack();
      return;
    }
    const mine: Open = { message };
    this.#open.set(key, mine);
    const reference = message.headers?.get(objectHeader) ?? "";
    // Given out before, it may have ended the process that had it.
    const isAgain = id !== "" && message.info.deliveryCount > 1;
    const done = (): void => {
      if (!this.#close(key, mine)) return;
      if (id !== "") this.#init.onHandled(id);
      if (isAgain) this.#init.begun.remove(id);
      this.#init.acknowledgements.add(mine.message);
      if (mine.place !== undefined) this.#large.remove(mine.place);
    };
    const later = (delayMs: number): void => {
      if (this.#close(key, mine)) mine.message.nak(delayMs);
    };
    if (reference === "" && !isAgain && !this.#chain.isBusy)
      this.#init.receive({ bytes: message.data, done, later });
    else
      this.#chain.push(async () => {
        const beginCount = isAgain ? await this.#begunCountOf(id) : undefined;
        mine.place = readReference(reference);
        const isAway = beginCount === "away";
        const isInline = reference === "" || isAway;
        const bytes = isInline ? message.data : await this.#large.read(mine.place);
        if (isAway || bytes === "away") later(retryWaitMs);
        else if (bytes === undefined) done();
        else if (this.#open.get(key) === mine)
          this.#init.receive({ bytes, beginCount, done, later });
      });
  }

  /** @returns `away` when the server does not say it: the message is looked at again later. */
  async #begunCountOf(id: string): Promise<number | "away"> {
    try {
      return await this.#init.begun.read(id);
    } catch (error) {
      await this.#tellFailed(error);
      return "away";
    }
  }

  /** @returns False when something was said of it already. */
  #close(key: string, mine: Open): boolean {
    if (this.#open.get(key) !== mine) return false;
    this.#open.delete(key);
    this.#large.release(mine.place);
    if (this.#isEnded && this.#open.size === 0) this.#endTimer();
    return true;
  }

  /** A message may wait for as long as its agent is suspended: the server hears that it is not lost. */
  #tellWorking(): void {
    this.#timer = this.#init.system.setTimer(workingIntervalMs, () => {
      for (const { message } of this.#open.values()) message.working();
      this.#tellWorking();
    });
  }

  #endTimer(): void {
    if (this.#timer !== undefined) this.#init.system.clearTimer(this.#timer);
    this.#timer = undefined;
  }

  async #tellFailed(error: unknown): Promise<void> {
    const fault = faultOf(error);
    if (fault === "noStream") await this.#init.restoreStream();
    if (fault === "away" || fault === "unserved" || this.#isEnded) return;
    const reason = faultReason(error);
    if (reason !== this.#lastReason) this.#init.onFailed(`${this.#init.topic}: ${reason}`);
    this.#lastReason = reason;
  }

  async #wait(): Promise<void> {
    const { system } = this.#init;
    await new Promise<void>((resolve) => {
      const timer = system.setTimer(retryWaitMs, resolve);
      const end = (): void => {
        system.clearTimer(timer);
        resolve();
      };
      this.#pause = { timer, end };
    });
    this.#pause = undefined;
  }
}
