/**
 * Supervisors: who restarts, when, and in which order. `supervisor-engine.ts` has a drawing of lanes, slots and jobs.
 *
 * It must not know how a child works inside: it starts, stops and kills children through `ChildDriver`. Only `dynamic/`,
 * which makes children, and `pool/`, which hands messages to its own, know agents.
 */
export {
  childOptions,
  DynamicSupervisor,
  LastWrites,
  SpawnError,
  spawnErrors,
} from "./dynamic/index.ts";
export type { ClassLoader } from "./dynamic/index.ts";
export {
  keyErrors,
  KeyedSupervisor,
  KeyHandle,
  keyOfMessage,
  type KeyPage,
} from "./keyed/index.ts";
export type { HeldChildren } from "./held/index.ts";
export { Pool, PoolQueue } from "./pool/index.ts";
export { supervisionStatus, supervisionStatusType } from "./status.ts";
export { SupervisorEngine } from "./supervisor-engine.ts";
export { Supervisor } from "./supervisor.ts";
