/**
 * States in a table of a PostgreSQL database, which one process writes.
 *
 *     get  → PostgresReader, a pool                 set → PostgresWriter, one connection that holds the writer's lock
 *
 * `postgres-driver.ts` is the one file that loads the driver; it knows its errors.
 *
 * This folder must not know other stores.
 */
export { PostgresStateStore, type PostgresStateStoreOptions } from "./postgres-state-store.ts";
