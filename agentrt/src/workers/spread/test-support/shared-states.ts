import type { Fence, JsonObject, StateStore } from "../../../core/index.ts";

/** States in memory that several runtimes of one test share, under fences. */
export class SharedStates implements StateStore {
  readonly states = new Map<string, string>();
  readonly #tokens = new Map<string, number>();
  /** False for a store that does not look at fences: a bug that a test plants. */
  isFencing = true;
  /** True while nobody can reach it. */
  isAway = false;
  /** Writes that were refused because of their fence. */
  refusedCount = 0;

  readonly fenced = {
    raise: async (names: readonly string[]): Promise<Fence[]> => {
      this.#reach();
      return names.map((name) => {
        const token = (this.#tokens.get(name) ?? 0) + 1;
        this.#tokens.set(name, token);
        return { name, token };
      });
    },
    get: async (agent: string, fence: Fence): Promise<JsonObject | undefined> => {
      this.#check(fence);
      return await this.get(agent);
    },
    set: async (agent: string, state: JsonObject, fence: Fence): Promise<void> => {
      this.#check(fence);
      await this.set(agent, state);
    },
    delete: async (agent: string, fence: Fence): Promise<void> => {
      this.#check(fence);
      await this.delete(agent);
    },
  };

  async get(agent: string): Promise<JsonObject | undefined> {
    this.#reach();
    const text = this.states.get(agent);
    return text === undefined ? undefined : (JSON.parse(text) as JsonObject);
  }

  async set(agent: string, state: JsonObject): Promise<void> {
    this.#reach();
    this.states.set(agent, JSON.stringify(state));
  }

  async delete(agent: string): Promise<void> {
    this.#reach();
    this.states.delete(agent);
  }

  async listAgents(): Promise<string[]> {
    return [...this.states.keys()].sort();
  }

  async close(): Promise<void> {
    // Others use it.
  }

  #reach(): void {
    if (this.isAway) throw new Error("the store is away");
  }

  #check({ name, token }: Fence): void {
    this.#reach();
    if (!this.isFencing || this.#tokens.get(name) === token) return;
    this.refusedCount += 1;
    throw Object.assign(new Error(`${name} was raised`), { code: "AGENTRT_STATE_FENCED" });
  }
}
