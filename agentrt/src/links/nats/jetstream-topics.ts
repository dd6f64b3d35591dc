import type { System } from "../../core/index.ts";
import {
  ensureStream,
  faultOf,
  faultReason,
  type JetStream,
  type JetStreamLibrary,
  type JetStreamManager,
  type NatsClient,
  type NatsConnection,
  type ObjectPlace,
  streamLimits,
  StreamUnfit,
} from "../../nats/index.ts";
import { linkErrors } from "../errors.ts";
import { RecentIds } from "../recent-ids.ts";
import type { StoredDelivery, StoredMessage, StoredTopics } from "../stored-topics.ts";
import { BegunCounts } from "./begun-counts.ts";
import { Acknowledgements } from "./acknowledgements.ts";
import type { LazyBucket } from "../../nats/index.ts";
import { referenceHeaders } from "./object-reference.ts";
import { storedHeadOf, storedSubjectOf } from "./subject.ts";
import { TopicConsumer } from "./topic-consumer.ts";

/** What topics in a stream are made from. */
export interface JetStreamTopicsInit {
  readonly client: Pick<NatsClient, "headers">;
  readonly library: JetStreamLibrary;
  readonly connection: NatsConnection;
  /** The name that the topology gives. */
  readonly streamName: string;
  /** On how many servers of a cluster the stream is kept when it is made. Default 1. */
  readonly replicaCount?: number | undefined;
  readonly where: string;
  readonly system: System;
  /** True while the connection is up. */
  readonly isUp: () => boolean;
  readonly onFailed: (reason: string) => void;
  /** Where messages over `inlineBytesMax` are kept. */
  readonly kept: LazyBucket;
  readonly inlineBytesMax: () => number;
}

/** How long one try may take, and the wait between two, milliseconds. */
const [tryTimeoutMs, retryWaitMs] = [5000, 200];
/** Most messages that wait for the server's answer, and their bytes. */
const [waitingCountMax, waitingBytesMax] = [10_000, 64 * 1024 * 1024];
/** Handled messages whose ids are remembered at least, and twice as many at most: what of them comes again is left out. */
const handledCountMin = 50_000;

/** By its name one of the errors of a server that is away. */
class ConnectionLost extends Error {
  override readonly name = "ConnectionError";
}

/** Messages in a stream of JetStream: the server answers when it has one, and gives it out until its handling is acknowledged. */
export class JetStreamTopics implements StoredTopics {
  readonly #init: JetStreamTopicsInit;
  readonly #jetStream: JetStream;
  readonly #manager: JetStreamManager;
  readonly #consumers = new Set<TopicConsumer>();
  readonly #acknowledgements: Acknowledgements;
  readonly #begun: BegunCounts;
  readonly #handled = new RecentIds(handledCountMin);
  /** Ends the tries that wait for an answer. */
  readonly #tries = new Set<() => void>();
  #stream: string;
  #duplicateCount = 0;
  #waitingCount = 0;
  #waitingBytes = 0;
  #isStopped = false;

