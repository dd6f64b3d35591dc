/**
 * The kernel: agents, their mailboxes, the supervisors that restart them, and the ports through which they reach the
 * world.
 *
 *     Bus → AgentCell (name, Mailbox, counters)          outlives restarts
 *              └ Incarnation (object, loop, end)          one life
 *     Incarnation ends → ChildExit → its Supervisor's mailbox → restart | exit upward
 *
 * In: a tree of specs (`child`, `supervisor`, `dynamicSupervisor`), messages from the bus. Out: replies, `RuntimeEvent`
 * values, `TreeNode` pictures. A cell keeps what survives a restart: the registration, the queue, the counters; an
 * incarnation is a new object each time, and once it is sealed nothing its code still does has an effect. A supervisor
 * is an actor too: it never waits, everything that takes time comes back to it as a message, and one engine serves
 * every strategy and every kind of child behind `ChildDriver`: declared children share one lane of work, which keeps
 * their order; each child of a `DynamicSupervisor` is its own lane.
 *
 * A streamed reply is a call whose reply slot is a `StreamProducer`: numbered frames go to a `StreamConsumer`, credit and
 * cancellation come back. Inside one process the two ends call each other; a transport carries the same frames.
 *
 * Rooms, each above those it uses:
 *
 *     supervision   who restarts, when, in which order; dynamic/ for children that are spawned, pool/ for those that share a mailbox
 *     incarnations  the life of one agent
 *     tree          descriptions, pictures and events of a tree; Kernel, Bus, ChildDriver
 *     eval          agents that watch agents
 *     agents        what somebody writes an agent with
 *     approvals     what agents ask people to approve, and what was decided
 *     suspension    the pause until somebody approves
 *     llm, tools    what is between an agent and models, and tools
 *     resilience    retries, circuit breakers and fallbacks of calls that fail
 *     streams       the two ends of a streamed reply
 *     messages      message, mailbox, registry
 *     ports         clock, timers, log, saved states
 *     values        pure values and algorithms
 *
 * Ports are defined here and implemented elsewhere: `System` (clock, timers, randomness, ids; the real one is here, as
 * the only door to the globals), `Bus`, `StateStore`, `Log`, `Scheduler`, `Tracer`, `ModelProvider`.
 *
 * Two files share private members with the rest of the kernel and with nobody else: a class sets an exported `let` in
 * its static block (`agentInternals`, `messageInternals`), which is not exported from the package. It is set once, when
 * the file is loaded, and is not state.
 *
 * This folder must not know transports, files, sockets, topology text, HTTP, or any global but those of
 * `ports/system.ts`.
 */
