import { InProcessTransport, makeBus, type MessageBus, type Transport } from "../bus/index.ts";
import {
  Approvals,
  BurstLog,
  ClientSession,
  CoarseClock,
  createFairScheduler,
  createRedactor,
  createRealSystem,
  DeadLetters,
  Registry,
  ResidentLoops,
  StoreFaults,
  KeyedSupervisor,
  type KeyPage,
  ModelUses,
  PartsInUse,
  type DropCounts,
  noModelSession,
  Supervisor,
  supervisionErrors,
  timeoutMsMax,
  TimerWheel,
  type AgentName,
  type AnyAgentClass,
  type CheckedClass,
  type ChunkFor,
  type ConfigOf,
  type JsonMembers,
  type MessagesAt,
  type PayloadFor,
  type ReplyFor,
  type AgentActivity,
  type AwaitedModel,
  type AgentCounters,
  type BudgetReport,
  type AgentNode,
  type AuditEvent,
  type AuditLog,
  type AuditRefusal,
  type AuditReport,
  type ChunkStream,
  type DeadLetter,
  OwnerContext,
  OwnSpans,
  type CrashRecord,
  type JsonObject,
  type RecordedCrash,
  checkReason,
  type DrainRequest,
  type Entrance,
  type Kernel,
  type Log,
  type NamedModel,
  type Message,
  type Origin,
  type CircuitSnapshot,
  Resilience,
  AgentCell,
  type RuntimeEvent,
  type SendOptions,
  type SessionSink,
  type SpawnOptions,
  type SpawnReport,
  type StopChildOptions,
  type StreamOptions,
  type SupervisorEngine,
  type SupervisorNode,
  type SupervisorSpec,
  type System,
  ToolSet,
  type Tracer,
  runtimeName,
} from "../core/index.ts";
import { MemoryStateStore } from "../state/index.ts";
import {
  type FoundSpans,
  SpanPipeline,
  type SpanRecord,
  type TraceList,
  type TraceQuery,
} from "../telemetry/index.ts";
import { activityOf, stateOf } from "./agent-pictures.ts";
import { DynamicChildren } from "./dynamic-children.ts";
import { GuestChildren, type Guests } from "./guest-children.ts";
import { LeftMessages } from "./left-messages.ts";
import { AgentDrains } from "./drain-agent.ts";
import { defaultLog } from "./default-log.ts";
import { guardFaults } from "./fault-guard.ts";
import { checkModelNames, closeModels, openModels, warnUnpriced } from "./model-set.ts";
import { checkResilience } from "./check-resilience.ts";
import { closeInTime, closeTimeoutMs } from "./close-in-time.ts";
import type {
  DeadLetterCallback,
  MailboxPicture,
  Elsewhere,
  Informant,
  Network,
  RuntimeHealth,
  RuntimeOptions,
  RuntimeSnapshot,
  RuntimeStatus,
  ShutdownOptions,
  StopReport,
  TreesElsewhere,
  TreeTaker,
} from "./runtime-types.ts";
import { type RuntimeApprovals, runtimeApprovals } from "./runtime-approvals.ts";
import { haltedNames, liftingOf, refuseIfHalted } from "./halted-agents.ts";
import {
  resumeAgent,
  type ResumeOptions,
  suspendAgent,
  type SuspendOptions,
} from "./request-suspension.ts";
import { RuntimeChanges, type RuntimeDescription } from "./change/index.ts";
import { closeToolSources, openToolSources } from "./open-tool-sources.ts";
import { checkShutdown, Shutdown } from "./shutdown.ts";
import { type StartingAgent, startingAgents } from "./starting-agents.ts";
import { type PlacedNode, TreeIndex } from "./tree-index.ts";
import { TreeWatch, type CrashCallback } from "./tree-watch.ts";

const stopTimeoutMs = 60_000;
/** How long a message that an operator sends to what is on workers may wait for the broker that keeps it, milliseconds. */
const injectTimeoutMs = 5000;
/** Most models of the whole runtime that are told apart. */
const modelCountMax = 100;
const outside: Origin = {
  name: "",
  isSealed: false,
  deadlineMs: undefined,
  requests: undefined,
  upstream: undefined,
  blocked: undefined,
  tracePoint: () => undefined,
};

/**
 * A supervision tree that runs: built from specs, started, called, watched, stopped.
 *
 * @example
 * await using runtime = new Runtime({ supervision: supervisor("root", { children: [child(Greeter, "greeter")] }) });
 * await runtime.start();
 * await runtime.call("greeter", { name: "Ada" });
 */
export class Runtime implements AsyncDisposable {
  readonly #kernel: Kernel;
  readonly #bus: MessageBus;
  readonly #transport: Transport;
  #network: Network | undefined;
  readonly #root: SupervisorEngine;
  readonly #tree: TreeIndex;
  readonly #watch: TreeWatch;
  /** What agents asked people to approve. */
  readonly approvals: RuntimeApprovals;
  /** The kernel has the same array: a change fills it again. */
  readonly #models: NamedModel[];
  readonly #modelUses = new ModelUses(modelCountMax);
  readonly #partsInUse = new PartsInUse();
  readonly #tools: ToolSet;
  /** Made when there are policies. */
  readonly #resilience: Resilience | undefined;
  readonly #deadLetters: DeadLetters;
  readonly #deadLetterCallbacks = new Set<DeadLetterCallback>();
  readonly #burstLog: BurstLog;
  /** Made when there are exporters. */
  readonly #spans: SpanPipeline | undefined;
  #status: RuntimeStatus = "new";
  #startedAtMs = 0;
  #stopped: Promise<StopReport> | undefined;
  #removeFaultGuard: (() => void) | undefined;
  readonly #shutdown: Shutdown;
  readonly #changes: RuntimeChanges;
  readonly #onStray: ((error: unknown) => void) | undefined;
  readonly #drains: AgentDrains;
  /** Children that another process has run here. */
  readonly #guests: Guests;
  readonly #audit: AuditLog | undefined;
  /** Made when the agents stop for good. */
  #left: LeftMessages | undefined;

