import type { StateStore } from "../core/index.ts";
import { defaultStatePath, MemoryStateStore, SqliteStateStore } from "../state/index.ts";
import type { Topology } from "../topology/index.ts";
import { compositionErrors } from "./errors.ts";

/**
 * Opens the state store that a topology names; the in-memory store where it names none.
 *
 * @param topology Its `plugins.state`.
 * @returns The store; the runtime closes it.
 * @throws AGENTRT_COMPOSITION_STATE_CONFIG_INVALID when its `config` is wrong; AGENTRT_STATE_* as the store.
 */
export function openStateStore(topology: Topology): StateStore {
  const entry = topology.plugins.state;
  if (entry === undefined) return new MemoryStateStore();
  const known = entry.type === "sqlite" ? ["db_path"] : [];
  const refuse = (reason: string): never => {
    const at = `${topology.fileName}:${entry.line1}:${entry.column1}`;
    throw new compositionErrors.STATE_CONFIG_INVALID({ at, type: entry.type, reason });
  };
  for (const key of Object.keys(entry.config))
    if (!known.includes(key)) refuse(`it has no setting "${key}"`);
  if (entry.type === "in_memory") return new MemoryStateStore();
  const path = entry.config["db_path"] ?? defaultStatePath;
  if (typeof path !== "string" || path === "") return refuse("db_path is no path");
  return new SqliteStateStore({ path });
}
