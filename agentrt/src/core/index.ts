/**
 * The kernel: agents, their mailboxes, the supervisors that restart them, and the ports through which they reach the
 * world.
 *
 *     Bus → AgentCell (name, Mailbox, counters)          outlives restarts
 *              └ Incarnation (object, loop, end)          one life
 *     Incarnation ends → ChildExit → its Supervisor's mailbox → restart | exit upward
 *
 * In: a tree of specs (`child`, `supervisor`, `dynamicSupervisor`), messages from the bus. Out: replies, `RuntimeEvent`
 * values, `TreeNode` pictures. A cell keeps what survives a restart: the registration, the queue, the counters; an incarnation is a new
 * object each time, and once it is sealed nothing its code still does has an effect. A supervisor is an actor too: it
 * never waits, everything that takes time comes back to it as a message, and one engine serves every strategy and
 * every kind of child behind `ChildDriver`: declared children share one lane of work, which keeps their order; each
 * child of a `DynamicSupervisor` is a lane of its own.
 *
 * A streamed reply is a call whose reply slot is a `StreamProducer`: numbered frames go to a `StreamConsumer`, credit and
 * cancellation come back. Inside one process the two ends call each other; a transport carries the same frames.
 *
 * Ports, defined here and implemented elsewhere: `System` (clock, timers, randomness, ids; the real one stands here as
 * the only door to the globals), `Bus`, `StateStore`, `Log`, `Scheduler`, `Tracer`, `ModelProvider`. `llm/` is what
 * stands between an agent and a provider: deadlines, retries, counting.
 *
 * This folder must not know transports, files, sockets, topology text, HTTP, or any global but those of `system.ts`.
 */