  /**
   * Builds the tree; nothing runs yet.
   *
   * @throws AGENTRT_SUPERVISION_DUPLICATE_NAME when two nodes share a name; AGENTRT_MODEL_DUPLICATE_NAME when two
   *   model providers do; AGENTRT_SUPERVISION_OPTION_INVALID when a time of `shutdown` is none; AGENTRT_OPTION_UNKNOWN and
   *   AGENTRT_OPTION_WRONG when a policy of `resilience` is wrong.
   */
  constructor(options: RuntimeOptions) {
    this.#onStray = options.onStray;
    this.#audit = options.audit;
    checkShutdown(options.supervision.name, options.shutdown);
    this.#models = [...(options.models ?? [])];
    checkModelNames(this.#models);
    this.#tools = new ToolSet(options.tools ?? []);
    const parts = { models: this.#models, tools: this.#tools.sources };
    checkResilience(options.resilience, { ...parts, tree: options });
    const system = options.system ?? createRealSystem();
    const wheel = new TimerWheel(system);
    const registry = new Registry();
    this.#transport = options.transport ?? new InProcessTransport();
    const { exporters = [], redactor = createRedactor(), sampling } = options;
    const log = options.log ?? defaultLog(system, redactor);
    this.#spans = makeSpans({ system, log, exporters, redactor, sampling });
    const tracer = options.tracer ?? this.#spans?.tracer;
    this.#burstLog = new BurstLog(log, { system, wheel });
    this.#deadLetters = new DeadLetters((letter, message) => this.#onDeadLetter(letter, message));
    if (options.resilience !== undefined)
      this.#resilience = new Resilience(options.resilience, { clock: system, log });
    this.#bus = makeBus({
      system,
      wheel,
      registry,
      transport: this.#transport,
      deadLetters: this.#deadLetters,
      tracer,
      agents: this.#resilience?.agents ?? new Map(),
      log: this.#burstLog,
    });
    const faultOwner = new OwnerContext();
    this.#watch = new TreeWatch(faultOwner, log);
    const store = options.state ?? new MemoryStateStore();
    const emit = this.#emit.bind(this);
    const shared = { system, wheel, store, storeFaults: new StoreFaults(), log, emit };
    const kernel: Kernel = {
      ...shared,
      registry,
      bus: this.#bus,
      scheduler: options.scheduler ?? createFairScheduler(system),
      approvals: new Approvals(shared),
      residentLoops: new ResidentLoops(),
      coarseClock: new CoarseClock(),
      children: new DynamicChildren({
        tree: () => this.#tree,
        kernel: () => this.#kernel,
        refuseUnlessUp: () => this.#refuseUnlessUp(),
      }),
      models: this.#models,
      modelUses: this.#modelUses,
      tools: this.#tools,
      partsInUse: this.#partsInUse,
      resilience: this.#resilience,
      tracer,
      ownSpans: tracer === undefined ? undefined : new OwnSpans(),
      faultOwner,
      crashTrails: options.crashTrails,
      onCreated: options.onCreated,
    };
    this.#guests = this.#makeGuests(options);
    this.#kernel = this.#placed(kernel, options);
    this.approvals = runtimeApprovals(kernel.approvals, () => this.#upTree());
    this.#tree = new TreeIndex(this.#kernel, options.supervision, options.loadClass);
    this.#root = this.#tree.root;
    this.#drains = new AgentDrains(this.#kernel);
    this.#shutdown = this.#makeShutdown(options.shutdown ?? {});
    this.#changes = this.#makeChanges();
  }

  /** Agents of other processes are placed by what connects this one with them. */
  #placed(kernel: Kernel, options: RuntimeOptions): Kernel {
    const { network, typeOfClass, redactor = createRedactor() } = options;
    this.#network = network?.(kernel, {
      guests: this.#guests,
      typeOfClass: (agentClass) => typeOfClass?.(agentClass),
      tree: () => this.tree(),
      restart: async (name, by) => await this.restart(name, by),
      stopAgent: async (name) => await this.stopAgent(name),
      onEvent: (callback) => this.onEvent(callback),
      noteRefusal: (refusal) => this.noteRefusal(refusal),
      redactor,
    });
    if (this.#network === undefined) return kernel;
    const { children = kernel.children, budgetsAbove } = this.#network;
    return { ...kernel, children, budgetsAbove, placement: this.#network };
  }

  #makeGuests({ loadClass }: RuntimeOptions): Guests {
    const restart = async (name: string): Promise<void> =>
      await this.restart(name, { initiatedBy: "supervisor" });
    return new GuestChildren({ tree: () => this.#tree, loadClass, restart });
  }

  #upTree(): TreeIndex {
    this.#refuseUnlessUp();
    return this.#tree;
  }

  #makeChanges(): RuntimeChanges {
    return new RuntimeChanges({
      tree: () => this.#tree,
      kernel: () => this.#kernel,
      status: () => this.#status,
      models: this.#models,
      tools: this.#tools,
      partsInUse: this.#partsInUse,
      partGraceMs: () => Math.min(timeoutMsMax, this.#shutdown.times.graceMs + stopTimeoutMs),
    });
  }

  #emit(event: RuntimeEvent): void {
    if (event.type === "agent.halted" && !event.isFound) this.#recordHalt(event);
    this.#spans?.accept(event);
    this.#watch.accept(event);
  }

  #recordHalt({ name: agent, initiatedBy, reason }: RuntimeEvent & { type: "agent.halted" }): void {
    const details = { initiated_by: initiatedBy, reason };
    this.recordAudit({ event: "agent.halt", agent, details }).catch((error: unknown) => {
      this.#kernel.log.error("a halt is not in the audit log", { agent, error });
    });
  }

  #makeShutdown(options: ShutdownOptions): Shutdown {
    return new Shutdown(options, {
      kernel: this.#kernel,
      cells: () => this.#tree.allCells(),
      sharedMailboxes: () => this.#tree.pools.map(({ queue }) => queue),
      handOver: () => this.#network?.handOver,
      graceMsDefault: () => this.graceMsDefault,
    });
  }

  /** Where the runtime is. */
  get status(): RuntimeStatus {
    return this.#status;
  }

  /** The agents and supervisors of this runtime, by name. */
  get registry(): Registry {
    return this.#kernel.registry;
  }

  /** What the tree was built from, or changed to last. */
  get description(): SupervisorSpec {
    return this.#tree.spec;
  }

  /** The clock, timers, randomness and ids of this runtime. */
  get system(): System {
    return this.#kernel.system;
  }

  /**
   * Adds a way by which requests come in. It is closed before any agent stops.
   *
   * @returns Takes it out again: it listens no more.
   */
  addEntrance(entrance: Entrance): () => void {
    return this.#shutdown.add(entrance);
  }

  /**
   * Opens again what ways of requests have read from files: certificates, keys, logs. Connections stay, and what cannot be
   * used leaves the old one, with a line in the log.
   */
  async reopen(): Promise<void> {
    const { entrances } = this.#shutdown;
    this.#audit?.reopen();
    await Promise.all([...entrances].map(async (entrance) => await entrance.reopen?.()));
  }

  /**
   * Makes the connection of a client an address, until it is closed.
   *
   * @param name No agent may have it.
   * @param sink Where messages for the client go.
   */
  openSession(name: string, sink: SessionSink): ClientSession {
    const drop = this.#bus.drop.bind(this.#bus);
    return new ClientSession({ ...this.#kernel, name, sink, drop });
  }

  /**
   * Looks whose code is running.
   *
   * @returns The agent, and the type of the message that it works on; undefined outside of any agent.
   */
  atWork(): { readonly agent: string; readonly type: string | undefined } | undefined {
    const owner = this.#kernel.faultOwner.getStore();
    return owner === undefined ? undefined : { agent: owner.name, type: owner.messageType };
  }

  /** @returns What a start that is under way waits for; empty when none is. */
  startingAgents(): readonly StartingAgent[] {
    if (this.#status !== "starting" && this.#status !== "stopping") return [];
    return startingAgents(this.#tree.cells.values(), this.#kernel.system.monotonicMs());
  }

  /** How long accepted work may take after a stop has begun, when nobody says, milliseconds. */
  protected get graceMsDefault(): number {
    return 0;
  }

  /** What carries messages between the processes of this tree; `in_process` where there is only this one. */
  get transportName(): string {
    return this.#network?.transport ?? "in_process";
  }

  /** The other processes of this tree; undefined where there are none, and on a worker. */
  get elsewhere(): Elsewhere | undefined {
    return this.#network?.elsewhere;
  }

  /** Name of the process group that this process runs; undefined where it has the tree. */
  protected get processGroup(): string | undefined {
    return this.#network?.group;
  }

  /** Answers what the process that has the tree asks about the agents of this one. */
  protected answerElsewhere(informant: Informant): void {
    this.#network?.answer?.(informant);
  }

  /** Answers questions of supervisors that wait, which change nothing. */
  protected answerReads(answer: (question: JsonObject) => Promise<JsonObject>): void {
    this.#network?.answerReads?.(answer);
  }

  /** Puts other trees in place at the other processes; undefined where there are none, and on a worker. */
  protected get treesElsewhere(): TreesElsewhere | undefined {
    return this.#network?.trees;
  }

  /** Lets the process that has the tree put other trees in place here. */
  protected takeTrees(taker: TreeTaker): void {
    this.#network?.takeTrees?.(taker);
  }

  /** Where this runtime reports. */
  get log(): Log {
    return this.#kernel.log;
  }

  /**
   * Starts the tree: each supervisor, then its children left to right.
   *
   * @throws AGENTRT_SUPERVISION_START_FAILED when a child does not start; what had started is stopped again. What a
   *   model provider throws that refuses to open.
   */
  async start(): Promise<void> {
    if (this.#status !== "new") throw this.#wrongStatus("new");
    this.#status = "starting";
    this.#kernel.faultOwner.adopt();
    this.#startedAtMs = this.#kernel.system.monotonicMs();
    this.#removeFaultGuard = guardFaults(this.#kernel, this.#onStray);
    try {
      await this.#spans?.open();
      await openModels(this.#models, this.#kernel);
      warnUnpriced(this.#models, { isBudgetInUsd: this.#tree.budgets.isInUsd, log: this.log });
      await this.#tree.budgets.load();
      await this.#openAudit();
      await this.#kernel.approvals.loadInTime();
      await openToolSources(this.#tools.sources, this.#kernel.log);
      await this.#transport.start();
      await this.#network?.open();
      if (this.status !== "starting") {
        const details = { name: this.#root.name, reason: "it was stopped while it started" };
        throw new supervisionErrors.START_FAILED(details);
      }
      await this.#root.start(() => undefined);
    } catch (error) {
      await this.stop();
      throw error;
    }
    if (this.#status === "starting") this.#status = "started";
    this.#kernel.approvals.begin();
    await this.#network?.begin();
  }

  /**
   * Stops: closes the gateways, lets what was accepted be handled as `shutdown` says, and stops the tree, right to
   * left. Twice is harmless: the second caller gets the first one's report, at the nearer time-out.
   *
   * @param options.timeoutMs Upper bound on the whole stop, 0 or more; default the times of `shutdown` and 60_000.
   *   What still runs then is abandoned.
   * @returns The names of the agents that did not stop in time.
   * @throws AGENTRT_SUPERVISION_OPTION_INVALID when the time-out is none: then nothing is stopped.
   */
  stop(options: { readonly timeoutMs?: number } = {}): Promise<StopReport> {
    const { lameDuckMs, graceMs } = this.#shutdown.times;
    const timeoutMs: unknown =
      options.timeoutMs ?? Math.min(timeoutMsMax, lameDuckMs + graceMs + stopTimeoutMs);
    if (typeof timeoutMs !== "number" || !(timeoutMs >= 0)) {
      const found = {
        option: "timeoutMs",
        found: String(timeoutMs),
        wanted: "a number of 0 or more",
      };
      const details = { supervisor: this.#root.name, ...found };
      return Promise.reject(new supervisionErrors.OPTION_INVALID(details));
    }
    const deadlineMs = this.#kernel.system.monotonicMs() + timeoutMs;
    if (this.#stopped === undefined) this.#stopped = this.#stop(deadlineMs);
    else if (!this.#shutdown.hasten(deadlineMs))
      void this.#root.stop({ deadlineMs, isFinal: true });
    return this.#stopped;
  }

  /** Stops the runtime at the end of an `await using` block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  /**
   * Sends a request from outside the tree and waits for its reply.
   *
   * @returns The reply payload: the caller's own copy.
   * @throws As `Agent.call`; AGENTRT_SUPERVISION_NOT_STARTED before `start`.
   */
  call<const To extends AgentName, Payload extends object, Type extends string = "message">(
    to: To,
    payload: PayloadFor<MessagesAt<To>, Type, Payload>,
    options?: SendOptions<Type>,
  ): Promise<ReplyFor<MessagesAt<To>, Type>> {
    if (this.#status === "new") return Promise.reject(this.#wrongStatus("started"));
    const reply: Promise<object> = this.#bus.call(outside, to, payload as object, options);
    return reply as Promise<ReplyFor<MessagesAt<To>, Type>>;
  }

  /**
   * Sends a message from outside the tree; a GenServer receives it in `handleCast`.
   *
   * @returns Settles once it is in the mailbox.
   * @throws As `Agent.send`; AGENTRT_SUPERVISION_NOT_STARTED before `start`.
   */
  cast<const To extends AgentName, Payload extends object, Type extends string = "message">(
    to: To,
    payload: PayloadFor<MessagesAt<To>, Type, Payload>,
    options?: SendOptions<Type>,
  ): Promise<void> {
    if (this.#status === "new") return Promise.reject(this.#wrongStatus("started"));
    return this.#bus.cast(outside, to, payload as object, options);
  }

  /**
   * Sends a request from outside the tree and takes its reply chunk by chunk.
   *
   * @returns The chunks, in order. Leaving the loop cancels what the producer still does.
   * @throws As `Agent.stream`, at a read; AGENTRT_SUPERVISION_NOT_STARTED at once, before `start`.
   */
  stream<const To extends AgentName, Payload extends object, Type extends string = "message">(
    to: To,
    payload: PayloadFor<MessagesAt<To>, Type, Payload>,
    options?: StreamOptions<Type>,
  ): ChunkStream<ChunkFor<MessagesAt<To>, Type>> {
    if (this.#status === "new") throw this.#wrongStatus("started");
    const request = { origin: outside, to, payload: payload as object, options };
    const chunks: object = this.#bus.stream(request);
    return chunks as ChunkStream<ChunkFor<MessagesAt<To>, Type>>;
  }

  /**
   * Sends a message from outside the tree to one agent that declares a capability, chosen at random among those that
   * take messages.
   *
   * @returns The name of the agent, once the message is in its mailbox.
   * @throws As `Agent.sendCapable`; AGENTRT_SUPERVISION_NOT_STARTED before `start`.
   */
  sendCapable<Payload extends object>(
    tag: string,
    payload: Payload & JsonMembers<Payload>,
    options?: SendOptions,
  ): Promise<string> {
    if (this.#status === "new") return Promise.reject(this.#wrongStatus("started"));
    return this.#bus.sendCapable(outside, tag, payload, options);
  }

  /**
   * Sends a request from outside the tree to one agent that declares a capability, and waits for its reply.
   *
   * @returns The reply payload: the caller's own copy.
   * @throws As `Agent.callCapable`; AGENTRT_SUPERVISION_NOT_STARTED before `start`.
   */
  callCapable<Payload extends object>(
    tag: string,
    payload: Payload & JsonMembers<Payload>,
    options?: SendOptions,
  ): Promise<JsonObject> {
    if (this.#status === "new") return Promise.reject(this.#wrongStatus("started"));
    return this.#bus.callCapable(outside, tag, payload, options);
  }

  /**
   * Sends a request from outside the tree to one agent that declares a capability, and takes its reply chunk by chunk.
   *
   * @returns The chunks, in order. Leaving the loop cancels what the producer still does.
   * @throws As `Agent.streamCapable`, at a read; AGENTRT_SUPERVISION_NOT_STARTED at once, before `start`.
   */
  streamCapable<Payload extends object>(
    tag: string,
    payload: Payload & JsonMembers<Payload>,
    options?: StreamOptions,
  ): ChunkStream {
    if (this.#status === "new") throw this.#wrongStatus("started");
    return this.#bus.stream({ origin: outside, to: { capability: tag }, payload, options });
  }

  /**
   * Restarts an agent at its next message boundary, as behind a crash: its supervisor's strategy applies. It costs no
   * budget and waits for no backoff. One that was stopped, is being stopped or was given up is started again, and so are the
   * supervisors above it that were given up.
   *
   * @param name Name of an agent.
   * @param options.initiatedBy Who asked, for log and audit; default `"runtime"`.
   * @param options.isCharged True for one that costs budget and waits for the backoff, as a crash; default false.
   * @throws AGENTRT_SUPERVISION_UNKNOWN_NAME, AGENTRT_SUPERVISION_NOT_AN_AGENT; AGENTRT_AGENT_STOPPED for one that was
   *   spawned and is being ended: it is gone then; AGENTRT_WORKER_AWAY for one whose worker is away;
   *   AGENTRT_SUPERVISION_NOT_STARTED before `start`, and once a stop of the runtime has come to the agents.
   */
  async restart(
    name: string,
    options: { readonly initiatedBy?: string; readonly isCharged?: boolean } = {},
  ): Promise<void> {
    const elsewhere = this.#tree.findElsewhere(name);
    const actor = elsewhere ?? this.#tree.actorOf(name, "restart");
    // In the stop of the whole tree nothing is started any more.
    if (this.#left !== undefined) throw this.#wrongStatus("started");
    this.#refuseUnlessUp();
    if (actor instanceof AgentCell) refuseIfHalted(actor);
    const isRunning = "isWanted" in actor ? actor.isWanted : actor.isRunning;
    if (isRunning && this.#tree.findParent(name)?.isStoppingChild(name) !== true) {
      const { initiatedBy = "runtime", isCharged = false } = options;
      actor.requestRestart({ initiatedBy, isCharged });
      return;
    }
    await this.#revive(name);
  }

  /** Starts an agent again, and the supervisors above it that are down. */
  async #revive(name: string): Promise<void> {
    let parent = this.#tree.parentOf(name);
    await parent.reviveChild(name);
    while (parent.isDown && parent !== this.#root) {
      const down = parent.name;
      parent = this.#tree.parentOf(down);
      await parent.reviveChild(down);
    }
  }

  /**
   * Stops one agent for good; `restart` brings it back. One that was spawned is gone then, as by `stopChild`. A key of a
   * keyed agent (`ticket/4711`) is passivated, and starts again with its next message; one that is not there is left alone.
   *
   * @param name Name of an agent.
   * @param options For one that was spawned: how much it handles before, and for how long.
   * @returns The names of the agents that did not stop in time.
   * @throws AGENTRT_SUPERVISION_UNKNOWN_NAME, AGENTRT_SUPERVISION_NOT_AN_AGENT; AGENTRT_KEY_NOT_SAVED for a key whose
   *   state cannot be saved: it stays; AGENTRT_SUPERVISION_NOT_STARTED before `start` and after `stop`.
   */
  async stopAgent(name: string, options?: StopChildOptions): Promise<StopReport> {
    const actor = this.#tree.findElsewhere(name) ?? this.#tree.actorOf(name, "stop");
    this.#refuseUnlessUp();
    const parent = this.#tree.parentOf(actor.name);
    if (parent instanceof KeyedSupervisor) {
      return { lateNames: await parent.endKey(name.slice(parent.name.length + 1)) };
    }
    if (!(parent instanceof Supervisor)) return await this.stopChild(name, options);
    const lateNames = await parent.stopChild(name);
    return {
      lateNames: actor.kind === "agent" ? lateNames.filter((late) => late === name) : lateNames,
    };
  }

  /**
   * Spawns a child under the first dynamic supervisor of the tree; the spawner is `_runtime`. Returns as `Agent.spawn`.
   *
   * @throws As `Agent.spawn`; AGENTRT_SUPERVISION_NOT_STARTED before `start` and after `stop`.
   */
  // oxlint-disable-next-line max-params -- the published form
  spawn<Class extends AnyAgentClass | string>(
    agentClass: Class & CheckedClass<Class>,
    name: string,
    config?: ConfigOf<Class>,
    options?: SpawnOptions,
  ): Promise<SpawnReport> {
    const request = { agentClass, name, config: config as JsonObject | undefined, options };
    return this.#kernel.children.spawn(runtimeName, { ...request, into: undefined });
  }

  /**
   * Spawns a child under the dynamic supervisor of that name. Returns as `Agent.spawnInto`.
   *
   * @throws As `Agent.spawnInto`; AGENTRT_SUPERVISION_NOT_STARTED before `start` and after `stop`.
   */
  // oxlint-disable-next-line max-params -- the published form
  spawnInto<Class extends AnyAgentClass | string>(
    supervisor: string,
    agentClass: Class & CheckedClass<Class>,
    name: string,
    config?: ConfigOf<Class>,
    options?: SpawnOptions,
  ): Promise<SpawnReport> {
    const request = { agentClass, name, config: config as JsonObject | undefined, options };
    return this.#kernel.children.spawn(runtimeName, { ...request, into: supervisor });
  }

  /**
   * Ends a spawned child at once; returns as `Agent.despawn`.
   *
   * @throws As `Agent.despawn`; AGENTRT_SUPERVISION_NOT_STARTED before `start` and after `stop`.
   */
  despawn(name: string): Promise<StopReport> {
    const request = { name, drain: "now", timeoutMs: undefined } as const;
    return this.#kernel.children.end(runtimeName, request);
  }

  /**
   * Ends a spawned child softly; returns as `Agent.stopChild`.
   *
   * @throws As `Agent.stopChild`; AGENTRT_SUPERVISION_NOT_STARTED before `start` and after `stop`.
   */
  stopChild(name: string, options: StopChildOptions = {}): Promise<StopReport> {
    const { drain = "current", timeoutMs } = options;
    return this.#kernel.children.end(runtimeName, { name, drain, timeoutMs });
  }

  /**
   * Suspends an agent at its next message boundary: it then serves nothing but messages with a priority above 0, while
   * the others wait. The suspension is saved with the state: it outlives restarts and the process. One that is
   * suspended already gets the new reason; one that is being restarted is suspended as soon as it runs.
   *
   * @param name Name of an agent, of a pool, of a keyed agent, or of a key (`ticket/4711`), which starts where it is not there.
   * @param options.reason What for, not empty.
   * @param options.category Default `"other"`.
   * @param options.initiatedBy Who asked, for log and audit; default `"runtime"`.
   * @returns Settles when it is in effect: after the message at hand.
   * @throws AGENTRT_AGENT_SUSPENSION_INVALID, AGENTRT_AGENT_STOPPED, AGENTRT_SUPERVISION_UNKNOWN_NAME,
   *   AGENTRT_SUPERVISION_NOT_AN_AGENT for a supervisor, AGENTRT_SUPERVISION_NOT_STARTED; for a key AGENTRT_KEY_INVALID,
   *   AGENTRT_KEY_FAILED, AGENTRT_KEY_EXHAUSTED.
   */
  async suspend(name: string, options: SuspendOptions): Promise<void> {
    const actor = this.#tree.actorOf(name, "suspend");
    this.#refuseUnlessUp();
    await suspendAgent(actor, options);
  }

  /**
   * Lets a suspended agent go on, and starts one again that an eval agent has halted; any other one is left alone.
   *
   * @param name Name of an agent.
   * @param options.approver Who lets it go on, not empty.
   * @param options.approval Id of the approval that it waits for: that is approved by it. Default none.
   * @param options.onDecided Called once that is saved, before the agent gets it.
   * @returns Settles when it is in effect and `onResume` is done.
   * @throws As `suspend`; what `onResume` throws; AGENTRT_AGENT_APPROVAL_PENDING when it waits for an approval that was not
   *   named. With `approval` what `approvals.approve` throws; AGENTRT_APPROVAL_UNKNOWN when another agent asked for it.
   */
  async resume(name: string, options: ResumeOptions): Promise<void> {
    const actor = this.#tree.actorOf(name, "resume");
    this.#refuseUnlessUp();
    const { approvals } = this.#kernel;
    if (actor instanceof AgentCell && actor.isHalted) {
      await resumeAgent(
        liftingOf(actor, () => this.#revive(name)),
        options,
        approvals,
      );
    } else await resumeAgent(actor, options, approvals);
  }

  /**
   * Drains an agent: it refuses new messages with AGENTRT_AGENT_DRAINED, finishes those that it has, and is then suspended
   * until somebody resumes it. What it sends to itself, and messages with a priority above 0, are
   * taken all the same. That it is drained is saved at once, and outlives restarts and the process. One that is suspended
   * already keeps what waits for it.
   *
   * @param name Name of an agent, of a pool, of a keyed agent, or of a key (`ticket/4711`).
   * @param options.initiatedBy Who asked, for log and audit; default `"runtime"`.
   * @param options.reason Why, not empty; default `"drained"`.
   * @returns Settles when it has finished and is suspended. One that sends itself messages without end never has: a `suspend`
   *   ends its drain, behind the message at hand.
   * @throws As `suspend`; AGENTRT_AGENT_DRAIN_ENDED when somebody resumes it before.
   */
  async drain(
    name: string,
    { initiatedBy = "runtime", reason = "drained" }: Partial<DrainRequest> = {},
  ): Promise<void> {
    const actor = this.#tree.actorOf(name, "drain");
    checkReason(name, reason);
    this.#refuseUnlessUp();
    await this.#drains.drain(actor, { initiatedBy, reason });
  }

  /**
   * Looks at what waits for an agent, without taking it.
   *
   * @param name Name of an agent, of a pool, or of a key (`ticket/4711`).
   * @param options.limit Messages that are listed at most, 0 or more; default 100.
   * @returns How many wait, and the first of them without their payloads.
   * @throws AGENTRT_SUPERVISION_UNKNOWN_NAME; AGENTRT_SUPERVISION_NOT_AN_AGENT for a supervisor and a whole keyed agent.
   */
  mailbox(name: string, { limit = 100 }: { readonly limit?: number } = {}): MailboxPicture {
    const waiting = this.#tree.waitingMessages(name);
    const messages = waiting.slice(0, limit).map((message) => {
      const { id, type, sender, priority, timestampMs } = message;
      return { id, type, sender, priority, timestampMs };
    });
    return { depth: waiting.length, messages };
  }

  /**
   * Takes a message out of a mailbox: it is not handled. Who waits for its answer gets AGENTRT_AGENT_MESSAGE_REMOVED, and it is
   * among the messages that nobody handled, as `removed`.
   *
   * @param name Name of an agent, of a pool, or of a key (`ticket/4711`).
   * @param id Its id.
   * @param options.initiatedBy Who asked, for the error of the caller; default `"runtime"`.
   * @returns False when no message of that id waits.
   * @throws As `mailbox`.
   */
  dropMessage(
    name: string,
    id: string,
    { initiatedBy = "runtime" }: { readonly initiatedBy?: string } = {},
  ): boolean {
    return this.#tree.mailboxOwner(name, "take a message from").removeWaiting(id, initiatedBy);
  }

  /**
   * Looks at what an agent does at this moment: what it handles and since when, and how much waits. Since when is known to a
   * quarter of a second in a tree with a control plane; else some messages count from when they were sent.
   *
   * @param name Name of an agent, of a pool, of a keyed agent, or of a key.
   * @returns A picture without payloads.
   * @throws AGENTRT_SUPERVISION_UNKNOWN_NAME; AGENTRT_SUPERVISION_NOT_AN_AGENT for a supervisor.
   */
  activity(name: string): AgentActivity {
    const activity = activityOf(this.#tree.actorOf(name, "look into"));
    const drain = this.#drains.underWay(name);
    const { listeners } = this.#shutdown.entranceOf(name) ?? {};
    return {
      ...activity,
      ...(drain === undefined ? {} : { drain }),
      ...(listeners === undefined ? {} : { listeners }),
    };
  }

  /**
   * Says when a model provider has answered last.
   *
   * @param name Name of the provider.
   * @returns Wall-clock milliseconds since the Unix epoch; undefined when it has not answered yet, or is not there.
   */
  modelAnsweredMs(name: string): number | undefined {
    const provider = this.#models.find((model) => model.name === name)?.provider;
    const atMs = provider === undefined ? undefined : this.#partsInUse.answeredAtMs(provider);
    return atMs === undefined ? undefined : this.system.wallTimeMs(atMs);
  }

  /**
   * Takes a picture of one agent, as `tree` does of all.
   *
   * @param name Name of an agent, or of a key.
   * @returns The picture; undefined where there is no agent of that name, and for a key without an object.
   */
  agentNode(name: string): AgentNode | undefined {
    return this.#tree.findAgent(name)?.describe();
  }

  /**
   * Takes a picture of one supervisor with all below it, as `tree` does of all.
   *
   * @param name Name of a supervisor, a pool or a keyed agent.
   * @returns The picture; undefined where there is none of that name.
   */
  supervisorNode(name: string): SupervisorNode | undefined {
    return this.#tree.findEngine(name)?.describe();
  }

  /**
   * Takes a picture of one node with all below it, as `tree` does of all.
   *
   * @param name Name of an agent, on whatever process, or of a supervisor, a pool or a keyed agent.
   * @returns The picture, and the names of the supervisors above it, the root first; undefined where there is none of that name.
   */
  findNode(name: string): PlacedNode | undefined {
    return this.#tree.findNode(name);
  }

  /** @returns Which model each agent or key waits for longest, and since when, of those that wait for one at this moment. */
  awaitedModels(): AwaitedModel[] {
    return [...this.#partsInUse.asking].flatMap((each) => {
      const { name, sinceMs } = each.longestWait() ?? {};
      if (name === undefined || sinceMs === undefined) return [];
      return { name, sinceMs: this.system.wallTimeMs(sinceMs) };
    });
  }

  /** Dates the handling of each message from now on, until the stop: what looks at them wants to know. */
  protected dateMessages(): void {
    this.#kernel.coarseClock.start(this.system);
  }

  /**
   * Copies the state of an agent, without what its `redactState` takes out.
   *
   * @param name Name of an agent, or of a key.
   * @returns The state; undefined while there is no object of it.
   * @throws As `activity`; AGENTRT_SUPERVISION_NOT_AN_AGENT for a pool and a whole keyed agent; what `redactState` throws;
   *   AGENTRT_BUS_PAYLOAD_NOT_JSON.
   */
  agentState(name: string): JsonObject | undefined {
    return stateOf(this.#tree.actorOf(name, "look into"));
  }

  /**
   * Puts a message from outside the tree into a mailbox, as `cast` does, but waits for no room.
   *
   * @param name Name of an agent, of a pool, of a keyed agent, or of a key.
   * @returns The id of the message.
   * @throws As `cast`; AGENTRT_SUPERVISION_UNKNOWN_NAME; AGENTRT_SUPERVISION_NOT_AN_AGENT for a supervisor.
   */
  async inject(
    name: string,
    { type, payload }: { readonly type: string; readonly payload: JsonObject },
  ): Promise<string> {
    // What is on workers is sent to as by anybody.
    const isElsewhere = this.#tree.findElsewhere(name) !== undefined;
    if (!isElsewhere) this.#tree.actorOf(name, "send to");
    this.#refuseUnlessUp();
    const timeoutMs = isElsewhere ? injectTimeoutMs : 0;
    return await this.#bus.inject(outside, name, { type, payload, timeoutMs });
  }

  /**
   * Lists the keys of a keyed agent that are there, in the order of their names.
   *
   * @param name Name of a keyed agent.
   * @param page Which; default the first 100.
   * @throws AGENTRT_SUPERVISION_UNKNOWN_NAME.
   */
  keys(name: string, page: KeyPage = {}): AgentNode[] {
    const found = this.#tree.keyed.get(name)?.supervisor;
    if (found === undefined) throw new supervisionErrors.UNKNOWN_NAME({ name });
    return found.describeKeys({ ...page, limit: page.limit ?? 100 });
  }

  /**
   * Puts another description in place of the one that runs, node by node. What is described as before keeps its object,
   * its state and its queue, under whatever supervisor it is then. What is described differently begins again with the
   * state and the queue that it had; what is gone ends, and what waits for it ends with AGENTRT_AGENT_STOPPED. If a start
   * fails, all is undone.
   *
   * @param description The tree to run, and which nodes of it are described differently.
   * @returns The names of the agents that did not stop in time.
   * @throws AGENTRT_CHANGE_BUSY while another change is under way, AGENTRT_CHANGE_START_FAILED, AGENTRT_CHANGE_STATE_NOT_SAVED,
   *   AGENTRT_CHANGE_ROOT_DIFFERS, AGENTRT_CHANGE_KIND_DIFFERS; AGENTRT_SUPERVISION_NOT_STARTED and
   *   AGENTRT_SUPERVISION_HOLD_LOST before the start and when a stop comes meanwhile.
   */
  async change(description: RuntimeDescription): Promise<StopReport> {
    return { lateNames: await this.#changes.run(description) };
  }

  /**
   * Counts crashes that another process of the same tree has seen, so that a crash loop does not begin with full limits in this one.
   * A start forgets them: it is for a tree that runs.
   *
   * @param agesMs For supervisors by name: how long ago crashes of their children were, milliseconds. Unknown names are left out.
   */
  recallCrashes(agesMs: { readonly [supervisor: string]: readonly number[] }): void {
    this.#tree.recallCrashes(agesMs);
  }

  /** @returns The tree as plain values, root first. */
  tree(): SupervisorNode {
    return this.#root.describe();
  }

  /**
   * Reads the counters.
   *
   * @param names Agents and keyed agents that are among `agents`, which costs little where they are few; default all.
   * @returns Plain values; the sums are those of all in any case.
   */
  snapshot(names?: readonly string[]): RuntimeSnapshot {
    const { gone, cells, keyed } = this.#tree;
    const agents: { [name: string]: AgentCounters } = Object.create(null);
    for (const name of names ?? [...cells.keys(), ...keyed.keys()]) {
      const counters = cells.get(name)?.counters();
      const tally = keyed.get(name)?.tally;
      if (counters !== undefined) agents[name] = counters;
      else if (tally !== undefined) agents[name] = { ...tally.toValue(), ...noModelSession };
    }
    let totalMessages = gone.messagesHandled;
    let totalCostUsd = gone.costUsd;
    for (const counted of [cells, keyed])
      for (const { tally } of counted.values()) {
        totalMessages += tally.messagesHandled;
        totalCostUsd += tally.costUsd;
      }
    const { losses: linkLosses, refused: linkRefused, linkDuplicateCount } = this.#network ?? {};
    return {
      agents,
      budgets: this.budgets(),
      totalMessages,
      totalCostUsd,
      models: this.#modelUses.toValue(),
      uptimeMs: this.#status === "new" ? 0 : this.#kernel.system.monotonicMs() - this.#startedAtMs,
      restartHistory: this.#watch.restartHistory,
      dropped: this.#deadLetters.counts,
      circuits: this.circuits(),
      exporters: this.#spans?.counts() ?? [],
      ...(linkLosses === undefined ? {} : { linkLosses }),
      ...(linkRefused === undefined ? {} : { linkRefused }),
      ...(linkDuplicateCount === undefined ? {} : { linkDuplicateCount }),
    };
  }

  /** @returns How many messages were handled, and how many were dropped by reason: of a snapshot the part that costs little. */
  messageCounts(): { readonly handledCount: number; readonly dropped: DropCounts } {
    let handledCount = this.#tree.gone.messagesHandled;
    for (const cell of this.#tree.cells.values()) handledCount += cell.tally.messagesHandled;
    for (const { tally } of this.#tree.keyed.values()) handledCount += tally.messagesHandled;
    return { handledCount, dropped: this.#deadLetters.counts };
  }

  /** What makes spans; undefined without exporters. */
  get tracer(): Tracer | undefined {
    return this.#kernel.tracer;
  }

  /**
   * Finds the spans of a trace: in an exporter that keeps them, and among the latest 4096 in memory.
   *
   * @param traceId 32 lower-case hexadecimal digits.
   * @returns The spans, by their start, at most 1000; undefined without exporters.
   */
  async spansOf(traceId: string): Promise<SpanRecord[] | undefined> {
    return (await this.findTrace(traceId))?.spans.slice();
  }

  /**
   * As `spansOf`, and says what could not be read.
   *
   * @param traceId 32 lower-case hexadecimal digits.
   * @returns Undefined without exporters.
   */
  async findTrace(traceId: string): Promise<FoundSpans | undefined> {
    return await this.#spans?.findTrace(traceId);
  }

  /**
   * Lists traces, newest first, from where `spansOf` finds them. What ended in the last second may not be there yet.
   *
   * @param query Which, and where to go on.
   * @returns Undefined without exporters.
   */
  async traces(query: TraceQuery): Promise<TraceList | undefined> {
    return await this.#spans?.traces(query);
  }

  /** @returns The record of a crash, also of an earlier run; undefined where none was written, or it is gone. */
  crashRecord(id: string): CrashRecord | undefined {
    return this.#kernel.crashTrails?.recordOf(id);
  }

  /** @returns The crashes that are recorded, those of earlier runs too, oldest first; none where nothing records them. */
  async crashRecords(): Promise<readonly RecordedCrash[]> {
    return (await this.#kernel.crashTrails?.list()) ?? [];
  }

  /** @returns The budgets of model calls, in the order of the tree, then of keys that were used lately. */
  budgets(): BudgetReport[] {
    return this.#tree.budgets.reports();
  }

  /**
   * Begins a budget of model calls again with nothing spent; what is held back for calls that run stays so.
   *
   * @param name Name of the agent or supervisor that has it, or of a key (`ticket/4711`).
   * @returns Settles when it is saved.
   * @throws AGENTRT_MODEL_NO_BUDGET; what the state store throws; AGENTRT_SUPERVISION_NOT_STARTED before `start` and
   *   after `stop`.
   */
  async resetBudget(name: string): Promise<void> {
    this.#refuseUnlessUp();
    await this.#tree.budgets.reset(name);
  }

  /** @returns The circuits of models, agents and tools as plain values, in the order of their policies. */
  circuits(): CircuitSnapshot[] {
    return this.#resilience?.circuits() ?? [];
  }

  /** @returns Whether all of the tree runs, what was given up, and whether states and audit records can be saved. */
  health(): RuntimeHealth {
    const failed = this.#root.failedNames();
    const outage = this.#kernel.store.outage?.();
    const { pendingCount: pendingApprovalCount } = this.#kernel.approvals;
    const report = this.#audit?.report();
    const reason = report?.outage;
    const isOk = failed.length === 0 && outage === undefined && reason === undefined;
    const halted = haltedNames(this.#tree);
    return {
      status: isOk ? "ok" : "degraded",
      failed,
      ...(halted.length === 0 ? {} : { halted }),
      ...(outage === undefined ? {} : { outage }),
      ...(report === undefined || reason === undefined
        ? {}
        : { audit: { sink: report.sink, reason } }),
      ...(pendingApprovalCount === 0 ? {} : { pendingApprovalCount }),
    };
  }

  async #openAudit(): Promise<void> {
    const { store, system, log } = this.#kernel;
    await this.#audit?.open({ store, system, log, onRecord: (event) => this.#tellRecord(event) });
  }

  #tellRecord(record: AuditEvent): void {
    const name = record.agent ?? "";
    this.#kernel.emit({ type: "audit.recorded", name, atMs: this.#kernel.system.nowMs(), record });
  }

  /**
   * Records what somebody does or was refused: in the audit log, where there is one, and as an event of the tree.
   *
   * @param event Who and what; nothing in it is secret.
   * @returns Settles when it is written, or was tried without success: after a second in any case.
   */
  async recordAudit(event: AuditEvent): Promise<void> {
    if (this.#audit === undefined) this.#tellRecord(event);
    else await this.#audit.record(event);
  }

  /** Takes note of a client that was refused; those of a kind are recorded together. */
  noteRefusal(refusal: AuditRefusal): void {
    this.#audit?.refuse(refusal);
  }

  /** @returns How the audit log fares; undefined where there is none. */
  auditReport(): AuditReport | undefined {
    return this.#audit?.report();
  }

  /**
   * Watches crashes, each before its supervisor acts on it. What the callback throws is logged.
   *
   * @param callback Called with the name and the error.
   * @returns Ends the watch.
   */
  onCrash(callback: CrashCallback): () => void {
    return this.#watch.onCrash(callback);
  }

  /**
   * Watches everything that happens in the tree, in order. What the callback throws is logged.
   *
   * @param callback Called with each event.
   * @returns Ends the watch.
   */
  onEvent(callback: (event: RuntimeEvent) => void): () => void {
    return this.#watch.onEvent(callback);
  }

  /** @returns The latest 1000 messages that nobody handled, oldest first. `snapshot().dropped` counts them all. */
  deadLetters(): DeadLetter[] {
    return this.#deadLetters.list();
  }

  /**
   * Watches messages that nobody handled, for those who want to keep them. What the callback throws is logged.
   *
   * @param callback Called with each one, and with the message unless nobody has the name it was for.
   * @returns Ends the watch.
   */
  onDeadLetter(callback: DeadLetterCallback): () => void {
    this.#deadLetterCallbacks.add(callback);
    return () => void this.#deadLetterCallbacks.delete(callback);
  }

  #onDeadLetter(letter: DeadLetter, message: Message | undefined): void {
    const { reason, recipient, sender, type, id } = letter;
    if (reason === "stopped" && this.#left !== undefined) {
      this.#left.add(recipient, type);
    } else if (reason !== "crashed" && reason !== "skipped") {
      // Crashes and skipped messages are logged with their error where they happen.
      const fields = { reason, recipient, sender: sender || undefined, type, id: id ?? undefined };
      this.#burstLog.warn({ kind: `${reason} ${recipient}` }, "message not handled", fields);
    }
    for (const callback of this.#deadLetterCallbacks) {
      this.#watch.tell(() => callback(letter, message));
    }
  }

  async #stop(deadlineMs: number): Promise<StopReport> {
    const hadStarted = this.#status !== "new";
    const isDrained = this.#status === "started";
    this.#status = "stopping";
    this.#changes.end();
    if (isDrained && this.#shutdown.takesTime) await this.#shutdown.drain(deadlineMs);
    this.#network?.leave();
    this.#left = new LeftMessages();
    this.#bus.endRetries();
    const lateNames = hadStarted ? await this.#root.stop({ deadlineMs, isFinal: true }) : [];
    this.#root.retire();
    this.#left.tell(this.#kernel.log);
    const limit = (): number => this.#kernel.system.monotonicMs() + closeTimeoutMs;
    try {
      try {
        await this.#network?.close(limit());
      } finally {
        await this.#transport.stop();
      }
    } finally {
      // However long the network took: a store that answers saves what it has.
      const untilMs = limit();
      const inTime = async (what: string, closed: Promise<unknown>): Promise<void> =>
        await closeInTime(this.#kernel, { what, closed, untilMs });
      try {
        await inTime("budgets", this.#tree.budgets.close());
        if (hadStarted) await this.#audit?.close();
        await inTime("approvals", this.#kernel.approvals.close());
        await inTime("states", this.#kernel.store.close());
      } finally {
        if (hadStarted) await closeModels(this.#models, this.#kernel.log);
        if (hadStarted) await closeToolSources(this.#tools.sources, this.#kernel.log);
        await this.#changes.closeParts();
        await this.#spans?.shutdown();
        this.#burstLog.flush();
        this.#kernel.coarseClock.end(this.system);
        this.#kernel.wheel.close();
        this.#removeFaultGuard?.();
        this.#status = "stopped";
      }
    }
    return { lateNames };
  }

  #refuseUnlessUp(): void {
    if (this.#status === "new" || this.#status === "stopped") throw this.#wrongStatus("started");
  }

  #wrongStatus(wanted: RuntimeStatus): Error {
    const details = { runtime: this.#root.name, status: this.#status, wanted };
    return new supervisionErrors.NOT_STARTED(details);
  }
}

/** Nothing is made of what nobody gets. */
function makeSpans(init: ConstructorParameters<typeof SpanPipeline>[0]): SpanPipeline | undefined {
  return init.exporters.length === 0 ? undefined : new SpanPipeline(init);
}
