/**
 * The one place where concrete things are chosen: what a topology names becomes a running tree.
 *
 *     Topology (validated) → refuse what is not served → load classes → tree description → Runtime
 *                              plugins.state → StateStore, plugins.models → providers ↗
 *
 * Nodes come from `node-kinds`, whose kinds build them; `build-tree.ts` looks each one up. Plugins come from `plugins/`,
 * their schemas from `node-kinds`. `Runtime` puts nodes in place that ask the runtime they are part of.
 *
 * The folders below know nothing of YAML or of each other's classes. This folder must not know command lines, exit codes
 * or terminals.
 */
export { type AgentrtError, isAgentrtError } from "./agentrt-error.ts";
export { auditPathOf } from "./audit-of.ts";
export type {
  AppliedTopology,
  ApplyState,
  LiveNode,
  LivePlan,
  PlannedPart,
  TopologySource,
} from "./applying/index.ts";
export { checkCode } from "./check-code.ts";
export { leaderOf } from "./leader-of.ts";
export { maskVariables } from "./mask-variables.ts";
export { natsSettingsOf } from "./nats-settings.ts";
export type { BuiltInModel } from "./plugins/index.ts";
export {
  joinedAt,
  joinTopology,
  makeSigningKeys,
  readJoinAddress,
  sharedGroupsOf,
  signingFiles,
} from "./processes/index.ts";
export { Runtime, runtimeOf } from "./runtime.ts";
export type { ProcessOptions } from "./processes/index.ts";
export type { FromTopologyOptions, RuntimeOptions } from "./runtime-options.ts";
export { openStandby, type StandbyOptions } from "./standby.ts";
export { simulatedTree, type SimulatedTree } from "./simulated-tree.ts";
