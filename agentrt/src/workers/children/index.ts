/**
 * Children that are spawned where there are workers.
 *
 *   supervisor's process                                           worker
 *   ChildRequests → DynamicSupervisor  ←── spawn, end ────────── WorkerChildren ← Agent.spawn
 *                        │
 *                   SpawnedChild ─────── start, stop, leave ──→ Guests → AgentCell
 *   NameBoard ────────────────────────── names ───────────────→ NameHost → the worker's registry
 *
 * All dynamic supervisors are in the supervisor's process: limits, names and restarts are decided there. Their children run
 * there, or in the process group that they say.
 *
 * It must not know topology files.
 */
export { childTypes, readGuest, readStop } from "./child-protocol.ts";
export { ChildRequests } from "./child-requests.ts";
export { NameBoard } from "./name-board.ts";
export { NameHost } from "./name-host.ts";
export {
  guestPayload,
  type GuestPayload,
  SpawnedChild,
  type SpawnedHost,
} from "./spawned-child.ts";
export { requireType, WorkerChildren } from "./worker-children.ts";
