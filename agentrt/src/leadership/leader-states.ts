import type { FencedStates, JsonObject, StateOutage, StateStore } from "../core/index.ts";
import { leadershipErrors } from "./errors.ts";

/** A store that saves only while its process leads: one that was held up for long does not overwrite what came after it. */
export class LeaderStates implements StateStore {
  readonly fenced: FencedStates | undefined;
  readonly #store: StateStore;
  readonly #lease: { readonly isHeld: boolean };

  /**
   * @param store Where states are.
   * @param lease Says whether this process leads.
   */
  constructor(store: StateStore, lease: { readonly isHeld: boolean }) {
    this.#store = store;
    this.#lease = lease;
    this.fenced = store.fenced;
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
    this.#check(agent);
    await this.#store.set(agent, state);
  }

  /**
   * {@inheritDoc StateStore.delete}
   *
   * @throws AGENTRT_LEADER_GONE.
   */
  async delete(agent: string): Promise<void> {
    this.#check(agent);
    await this.#store.delete(agent);
  }

  /** {@inheritDoc StateStore.listAgents} */
  async listAgents(): Promise<string[]> {
    return await this.#store.listAgents();
  }

  /** {@inheritDoc StateStore.outage} */
  outage(): StateOutage | undefined {
    return this.#store.outage?.();
  }

  /** {@inheritDoc StateStore.close} */
  async close(): Promise<void> {
    await this.#store.close();
  }

  #check(agent: string): void {
    if (!this.#lease.isHeld) throw new leadershipErrors.GONE({ agent });
  }
}
