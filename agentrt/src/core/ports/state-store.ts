import type { JsonObject } from "../values/index.ts";
import type { FencedStates } from "./fenced-states.ts";

/** That a store can save nothing at the moment. */
export interface StateOutage {
  /** What the store is called: for everybody to see, so no path and no address. */
  readonly store: string;
  /** Why, in words that everybody may see. */
  readonly reason: string;
}

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
  /** @returns Why nothing can be saved at the moment; undefined when it can, or when nobody knows. */
  outage?(): StateOutage | undefined;
  /** For several processes that write at once; undefined for a store that cannot keep them apart. */
  readonly fenced?: FencedStates | undefined;
  /** Releases what the store holds; twice is harmless. */
  close(): Promise<void>;
}
