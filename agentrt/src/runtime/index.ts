/**
 * A tree that runs.
 *
 *     SupervisorSpec → AgentCell and Supervisor for each node → start → call, cast, tree(), snapshot(), health() → stop
 *
 * In: a tree of specs and the concrete ports (state store, log, transport, system, scheduler). Out: plain pictures of
 * the tree and its counters, events, replies. `Runtime` puts the parts together and owns what is per process: while it
 * runs, a fault that nobody caught in an agent's own code crashes that agent and not the process.
 *
 * This folder must not know topology text, the gateway or the command line: the reader of a topology builds the specs
 * and hands them to `Runtime`.
 */
export { closeInTime } from "./close-in-time.ts";
export { type CrashElsewhere, crashElsewhere, noteCrashElsewhere } from "./crash-elsewhere.ts";
export { defaultLog } from "./default-log.ts";
export type { RuntimeDescription, TreeDescription } from "./change/index.ts";
export type { Guest, Guests } from "./guest-children.ts";
export { Runtime } from "./runtime.ts";
export type {
  ShutdownOptions,
  DeadLetterCallback,
  MailboxPicture,
  RuntimeHealth,
  AgentElsewhere,
  Elsewhere,
  Informant,
  HandOver,
  Network,
  NetworkedRuntime,
  PreparedTree,
  RuntimeOptions,
  RuntimeSnapshot,
  RuntimeStatus,
  SentTree,
  StopReport,
  TreeFiles,
  TreePart,
  TreesElsewhere,
  TreeTaker,
  WaitingMessage,
} from "./runtime-types.ts";
export type {
  FoundSpans,
  SpanRecord,
  TraceList,
  TracePlace,
  TraceQuery,
  TraceSummary,
  UnreadSpans,
} from "../telemetry/index.ts";
export { agentCountMax, byPlace, isAgentWanted } from "../telemetry/index.ts";
export type { StartingAgent } from "./starting-agents.ts";
export type { PlacedNode } from "./tree-index.ts";
export type { CrashCallback, RestartRecord } from "./tree-watch.ts";
export type { ApproveOptions, DecisionOptions, RuntimeApprovals } from "./runtime-approvals.ts";
export type { ResumeOptions, SuspendOptions } from "./request-suspension.ts";
