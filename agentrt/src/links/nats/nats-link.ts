import { reasonOf } from "../../core/index.ts";
import { installCommandOf } from "../../link-clients/index.ts";
import { linkErrors } from "../errors.ts";
import type { Link } from "../link.ts";
import type { NatsClient, NatsConnection } from "./client-types.ts";
import { subjectOf } from "./subject.ts";

/** What a link over NATS is made from. */
export interface NatsLinkOptions {
  /** For example `nats://localhost:4222`; passwords in it are not logged. */
  readonly servers: readonly string[];
  /** Shown by the server for this connection. */
  readonly name: string;
  /** Loads the client library. Default: the package of the user. */
  readonly loadClient?: (() => Promise<NatsClient>) | undefined;
  /** Called with one line for each thing that happens to the connection. */
  readonly onEvent: (event: NatsLinkEvent) => void;
}

/** What happens to a connection. */
export type NatsLinkEvent =
  | { readonly kind: "connected" | "disconnected"; readonly where: string }
  | { readonly kind: "failed"; readonly reason: string };

/** How long a connection is tried for, milliseconds. */
const connectTimeoutMs = 5000;
/** How long it waits between two tries to connect again, milliseconds; the client library adds some jitter. */
const reconnectWaitMs = 250;
/** How often the server is asked whether it is there, and how many answers may be missing. */
const [pingIntervalMs, pingMissedMax] = [5000, 2];

/** Messages between processes over core NATS: at most once, in the order of each sender. */
export class NatsLink implements Link {
  readonly name = "nats";
  readonly #options: NatsLinkOptions;
  #connection: NatsConnection | undefined;
  #isUp = false;
  #watched: Promise<void> | undefined;

  constructor(options: NatsLinkOptions) {
    this.#options = options;
  }

  /** As the server says; 1 MB until it has. */
  get messageBytesMax(): number {
    return this.#connection?.info?.max_payload ?? 1_048_576;
  }

  /** {@inheritDoc Link.start} */
  async start(): Promise<void> {
    const { servers, name, loadClient = loadNatsClient } = this.#options;
    const client = await this.#load(loadClient);
    try {
      this.#connection = await client.connect({
        servers: [...servers],
        name,
        timeout: connectTimeoutMs,
        maxReconnectAttempts: -1,
        reconnectTimeWait: reconnectWaitMs,
        pingInterval: pingIntervalMs,
        maxPingOut: pingMissedMax,
      });
    } catch (error) {
      const where = servers.map(withoutPassword).join(", ");
      throw new linkErrors.UNREACHABLE(
        { link: this.name, where, reason: reasonOf(error) },
        { cause: error },
      );
    }
    this.#isUp = true;
    this.#watched = this.#watch(this.#connection);
  }

  /** {@inheritDoc Link.publish} */
  publish(topic: string, bytes: Uint8Array): void {
    const connection = this.#connection;
    // The client library would keep what is sent meanwhile, without a bound, and send it to agents that start again.
    if (connection === undefined || !this.#isUp || connection.isClosed())
      throw new linkErrors.DOWN({ link: this.name, address: topic });
    connection.publish(subjectOf(topic), bytes);
  }

  /** {@inheritDoc Link.subscribe} */
  async subscribe(topic: string, receive: (bytes: Uint8Array) => void): Promise<() => void> {
    const connection = this.#connection;
    if (connection === undefined) throw new linkErrors.DOWN({ link: this.name, address: topic });
    const subscription = connection.subscribe(subjectOf(topic), {
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
    if (this.#isUp) await this.#connection?.flush();
  }

  /** {@inheritDoc Link.stop} */
  async stop(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection === undefined) return;
    if (this.#isUp && !connection.isClosed()) await connection.drain().catch(() => undefined);
    await connection.close();
    await this.#watched;
  }

  async #load(loadClient: () => Promise<NatsClient>): Promise<NatsClient> {
    try {
      return await loadClient();
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw cause;
      const install = installCommandOf(this.name);
      throw new linkErrors.CLIENT_MISSING({ link: this.name, install }, { cause });
    }
  }

  async #watch(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === "disconnect" || status.type === "close") this.#isUp = false;
      else if (status.type === "reconnect") this.#isUp = true;
      else if (status.type === "error")
        this.#options.onEvent({ kind: "failed", reason: reasonOf(status.error) });
      if (status.type === "disconnect" || status.type === "reconnect") {
        const kind = status.type === "disconnect" ? "disconnected" : "connected";
        this.#options.onEvent({ kind, where: withoutPassword(status.server ?? "") });
      }
    }
  }
}

/** Loads the client library; it is installed only by those who want it. */
async function loadNatsClient(): Promise<NatsClient> {
  return await import("@nats-io/transport-node");
}

/** The part before an `@` names a user, and often a password. */
function withoutPassword(server: string): string {
  return server.replace(/\/\/[^/@]*@/, "//***@");
}