  private constructor(init: JetStreamTopicsInit, manager: JetStreamManager, stream: string) {
    this.#init = init;
    this.#manager = manager;
    this.#stream = stream;
    this.#acknowledgements = new Acknowledgements(init.system, (reply) =>
      this.#tell(reply, "+ACK"),
    );
    const { streamName, replicaCount, system, onFailed } = init;
    this.#begun = new BegunCounts({
      bucket: {
        ...init,
        name: `${streamName}_begun`,
        ageMsMax: streamLimits.ageDaysMax * 86_400_000,
        replicaCount,
        requestTimeoutMs: tryTimeoutMs,
      },
      system,
      attempt: async (asked) => await this.#try(asked),
      onFailed,
    });
    this.#jetStream = init.library.jetstream(init.connection, { timeout: tryTimeoutMs });
  }

  /**
   * Finds the stream, or makes it.
   *
   * @throws AGENTRT_LINK_STREAM.
   */
  static async open(init: JetStreamTopicsInit): Promise<JetStreamTopics> {
    const { library, connection, streamName, where } = init;
    try {
      const manager = await library.jetstreamManager(connection, { timeout: tryTimeoutMs });
      const stream = await ensureStream(manager, wantedStream(init));
      return new JetStreamTopics(init, manager, stream);
    } catch (cause) {
      const reason = cause instanceof StreamUnfit ? cause.message : faultReason(cause);
      throw new linkErrors.STREAM({ stream: streamName, where, reason }, { cause });
    }
  }

  /** {@inheritDoc StoredTopics.duplicateCount} */
  get duplicateCount(): number {
    return this.#duplicateCount;
  }

  /** {@inheritDoc StoredTopics.store} */
  async store(message: StoredMessage): Promise<void> {
    const { topic: address, bytes } = message;
    const isFull =
      this.#waitingCount >= waitingCountMax || this.#waitingBytes + bytes.length > waitingBytesMax;
    if (isFull) throw new linkErrors.FULL({ link: "nats", address });
    this.#waitingCount += 1;
    this.#waitingBytes += bytes.length;
    try {
      await this.#store(message);
    } finally {
      this.#waitingCount -= 1;
      this.#waitingBytes -= bytes.length;
    }
  }

  /** {@inheritDoc StoredTopics.noteBegin} */
  async noteBegin(id: string, beginCount: number): Promise<void> {
    await this.#begun.write(id, beginCount);
  }

  /** {@inheritDoc StoredTopics.take} */
  take(topic: string, receive: (delivery: StoredDelivery) => void, hasLines = false): () => void {
    const { streamName, system, onFailed } = this.#init;
    const consumer = new TopicConsumer({
      jetStream: this.#jetStream,
      manager: this.#manager,
      topic,
      subject: storedSubjectOf(streamName, topic),
      stream: () => this.#stream,
      attempt: async (asked) => await this.#try(asked),
      restoreStream: async () => await this.#restore(),
      system,
      isHandled: (id) => this.#handled.has(id),
      onHandled: (id) => this.#handled.add(id),
      onDuplicate: () => {
        this.#duplicateCount += 1;
      },
      onFailed,
      receive,
      kept: this.#init.kept,
      hasLines,
      tell: (reply, text) => this.#tell(reply, text),
      acknowledgements: this.#acknowledgements,
      begun: this.#begun,
    });
    this.#consumers.add(consumer);
    consumer.start();
    return () => {
      consumer.end();
      // What it has given out is still acknowledged, or given back when all ends.
      for (const each of this.#consumers) if (each.isOver) this.#consumers.delete(each);
    };
  }

  /** The connection is gone: answers that were waited for will not come. */
  lose(): void {
    for (const lose of this.#tries) lose();
  }

  /** The connection is there again: the server has forgotten what it was asked for before, or never heard it. */
  resume(): void {
    this.lose();
    this.#begun.resume();
    for (const consumer of this.#consumers) consumer.resume();
  }

  /** Ends all. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#begun.stop();
    this.#acknowledgements.flush();
    await Promise.all([...this.#consumers].map(async (consumer) => await consumer.close()));
    this.#consumers.clear();
  }

  #tell(reply: string, text: string): void {
    const { connection } = this.#init;
    if (!connection.isClosed()) connection.publish(reply, Buffer.from(text));
  }

  /** Publishes until the server has answered: the same id again is the same message for it. */
  async #store({ topic, bytes, id, deadlineMs }: StoredMessage): Promise<void> {
    const { streamName, system, isUp, kept, inlineBytesMax } = this.#init;
    const subject = storedSubjectOf(streamName, topic);
    let [place, tryCount]: [ObjectPlace | undefined, number] = [undefined, 0];
    let reason = "the server is away";
    for (;;) {
      const leftMs = deadlineMs - system.monotonicMs();
      if (leftMs <= 0 || this.#isStopped)
        throw new linkErrors.NOT_STORED({ address: topic, stream: this.#stream, reason });
      try {
        if (isUp()) {
          const timeout = Math.min(tryTimeoutMs, Math.max(1, leftMs));
          place ??= bytes.length > inlineBytesMax() ? await this.#try(kept.put(bytes)) : undefined;
          tryCount += 1;
          const sent = this.#sentAs({ id, timeout }, bytes, place);
          const { duplicate } = await this.#try(
            this.#jetStream.publish(subject, sent.bytes, sent.options),
          );
          if (duplicate) this.#duplicateCount += 1;
          // It is in the stream from an earlier message, with other bytes; or from an earlier try, with these.
          if (duplicate && tryCount === 1 && place !== undefined)
            await kept.remove(place).catch(() => undefined);
          return;
        }
      } catch (cause) {
        reason = faultReason(cause);
        const fault = faultOf(cause);
        const details = { address: topic, stream: this.#stream, reason };
        if (fault === "full") throw new linkErrors.STREAM_FULL(details, { cause });
        if (fault === "unserved" || fault === "noStream") await this.#restore();
        else if (fault !== "away") throw new linkErrors.NOT_STORED(details, { cause });
      }
      await this.#pause(Math.min(retryWaitMs, Math.max(1, leftMs)));
    }
  }

  #sentAs(
    { id: msgID, timeout }: { readonly id: string; readonly timeout: number },
    bytes: Uint8Array,
    place: ObjectPlace | undefined,
  ): { readonly bytes: Uint8Array; readonly options: Parameters<JetStream["publish"]>[2] } {
    if (place === undefined) return { bytes, options: { msgID, timeout } };
    const headers = referenceHeaders(this.#init.client, place);
    return { bytes: new Uint8Array(), options: { msgID, timeout, headers } };
  }

  async #try<Result>(asked: Promise<Result>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const lose = (): void => reject(new ConnectionLost());
    this.#tries.add(lose);
    asked.then(resolve, reject);
    return await promise.finally(() => this.#tries.delete(lose));
  }

  /** Makes the stream again when somebody has deleted it. */
  async #restore(): Promise<void> {
    const { streamName, onFailed } = this.#init;
    try {
      this.#stream = await ensureStream(this.#manager, wantedStream(this.#init));
    } catch (error) {
      const fault = faultOf(error);
      if (!this.#isStopped && fault !== "away" && fault !== "unserved")
        onFailed(`stream ${streamName}: ${faultReason(error)}`);
    }
  }

  async #pause(waitMs: number): Promise<void> {
    await new Promise<void>((resolve) => void this.#init.system.setTimer(waitMs, resolve));
  }
}

function wantedStream({ streamName, replicaCount }: JetStreamTopicsInit) {
  return { name: streamName, head: storedHeadOf(streamName), replicaCount };
}