export { ownFolder } from "./own-folder.ts";
export {
  copyJson,
  defineErrors,
  errorClassOf,
  didYouMean,
  durationBounds,
  Histogram,
  type HistogramValue,
  IdSequence,
  nearestName,
  printable,
  errorCodeOf,
  reasonOf,
  RecencyMap,
  RingBuffer,
  TableError,
  timeoutMsMax,
} from "./values/index.ts";
export type {
  ErrorRow,
  ErrorTable,
  ErrorTableEntry,
  ErrorIn,
  Json,
  JsonMembers,
  JsonObject,
  NotJson,
  JsonValue,
  TableErrorClass,
} from "./values/index.ts";
export {
  BurstLog,
  type BurstKey,
  CoarseClock,
  createFairScheduler,
  StoreFaults,
  createJsonLog,
  createRealSystem,
  createRedactor,
  createTextLog,
  isSecretName,
  logLevels,
  placeOfError,
  stackLinesOf,
  userPlaceOfError,
  ResidentLoops,
  Alarm,
  TimerWheel,
  WheelEntry,
} from "./ports/index.ts";
export type {
  AuditEvent,
  AuditLog,
  AuditRefusal,
  AuditReport,
  Log,
  LogFields,
  LogLevel,
  LoopDelay,
  LoopDelayWatch,
  Redactor,
  Runnable,
  Scheduler,
  Entrance,
  Fence,
  FencedStates,
  ListeningAddress,
  StateOutage,
  StateStore,
  System,
  TimerHandle,
} from "./ports/index.ts";
export { agentErrors, busErrors, optionErrors, streamErrors, supervisionErrors } from "./errors.ts";
export {
  CancelSignal,
  ClientSession,
  correctionType,
  deadLetterCountMax,
  DeadLetters,
  evalEventType,
  follow,
  FollowedController,
  giveReplyHead,
  haltType,
  httpReply,
  isNodeName,
  isReservedType,
  keepReplyHead,
  Message,
  messageInternals,
  oldestTimestampMs,
  OwnTrace,
  traceparentOf,
  nodeNameLengthMax,
  nodeNamePattern,
  Registry,
  replyHeadOf,
  runtimeName,
  SignalFollower,
  unfollow,
  wantedNodeName,
  Downs,
  asksForState,
  MessageSchemas,
} from "./messages/index.ts";
export type {
  Address,
  BroadcastFailure,
  AgentDown,
  BroadcastReport,
  CallerGone,
  CallSlot,
  DeadLetter,
  DeferredReply,
  DropCounts,
  DropReason,
  EvalEvent,
  EvalSeverity,
  EvalSignal,
  MessageDigest,
  MessageInit,
  MessageReceipt,
  MessageSpan,
  SpanKind,
  SpanStart,
  OpenRequest,
  OpenSpan,
  OutgoingPayload,
  Registration,
  RegistryChange,
  RegistryListener,
  ReplyHead,
  ReplySlot,
  SessionSink,
  SlotWatcher,
  SendOptions,
  SpanAttributes,
  TracePoint,
  Tracer,
  AnyMessage,
  CheckedMessages,
  ChunkFor,
  HandleResult,
  HttpReplyHeaders,
  HttpReplyOptions,
  HttpReplyPayload,
  MessageOf,
  MessageShape,
  PayloadFor,
  ReplyFor,
  UntypedMessages,
  AgentSchemas,
  MessagesFrom,
  PayloadIssue,
  SchemaShape,
  StandardSchema,
} from "./messages/index.ts";
export { readStreamLimits, StreamConsumer, StreamProducer } from "./streams/index.ts";
export type {
  ChunkStream,
  StreamControl,
  StreamFrame,
  StreamLimits,
  StreamOptions,
} from "./streams/index.ts";
export {
  retryPauseMs,
  circuitErrors,
  circuitDefaults,
  fallbackLoop,
  fallbacksOf,
  Resilience,
  retryDefaults,
  withRetries,
} from "./resilience/index.ts";
export type {
  CallOutcome,
  CircuitBreakerPolicy,
  CircuitSnapshot,
  CircuitState,
  GuardedTarget,
  ModelPolicy,
  ResilienceOptions,
  RetryPolicy,
  TargetPolicy,
} from "./resilience/index.ts";
export {
  BudgetLedgers,
  budgetReportOf,
  budgetStateKey,
  isBudgetStateKey,
  ModelBudget,
  modelErrors,
  modelReply,
  refuseUnpriced,
  Reservation,
  ModelUses,
  noModelCounters,
  noModelSession,
  otherModels,
  PartsInUse,
} from "./llm/index.ts";
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
  Llm,
  LlmOptions,
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
  ModelUse,
  NamedModel,
  UsesByModel,
} from "./llm/index.ts";
export { toolErrors, ToolSet } from "./tools/index.ts";
export type {
  SourceResult,
  SourceTool,
  ToolDescription,
  ToolHost,
  ToolOptions,
  ToolResult,
  ToolSource,
  Tools,
} from "./tools/index.ts";
export {
  Approval,
  approvalErrors,
  type ApprovalEvent,
  type ApprovalFaultEvent,
  type ApprovalFilter,
  type ApprovalPlace,
  type LookedApprovals,
  approvalIndexKey,
  type ApprovalOptions,
  type ApprovalRecord,
  Approvals,
  type ApprovalStatus,
  approvalStatuses,
  placeOfApprovalKey,
} from "./approvals/index.ts";
export {
  checkApprover,
  checkCategory,
  checkReason,
  suspendCategories,
} from "./suspension/index.ts";
export type {
  DrainRequest,
  SuspendCategory,
  SuspensionNode,
  SuspensionRequest,
} from "./suspension/index.ts";
export { infrastructure, Agent, agentInternals, GenServer } from "./agents/index.ts";
export type {
  AgentClass,
  AgentOptions,
  ChildStopReport,
  ChildrenPort,
  AgentSpan,
  DetachOptions,
  EndRequest,
  ErrorAction,
  AgentName,
  AgentNames,
  AnyAgent,
  AnyAgentClass,
  CheckedClass,
  ConfigOf,
  MessagesAt,
  SendAfterOptions,
  SendTimer,
  SpawnOptions,
  SpawnReport,
  SpawnRequest,
  StopChildOptions,
} from "./agents/index.ts";
export { EvalAgent } from "./eval/index.ts";
export type { EvalAgentOptions } from "./eval/index.ts";
export {
  agentLimits,
  readBudget,
  checkAgent,
  checkNodeName,
  checkOptions,
  childOptionNames,
  copyOfMetadata,
  describeAgent,
  describeValue,
  type OptionNames,
  child,
  dynamicSupervisor,
  joinLimits,
  keyed,
  memberCountLimit,
  OwnerContext,
  OwnSpans,
  pool,
  supervisor,
} from "./tree/index.ts";
export type {
  AgentActivity,
  AwaitedCall,
  AwaitedModel,
  DrainUnderWay,
  AgentCounters,
  AgentLimits,
  AgentNode,
  AgentSpec,
  AgentStatus,
  Backoff,
  Bus,
  ChildDriver,
  ChildExit,
  CrashRecord,
  CrashTrail,
  CrashTrails,
  NotedCrash,
  RecordedCrash,
  ShownCrash,
  ChildOptions,
  ChildSpec,
  DriverElsewhere,
  SpawnedDriver,
  SpawnedElsewhere,
  DynamicCounts,
  DynamicLimits,
  DynamicSupervisorOptions,
  FaultOwner,
  Kernel,
  Placement,
  KeyedCounts,
  KeyedPolicy,
  PoolPolicy,
  NodePart,
  KeyedOptions,
  MessageAtHand,
  Origin,
  PoolCounts,
  PoolLimits,
  PoolOptions,
  ReservedMessage,
  RestartLimits,
  RestartMode,
  RestartStrategy,
  RuntimeEvent,
  SpawnContext,
  SpawnHook,
  StopOptions,
  StreamRequest,
  SupervisorNode,
  SupervisorOptions,
  SupervisorSpec,
  TreeNode,
  TrailAnswer,
  TrailCrash,
} from "./tree/index.ts";
export {
  isFreeRestart,
  AgentCell,
  discardChunks,
  restartRequested,
  TallyCounters,
} from "./incarnations/index.ts";
export {
  DynamicSupervisor,
  keyErrors,
  KeyedSupervisor,
  type KeyPage,
  keyOfMessage,
  KeyHandle,
  LastWrites,
  Pool,
  PoolQueue,
  SpawnError,
  childOptions,
  spawnErrors,
  supervisionStatus,
  supervisionStatusType,
  Supervisor,
  SupervisorEngine,
} from "./supervision/index.ts";
export type { ClassLoader, HeldChildren } from "./supervision/index.ts";
