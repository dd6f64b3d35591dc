import type { JsonObject, StateStore } from "../core/index.ts";

/** What is asked of a store for one agent. */
export type StateOperation = "get" | "set" | "delete";

/**
 * A state store that fails on request: for tests of agents whose disk is full or whose saved state is broken.
 *
 * @example
 * const state = new FaultyStateStore(new MemoryStateStore(), (operation) =>
 *   operation === "set" ? new Error("disk full") : undefined,
 * );
 */
export class FaultyStateStore implements StateStore {
  readonly #inner: StateStore;
  readonly #faultOf: (operation: StateOperation, agent: string) => Error | undefined;

  /**
   * @param inner Where states are kept.
   * @param faultOf Asked before each operation: an error to fail with, or undefined to let it through.
   */
  constructor(
    inner: StateStore,
    faultOf: (operation: StateOperation, agent: string) => Error | undefined,
  ) {
    this.#faultOf = faultOf;
    this.#inner = inner;
  }

  async get(agent: string): Promise<JsonObject | null | undefined> {
    this.#failOn("get", agent);
    return await this.#inner.get(agent);
  }

  async set(agent: string, state: JsonObject): Promise<void> {
    this.#failOn("set", agent);
    await this.#inner.set(agent, state);
  }

  async delete(agent: string): Promise<void> {
    this.#failOn("delete", agent);
    await this.#inner.delete(agent);
  }

  async listAgents(): Promise<string[]> {
    return await this.#inner.listAgents();
  }

  async close(): Promise<void> {
    await this.#inner.close();
  }

  #failOn(operation: StateOperation, agent: string): void {
    const fault = this.#faultOf(operation, agent);
    if (fault !== undefined) throw fault;
  }
}
