import { reasonOf, type System } from "../../core/index.ts";
import { installCommandOf } from "../../link-clients/index.ts";
import {
  isMissing,
  type JetStreamLibrary,
  loadJetStream,
  loadNatsClient,
  type NatsClient,
  type ObjectPlace,
  NatsConnectError,
  type NatsConnection,
  type NatsMessage,
  NatsConnector,
  type NatsSettings,
  streamLimits,
  withoutPassword,
} from "../../nats/index.ts";
import { messageBytesMax } from "../../wire/index.ts";
import { linkErrors } from "../errors.ts";
import type { Link } from "../link.ts";
import type { StoredTopics } from "../stored-topics.ts";
import { Chain } from "./chain.ts";
import { JetStreamTopics } from "./jetstream-topics.ts";
import { LargeMessages } from "./large-messages.ts";
import { LazyBucket } from "../../nats/index.ts";
import { objectHeader, readReference } from "./object-reference.ts";
import { Subjects } from "./subject.ts";

/** What a link over NATS is made from. */
export interface NatsLinkOptions extends NatsSettings {
  readonly system: System;
  /** How long the first connection is tried for, milliseconds; default 30 000. */
  readonly connectTimeoutMs?: number | undefined;
  /** Shown by the server for this connection. */
  readonly name: string;
  /** Name of the stream that keeps messages without an answer; undefined for none. */
  readonly streamName?: string | undefined;
  /** On how many servers of a cluster the stream is kept when it is made. Default 1. */
  readonly replicaCount?: number | undefined;
  /** Loads the client library. Default: the package of the user. */
  readonly loadClient?: (() => Promise<NatsClient>) | undefined;
  /** Loads the library of JetStream. Default: the package of the user. */
  readonly loadJetStream?: (() => Promise<JetStreamLibrary>) | undefined;
  /** Called with one line for each thing that happens to the connection. */
  readonly onEvent: (event: NatsLinkEvent) => void;
}

/** What happens to a connection. */
export type NatsLinkEvent =
  | { readonly kind: "connected" | "disconnected"; readonly where: string }
  | { readonly kind: "waiting"; readonly where: string; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string };

/** What a stream is used with. */
interface Libraries {
  readonly client: NatsClient;
  readonly library: JetStreamLibrary;
  readonly connection: NatsConnection;
}

/** A message on its way. */
interface Sent {
  readonly subject: string;
  readonly bytes: Uint8Array;
  /** Where its bytes are, when they are in a bucket. */
  readonly place?: ObjectPlace | undefined;
}

/** Larger messages go into a bucket: the server copies what it passes on, and others wait behind it. */
const inlineBytesMax = 512 * 1024;
/** Room for the subject and headers, where the server takes less than that. */
const headBytesMax = 8 * 1024;
/** After which what nobody took is deleted from a bucket: messages that pass, and those that are kept. */
const [passingAgeMs, keptAgeMs] = [10 * 60_000, streamLimits.ageDaysMax * 86_400_000];
/** How long a request to a bucket may take, milliseconds. */
const bucketTimeoutMs = 5000;

/**
 * Messages between processes over NATS: at most once, in the order of each sender; with a stream, those without an answer at
 * least once.
 */
export class NatsLink implements Link {
  readonly name = "nats";
  readonly #options: NatsLinkOptions;
  readonly #connector: NatsConnector;
  #connection: NatsConnection | undefined;
  #stored: JetStreamTopics | undefined;
  #large: LargeMessages | undefined;
  #isUp = false;
  #watched: Promise<void> | undefined;
  readonly #rejoined: (() => void)[] = [];
  readonly #subjects = new Subjects();
  /** What was published in this turn of the event loop: it goes with one write, where the client library would make one for each. */
  #turn: Sent[] = [];

