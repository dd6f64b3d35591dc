import {
  createRealSystem,
  type FencedStates,
  type JsonObject,
  type StateOutage,
  type System,
  TableError,
} from "../../core/index.ts";
import {
  type BucketEntry,
  faultOf,
  faultReason,
  type JetStreamLibrary,
  type NatsClient,
  type NatsSettings,
} from "../../nats/index.ts";
import { stateErrors } from "../errors.ts";
import type { RawStates, StateRow } from "../raw-states.ts";
import { parseState, stateTextOf } from "../state-text.ts";
import { BucketAccess } from "./bucket-access.ts";
import { BucketFences } from "./bucket-fences.ts";
import { checkKey, Turns } from "./keys.ts";
import { stateBytesMax } from "./large-values.ts";

/** The bucket of states where none is named. */
export const defaultBucket = "agentrt_state";

/** What a store in a NATS bucket is made from. */
export interface NatsKvStateStoreOptions extends NatsSettings {
  /** Letters, digits, `_` and `-`; default `agentrt_state`. */
  readonly bucket?: string | undefined;
  /** On how many servers of a cluster the bucket is kept when it is made; default 1. */
  readonly replicaCount?: number | undefined;
  /** How long a checkpoint waits for the server; default 10 000. */
  readonly timeoutMs?: number | undefined;
  /** Makes no bucket where none is; default false. */
  readonly isLook?: boolean | undefined;
  /** How long the first connection is tried for; default 30 000. */
  readonly connectTimeoutMs?: number | undefined;
  /** How the client libraries are loaded; by default they are the installed packages. */
  readonly loadClient?: (() => Promise<NatsClient>) | undefined;
  readonly loadJetStream?: (() => Promise<JetStreamLibrary>) | undefined;
  /** Called with one line for each try to connect that failed. */
  readonly warn?: ((message: string) => void) | undefined;
  /** Clock and timers; default the real ones. */
  readonly system?: System | undefined;
}

/**
 * Keeps states in a key-value bucket of NATS JetStream: each is a value of JSON under the agent's name, and all processes of a
 * topology may use the bucket at the same time. `fenced` keeps processes apart.
 */
export class NatsKvStateStore implements RawStates {
  readonly #access: BucketAccess;
  /** Writes of an agent go one after another. */
  readonly #turns = new Turns();
  readonly fenced: FencedStates;

  /** Nothing is connected before `open` or the first use. */
  constructor(options: NatsKvStateStoreOptions) {
    const { bucket = defaultBucket, timeoutMs = 10_000, warn = () => undefined } = options;
    const system = options.system ?? createRealSystem();
    this.#access = new BucketAccess({ ...options, bucket, timeoutMs, warn, system });
    this.fenced = new BucketFences({
      access: this.#access,
      bytesOf: (agent, state) => this.#bytesOf(agent, state),
      failed: (agent, cause) => this.#failed(agent, cause),
    });
  }

  /**
   * Connects, and makes the bucket where it is not there.
   *
   * @throws AGENTRT_STATE_BUCKET_FAILED, AGENTRT_STATE_UNAVAILABLE, AGENTRT_STATE_DRIVER_MISSING, AGENTRT_STATE_CLOSED.
   */
  async open(): Promise<void> {
    await this.#access.open();
  }

  outage(): StateOutage | undefined {
    const { outage: reason } = this.#access;
    return reason === undefined ? undefined : { store: "nats_kv", reason };
  }

  async get(agent: string): Promise<JsonObject | undefined> {
    checkKey(agent);
    const path = this.#access.label;
    const entry = await this.#entry(agent);
    if (entry === undefined || entry.isDeleted) return undefined;
    return parseState(new TextDecoder().decode(entry.value), { agent, path });
  }

  async set(agent: string, state: JsonObject): Promise<void> {
    await this.#write(agent, this.#bytesOf(agent, state));
  }

  async delete(agent: string): Promise<void> {
    const isThere = (await this.get(agent)) !== undefined;
    if (isThere) await this.#write(agent, undefined);
  }

  async listAgents(): Promise<string[]> {
    const names = await this.#reading(undefined, async () =>
      this.#access.use(undefined, (bucket) => bucket.keys()),
    );
    return names.sort();
  }

  async close(): Promise<void> {
    await this.#access.close();
  }

  /** {@inheritDoc RawStates.label} */
  get label(): string {
    return this.#access.label;
  }

  async *rows(): AsyncGenerator<StateRow> {
    for (const agent of await this.listAgents()) {
      const entry = await this.#entry(agent);
      if (entry === undefined || entry.isDeleted) continue;
      const text = new TextDecoder().decode(entry.value);
      yield { agent, text, savedAtMs: entry.savedAtMs };
    }
  }

  /** A bucket has no transaction: what was there before is put back when a row cannot be saved. A process that is killed cannot do that. */
  async saveRows(rows: AsyncIterable<StateRow>): Promise<number> {
    const before: (readonly [agent: string, value: Uint8Array | undefined])[] = [];
    try {
      for await (const { agent, text } of rows) {
        const value = this.#fitting(agent, new TextEncoder().encode(text));
        const entry = await this.#entry(agent);
        before.push([agent, entry?.isDeleted === false ? entry.value : undefined]);
        await this.#write(agent, value);
      }
      return before.length;
    } catch (cause) {
      for (const [agent, value] of before.toReversed())
        await this.#write(agent, value).catch(() => undefined);
      throw cause;
    }
  }

  /** Forgets every state, one after the other; states that were saved meanwhile stay. */
  async deleteAll(): Promise<void> {
    for (const agent of await this.listAgents()) await this.#write(agent, undefined);
  }

  async #entry(agent: string): Promise<BucketEntry | undefined> {
    return await this.#reading(agent, async () =>
      this.#access.use(agent, (bucket) => bucket.get(agent)),
    );
  }

  async #write(agent: string, value: Uint8Array | undefined): Promise<void> {
    checkKey(agent);
    try {
      await this.#turns.take(agent, async () =>
        this.#access.use(agent, (bucket) => bucket.put(agent, { value })),
      );
    } catch (cause) {
      throw this.#failed(agent, cause);
    }
  }

  #bytesOf(agent: string, state: JsonObject): Uint8Array {
    return this.#fitting(agent, new TextEncoder().encode(stateTextOf(agent, state)));
  }

  #fitting(agent: string, bytes: Uint8Array): Uint8Array {
    if (bytes.length <= stateBytesMax) return bytes;
    const limit = `${stateBytesMax} bytes of JSON`;
    throw new stateErrors.TOO_LARGE({ agent, limit });
  }

  #failed(agent: string, cause: unknown): Error {
    if (cause instanceof TableError) return cause;
    if (faultOf(cause) === "tooLarge")
      return new stateErrors.TOO_LARGE({ agent, limit: "the bucket takes" }, { cause });
    const reason = faultReason(cause);
    return new stateErrors.WRITE_FAILED({ path: this.#access.label, agent, reason }, { cause });
  }

  async #reading<Result>(agent: string | undefined, read: () => Promise<Result>): Promise<Result> {
    try {
      return await read();
    } catch (cause) {
      if (cause instanceof TableError) throw cause;
      const place = { path: this.#access.label, agent, reason: faultReason(cause) };
      throw new stateErrors.READ_FAILED(place, { cause });
    }
  }
}
