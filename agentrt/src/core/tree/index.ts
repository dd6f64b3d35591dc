/**
 * A tree as data, and what all its parts share: descriptions (`child`, `supervisor`, `dynamicSupervisor`, `pool`), pictures
 * (`TreeNode`), events, the `Kernel` with its `Bus`, and `ChildDriver`, by which a supervisor starts and stops a child.
 *
 *     spec ─▶ a running child behind a ChildDriver ─▶ TreeNode, RuntimeEvent
 *
 * It must not know how an agent or a supervisor works inside.
 */
export type {
  AgentActivity,
  AwaitedCall,
  AwaitedModel,
  DrainUnderWay,
  MessageAtHand,
} from "./agent-activity.ts";
export {
  agentLimits,
  checkAgent,
  child,
  childOptionNames,
  copyOfMetadata,
  describeAgent,
  joinLimits,
} from "./agent-spec.ts";
export { readBudget } from "./budget-option.ts";
export { checkNodeName, checkOptions, describeValue, type OptionNames } from "./check-options.ts";
export type { AgentLimits, AgentSpec, ChildOptions } from "./agent-spec.ts";
export type { Bus, Origin, ReservedMessage, StreamRequest } from "./bus.ts";
export type { ChildDriver, ChildExit, SpawnedDriver, StopOptions } from "./child-driver.ts";
export type {
  DynamicLimits,
  DynamicPolicy,
  RestartMode,
  SpawnContext,
  SpawnHook,
} from "./dynamic-policy.ts";
export { dynamicSupervisor } from "./dynamic-spec.ts";
export type { DynamicSupervisorOptions } from "./dynamic-spec.ts";
export { keyed } from "./keyed-spec.ts";
export type { KeyedOptions } from "./keyed-spec.ts";
export type { KeyedPolicy } from "./keyed-policy.ts";
export { memberCountLimit, pool } from "./pool-spec.ts";
export type { PoolOptions } from "./pool-spec.ts";
export type { PoolLimits, PoolPolicy } from "./pool-policy.ts";
export type { RuntimeEvent } from "./events.ts";
export type {
  CrashRecord,
  CrashTrail,
  CrashTrails,
  NotedCrash,
  RecordedCrash,
  ShownCrash,
  TrailAnswer,
  TrailCrash,
} from "./crash-trail.ts";
export type { DriverElsewhere, Kernel, Placement, SpawnedElsewhere } from "./kernel.ts";
export { OwnSpans } from "./own-spans.ts";
export { OwnerContext, type FaultOwner } from "./owner-context.ts";
export { supervisor } from "./supervisor-spec.ts";
export type {
  Backoff,
  ChildSpec,
  RestartLimits,
  RestartStrategy,
  SupervisorOptions,
  SupervisorSpec,
} from "./supervisor-spec.ts";
export type {
  AgentCounters,
  AgentNode,
  AgentStatus,
  DynamicCounts,
  KeyedCounts,
  NodePart,
  PoolCounts,
  SupervisorNode,
  TreeNode,
} from "./tree-node.ts";
