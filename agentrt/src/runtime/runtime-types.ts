import type { Transport } from "../bus/index.ts";
import type { CrashElsewhere } from "./crash-elsewhere.ts";
import type {
  Agent,
  ApprovalRecord,
  AuditLog,
  AuditRefusal,
  AgentCounters,
  BudgetReport,
  BudgetsAbove,
  ChildrenPort,
  ClassLoader,
  CrashTrails,
  DeadLetter,
  DropCounts,
  JsonObject,
  Kernel,
  Log,
  Message,
  NamedModel,
  Placement,
  CircuitSnapshot,
  Redactor,
  ResilienceOptions,
  RuntimeEvent,
  Scheduler,
  StateOutage,
  StateStore,
  SupervisorNode,
  SupervisorSpec,
  System,
  ToolSource,
  Tracer,
  UsesByModel,
} from "../core/index.ts";
import type { ExporterCounts, SamplingOptions, SpanExporter } from "../telemetry/index.ts";
import type { Guests } from "./guest-children.ts";
import type { RestartRecord } from "./tree-watch.ts";

/** The options of a `Runtime`. */
export interface RuntimeOptions {
  /** The tree. */
  readonly supervision: SupervisorSpec;
  /** Where checkpoints are kept; default in memory. The runtime closes it when it stops. */
  readonly state?: StateStore | undefined;
  /** Where reports go; default text lines on stderr, `info` and above. */
  readonly log?: Log | undefined;
  /** Clock, timers, randomness, ids; default the real ones. */
  readonly system?: System | undefined;
  /** Which mailbox is served next; default first come, first served. */
  readonly scheduler?: Scheduler | undefined;
  /** What carries messages; default inside this process. */
  readonly transport?: Transport | undefined;
  /**
   * Where records of what operators do go, such as `auditFile({ path })`; default nowhere: `onEvent` tells of them all the
   * same. The runtime opens and closes it.
   */
  readonly audit?: AuditLog | undefined;
  /** What agents ask by `this.llm`, the default one first; default none. The runtime opens and closes them. */
  readonly models?: readonly NamedModel[] | undefined;
  /** Where agents get `this.tools` from; default nowhere. The runtime opens and closes them. */
  readonly tools?: readonly ToolSource[] | undefined;
  /** What is done about calls of models, agents and tools that fail: retries, circuit breakers, fallbacks; default nothing. */
  readonly resilience?: ResilienceOptions | undefined;
  /** Loads classes that are spawned by name, as `type:` in a topology names them; default none can be. */
  readonly loadClass?: ClassLoader | undefined;
  /** Says how another process loads a class; default none is known by a text. */
  readonly typeOfClass?: ((agentClass: unknown) => string | undefined) | undefined;
  /** Receive spans in batches; default none, and then no spans are made. The runtime shuts them down. */
  readonly exporters?: readonly SpanExporter[] | undefined;
  /** Which traces the exporters get; default all, unless their callers say otherwise. */
  readonly sampling?: SamplingOptions | undefined;
  /** Takes secrets out of spans and of the default log; default only by their names and forms. */
  readonly redactor?: Redactor | undefined;
  /** Takes the spans in place of exporters, one by one as they end. */
  readonly tracer?: Tracer | undefined;
  /** How a stop goes, before the agents stop. */
  readonly shutdown?: ShutdownOptions | undefined;
  /** Connects this process with the others of its topology; default there are none. */
  readonly network?: ((kernel: Kernel, runtime: NetworkedRuntime) => Network) | undefined;
  /**
   * Takes a fault that belongs to no agent, such as one of a timer that a module started. Default: the process ends, as
   * Node does it.
   */
  readonly onStray?: ((error: unknown) => void) | undefined;
  /** Remembers what agents did lately and records their crashes; default nothing does. */
  readonly crashTrails?: CrashTrails | undefined;
  /** Called with each agent object before its state is restored and it starts: simulations watch and disturb it. */
  readonly onCreated?: ((agent: Agent) => void) | undefined;
}

/** What connects a process with the others of its topology. */
export interface Network extends Placement {
  /** As a topology names it: `nats`. */
  readonly transport: string;
  /** {@inheritDoc RuntimeSnapshot.linkLosses} */
  readonly losses?: LinkLosses | undefined;
  /** {@inheritDoc RuntimeSnapshot.linkDuplicateCount} */
  readonly linkDuplicateCount?: number | undefined;
  /** {@inheritDoc RuntimeSnapshot.linkRefused} */
  readonly refused?: { readonly [reason: string]: number } | undefined;
  /** Where agents of this process spawn children, if that is not here. */
  readonly children?: ChildrenPort | undefined;
  /** Budgets of another process that agents of this one spend, too. */
  readonly budgetsAbove?: BudgetsAbove | undefined;
  /** Name of the process group of this process; undefined where it has the tree. */
  readonly group?: string | undefined;
  /** The other processes, where this one has the tree. */
  readonly elsewhere?: Elsewhere | undefined;
  /** Answers questions of another process about the agents of this one by what is given. */
  answer?(informant: Informant): void;
  /** Puts other trees in place at the other processes, where this one has the tree. */
  readonly trees?: TreesElsewhere | undefined;
  /** Lets the process that has the tree put other trees in place here, by what is given. */
  takeTrees?(taker: TreeTaker): void;
  /** Where this one has the tree: answers questions of supervisors that wait by what is given. */
  answerReads?(answer: (question: JsonObject) => Promise<JsonObject>): void;
  /** Connects, before any agent starts. */
  open(): Promise<void>;
  /** All agents of this process run: others may hear of them. */
  begin(): Promise<void>;
  /** What this process has goes to others before it stops; absent where nothing does. */
  readonly handOver?: HandOver | undefined;
  /** The agents of this process stop now: others hear of it. */
  leave(): void;
  /** Disconnects, after all agents have stopped. Stores that do not answer are waited for until a monotonic time. */
  close(untilMs: number): Promise<void>;
}