export { Agent } from "./agents/agent.ts";
export type { AgentOptions } from "./agents/agent-options.ts";
export type { ErrorAction, HandleResult } from "./agents/agent.ts";
export type { SendTimer } from "./agents/agent-port.ts";
export { AgentCell } from "./incarnations/agent-cell.ts";
export type { BroadcastFailure, BroadcastReport } from "./messages/broadcast-report.ts";
export type { Bus, ReservedMessage, Origin, StreamRequest } from "./tree/bus.ts";
export type { DropReason } from "./messages/dead-letters.ts";
export type { OutgoingPayload, SendOptions } from "./messages/send-options.ts";
export { BurstLog } from "./ports/burst-log.ts";
export type { ChildDriver, ChildExit, StopOptions } from "./tree/child-driver.ts";
export { EvalAgent, type EvalAgentOptions } from "./eval/eval-agent.ts";
export type { EvalEvent, EvalSeverity, EvalSignal } from "./messages/eval-signal.ts";
export { DeadLetters, deadLetterCountMax } from "./messages/dead-letters.ts";
export type { DeadLetter, DropCounts } from "./messages/dead-letters.ts";
export { defineErrors, TableError } from "./values/define-errors.ts";
export type {
  ErrorRow,
  ErrorTable,
  ErrorTableEntry,
  TableErrorClass,
} from "./values/define-errors.ts";
export { agentErrors, busErrors, streamErrors, supervisionErrors } from "./errors.ts";
export type { RuntimeEvent } from "./tree/events.ts";
export { GenServer } from "./agents/gen-server.ts";
export { IdSequence } from "./values/id-sequence.ts";
export type { JsonObject, JsonValue } from "./values/json.ts";
export type { FaultOwner, Kernel } from "./tree/kernel.ts";
export { reasonOf } from "./values/fault-reason.ts";
export { createJsonLog, createTextLog, logLevels } from "./ports/log.ts";
export { createRedactor, isSecretName } from "./ports/redaction.ts";
export type { Redactor } from "./ports/redaction.ts";
export { toolErrors } from "./tools/errors.ts";
export { ToolSet } from "./tools/tool-set.ts";
export type {
  SourceResult,
  SourceTool,
  ToolHost,
  ToolResult,
  ToolSource,
} from "./tools/tool-source.ts";
export type { ToolDescription, ToolOptions, Tools } from "./tools/tools.ts";
export { modelErrors } from "./llm/errors.ts";
export type { Llm, LlmOptions } from "./llm/llm.ts";
export { modelReply } from "./llm/model-provider.ts";
export type {
  ModelAssistantMessage,
  ModelChunk,
  ModelHost,
  ModelMessage,
  ModelProvider,
  ModelReply,
  ModelRequest,
  ModelStopReason,
  ModelTool,
  ModelToolCall,
  ModelUsage,
  NamedModel,
} from "./llm/model-provider.ts";
export type { Log, LogFields, LogLevel } from "./ports/log.ts";
export { Message, messageInternals } from "./messages/message.ts";
export type { MessageInit, TracePoint } from "./messages/message.ts";
export type { CallSlot, ReplySlot } from "./messages/reply-slot.ts";
export { Registry } from "./messages/registry.ts";
export type {
  Address,
  Registration,
  RegistryChange,
  RegistryListener,
} from "./messages/registry.ts";
export { ResidentLoops } from "./ports/resident-loops.ts";
export { LastWrites } from "./supervision/dynamic/last-writes.ts";
export { didYouMean } from "./values/nearest-name.ts";
export { dynamicSupervisor } from "./tree/dynamic-spec.ts";
export type { DynamicLimits, RestartMode, SpawnContext, SpawnHook } from "./tree/dynamic-policy.ts";
export type { DynamicSupervisorOptions } from "./tree/dynamic-spec.ts";
export { DynamicSupervisor } from "./supervision/dynamic/dynamic-supervisor.ts";
export { isChildName, wantedName } from "./supervision/dynamic/child-name.ts";
export { SpawnError, spawnErrors } from "./supervision/dynamic/errors.ts";
export type { ClassLoader } from "./supervision/dynamic/spawn-examination.ts";
export type {
  ChildrenPort,
  ChildStopReport,
  EndRequest,
  SpawnOptions,
  SpawnReport,
  SpawnRequest,
  StopChildOptions,
} from "./agents/spawn-options.ts";
export { supervisionStatus, supervisionStatusType } from "./supervision/status.ts";
export { SupervisorEngine } from "./supervision/supervisor-engine.ts";
export { createFairScheduler } from "./ports/scheduler.ts";
export type { Runnable, Scheduler } from "./ports/scheduler.ts";
export { messageAttributes } from "./incarnations/handle-message.ts";
export type { MessageSpan, OpenSpan, SpanAttributes, Tracer } from "./messages/span.ts";
export type { StateStore } from "./ports/state-store.ts";
export { StreamConsumer } from "./streams/consumer.ts";
export type { ChunkStream } from "./streams/consumer.ts";
export type { StreamControl, StreamFrame } from "./streams/frame.ts";
export { readStreamLimits } from "./streams/options.ts";
export type { StreamLimits, StreamOptions } from "./streams/options.ts";
export { StreamProducer } from "./streams/producer.ts";
export { discardChunks } from "./incarnations/produce-reply.ts";
export { Supervisor } from "./supervision/supervisor.ts";
export { checkApprover, checkCategory, checkReason } from "./suspension/suspension.ts";
export type { SuspendCategory, SuspensionNode } from "./suspension/suspension.ts";
export { createRealSystem } from "./ports/system.ts";
export type { System, TimerHandle } from "./ports/system.ts";
export { TimerWheel, WheelEntry } from "./ports/timer-wheel.ts";
export type {
  AgentCounters,
  AgentNode,
  AgentStatus,
  DynamicCounts,
  SupervisorNode,
  TreeNode,
} from "./tree/tree-node.ts";
export { agentLimits, child } from "./tree/agent-spec.ts";
export { supervisor } from "./tree/supervisor-spec.ts";
export { timeoutMsMax } from "./values/limits.ts";
export type { AgentClass } from "./agents/agent.ts";
export type { AgentLimits, AgentSpec, ChildOptions } from "./tree/agent-spec.ts";
export type {
  Backoff,
  ChildSpec,
  RestartLimits,
  RestartStrategy,
  SupervisorOptions,
  SupervisorSpec,
} from "./tree/supervisor-spec.ts";
