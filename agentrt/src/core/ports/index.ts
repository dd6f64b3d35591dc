/**
 * What the kernel needs from the world, as interfaces: clock, timers, randomness and ids (`System`), the order of work
 * (`Scheduler`), saved states (`StateStore`) and log lines (`Log`). `system.ts` is the only door to the globals.
 *
 * It must not know agents or messages.
 */
export type { AuditEvent, AuditLog, AuditRefusal, AuditReport } from "./audit.ts";
export { Alarm } from "./alarm.ts";
export { type BurstKey, BurstLog } from "./burst-log.ts";
export { CoarseClock } from "./coarse-clock.ts";
export type { Fence, FencedStates } from "./fenced-states.ts";
export type { Entrance, ListeningAddress } from "./entrance.ts";
export { placeOfError, stackLinesOf, userPlaceOfError } from "./error-place.ts";
export { createJsonLog, createTextLog, logLevels } from "./log.ts";
export type { Log, LogFields, LogLevel } from "./log.ts";
export { createRedactor, isSecretName } from "./redaction.ts";
export type { Redactor } from "./redaction.ts";
export { ResidentLoops } from "./resident-loops.ts";
export type { ResidentLoop } from "./resident-loops.ts";
export { createFairScheduler } from "./scheduler.ts";
export type { Runnable, Scheduler } from "./scheduler.ts";
export type { StateOutage, StateStore } from "./state-store.ts";
export { StoreFaults } from "./store-faults.ts";
export { createRealSystem } from "./system.ts";
export type { LoopDelay, LoopDelayWatch, System, TimerHandle } from "./system.ts";
export { TimerWheel, WheelEntry } from "./timer-wheel.ts";
