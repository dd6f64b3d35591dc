import type { JsonObject } from "../values/index.ts";

/** Keeps the checkpointed state of agents, by agent name. One conformance suite runs on every implementation. */
export interface StateStore {
  /** @returns The saved state; undefined or null when none is saved. The caller owns the object. */
  get(agent: string): Promise<JsonObject | null | undefined>;
  /** Saves a state in place of the one before; the store keeps nothing of the caller's object. */
  set(agent: string, state: JsonObject): Promise<void>;
  /** Forgets a state; one that is not there is ignored. */
  delete(agent: string): Promise<void>;
  /** @returns The names with a saved state, sorted. */
  listAgents(): Promise<string[]>;
  /** Releases what the store holds; twice is harmless. */
  close(): Promise<void>;
}
