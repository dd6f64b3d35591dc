import type { FencedStates, JsonObject, StateOutage, StateStore } from "../core/index.ts";
import { leadershipErrors } from "./errors.ts";

/** What a store asks of a lease. */
interface Lease {
  readonly isHeld: boolean;
  whenHeld(): Promise<boolean>;
}

/** A store that saves only while its process is certain to lead: one that was cut off for long does not overwrite what came after it. */
export class LeaderStates implements StateStore {
  /** Who may raise a fence may write under it until another one raises it. */
  readonly fenced: FencedStates | undefined;
  readonly #store: StateStore;
  readonly #lease: Lease;

  /**
   * @param store Where states are.
   * @param lease Says whether this process leads.
   */
  constructor(store: StateStore, lease: Lease) {
    this.#store = store;
    this.#lease = lease;
    const { fenced } = store;
    this.fenced =
      fenced === undefined
        ? undefined
        : {
            raise: async (names) => {
              await this.#wait(names[0] ?? "");
              return await fenced.raise(names);
            },
            get: async (agent, fence) => await fenced.get(agent, fence),
            set: async (agent, state, fence) => {
              await fenced.set(agent, state, fence);
            },
            delete: async (agent, fence) => {
              await fenced.delete(agent, fence);
            },
          };
  }

  /** {@inheritDoc StateStore.get} */
  async get(agent: string): ReturnType<StateStore["get"]> {
    return await this.#store.get(agent);
  }

  /**
   * {@inheritDoc StateStore.set}
   *
   * @throws AGENTRT_LEADER_GONE.
   */
  async set(agent: string, state: JsonObject): Promise<void> {
    await this.#wait(agent);
    await this.#store.set(agent, state);
  }

  /**
   * {@inheritDoc StateStore.delete}
   *
   * @throws AGENTRT_LEADER_GONE.
   */
  async delete(agent: string): Promise<void> {
    await this.#wait(agent);
    await this.#store.delete(agent);
  }

  /** {@inheritDoc StateStore.listAgents} */
  async listAgents(): Promise<string[]> {
    return await this.#store.listAgents();
  }

  /** {@inheritDoc StateStore.outage} */
  outage(): StateOutage | undefined {
    if (this.#lease.isHeld) return this.#store.outage?.();
    return { store: "lease", reason: "it is not known whether this supervisor still leads" };
  }

  /** {@inheritDoc StateStore.close} */
  async close(): Promise<void> {
    await this.#store.close();
  }

  async #wait(agent: string): Promise<void> {
    if (this.#lease.isHeld || (await this.#lease.whenHeld())) return;
    throw new leadershipErrors.GONE({ agent });
  }
}
