import { addStream } from "./add-stream.ts";
import type { NatsClient, NatsConnection } from "./client-types.ts";
import { faultOf } from "./faults.ts";
import type { JetStream, JetStreamLibrary, JetStreamManager } from "./jetstream-types.ts";
import { textOfToken, tokenOf } from "./names.ts";

/** How a bucket is opened. */
export interface NatsBucketInit {
  readonly client: Pick<NatsClient, "headers">;
  readonly library: JetStreamLibrary;
  readonly connection: NatsConnection;
  /** Letters, digits, `_` and `-`. */
  readonly name: string;
  /** How long a request may take, milliseconds. */
  readonly requestTimeoutMs: number;
  /** Rejects where it is not there, instead of making it; default false. */
  readonly isLook?: boolean | undefined;
  /** After which what was written is deleted, where it is made, milliseconds. Default never. */
  readonly ageMsMax?: number | undefined;
  /** On how many servers of a cluster it is kept when it is made. Default 1. */
  readonly replicaCount?: number | undefined;
}

/** What a bucket has under a key. */
export interface BucketEntry {
  readonly value: Uint8Array;
  /** Number of the write, higher with each one in the bucket. */
  readonly revision: number;
  /** True for the mark that a deletion left. */
  readonly isDeleted: boolean;
  readonly savedAtMs: number;
  /** @returns A header; empty when it is not there. */
  header(name: string): string;
}

/** How something is written. */
export interface BucketWrite {
  /** Undefined leaves the mark of a deletion. */
  readonly value: Uint8Array | undefined;
  readonly headers?: { readonly [name: string]: string };
  /** The write goes well only where the key's last revision is that one; 0 for a key that was never written. */
  readonly expectedRevision?: number | undefined;
  /** Keys of a room are apart from all others, and `keys` leaves them out. */
  readonly room?: string;
}

/** The header by which buckets know deletions. */
const operationHeader = "KV-Operation";

/**
 * A key-value bucket of NATS, as `nats kv` knows them: a stream `KV_<name>` that keeps the last message of each subject
 * `$KV.<name>.<key>`. Keys are any text; what NATS gives a meaning is escaped.
 */
export class NatsBucket {
  readonly #init: NatsBucketInit;
  readonly #streams: JetStream;
  readonly #manager: JetStreamManager;

  private constructor(init: NatsBucketInit, manager: JetStreamManager) {
    this.#init = init;
    this.#manager = manager;
    this.#streams = init.library.jetstream(init.connection, { timeout: init.requestTimeoutMs });
  }

  /** Opens a bucket, and makes it where it is not there: on the disk, the last value of each key. */
  static async open(init: NatsBucketInit): Promise<NatsBucket> {
    const manager = await init.library.jetstreamManager(init.connection, {
      timeout: init.requestTimeoutMs,
    });
    const bucket = new NatsBucket(init, manager);
    await bucket.#make();
    return bucket;
  }

  /** @returns What is there under a key, marks of deletions included; undefined when it was never written. */
  async get(key: string, room?: string): Promise<BucketEntry | undefined> {
    const query = { last_by_subj: this.#subject(key, room) };
    const found = await this.#manager.streams.getMessage(this.#stream, query);
    if (found === null) return undefined;
    const { header, data: value, seq: revision, time } = found;
    return {
      value,
      revision,
      isDeleted: header.get(operationHeader) !== "",
      savedAtMs: time.getTime(),
      header: (name) => header.get(name),
    };
  }

  /** @returns The revision. Rejects with what `faultOf` calls `conflict` where another one was expected. */
  async put(
    key: string,
    { value, headers = {}, expectedRevision, room }: BucketWrite,
  ): Promise<number> {
    const set = this.#init.client.headers();
    for (const [name, text] of Object.entries(headers)) set.set(name, text);
    if (value === undefined) set.set(operationHeader, "DEL");
    const expect = expectedRevision === undefined ? {} : { lastSubjectSequence: expectedRevision };
    const data = value ?? new Uint8Array();
    const { seq } = await this.#streams.publish(this.#subject(key, room), data, {
      headers: set,
      expect,
    });
    return seq;
  }

  /** @returns The keys that have a value, in no promised order. */
  async keys(): Promise<string[]> {
    const head = this.#subject("");
    const consumer = await this.#streams.consumers.get(this.#stream, {
      deliver_policy: "last_per_subject",
      filter_subjects: `${head}>`,
      headers_only: true,
    });
    const keys: string[] = [];
    if ((await consumer.info()).num_pending === 0) return keys;
    const messages = await consumer.consume({
      max_messages: 1000,
      expires: 30_000,
      idle_heartbeat: this.#init.requestTimeoutMs,
      abort_on_missing_resource: true,
    });
    for await (const { subject, headers, info } of messages) {
      const key = textOfToken(subject.slice(head.length), "=");
      const isDeleted = (headers?.get(operationHeader) ?? "") !== "";
      if (key !== undefined && !isDeleted) keys.push(key);
      if (info.pending === 0) break;
    }
    await messages.close();
    return keys;
  }

  get #stream(): string {
    return `KV_${this.#init.name}`;
  }

  #subject(key: string, room?: string): string {
    // A key has no dot: nobody else's is in the room.
    const head = room === undefined ? "" : `${room}.`;
    return `$KV.${this.#init.name}.${head}${tokenOf(key, "=")}`;
  }

  async #make(): Promise<void> {
    const { streams } = this.#manager;
    try {
      await streams.info(this.#stream);
    } catch (error) {
      if (faultOf(error) !== "noStream" || this.#init.isLook === true) throw error;
      await addStream(this.#manager, {
        name: this.#stream,
        subjects: [`$KV.${this.#init.name}.>`],
        retention: "limits",
        storage: "file",
        discard: "new",
        num_replicas: this.#init.replicaCount ?? 1,
        max_bytes: -1,
        max_age: (this.#init.ageMsMax ?? 0) * 1e6,
        max_msgs_per_subject: 1,
        allow_rollup_hdrs: true,
        allow_direct: true,
      });
    }
  }
}