/** Gives what a process has to others, before it stops. */
export interface HandOver {
  /** Asks for it; settles when everything that was sent here before is here. Never rejects. */
  begin(): Promise<void>;
  /** True when nothing is left that another process could take. */
  readonly isDone: boolean;
}

/** What a process says about its agents to the one that has the tree. */
export interface Informant {
  /** Answers a question; what it throws is the answer, too. */
  answer(question: JsonObject): Promise<JsonObject>;
  /** @returns How it knows that an agent crashed by this error; undefined where it does not. */
  crashOf(agent: string, error: unknown): CrashElsewhere | undefined;
}

/** Approvals that no process has charge of. */
export interface UnattendedApprovals {
  readonly approvals: readonly ApprovalRecord[];
  /** The process groups of which some are missing, because they cannot be read. */
  readonly unreadGroups: readonly string[];
}

/** The other processes of a topology, as the control plane of this one asks about their agents. */
export interface Elsewhere {
  /** @returns The process group of an agent, or of a key of it; undefined for one of this process. */
  processOf(agent: string): string | undefined;
  /** @returns The process groups of the tree, in its order. */
  groups(): readonly string[];
  /** @returns Those of them that have a process at the moment. */
  present(): readonly string[];
  /** @returns The process groups of the tree that have no process at the moment. */
  awayGroups(): readonly string[];
  /** @returns The id of the process of a group, another one after each start; undefined while there is none, or none is asked. */
  processIdOf(process: string): string | undefined;
  /** Tells of each process that comes, once it is there. */
  onPresent(callback: (process: string, processId: string) => void): void;
  /**
   * Finds the approvals that no process has charge of at the moment, as they are kept: their agents are on their way from one
   * process to another, or have not come to one yet. Absent where none can be.
   */
  unattended?(): Promise<UnattendedApprovals>;
  /** Grows with each agent that comes to a process or goes from one: what was asked of several meanwhile is asked again. */
  changeCount?(): number;
  /**
   * Asks the process of a group.
   *
   * @param process Name of the group.
   * @param question.agent Whom it is about, for the message of an error.
   * @param options.timeoutMs Default 10 000.
   * @throws AGENTRT_WORKER_AWAY, AGENTRT_LINK_DOWN, AGENTRT_BUS_TIMEOUT, and what the other process throws.
   */
  ask(
    process: string,
    question: JsonObject,
    options?: { readonly timeoutMs?: number },
  ): Promise<JsonObject>;
}

/** The files that a tree is made from, on their way to other processes: the one at the bottom first. */
export interface TreeFiles {
  /** Tells such trees apart. */
  readonly hash: string;
  readonly files: readonly { readonly fileName: string; readonly text: string }[];
}

/** Another tree, and what it says of all processes. */
export interface SentTree extends TreeFiles {
  /** The process groups of agents by their names. */
  readonly groups: ReadonlyMap<string, string>;
  /** Agents whose messages a broker may keep. */
  readonly agentNames: ReadonlySet<string>;
}

/** A change that waits for its end: either is called, once. */
export interface PreparedTree {
  /** Keeps it. @returns The names of the agents that did not stop in time. */
  commit(): Promise<readonly string[]>;
  /** Takes it back. */
  abort(): Promise<void>;
}

/** Puts other trees in place at other processes. */
export interface TreesElsewhere {
  /**
   * Changes the parts of all processes that are there. Those that are not get their part when they come.
   *
   * @throws AGENTRT_WORKER_NOT_CHANGED; then all is as it was before.
   */
  prepare(tree: SentTree): Promise<PreparedTree>;
}

/** An agent of another process. */
export interface AgentElsewhere {
  readonly name: string;
  /** True when messages to `name/key` are for it, too. */
  readonly takesKeys: boolean;
  /** True for one that judges what agents report; default false. */
  readonly isEvalAgent?: boolean;
}

/** What a tree says to one process. */
export interface TreePart {
  /** The agents of other processes. */
  readonly others: readonly AgentElsewhere[];
  readonly agentNames: ReadonlySet<string>;
  /** Agents of this process below supervisors that have a budget. */
  readonly budgetedNames: ReadonlySet<string>;
  /** Puts the part in place; nothing has changed when it throws. */
  prepare(): Promise<PreparedTree>;
}

