/**
 * Where the checkpointed state of agents is kept: `agentrt/state`.
 *
 *     agent.checkpoint() → JSON object → StateStore.set(name)      start of an incarnation ← StateStore.get(name)
 *
 * In: an agent's name and its state, a plain JSON object. Out: the state as it was saved last. A store keeps nothing
 * of the caller's object and hands out objects that are the caller's own. The same conformance suite runs on each:
 *
 *     MemoryStateStore      this process          SqliteStateStore   one file, one writing process
 *     PostgresStateStore    a shared database     NatsKvStateStore   a bucket that several processes use at the same time
 *     EncryptedStateStore   around any of them; names stay readable
 *
 * What is kept in a file or a database can also be taken as rows of text (`RawStates`), which is how states are
 * listed, cleared and copied from store to store without being understood. No message of this folder holds a state, a
 * key or a password.
 *
 * This folder must not know agents, supervision or messages: a name and a JSON object are all there is.
 */
export { EncryptedStateStore, type EncryptedStateStoreOptions } from "./encrypted-state-store.ts";
export { isEncryptedState } from "./encrypted-value.ts";
export { stateErrors } from "./errors.ts";
export { MemoryStateStore } from "./memory-state-store.ts";
export { migrateStates, type MigrationOptions } from "./migrate-states.ts";
export { PostgresStateStore, type PostgresStateStoreOptions } from "./postgres/index.ts";
export { NatsKvStateStore, type NatsKvStateStoreOptions } from "./nats-kv/index.ts";
export type { RawStates, StateRow } from "./raw-states.ts";
export {
  defaultStatePath,
  SqliteStateStore,
  type SqliteStateStoreOptions,
} from "./sqlite/index.ts";
export { openStates, readStateAddress, type StateAddress } from "./state-address.ts";
export {
  defaultKeyVariable,
  isKeyId,
  keyIdMax,
  readStateKeys,
  type StateKeyOptions,
  type StateKeyRing,
  variableNamePattern,
} from "./state-keys.ts";
