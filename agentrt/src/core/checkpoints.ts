import type { JsonObject } from "./json.ts";
import type { StateStore } from "./state-store.ts";

/**
 * The saved state of one agent, over its incarnations. Writes reach the store one after the other, in the order in
 * which they were asked for, and a new incarnation reads after those that the one before it had asked for: a store
 * that takes its time never gives back an older state than the latest, nor keeps one.
 */
export class Checkpoints {
  readonly #store: StateStore;
  readonly #agent: string;
  #lastWrite: Promise<void> | undefined;

  /**
   * @param store Keeps the states.
   * @param agent Name of the agent.
   */
  constructor(store: StateStore, agent: string) {
    this.#store = store;
    this.#agent = agent;
  }

  /**
   * Saves a state in place of the one before.
   *
   * @param state The store's own: nobody changes it any more.
   * @throws What the store throws; the next write is tried all the same.
   */
  write(state: JsonObject): Promise<void> {
    const before = this.#lastWrite ?? Promise.resolve();
    const written = before.then(() => this.#store.set(this.#agent, state));
    this.#lastWrite = written.catch(() => undefined);
    return written;
  }

  /** @returns The state as it was saved last; undefined when none was. */
  async read(): Promise<JsonObject | undefined> {
    await this.#lastWrite;
    return await this.#store.get(this.#agent);
  }
}
