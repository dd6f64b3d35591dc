import { createHash, randomUUID } from "node:crypto";
import { addStream } from "./add-stream.ts";
import type { NatsConnection, NatsHeaders } from "./client-types.ts";
import { faultOf } from "./faults.ts";
import type { JetStream, JetStreamLibrary, JetStreamManager } from "./jetstream-types.ts";

/** How a bucket of objects is opened. */
export interface ObjectBucketInit {
  readonly client: { headers(): NatsHeaders };
  readonly library: JetStreamLibrary;
  readonly connection: NatsConnection;
  /** Letters, digits, `_` and `-`. */
  readonly name: string;
  /** After which an object that nobody took away is deleted, milliseconds; 0 for never. */
  readonly ageMsMax: number;
  /** Most bytes of all objects together; what is over them is refused. -1 for no limit. */
  readonly sizeBytesMax: number;
  /** Servers that have it, where it is made; default 1. */
  readonly replicaCount?: number | undefined;
  /** How long a request may take, milliseconds. */
  readonly requestTimeoutMs: number;
}

/** Where an object is: enough to read it without another question. */
export interface ObjectPlace {
  readonly id: string;
  readonly sizeBytes: number;
  /** Numbers in the stream of its chunks, in their order. */
  readonly chunks: readonly number[];
}

/** Most bytes of a chunk: with its headers far below what servers take in one message by default. */
const chunkSizeBytesMax = 512 * 1024;
/** Half of what the server takes, where that is less. */
const chunkShare = 2;

/**
 * A bucket of objects, as `nats object` knows them: a stream `OBJ_<name>` with the chunks of an object under
 * `$O.<name>.C.<id>`, and what it is under `$O.<name>.M.<name of the object>`. Names of objects are their ids.
 *
 * Source: ADR-20 of NATS ("JetStream based Object Stores").
 */
export class ObjectBucket {
  readonly #init: ObjectBucketInit;
  readonly #stream: JetStream;
  readonly #manager: JetStreamManager;

  private constructor(init: ObjectBucketInit, manager: JetStreamManager) {
    this.#init = init;
    this.#manager = manager;
    this.#stream = init.library.jetstream(init.connection, { timeout: init.requestTimeoutMs });
  }

  /** Opens a bucket, and makes it where it is not there. */
  static async open(init: ObjectBucketInit): Promise<ObjectBucket> {
    const { library, connection, requestTimeoutMs } = init;
    const manager = await library.jetstreamManager(connection, { timeout: requestTimeoutMs });
    const bucket = new ObjectBucket(init, manager);
    await bucket.#make();
    return bucket;
  }

  /** Stores bytes; rejects with what the library throws, and then tries to leave nothing. */
  async put(bytes: Uint8Array): Promise<ObjectPlace> {
    const id = randomUUID().replaceAll("-", "");
    try {
      return await this.#put(id, bytes);
    } catch (error) {
      void this.remove({ id }).catch(() => undefined);
      throw error;
    }
  }

  async #put(id: string, bytes: Uint8Array): Promise<ObjectPlace> {
    const chunkSizeBytes = this.#chunkSizeBytes;
    const chunks: number[] = [];
    for (let at = 0; at < bytes.length; at += chunkSizeBytes) {
      const chunk = bytes.subarray(at, at + chunkSizeBytes);
      // oxlint-disable-next-line no-await-in-loop -- the chunks of an object are in their order
      const { seq } = await this.#stream.publish(this.#chunkSubject(id), chunk);
      chunks.push(seq);
    }
    await this.#describe({ id, sizeBytes: bytes.length, chunks }, bytes);
    return { id, sizeBytes: bytes.length, chunks };
  }

  /** Reads an object; undefined when it is not there any more, or is not what its place says. */
  async get({ id, sizeBytes, chunks }: ObjectPlace): Promise<Uint8Array | undefined> {
    const bytes = Buffer.allocUnsafeSlow(sizeBytes);
    let end = 0;
    for (const seq of chunks) {
      // oxlint-disable-next-line no-await-in-loop -- no more than one chunk is kept besides the whole
      const found = await this.#manager.direct
        .getMessage(this.#streamName, { seq })
        .catch(noneIfGone);
      if (found === null || found.subject !== this.#chunkSubject(id)) return undefined;
      if (end + found.data.length > sizeBytes) return undefined;
      bytes.set(found.data, end);
      end += found.data.length;
    }
    return end === sizeBytes ? bytes : undefined;
  }

  /** Deletes an object and what is known of it. */
  async remove({ id }: Pick<ObjectPlace, "id">): Promise<void> {
    const { streams } = this.#manager;
    await streams.purge(this.#streamName, { filter: this.#chunkSubject(id) });
    await streams.purge(this.#streamName, { filter: this.#metaSubject(id) });
  }

  /** Writes what the tools of NATS show of an object. */
  async #describe({ id, sizeBytes, chunks }: ObjectPlace, bytes: Uint8Array): Promise<void> {
    const digest = createHash("sha256").update(bytes).digest("base64url");
    const meta = {
      name: id,
      bucket: this.#init.name,
      nuid: id,
      size: sizeBytes,
      chunks: chunks.length,
      digest: `SHA-256=${digest}=`,
      options: { max_chunk_size: this.#chunkSizeBytes },
    };
    const headers = this.#init.client.headers();
    headers.set("Nats-Rollup", "sub");
    await this.#stream.publish(this.#metaSubject(id), Buffer.from(JSON.stringify(meta)), {
      headers,
    });
  }

  get #chunkSizeBytes(): number {
    const payloadMax = this.#init.connection.info?.max_payload ?? 2 * chunkSizeBytesMax;
    return Math.min(chunkSizeBytesMax, Math.floor(payloadMax / chunkShare));
  }

  get #streamName(): string {
    return `OBJ_${this.#init.name}`;
  }

  #chunkSubject(id: string): string {
    return `$O.${this.#init.name}.C.${id}`;
  }

  /** The name of 32 characters in base64, with the `=` at its end. */
  #metaSubject(id: string): string {
    return `$O.${this.#init.name}.M.${Buffer.from(id).toString("base64url")}=`;
  }

  async #make(): Promise<void> {
    const { streams } = this.#manager;
    const { name, ageMsMax, sizeBytesMax, replicaCount = 1 } = this.#init;
    try {
      await streams.info(this.#streamName);
    } catch (error) {
      if (faultOf(error) !== "noStream") throw error;
      await addStream(this.#manager, {
        name: this.#streamName,
        subjects: [`$O.${name}.C.>`, `$O.${name}.M.>`],
        retention: "limits",
        storage: "file",
        discard: "new",
        num_replicas: replicaCount,
        max_bytes: sizeBytesMax,
        max_age: ageMsMax * 1e6,
        max_msgs_per_subject: -1,
        allow_rollup_hdrs: true,
        allow_direct: true,
      });
    }
  }
}

/** What is asked for by its number and was deleted is an error of the library. */
function noneIfGone(error: unknown): null {
  if (/no message found|not found/i.test(String((error as Error | undefined)?.message)))
    return null;
  throw error;
}
