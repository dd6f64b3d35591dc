/**
 * States in a table of a PostgreSQL database.
 *
 * This folder must not know other stores.
 */
export { PostgresStateStore, type PostgresStateStoreOptions } from "./postgres-state-store.ts";
