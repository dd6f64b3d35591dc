import {
  type Fence,
  type FencedStates,
  type JsonObject,
  approvalIndexKey,
  keyErrors,
  placeOfApprovalKey,
  type StateOutage,
  type StateStore,
} from "../../core/index.ts";
import { fenceOf, partitionOf, readPlace } from "./partitions.ts";

/** What such a store is made from. */
export interface FencedStateStoreInit {
  /** What the workers of a group share. */
  readonly shared: StateStore;
  /** The same, as it keeps processes apart. */
  readonly fenced: FencedStates;
  /** Keeps what belongs to this process and to no key, such as that a pool is suspended here. */
  readonly rest: StateStore;
  /** Names of the keyed agents of which this process has a part. */
  readonly keyed: ReadonlySet<string>;
  /** Names of the agents that are at one of several processes. Default none. */
  readonly single?: ReadonlySet<string> | undefined;
}

/** A partition of a keyed agent; of an agent that is one, 0. */
interface Part {
  readonly agent: string;
  readonly partition: number;
}

/**
 * The states of the keys and agents that this process has at the moment, and what they asked to be approved, each under the fence of its partition. What it has not, or what another
 * one has taken over, is neither read nor written.
 */
export class FencedStateStore implements StateStore {
  readonly #init: FencedStateStoreInit;
  readonly #fences = new Map<string, Fence>();
  readonly #keyed: Set<string>;
  readonly #single: Set<string>;
  readonly #pools = new Set<string>();
  /** Called with the name of a keyed agent when another process has taken over keys of it that this one thought it had. */
  onFenced: (agent: string) => void = () => undefined;

  constructor(init: FencedStateStoreInit) {
    this.#init = init;
    this.#keyed = new Set(init.keyed);
    this.#single = new Set(init.single);
  }

  /** This process comes to have a part of a keyed agent. */
  addKeyed(name: string): void {
    this.#keyed.add(name);
    this.#single.delete(name);
    this.#pools.delete(name);
  }

  /** There is an agent that is at one of several processes. */
  addSingle(name: string): void {
    this.#single.add(name);
    this.#keyed.delete(name);
    this.#pools.delete(name);
  }

  /** There is a pool whose members, each a partition, are at several processes. */
  addPool(name: string): void {
    this.#pools.add(name);
    this.#keyed.delete(name);
    this.#single.delete(name);
  }

  /**
   * Takes partitions over: from now on their keys are read and written here, and nowhere else.
   *
   * @throws What the store throws.
   */
  async take(agent: string, partitions: readonly number[]): Promise<void> {
    const names = partitions.map((partition) => fenceOf(agent, partition));
    for (const fence of await this.#init.fenced.raise(names)) this.#fences.set(fence.name, fence);
  }

  /** Gives partitions up. */
  drop(agent: string, partitions: Iterable<number>): void {
    for (const partition of partitions) this.#fences.delete(fenceOf(agent, partition));
  }

  async get(name: string): Promise<JsonObject | null | undefined> {
    const part = this.#partOf(name);
    if (part === undefined) return await this.#init.rest.get(name);
    // A member of a pool has no state: it begins though what it waits for cannot be read yet.
    const isMember = this.#pools.has(part.agent) && placeOfApprovalKey(name) === undefined;
    if (isMember && !this.#hasFence(part)) return undefined;
    // Most partitions have no approvals. Their list is looked for first, since a look under the fence may write: what another
    // process adds to it later is refused before it has a row.
    const isList = name.startsWith(`${approvalIndexKey}/`);
    if (isList && this.#hasFence(part) && (await this.#init.shared.get(name)) === undefined)
      return undefined;
    return await this.#under(part, (fence) => this.#init.fenced.get(name, fence));
  }

  async set(name: string, state: JsonObject): Promise<void> {
    const part = this.#partOf(name);
    if (part === undefined) await this.#init.rest.set(name, state);
    else await this.#under(part, (fence) => this.#init.fenced.set(name, state, fence));
  }

  async delete(name: string): Promise<void> {
    const part = this.#partOf(name);
    if (part === undefined) await this.#init.rest.delete(name);
    else await this.#under(part, (fence) => this.#init.fenced.delete(name, fence));
  }

  async listAgents(): Promise<string[]> {
    return await this.#init.shared.listAgents();
  }

  outage(): StateOutage | undefined {
    return this.#init.shared.outage?.();
  }

  async close(): Promise<void> {
    await this.#init.shared.close();
    await this.#init.rest.close();
  }

  #partOf(name: string): Part | undefined {
    const place = placeOfApprovalKey(name);
    if (place !== undefined) {
      const part = readPlace(place);
      const kinds = [this.#keyed, this.#single, this.#pools];
      return kinds.some((names) => names.has(part.agent)) ? part : undefined;
    }
    if (this.#single.has(name)) return { agent: name, partition: 0 };
    const cut = name.indexOf("/");
    const agent = name.slice(0, Math.max(0, cut));
    const rest = name.slice(cut + 1);
    if (this.#pools.has(agent)) return { agent, partition: Number(rest) };
    if (!this.#keyed.has(agent)) return undefined;
    return { agent, partition: partitionOf(rest) };
  }

  #hasFence({ agent, partition }: Part): boolean {
    return this.#fences.has(fenceOf(agent, partition));
  }

  async #under<Answer>(
    { agent, partition }: Part,
    ask: (fence: Fence) => Promise<Answer>,
  ): Promise<Answer> {
    const fence = this.#fences.get(fenceOf(agent, partition));
    if (fence === undefined) throw new keyErrors.ELSEWHERE({ agent });
    try {
      return await ask(fence);
    } catch (error) {
      const { code } = error as { readonly code?: unknown };
      if (code === "AGENTRT_STATE_FENCED" && this.#fences.get(fence.name) === fence)
        this.onFenced(agent);
      throw error;
    }
  }
}
