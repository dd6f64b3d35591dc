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
  /** True for a topic with many lines. */
  readonly hasLines: boolean;
  /** Tells the server something about a message. */
  readonly tell: (reply: string, text: string) => void;
  readonly acknowledgements: Acknowledgements;
  /** How often messages were begun that come again. */
  readonly begun: Pick<BegunCounts, "read" | "remove">;
  /** Where the bytes of large messages are. */
  readonly kept: LazyBucket;
}

/**
 * Messages of a topic that are given out at once: as many wait at most in the mailbox of its agent. Of a topic with many lines most of
 * them wait in the server.
 */
const [openCountMax, linedCountMax] = [256, 10_000];
/** Messages that are on their way at once: what a broker that dies takes along comes again after `ackWaitMs`. */
const requestedCountMax = 64;
/** After which the server gives a message out again that nothing was said about, and how often it hears of one that waits. */
const [ackWaitMs, workingIntervalMs] = [10_000, 3000];
/** After which the server gives a message out again that waits there for this process, and how often it hears of it, in intervals. */
const [parkedMs, parkedIntervalCount] = [30_000, 7];
/** How long a request for messages stays with the server, and how often that says it is there. */
const [requestMs, heartbeatMs] = [30_000, 5000];
/** How long what is on its way is still given back once no more is taken, milliseconds: else the server would wait for an answer. */
const leaveMs = 1000;
/** The wait before another try, milliseconds. */
const retryWaitMs = 500;
/** Faults of a read that go by, and how often a message is read again that has others: then the server gives it out again. */
const passingFaults: ReadonlySet<string> = new Set(["away", "unserved", "noStream"]);
const unparkTryCountMax = 4;

