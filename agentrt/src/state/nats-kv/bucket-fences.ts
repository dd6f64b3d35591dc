import { type Fence, type FencedStates, type JsonObject, RecencyMap } from "../../core/index.ts";
import { type BucketEntry, faultOf } from "../../nats/index.ts";
import { stateErrors } from "../errors.ts";
import { parseState } from "../state-text.ts";
import type { BucketAccess } from "./bucket-access.ts";
import { checkKey, Turns } from "./keys.ts";
import type { LargeValues } from "./large-values.ts";

/** What fences need of their store. */
interface BucketFencesInit {
  readonly access: BucketAccess;
  readonly bytesOf: (agent: string, state: JsonObject) => Uint8Array;
  readonly failed: (agent: string, cause: unknown) => Error;
}

/** A state on its way, and the right to write it. */
interface FencedKey {
  readonly agent: string;
  readonly fence: Fence;
}

/** The last write of this process to a state, and with which token. */
interface OwnWrite {
  readonly token: number;
  readonly revision: number;
}

/** The header that says with which token a state was written. */
const tokenHeader = "Agentrt-Fence";
/** Last writes that are remembered; of others the last one is looked up. */
const ownWriteCountMax = 10_000;

/**
 * States under fences in a bucket. The token of a fence is the revision of its key's last write, so it grows by itself. A bucket
 * has no transaction over two keys, so each state says with which token it was written: who has a fence and reads a state writes
 * it again with its token, and from then on the server refuses a write that is made on top of an earlier one. A write between
 * the raise of the fence and that first read is seen by it.
 *
 * A server that leads no more may still answer reads, and one that lost its disk has less than it acknowledged. So what is read
 * is never earlier than the last write of this process: that is refused, and nothing is built on it. A write is made on top of
 * whatever the server has: who writes knows the last state.
 */
export class BucketFences implements FencedStates {
  readonly #init: BucketFencesInit;
  readonly #turns = new Turns();
  readonly #own = new RecencyMap<string, OwnWrite>();

  constructor(init: BucketFencesInit) {
    this.#init = init;
  }

  async raise(names: readonly string[]): Promise<Fence[]> {
    return await Promise.all(
      names.map(async (name) => {
        const put = async (bucket: LargeValues): Promise<number> =>
          await bucket.put(name, { value: new Uint8Array(), room: "fence" });
        return { name, token: await this.#use(name, put) };
      }),
    );
  }

  async get(agent: string, fence: Fence): Promise<JsonObject | undefined> {
    const key = { agent, fence };
    const entry = await this.#turn(key, async (bucket) => {
      await this.#check(bucket, key);
      return await this.#claim(bucket, key, this.#own.get(agent));
    });
    if (entry === undefined || entry.isDeleted) return undefined;
    const { label: path } = this.#init.access;
    return parseState(new TextDecoder().decode(entry.value), { agent, path });
  }

  async set(agent: string, state: JsonObject, fence: Fence): Promise<void> {
    await this.#write({ agent, fence }, this.#init.bytesOf(agent, state));
  }

  async delete(agent: string, fence: Fence): Promise<void> {
    await this.#write({ agent, fence }, undefined);
  }

  async #write(key: FencedKey, value: Uint8Array | undefined): Promise<void> {
    await this.#turn(key, async (bucket) => {
      await this.#check(bucket, key);
      if (this.#own.get(key.agent)?.token !== key.fence.token) await this.#claim(bucket, key);
      while (!(await this.#tryPut(bucket, key, value)))
        // Somebody has written since: this process, when the answer to its last try was lost, or another one.
        await this.#look(bucket, key);
    });
  }

  /** @throws AGENTRT_STATE_FENCED. */
  async #check(bucket: LargeValues, { agent, fence }: FencedKey): Promise<void> {
    const last = await bucket.get(fence.name, "fence");
    if (last?.revision !== fence.token) throw this.#fenced(agent);
  }

  /**
   * Reads a state, and writes it again with the token of the fence, unless it has that.
   *
   * @param known An earlier state than that is refused. Default none is.
   */
  async #claim(
    bucket: LargeValues,
    key: FencedKey,
    known?: OwnWrite,
  ): Promise<BucketEntry | undefined> {
    for (;;) {
      const entry = await this.#look(bucket, key, known);
      if (entry !== undefined && tokenOf(entry) === key.fence.token) return entry;
      const value = entry === undefined || entry.isDeleted ? undefined : entry.value;
      if (await this.#tryPut(bucket, key, value)) return entry;
    }
  }

  /**
   * Reads the last write of a state.
   *
   * @throws AGENTRT_STATE_FENCED when it has a higher token; AGENTRT_STATE_UNAVAILABLE when it is earlier than `known`.
   */
  async #look(
    bucket: LargeValues,
    { agent, fence }: FencedKey,
    known?: OwnWrite,
  ): Promise<BucketEntry | undefined> {
    const entry = await bucket.get(agent);
    if (entry !== undefined && tokenOf(entry) > fence.token) throw this.#fenced(agent);
    // A bucket that was made again counts from 1: then the fence has a lower token, too.
    if (known !== undefined && known.token <= fence.token)
      this.#refuseEarlier(agent, { known: known.revision, found: entry?.revision ?? 0 });
    this.#remember(agent, { token: fence.token, revision: entry?.revision ?? 0 });
    return entry;
  }

  /** @returns False when the last write is another one than this process knows. */
  async #tryPut(
    bucket: LargeValues,
    { agent, fence: { token } }: FencedKey,
    value: Uint8Array | undefined,
  ): Promise<boolean> {
    try {
      const revision = await bucket.put(agent, {
        value,
        headers: { [tokenHeader]: String(token) },
        expectedRevision: this.#own.get(agent)?.revision ?? 0,
      });
      this.#remember(agent, { token, revision });
      return true;
    } catch (error) {
      if (faultOf(error) === "conflict") return false;
      throw error;
    }
  }

  #remember(agent: string, write: OwnWrite): void {
    this.#own.set(agent, write);
    const { oldest, size } = this.#own;
    if (size > ownWriteCountMax && oldest !== undefined) this.#own.delete(oldest.key);
  }

  async #turn<Result>(
    { agent }: FencedKey,
    work: (bucket: LargeValues) => Promise<Result>,
  ): Promise<Result> {
    return await this.#turns.take(agent, async () => await this.#use(agent, work));
  }

  async #use<Result>(
    agent: string,
    work: (bucket: LargeValues) => Promise<Result>,
  ): Promise<Result> {
    checkKey(agent);
    try {
      return await this.#init.access.use(agent, work);
    } catch (cause) {
      throw this.#init.failed(agent, cause);
    }
  }

  #refuseEarlier(agent: string, of: { readonly known: number; readonly found: number }): void {
    if (of.found >= of.known) return;
    const { label: path } = this.#init.access;
    const reason = `the server that answers has revision ${of.found} of it and acknowledged ${of.known}: it is behind, or has lost it`;
    throw new stateErrors.UNAVAILABLE({ path, agent, reason });
  }

  #fenced(agent: string): Error {
    return new stateErrors.FENCED({ path: this.#init.access.label, agent });
  }
}

/** 0 for what was written without a fence. */
function tokenOf(entry: BucketEntry): number {
  const text = entry.header(tokenHeader);
  return /^\d{1,16}$/.test(text) ? Number(text) : 0;
}
