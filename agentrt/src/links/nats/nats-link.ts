import { reasonOf, type System } from "../../core/index.ts";
import { installCommandOf } from "../../link-clients/index.ts";
import {
  isMissing,
  type JetStreamLibrary,
  loadJetStream,
  loadNatsClient,
  type NatsClient,
  NatsConnectError,
  type NatsConnection,
  NatsConnector,
  type NatsSettings,
  withoutPassword,
} from "../../nats/index.ts";
import { linkErrors } from "../errors.ts";
import type { Link } from "../link.ts";
import type { StoredTopics } from "../stored-topics.ts";
import { JetStreamTopics } from "./jetstream-topics.ts";
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
  #isUp = false;
  #watched: Promise<void> | undefined;
  readonly #rejoined: (() => void)[] = [];
  readonly #subjects = new Subjects();
  /** What was published in this turn of the event loop: it goes with one write, where the client library would make one for each. */
  #turn: { readonly subject: string; readonly bytes: Uint8Array }[] = [];

  constructor(options: NatsLinkOptions) {
    this.#options = options;
    this.#connector = new NatsConnector({
      ...options,
      onWaiting: (where, reason) => options.onEvent({ kind: "waiting", where, reason }),
    });
  }

  /** As the server says; 1 MB until it has. */
  get messageBytesMax(): number {
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
      this.#stored = await this.#openStored(this.#connection, library, streamName);
  }

  /** {@inheritDoc Link.stored} */
  get stored(): StoredTopics | undefined {
    return this.#stored;
  }

  async #openStored(
    connection: NatsConnection,
    library: JetStreamLibrary,
    streamName: string,
  ): Promise<JetStreamTopics> {
    const { system, onEvent, replicaCount } = this.#options;
    const init = {
      library,
      connection,
      streamName,
      replicaCount,
      where: this.#connector.where,
      system,
      isUp: () => this.#isUp,
      onFailed: (reason: string) => onEvent({ kind: "failed", reason }),
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
    this.#turn.push({ subject: this.#subjects.of(topic), bytes });
    if (this.#turn.length === 1) this.#options.system.yieldTurn(() => this.#sendTurn());
  }

  /** {@inheritDoc Link.subscribe} */
  async subscribe(topic: string, receive: (bytes: Uint8Array) => void): Promise<() => void> {
    const connection = this.#connection;
    if (connection === undefined) throw new linkErrors.DOWN({ link: this.name, address: topic });
    const subscription = connection.subscribe(this.#subjects.of(topic), {
      callback: (error, message) => {
        if (error === null) receive(message.data);
        else this.#options.onEvent({ kind: "failed", reason: reasonOf(error) });
      },
    });
    await connection.flush();
    return () => subscription.unsubscribe();
  }

  /** {@inheritDoc Link.flush} */
  async flush(): Promise<void> {
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
    for (const { subject, bytes } of messages) connection.publish(subject, bytes);
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
