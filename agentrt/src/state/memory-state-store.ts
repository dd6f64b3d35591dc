import type { JsonObject, StateStore } from "../core/index.ts";
import { stateTextOf } from "./state-text.ts";

/** Keeps states in this process: they survive restarts of agents, not of the process. */
export class MemoryStateStore implements StateStore {
  readonly #states = new Map<string, string>();

  async get(agent: string): Promise<JsonObject | undefined> {
    const text = this.#states.get(agent);
    return text === undefined ? undefined : (JSON.parse(text) as JsonObject);
  }

  async set(agent: string, state: JsonObject): Promise<void> {
    this.#states.set(agent, stateTextOf(agent, state));
  }

  async delete(agent: string): Promise<void> {
    this.#states.delete(agent);
  }

  async listAgents(): Promise<string[]> {
    return [...this.#states.keys()].sort();
  }

  async close(): Promise<void> {}
}