/** Makes the part of this process out of a tree. */
export interface TreeTaker {
  /** @throws What is wrong with the files. */
  read(tree: TreeFiles): Promise<TreePart>;
}

/** Messages between processes that were lost, as far as this process knows. */
export interface LinkLosses {
  /** Accepted here, and not sent before the broker went. */
  readonly unsentCount: number;
  /** For this process, and not come though later ones of their sender have. */
  readonly missingCount: number;
}

/** What a network has to do with the runtime that it belongs to. */
export interface NetworkedRuntime {
  /** @returns The tree as it is. */
  tree(): SupervisorNode;
  /** As `Runtime.restart`. */
  restart(name: string, options: { readonly initiatedBy: string }): Promise<void>;
  /** As `Runtime.stopAgent`. */
  stopAgent(name: string): Promise<StopReport>;
  /** As `Runtime.onEvent`. */
  onEvent(callback: (event: RuntimeEvent) => void): () => void;
  /** Children that the process that has the tree has run here. */
  readonly guests: Guests;
  /** {@inheritDoc RuntimeOptions.typeOfClass} */
  typeOfClass(agentClass: unknown): string | undefined;
  /** As `Runtime.noteRefusal`. */
  noteRefusal(refusal: AuditRefusal): void;
  /** Takes secrets out of what other processes are sent about the processes themselves. */
  readonly redactor: Redactor;
}

/** How a stop goes, before the agents stop. */
export interface ShutdownOptions {
  /**
   * How long gateways go on to serve after the stop was asked for, while `/ready` says 503 already, milliseconds: load
   * balancers notice in this time. Default 0.
   */
  readonly lameDuckMs?: number | undefined;
  /**
   * How long requests and messages that were accepted may take to be handled once the ports are closed, milliseconds.
   * Default 30 000, or the longest `requestTimeoutMs` of a gateway of the tree where that is more.
   */
  readonly graceMs?: number | undefined;
}

/** A message that waits, without its payload. */
export interface WaitingMessage {
  readonly id: string;
  readonly type: string;
  /** Empty when it came from outside the tree. */
  readonly sender: string;
  readonly priority: number;
  /** When it was sent: wall-clock milliseconds since the Unix epoch. */
  readonly timestampMs: number;
}

/** What waits in a mailbox: a picture of one moment. */
export interface MailboxPicture {
  /** All that wait. */
  readonly depth: number;
  /** Those that are served first, in that order. */
  readonly messages: readonly WaitingMessage[];
}

/** Where a runtime is in its life. */
export type RuntimeStatus = "new" | "starting" | "started" | "stopping" | "stopped";

/** The counters of a runtime: a picture of one moment. */
export interface RuntimeSnapshot {
  readonly agents: { readonly [name: string]: AgentCounters };
  /** Budgets of model calls, in the order of the tree, then of keys that were used lately. */
  readonly budgets: readonly BudgetReport[];
  readonly totalMessages: number;
  /** What the models cost that have a known price. */
  readonly totalCostUsd: number;
  /** What all agents used of each model, those that are gone included: at most 100 by their names, the rest under `_other`. */
  readonly models: UsesByModel;
  readonly uptimeMs: number;
  /** The latest 1000 restarts, oldest first. */
  readonly restartHistory: readonly RestartRecord[];
  /** Messages that nobody handled, by reason. */
  readonly dropped: DropCounts;
  /** The circuits of models, agents and tools, in the order of their policies. */
  readonly circuits: readonly CircuitSnapshot[];
  /** What became of the spans, for each exporter. */
  readonly exporters: readonly ExporterCounts[];
  /** Messages between processes that were lost. There where the transport can know. */
  readonly linkLosses?: LinkLosses;
  /** Messages of other processes that were refused, by reason. There where messages are signed. */
  readonly linkRefused?: { readonly [reason: string]: number };
  /** Kept messages that came again and were left out; undefined where no broker keeps any. */
  readonly linkDuplicateCount?: number;
}

/** Called for a message that nobody handled. */
export type DeadLetterCallback = (letter: DeadLetter, message: Message | undefined) => void;

/** Whether all of the tree runs. */
export interface RuntimeHealth {
  readonly status: "ok" | "degraded";
  /** Children whose restart budget is used up. */
  readonly failed: readonly string[];
  /** There while no state can be saved. */
  readonly outage?: StateOutage;
  /** There while the audit log cannot be written: its sink, and why. */
  readonly audit?: { readonly sink: string; readonly reason: string };
  /** Agents that eval agents have halted, at most 100: nothing but a resume starts them. There where some are. */
  readonly halted?: readonly string[];
  /** There while somebody has to decide about what agents asked for. */
  readonly pendingApprovalCount?: number;
}

/** The result of a stop. */
export interface StopReport {
  /** Names of the agents that did not stop in time and were abandoned. */
  readonly lateNames: readonly string[];
}
