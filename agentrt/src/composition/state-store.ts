import type { StateStore } from "../core/index.ts";
import { MemoryStateStore, SqliteStateStore } from "../state/index.ts";
import type { Topology } from "../topology/index.ts";
import { sqliteStoreSettings } from "./state-store-settings.ts";

/**
 * Opens the state store that a topology names; the in-memory store where it names none.
 *
 * @param topology Its `plugins.state`, checked when the file was read; a type that is not served was refused before.
 * @returns The store; the runtime closes it.
 * @throws AGENTRT_STATE_* as the store.
 */
export function openStateStore(topology: Topology): StateStore {
  const entry = topology.plugins.state;
  if (entry?.type !== "sqlite") return new MemoryStateStore();
  return new SqliteStateStore(sqliteStoreSettings.parse(entry.config));
}
