/**
 * Tests of supervised agents without real time: `agentrt/testing`.
 *
 *     seed → VirtualClock (time, timers, randomness, ids) and its scheduler → Runtime → EventLog
 *
 * In: a seed and, from the test, the passing of time. Out: the same run, message for message, each time. The scheduler
 * serves one message of one mailbox at a time and lets the seed choose which, so that different seeds explore different
 * interleavings and one seed repeats its own.
 *
 * Begin with `Simulation`, which puts all of these together, and `forEachSeed`, which tries one test on many seeds and
 * names the one that failed; `FaultyStateStore` and `Simulation.crash` make things go wrong.
 *
 * `explore` does all of it by itself: one run of a tree under seeded delays, faults and a workload, every message and
 * every hook watched from outside and held against the invariants of `invariants/`. `agentrt sim` makes many of them.
 *
 *     explore(seed) → DelayedTransport, FaultPlan, workload → watched agents → TreeRecord → invariants → RunReport
 *
 * Only what reaches the world through `System` is repeated: an agent that awaits a real file, socket or timer runs,
 * but when it goes on is up to the real world.
 *
 * This folder must not be imported by anything that ships but user tests.
 */
export type { MessageDelays } from "./delayed-transport.ts";
export { EventLog, type EventSource } from "./event-log.ts";
export {
  explore,
  type ExploreOptions,
  ownCrashName,
  type RunCounts,
  type RunReport,
} from "./explore.ts";
export type { Fact, Life, ModelAmount, ModelAsk, OpenCall, Request, Sent } from "./fact.ts";
export { type FaultKind, faultKinds, type FaultRates } from "./fault-plan.ts";
export { FaultyStateStore, type StateOperation } from "./faulty-state-store.ts";
export { forEachSeed, type SeedRange } from "./for-each-seed.ts";
export { type Invariant, kernelInvariants, type View } from "./invariants/index.ts";
export {
  type MakeModels,
  type MakeTools,
  type ModelScript,
  readRecording,
  type Recording,
  recordModels,
  recordTools,
  replayModels,
  replayTools,
  scriptedModel,
  type ScriptedModelOptions,
  type ScriptedReply,
  type ScriptedTool,
  scriptedTools,
  seededModel,
  type SimulatedWorld,
  type ToolScript,
} from "./models/index.ts";
export { type OutsideUse, OutsideWatch } from "./outside-watch.ts";
export { SeededRandom } from "./seeded-random.ts";
export { SeededScheduler } from "./turns/index.ts";
export { Simulation, type SimulationOptions } from "./simulation.ts";
export type { Violation } from "./tree-record.ts";
export { RepeatableWorld } from "./world/index.ts";
export { VirtualClock, type VirtualClockOptions } from "./virtual-clock.ts";
export type { KeyedAgent, Workload, WorkloadContext } from "./workload.ts";
