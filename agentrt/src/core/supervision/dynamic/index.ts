/**
 * Supervisors that get their children while the tree runs.
 *
 *     SpawnRequest ─ ledger (names, limits) ─ examination (class, allowlists, hook) ─▶ AgentCell in its own slot
 *
 * It must not know how the request reached the supervisor.
 */
export { childOptions } from "./child-options.ts";
export { DynamicSupervisor } from "./dynamic-supervisor.ts";
export { SpawnError, spawnErrors } from "./errors.ts";
export { LastWrites } from "./last-writes.ts";
export type { ClassLoader } from "./spawn-examination.ts";
