/**
 * Where the checkpointed state of agents is kept: `agentrt/state`.
 *
 *     agent.checkpoint() → JSON object → StateStore.set(name)      start of an incarnation ← StateStore.get(name)
 *
 * In: an agent's name and its state, a plain JSON object. Out: the state as it was saved last. A store keeps nothing
 * of the caller's object and hands out objects that are the caller's own. The same conformance suite runs on each.
 *
 * This folder must not know agents, supervision or messages: a name and a JSON object are all there is.
 */
export { MemoryStateStore } from "./memory-state-store.ts";
export { stateErrors } from "./errors.ts";
export {
  defaultStatePath,
  SqliteStateStore,
  type SqliteStateStoreOptions,
} from "./sqlite-state-store.ts";
