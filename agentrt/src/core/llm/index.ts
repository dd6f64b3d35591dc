/**
 * What is between an agent and a model provider: the session of an incarnation, deadlines, retries, counting.
 *
 * It must not know any provider, and of the kernel only what `ModelKernel` says.
 */
export { AgentLlm } from "./agent-llm.ts";
export {
  BudgetLedgers,
  budgetReportOf,
  budgetStateKey,
  isBudgetStateKey,
  ModelBudget,
  refuseUnpriced,
  Reservation,
} from "./budgets/index.ts";
export type {
  Budget,
  BudgetEvent,
  BudgetOptions,
  BudgetPeriod,
  BudgetReport,
  BudgetsAbove,
  HeldAbove,
  PricedCall,
  ReservationEnd,
} from "./budgets/index.ts";
export { CallScope } from "./call-scope.ts";
export type { CallKernel, WorkScope } from "./call-scope.ts";
export { modelErrors } from "./errors.ts";
export type { Llm, LlmOptions } from "./llm.ts";
export { modelReply } from "./model-provider.ts";
export type {
  ModelAssistantMessage,
  ModelChunk,
  ModelHost,
  ModelMessage,
  ModelPrice,
  ModelProvider,
  ModelReply,
  ModelRequest,
  ModelStopReason,
  ModelTool,
  ModelToolCall,
  ModelUsage,
  NamedModel,
} from "./model-provider.ts";
export { ModelSession, noModelSession } from "./model-session.ts";
export type { ModelSessionCounters } from "./model-session.ts";
export { ModelTally, noModelCounters } from "./model-tally.ts";
export type { ModelCounters } from "./model-tally.ts";
export { ModelUses, otherModels } from "./model-uses.ts";
export type { ModelUse, UsesByModel } from "./model-uses.ts";
export { PartsInUse } from "./parts-in-use.ts";
export { longestWait, type RunningCall } from "./running-call.ts";
