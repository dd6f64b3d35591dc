import type { System } from "../core/index.ts";
import { installCommandOf } from "../link-clients/index.ts";
import {
  faultOf,
  faultReason,
  isMissing,
  loadJetStream,
  loadNatsClient,
  NatsBucket,
  NatsConnectError,
  type NatsConnection,
  NatsConnector,
  type NatsSettings,
} from "../nats/index.ts";
import { leadershipErrors } from "./errors.ts";
import type { LeaseCell } from "./lease-cell.ts";

/** How long one request may take, milliseconds: less than a leader has for two. */
const requestTimeoutMs = 1000;

/** What a cell in NATS is made from. */
export interface NatsCellInit extends NatsSettings {
  readonly system: System;
  /** Name of the bucket. */
  readonly bucket: string;
  readonly key: string;
  /** On how many servers of a cluster the bucket is kept when it is made. Default 1. */
  readonly replicaCount?: number | undefined;
  /** Called for each try to connect that failed, when another one follows. */
  readonly onWaiting: (where: string, reason: string) => void;
}

/** A cell in a key-value bucket of NATS, with a connection that nothing else uses. */
export class NatsCell implements LeaseCell {
  readonly #init: NatsCellInit;
  readonly #connector: NatsConnector;
  #connection: NatsConnection | undefined;
  #opening: Promise<NatsBucket> | undefined;

  constructor(init: NatsCellInit) {
    this.#init = init;
    this.#connector = new NatsConnector({ ...init, name: "agentrt leader" });
  }

  /** {@inheritDoc LeaseCell.read} */
  async read(): ReturnType<LeaseCell["read"]> {
    const entry = await (await this.#open()).get(this.#init.key);
    if (entry === undefined) return undefined;
    return { text: Buffer.from(entry.value).toString(), revision: entry.revision };
  }

  /** {@inheritDoc LeaseCell.write} */
  async write(text: string, after: number): ReturnType<LeaseCell["write"]> {
    const bucket = await this.#open();
    try {
      const value = Buffer.from(text);
      return await bucket.put(this.#init.key, { value, expectedRevision: after });
    } catch (error) {
      if (faultOf(error) === "conflict") return undefined;
      throw error;
    }
  }

  /** {@inheritDoc LeaseCell.close} */
  async close(): Promise<void> {
    this.#connector.stop();
    await this.#opening?.catch(() => undefined);
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.close();
  }

  async #open(): Promise<NatsBucket> {
    const opening = (this.#opening ??= this.#connect());
    try {
      return await opening;
    } catch (error) {
      if (this.#opening === opening) this.#opening = undefined;
      throw error;
    }
  }

  async #connect(): Promise<NatsBucket> {
    try {
      const client = await loadNatsClient();
      const library = await loadJetStream();
      const connection = (this.#connection ??= await this.#connector.connect(client));
      const { bucket: name, replicaCount } = this.#init;
      const used = { client, library, connection };
      return await NatsBucket.open({ ...used, name, replicaCount, requestTimeoutMs });
    } catch (cause) {
      const reason = unusableReason(cause);
      if (reason === undefined) throw cause;
      throw new leadershipErrors.UNUSABLE({ where: this.#connector.where, reason }, { cause });
    }
  }
}

/** @returns Why another try will not go better; undefined where it may. */
function unusableReason(cause: unknown): string | undefined {
  if (isMissing(cause))
    return `a client library is not installed: run \`${installCommandOf("jetstream")}\``;
  if (cause instanceof NatsConnectError) return cause.reason;
  return faultOf(cause) === "away" ? undefined : faultReason(cause);
}
