/**
 * States in one SQLite file, which one process writes.
 *
 *     path → real-state-file (links followed) → state-file-lock (every name of the file) → SqliteStateStore
 *
 * This folder must not know other stores.
 */
export {
  defaultStatePath,
  SqliteStateStore,
  type SqliteStateStoreOptions,
} from "./sqlite-state-store.ts";
