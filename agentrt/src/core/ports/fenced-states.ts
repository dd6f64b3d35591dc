import type { JsonObject } from "../values/index.ts";

/** The right to write some states. Of two with one name, the one with the higher number counts. */
export interface Fence {
  /** What it is for: a name that nothing else in the store has. */
  readonly name: string;
  /** Whole number above 0. */
  readonly token: number;
}

/**
 * What a store can do that several processes write at once: states under fences. As soon as a fence was raised, a process that has
 * a lower number reads and writes nothing under it any more, also when its write was on its way. So the process that
 * raised it reads the latest state, and no other one replaces what it saves, whatever each of them believes.
 */
export interface FencedStates {
  /**
   * Raises fences; one that is not there yet is made.
   *
   * @param names Which, each once.
   * @returns One for each name, in the order of the names, with a number above all before.
   */
  raise(names: readonly string[]): Promise<Fence[]>;
  /** As `StateStore.get`. @throws AGENTRT_STATE_FENCED when the fence was raised. */
  get(agent: string, fence: Fence): Promise<JsonObject | null | undefined>;
  /** As `StateStore.set`. @throws AGENTRT_STATE_FENCED when the fence was raised; then nothing is saved. */
  set(agent: string, state: JsonObject, fence: Fence): Promise<void>;
  /** As `StateStore.delete`. @throws AGENTRT_STATE_FENCED when the fence was raised; then nothing is deleted. */
  delete(agent: string, fence: Fence): Promise<void>;
}