/** A message that was given out. Its bytes are not in here. */
interface Open {
  /** What it is known by: its id, or its number in the stream. */
  readonly key: string;
  /** Empty for one that has none. */
  readonly id: string;
  readonly sequence: number;
  /** Where the server hears of it: from the latest time that it was given out. */
  reply: string;
  /** True for one that was given out before, and may have ended the process that had it. */
  isAgain: boolean;
  /** True while it waits in the server, and comes to this process when that asks for it. */
  isParked: boolean;
  /** Where its bytes are, when they are in a bucket. */
  readonly place: ObjectPlace | undefined;
  readonly isLarge: boolean;
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
  /** Ends the waits before other tries. */
  readonly #pauses = new Set<() => void>();
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
    this.#endPauses();
  }

  /** Takes no more. What was taken can still be acknowledged; what is on its way, or waits in the server for this process, is given back. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    for (const mine of this.#open.values()) if (mine.isParked) this.#later(mine, 2 * leaveMs);
    this.#endPauses();
    this.#closing = this.#init.system.setTimer(leaveMs, () => this.resume());
  }

  /** Ends at once, and gives back what nothing was said about: this process ends. */
  async close(): Promise<void> {
    this.#isEnded = true;
    this.#large.end();
    const open = [...this.#open.values()];
    this.#open.clear();
    this.#endTimer();
    if (this.#closing !== undefined) this.#init.system.clearTimer(this.#closing);
    this.resume();
    await this.#running;
    // While this consumer asks for messages, it would get them itself.
    for (const { reply } of open) this.#init.tell(reply, nakText(0));
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
      for await (const message of messages) {
        this.#take(message);
        // What comes meanwhile stays with the server, as far as it is not on its way.
        if (this.#chain.length >= requestedCountMax) await this.#chain.done;
      }
    } finally {
      this.#messages = undefined;
    }
  }

  async #add(): Promise<void> {
    const { manager, subject, stream, hasLines } = this.#init;
    const max_ack_pending = hasLines ? linedCountMax : openCountMax;
    const wanted: Parameters<JetStreamManager["consumers"]["add"]>[1] = {
      durable_name: this.#name,
      filter_subject: subject,
      ack_policy: "explicit",
      deliver_policy: "all",
      ack_wait: ackWaitMs * 1e6,
      max_ack_pending,
      max_deliver: -1,
    };
    try {
      await manager.consumers.add(stream(), wanted);
    } catch (error) {
      // It is there with another limit.
      if (faultOf(error) !== "conflict") throw error;
      await manager.consumers.update(stream(), this.#name, { max_ack_pending });
    }
  }

  #take(message: JetStreamMessage): void {
    const { reply = "", headers } = message;
    if (this.#isEnded) {
      this.#init.tell(reply, nakText(leaveMs));
      return;
    }
    const { isHandled, onDuplicate, receive } = this.#init;
    const id = headers?.get("Nats-Msg-Id") ?? "";
    const sequence = message.info.streamSequence;
    const key = id === "" ? `#${sequence}` : id;
    const open = this.#open.get(key);
    if (open !== undefined) {
      // It waits or is handled at this moment: it was given out again because the connection was lost.
      open.reply = reply;
      if (open.isParked) this.#init.tell(reply, nakText(parkedMs));
      onDuplicate();
      return;
    }
    if (id !== "" && isHandled(id)) {
      onDuplicate();
      this.#init.tell(reply, ackText);
      return;
    }
    const reference = headers?.get(objectHeader) ?? "";
    const isLarge = reference !== "";
    // Given out before, it may have ended the process that had it.
    const isAgain = id !== "" && message.info.deliveryCount > 1;
    const place = isLarge ? readReference(reference) : undefined;
    const mine: Open = { key, id, sequence, reply, isAgain, isParked: false, place, isLarge };
    this.#open.set(key, mine);
    const { data } = message;
    if (!isLarge && !isAgain && !this.#chain.isBusy) receive(this.#deliveryOf(mine, data));
    else this.#chain.push(async () => await this.#receive(mine, data));
  }

  /** @param inline The bytes of a message that is not large. */
  async #receive(mine: Open, inline: Uint8Array): Promise<void> {
    const beginCount = await this.#begunCountOf(mine);
    if (typeof beginCount === "object") {
      this.#later(mine, beginCount.waitMs);
      return;
    }
    const bytes = mine.isLarge ? await this.#readLarge(mine) : inline;
    if (bytes === "later") this.#later(mine, retryWaitMs);
    else if (bytes === undefined) this.#done(mine);
    else if (this.#open.get(mine.key) === mine)
      this.#init.receive(this.#deliveryOf(mine, bytes, beginCount));
  }

  /** @returns As `KeptBytes.read`; where that cannot be read now, the server gives it out again. */
  async #readLarge({ place }: Open): ReturnType<KeptBytes["read"]> {
    try {
      return await this.#large.read(place);
    } catch (error) {
      await this.#tellFailed(error);
      return "later";
    }
  }

  async #begunCountOf({ isAgain, id }: Open): ReturnType<BegunCounts["read"]> {
    return isAgain && id !== "" ? await this.#init.begun.read(id) : undefined;
  }

  /** What it gives away keeps no bytes but those of the delivery itself. */
  #deliveryOf(mine: Open, bytes: Uint8Array, beginCount?: number): StoredDelivery {
    return {
      bytes,
      beginCount,
      done: () => this.#done(mine),
      later: (delayMs) => this.#later(mine, delayMs),
      park: (isAgain = false) => this.#park(mine, isAgain),
    };
  }

  #done(mine: Open): void {
    if (!this.#close(mine)) return;
    if (mine.id !== "") this.#init.onHandled(mine.id);
    if (mine.isAgain) this.#init.begun.remove(mine.id);
    this.#init.acknowledgements.add(mine.reply);
    if (mine.place !== undefined) this.#large.remove(mine.place);
  }

  #later(mine: Open, delayMs: number): void {
    if (this.#close(mine)) this.#init.tell(mine.reply, nakText(delayMs));
  }

  #park(mine: Open, isAgain: boolean): ReturnType<StoredDelivery["park"]> {
    if (this.#isEnded) {
      this.#later(mine, leaveMs);
      return () => undefined;
    }
    mine.isParked = true;
    mine.isAgain ||= isAgain;
    this.#large.release(mine.place);
    this.#init.tell(mine.reply, nakText(parkedMs));
    return (take) => {
      mine.isParked = false;
      this.#init.tell(mine.reply, workingText);
      // Large ones are read one at a time.
      const reading = mine.isLarge ? undefined : this.#unparked(mine);
      this.#chain.push(async () => take(await (reading ?? this.#unparked(mine))));
    };
  }

  /** Reads a message again; undefined for one that is gone, or that the server is to give out again since it cannot be read. */
  async #unparked(mine: Open): Promise<StoredDelivery | undefined> {
    let refusedCount = 0;
    while (this.#open.get(mine.key) === mine) {
      try {
        const beginCount = await this.#begunCountOf(mine);
        const bytes = await this.#bytesOf(mine);
        if (bytes === undefined) this.#done(mine);
        else if (typeof beginCount !== "object" && bytes !== "later")
          return this.#open.get(mine.key) === mine
            ? this.#deliveryOf(mine, bytes, beginCount)
            : undefined;
      } catch (error) {
        await this.#tellFailed(error);
        const fault = faultOf(error);
        if (!passingFaults.has(fault)) refusedCount += 1;
        if (fault === "forbidden" || refusedCount >= unparkTryCountMax) {
          // What waits behind it goes on.
          this.#later(mine, retryWaitMs);
          return undefined;
        }
      }
      await this.#wait();
    }
    return undefined;
  }

  async #bytesOf({ place, isLarge, sequence }: Open): ReturnType<KeptBytes["read"]> {
    if (isLarge) return await this.#large.read(place);
    const { manager, stream, attempt } = this.#init;
    const found = await attempt(manager.streams.getMessage(stream(), { seq: sequence }));
    return found?.data;
  }

  /** @returns False when something was said of it already. */
  #close(mine: Open): boolean {
    if (this.#open.get(mine.key) !== mine) return false;
    this.#open.delete(mine.key);
    this.#large.release(mine.place);
    if (this.#isEnded && this.#open.size === 0) this.#endTimer();
    return true;
  }

  /** A message may wait for as long as its agent is suspended: the server hears that it is not lost. */
  #tellWorking(intervalCount = 1): void {
    this.#timer = this.#init.system.setTimer(workingIntervalMs, () => {
      for (const { reply, isParked } of this.#open.values())
        if (!isParked) this.#init.tell(reply, workingText);
        else if (intervalCount % parkedIntervalCount === 0)
          this.#init.tell(reply, nakText(parkedMs));
      this.#tellWorking(intervalCount + 1);
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
      const end = (): void => {
        system.clearTimer(timer);
        this.#pauses.delete(end);
        resolve();
      };
      const timer = system.setTimer(retryWaitMs, end);
      this.#pauses.add(end);
    });
  }

  #endPauses(): void {
    for (const end of this.#pauses) end();
  }
}

/** What the server hears of a message: it was handled, or is in work. */
const [ackText, workingText] = ["+ACK", "+WPI"];

/** It is to be given out again after that time. */
function nakText(delayMs: number): string {
  return delayMs === 0 ? "-NAK" : `-NAK {"delay": ${Math.ceil(delayMs * 1e6)}}`;
}
