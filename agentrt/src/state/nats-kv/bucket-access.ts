import { reasonOf, type System } from "../../core/index.ts";
import {
  faultOf,
  faultReason,
  isMissing,
  type JetStreamLibrary,
  loadJetStream,
  loadNatsClient,
  LazyBucket,
  NatsBucket,
  type NatsClient,
  NatsConnectError,
  type NatsConnection,
  NatsConnector,
  type NatsSettings,
} from "../../nats/index.ts";
import { stateErrors } from "../errors.ts";
import { LargeValues } from "./large-values.ts";

/** Where a bucket is, and how long things may take. */
export interface BucketAccessInit extends NatsSettings {
  readonly bucket: string;
  /** On how many servers of a cluster it is kept when it is made. Default 1. */
  readonly replicaCount?: number | undefined;
  /** How long one state may take, milliseconds, with all tries. */
  readonly timeoutMs: number;
  readonly system: System;
  /** Makes no bucket where none is. */
  readonly isLook?: boolean | undefined;
  /** How long the first connection is tried for, milliseconds. */
  readonly connectTimeoutMs?: number | undefined;
  readonly loadClient?: (() => Promise<NatsClient>) | undefined;
  readonly loadJetStream?: (() => Promise<JetStreamLibrary>) | undefined;
  readonly warn: (message: string) => void;
}

const installCommand = "npm install @nats-io/transport-node@3.4.0 @nats-io/jetstream@3.4.0";
const awayReason = "the NATS server is away";
/** How long one try may take, and the wait between two, milliseconds. */
const [tryTimeoutMs, retryWaitMs] = [2000, 250];

/** A bucket that is opened when it is used first, and whose requests are tried again while the server is away. */
export class BucketAccess {
  /** The bucket and its servers, without passwords. */
  readonly label: string;
  readonly #init: BucketAccessInit;
  readonly #connector: NatsConnector;
  #connection: NatsConnection | undefined;
  #opening: Promise<LargeValues> | undefined;
  #isClosed = false;
  /** From the first sign that the server is away, or has no room, to the first answer after it. */
  #outage: string | undefined;

  constructor(init: BucketAccessInit) {
    this.#init = init;
    this.#connector = new NatsConnector({
      ...init,
      name: "agentrt states",
      onWaiting: (where, reason) =>
        init.warn(`no NATS server for states at ${where}: ${reason}; it is tried again`),
    });
    this.label = `${init.bucket} at ${this.#connector.where}`;
  }

  /** Why states cannot be saved at the moment. */
  get outage(): string | undefined {
    return this.#outage;
  }

  /** Most bytes of a value in the bucket itself: the rest of a message is its subject and headers. */
  get #inlineBytesMax(): number {
    return (this.#connection?.info?.max_payload ?? 1_048_576) - 4096;
  }

  /** @throws AGENTRT_STATE_BUCKET_FAILED, AGENTRT_STATE_DRIVER_MISSING, AGENTRT_STATE_CLOSED, AGENTRT_STATE_UNAVAILABLE. */
  async open(): Promise<LargeValues> {
    if (this.#isClosed) throw new stateErrors.CLOSED({ path: this.label });
    const opening = (this.#opening ??= this.#connect());
    try {
      return await opening;
    } catch (error) {
      if (this.#opening === opening) this.#opening = undefined;
      throw error;
    }
  }

  /**
   * Works on the bucket, again while the server is away or has no room, until `timeoutMs` is over.
   *
   * @param agent Whose state it is; undefined for all.
   * @param work May run more than once.
   * @throws AGENTRT_STATE_UNAVAILABLE; what `work` throws.
   */
  async use<Result>(
    agent: string | undefined,
    work: (bucket: LargeValues) => Promise<Result>,
  ): Promise<Result> {
    const { system, timeoutMs } = this.#init;
    const deadlineMs = system.monotonicMs() + timeoutMs;
    for (;;) {
      const bucket = await this.open();
      try {
        const result = await work(bucket);
        this.#outage = undefined;
        return result;
      } catch (cause) {
        const fault = faultOf(cause);
        if (fault !== "away" && fault !== "unserved" && fault !== "full") throw cause;
        this.#outage = fault === "full" ? faultReason(cause) : awayReason;
        const reason = fault === "full" ? this.#outage : `${awayReason}, or does not answer`;
        if (this.#isClosed || system.monotonicMs() + retryWaitMs > deadlineMs)
          throw new stateErrors.UNAVAILABLE({ path: this.label, agent, reason }, { cause });
        await new Promise<void>((resolve) => void system.setTimer(retryWaitMs, resolve));
      }
    }
  }

  /** Closes the connection; twice is harmless. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#connector.stop();
    await this.#opening?.catch(() => undefined);
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.close();
  }

  async #connect(): Promise<LargeValues> {
    const { bucket: name, replicaCount, isLook } = this.#init;
    const [client, library] = await this.#load();
    try {
      const connection = (this.#connection ??= await this.#connector.connect(client));
      void this.#watch(connection);
      const requestTimeoutMs = tryTimeoutMs;
      const init = { client, library, connection, name, replicaCount, requestTimeoutMs, isLook };
      const bucket = await this.#connector.whenAnswered(async () => await NatsBucket.open(init));
      const objects = new LazyBucket({
        ...init,
        name: `${name}_large`,
        ageMsMax: 0,
        sizeBytesMax: -1,
      });
      return new LargeValues({ bucket, objects, inlineBytesMax: () => this.#inlineBytesMax });
    } catch (cause) {
      const isUnreached = cause instanceof NatsConnectError && !cause.isFinal;
      if (isUnreached || faultOf(cause) === "away") {
        const reason = cause instanceof NatsConnectError ? cause.reason : reasonOf(cause);
        const place = { path: this.label, agent: undefined, reason };
        throw new stateErrors.UNAVAILABLE(place, { cause });
      }
      const reason = cause instanceof NatsConnectError ? cause.reason : faultReason(cause);
      throw new stateErrors.BUCKET_FAILED({ bucket: this.label, reason }, { cause });
    }
  }

  async #load(): Promise<[NatsClient, JetStreamLibrary]> {
    const { loadClient = loadNatsClient, loadJetStream: load = loadJetStream } = this.#init;
    try {
      return [await loadClient(), await load()];
    } catch (cause) {
      if (!isMissing(cause)) throw cause;
      const store = "nats_kv";
      throw new stateErrors.DRIVER_MISSING({ store, install: installCommand }, { cause });
    }
  }

  async #watch(connection: NatsConnection): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === "disconnect") this.#outage = awayReason;
      else if (type === "reconnect") this.#outage = undefined;
    }
  }
}