  constructor(options: NatsLinkOptions) {
    this.#options = options;
    this.#connector = new NatsConnector({
      ...options,
      onWaiting: (where, reason) => options.onEvent({ kind: "waiting", where, reason }),
    });
  }

  /** As the server says, 1 MB until it has; with a stream, what is larger goes into a bucket. */
  get messageBytesMax(): number {
    return this.#options.streamName === undefined ? this.#payloadBytesMax : messageBytesMax;
  }

  get #payloadBytesMax(): number {
    return this.#connection?.info?.max_payload ?? 1_048_576;
  }

  /** {@inheritDoc Link.start} */
  async start(): Promise<void> {
    const { loadClient = loadNatsClient, loadJetStream: load = loadJetStream } = this.#options;
    const { streamName } = this.#options;
    const [client, library] = await this.#load(
      async () => await Promise.all([loadClient(), streamName === undefined ? undefined : load()]),
    );
    try {
      this.#connection = await this.#connector.connect(client);
    } catch (error) {
      if (!(error instanceof NatsConnectError)) throw error;
      const { where, reason, isFinal } = error;
      const details = { link: this.name, where, reason };
      throw isFinal
        ? new linkErrors.REFUSED(details, { cause: error })
        : new linkErrors.UNREACHABLE(details, { cause: error });
    }
    this.#isUp = true;
    this.#watched = this.#watch(this.#connection);
    if (library !== undefined && streamName !== undefined)
      this.#stored = await this.#openStored(
        { client, library, connection: this.#connection },
        streamName,
      );
  }

  /** {@inheritDoc Link.stored} */
  get stored(): StoredTopics | undefined {
    return this.#stored;
  }

  async #openStored(
    { client, library, connection }: Libraries,
    streamName: string,
  ): Promise<JetStreamTopics> {
    const { system, onEvent, replicaCount } = this.#options;
    const onFailed = (reason: string): void => onEvent({ kind: "failed", reason });
    const bucketOf = (name: string, ageMsMax: number): LazyBucket =>
      new LazyBucket({
        client,
        library,
        connection,
        name: `${streamName}_${name}`,
        ageMsMax,
        sizeBytesMax: streamLimits.sizeBytesMax,
        replicaCount,
        requestTimeoutMs: bucketTimeoutMs,
      });
    this.#large = new LargeMessages({
      client,
      bucket: bucketOf("passing", passingAgeMs),
      send: (topic, bytes, place) =>
        this.#send({ subject: this.#subjects.of(topic), bytes, place }),
      onFailed,
    });
    const init = {
      client,
      library,
      connection,
      streamName,
      replicaCount,
      where: this.#connector.where,
      system,
      isUp: () => this.#isUp,
      onFailed,
      kept: bucketOf("kept", keptAgeMs),
      inlineBytesMax: () => this.#inlineBytesMax,
    };
    try {
      return await this.#connector.whenAnswered(async () => await JetStreamTopics.open(init));
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** {@inheritDoc Link.publish} */
  publish(topic: string, bytes: Uint8Array): void {
    const connection = this.#connection;
    // The client library would keep what is sent meanwhile, without a bound, and send it to agents that start again.
    if (connection === undefined || !this.#isUp || connection.isClosed())
      throw new linkErrors.DOWN({ link: this.name, address: topic });
    const large = this.#large;
    const isLarge = large !== undefined && bytes.length > this.#inlineBytesMax;
    if (large !== undefined && (isLarge || large.isBusy(topic))) large.push(topic, bytes, isLarge);
    else this.#send({ subject: this.#subjects.of(topic), bytes });
  }

  get #inlineBytesMax(): number {
    const payloadMax = this.#payloadBytesMax;
    return Math.min(inlineBytesMax, Math.max(payloadMax / 2, payloadMax - headBytesMax));
  }

  #send(sent: Sent): void {
    this.#turn.push(sent);
    if (this.#turn.length === 1) this.#options.system.yieldTurn(() => this.#sendTurn());
  }

  /** {@inheritDoc Link.subscribe} */
  async subscribe(topic: string, receive: (bytes: Uint8Array) => void): Promise<() => void> {
    const connection = this.#connection;
    if (connection === undefined) throw new linkErrors.DOWN({ link: this.name, address: topic });
    const take = this.#inOrder(topic, receive);
    const subscription = connection.subscribe(this.#subjects.of(topic), {
      callback: (error, message) => {
        if (error === null) take(message);
        else this.#options.onEvent({ kind: "failed", reason: reasonOf(error) });
      },
    });
    await connection.flush();
    return () => subscription.unsubscribe();
  }

  /** {@inheritDoc Link.flush} */
  async flush(): Promise<void> {
    await this.#large?.flush();
    this.#sendTurn();
    if (this.#isUp) await this.#connection?.flush();
  }

  /** {@inheritDoc Link.onRejoined} */
  onRejoined(callback: () => void): void {
    this.#rejoined.push(callback);
  }

  /** {@inheritDoc Link.stop} */
  async stop(): Promise<void> {
    this.#connector.stop();
    if (this.#isUp) await this.#large?.flush();
    this.#sendTurn();
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection === undefined) return;
    await this.#stored?.stop();
    if (this.#isUp && !connection.isClosed()) await connection.drain().catch(() => undefined);
    await connection.close();
    await this.#watched;
  }

  /** Where the connection was cut meanwhile it is lost, as what is on its way is. */
  #sendTurn(): void {
    const connection = this.#connection;
    const messages = this.#turn;
    this.#turn = [];
    if (connection === undefined || !this.#isUp || connection.isClosed()) return;
    for (const { subject, bytes, place } of messages)
      if (place === undefined) connection.publish(subject, bytes);
      else this.#large?.publish(connection, subject, place);
  }

  /** @returns Takes what comes for a topic: what comes behind a message whose bytes are in a bucket waits for it. */
  #inOrder(topic: string, receive: (bytes: Uint8Array) => void): (message: NatsMessage) => void {
    const chain = new Chain();
    return ({ data, headers }) => {
      const text = headers?.get(objectHeader) ?? "";
      if (text === "" && !chain.isBusy) {
        receive(data);
        return;
      }
      chain.push(async () => {
        const bytes = text === "" ? data : await this.#takeLarge(topic, text);
        if (bytes !== undefined) receive(bytes);
      });
    };
  }

  async #takeLarge(topic: string, text: string): Promise<Uint8Array | undefined> {
    const place = readReference(text);
    if (place !== undefined && this.#large !== undefined)
      return await this.#large.take(topic, place);
    const reason = `a message for "${topic}" says that its bytes are in a bucket, and does not say where`;
    this.#options.onEvent({ kind: "failed", reason });
    return undefined;
  }

  async #load<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
    try {
      return await load();
    } catch (cause) {
      if (!isMissing(cause)) throw cause;
      const install = installCommandOf(
        this.#options.streamName === undefined ? "nats" : "jetstream",
      );
      throw new linkErrors.CLIENT_MISSING({ link: this.name, install }, { cause });
    }
  }

  async #watch(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === "disconnect" || status.type === "close") {
        this.#isUp = false;
        this.#stored?.lose();
      } else if (status.type === "reconnect") {
        this.#isUp = true;
        this.#stored?.resume();
      } else if (status.type === "error")
        this.#options.onEvent({ kind: "failed", reason: reasonOf(status.error) });
      if (status.type === "disconnect" || status.type === "reconnect") {
        const kind = status.type === "disconnect" ? "disconnected" : "connected";
        this.#options.onEvent({ kind, where: withoutPassword(status.server ?? "") });
        if (kind === "connected") for (const callback of this.#rejoined) callback();
      }
    }
  }
}
