import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Approval,
  agentInternals,
  AgentCell,
  KeyedSupervisor,
  PoolQueue,
  messageInternals,
  type Agent,
  type BudgetReport,
  type DropReason,
  type ErrorAction,
  type JsonObject,
  type Message,
  type RuntimeEvent,
  type ChunkStream,
  type SendOptions,
  type StreamOptions,
  type SupervisorNode,
  type SupervisorSpec,
  joinLimits,
} from "../core/index.ts";
import type { Runtime, RuntimeSnapshot } from "../runtime/index.ts";
import type {
  DecisionTried,
  Fact,
  Life,
  ModelAmount,
  ModelAsk,
  OpenCall,
  Request,
  Sent,
} from "./fact.ts";
import type { Invariant, View } from "./invariant.ts";
import { agentNames, supervisorNames, TreePlan } from "./tree-plan.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** What is broken, and when. */
export interface Violation {
  readonly invariant: string;
  readonly reason: string;
  /** Virtual milliseconds since the beginning of the run. */
  readonly atMs: number;
}

/** A call or a stream that somebody is about to ask for. */
interface Asked<Options> {
  /** Undefined for a caller outside the tree. */
  readonly caller: Life | undefined;
  readonly to: OpenCall["to"];
  readonly options: Options | undefined;
}

/** An invariant with one of its members. */
type Judging<Member extends keyof Invariant> = Invariant & Required<Pick<Invariant, Member>>;

function hasMember<Member extends keyof Invariant>(
  invariant: Invariant,
  member: Member,
): invariant is Judging<Member> {
  return invariant[member] !== undefined;
}

const defaultTimeoutMs = 30_000;

/** Writes down what a simulation sees and asks the invariants about each thing of it. */
export class TreeRecord implements View {
  readonly plan: TreePlan;
  readonly lives = new Map<string, Life>();
  readonly openCalls = new Set<OpenCall>();
  readonly openRequests = new Set<Request>();
  readonly waiting = new Set<Sent>();
  /** What happened, for people; empty unless asked for. */
  readonly trace: string[] = [];
  sentCount = 0;
  unwantedCount = 0;
  quietCount = 0;
  stopAskedAtMs: number | undefined;
  readonly graceMs: number;
  readonly savingFailureCount: () => number;
  isStopped = false;
  isChanged = true;
  /** The first invariant that was broken. */
  violation: Violation | undefined;
  readonly #clock: VirtualClock;
  readonly #invariants: readonly Invariant[];
  /** Those that want to hear of facts, and those that are asked at quiet points. */
  readonly #factual: readonly Judging<"onFact">[];
  readonly #quieting: readonly Judging<"onQuiet">[];
  readonly #isTraced: boolean;
  readonly #sents = new WeakMap<Message, Sent>();
  /** What the running code works on. */
  readonly #work = new AsyncLocalStorage<Sent>();
  readonly #positions = new Map<string, number>();
  readonly #repeatedNames: ReadonlySet<string>;
  #runtime: Runtime | undefined;
  #inTransitCount: () => number = () => 0;
  #calling: OpenCall | undefined;
  #tree: SupervisorNode | undefined;
  readonly #supervisors = new Map<string, SupervisorNode>();

  constructor(init: {
    readonly clock: VirtualClock;
    readonly supervision: SupervisorSpec;
    readonly invariants: readonly Invariant[];
    readonly isTraced: boolean;
    readonly graceMs: number;
    readonly savingFailureCount: () => number;
    /** Names of agents whose calls may be made several times. */
    readonly repeatedNames: ReadonlySet<string>;
  }) {
    this.plan = new TreePlan(init.supervision);
    this.#clock = init.clock;
    this.#invariants = init.invariants;
    this.#factual = init.invariants.filter((each) => hasMember(each, "onFact"));
    this.#quieting = init.invariants.filter((each) => hasMember(each, "onQuiet"));
    this.#isTraced = init.isTraced;
    this.graceMs = init.graceMs;
    this.savingFailureCount = init.savingFailureCount;
    this.#repeatedNames = init.repeatedNames;
  }

  /** Begins to watch a runtime. */
  attach(runtime: Runtime, inTransitCount: () => number): void {
    this.#runtime = runtime;
    this.#inTransitCount = inTransitCount;
    runtime.onEvent((event) => this.#onEvent(event));
    runtime.onDeadLetter(({ reason }, message) => {
      if (message !== undefined) this.#dropped(message, reason);
    });
  }

  // View.

  get atMs(): number {
    return this.#clock.monotonicMs();
  }

  get inTransitCount(): number {
    return this.#inTransitCount();
  }

  readonly queuedCount = (): number => {
    let count = 0;
    for (const { address } of this.#attached().registry.list()) {
      if (address instanceof PoolQueue) count += address.mailboxDepth + address.waitingSenderCount;
      else if (address instanceof AgentCell)
        count += address.mailbox.depth + address.mailbox.senderCount;
      else if (address instanceof KeyedSupervisor) count += address.mailboxDepth;
    }
    return count;
  };

  readonly snapshot = (): RuntimeSnapshot => this.#attached().snapshot();

  readonly messageCounts = (): ReturnType<Runtime["messageCounts"]> =>
    this.#attached().messageCounts();

  readonly budgets = (): readonly BudgetReport[] => this.#attached().budgets();

  readonly tree = (): SupervisorNode => (this.#tree ??= this.#attached().tree());

  readonly supervisorNode = (name: string): SupervisorNode | undefined => {
    const known = this.#supervisors.get(name);
    if (known !== undefined) return known;
    const found = this.#attached().supervisorNode(name);
    if (found !== undefined) this.#supervisors.set(name, found);
    return found;
  };

  #forgetTree(): void {
    this.#tree = undefined;
    this.#supervisors.clear();
  }

  readonly stateOf = (name: string): JsonObject | undefined => {
    const life = this.lives.get(name);
    if (life?.phase !== "running" || life.crashedAtMs !== undefined) return undefined;
    return life.agent.state;
  };

  readonly isSuspended = (name: string): boolean => {
    const whole = this.#attached().registry.get(name)?.address;
    return whole?.isSuspended === true || this.#cellOf(name)?.isSuspended === true;
  };

  #cellOf(name: string): AgentCell | undefined {
    const found = this.#attached().registry.get(name);
    if (found?.address instanceof AgentCell) return found.address;
    if (!(found?.address instanceof KeyedSupervisor)) return undefined;
    return found.address.cellOf(name.slice(found.name.length + 1));
  }

  readonly isOver = (life: Life): boolean => {
    if (life.phase === "over" || this.lives.get(life.name) !== life) return true;
    // An `onStop` after a crash that took too long is not waited for, and nothing says so.
    if (life.crashedAtMs === undefined) return false;
    return this.atMs >= life.crashedAtMs + life.shutdownTimeoutMs;
  };

  // What is told by agents.

  created(agent: Agent): Life {
    const { name } = agent;
    const own = agentInternals.optionsOf(agent);
    const declared = this.#cellOf(name)?.spec.limits;
    const limits = declared === undefined ? undefined : joinLimits(name, declared, own);
    const life: Life = {
      name,
      number: (this.lives.get(name)?.number ?? 0) + 1,
      agent,
      initialState: JSON.stringify(agent.state),
      shutdownTimeoutMs: limits?.shutdownTimeoutMs ?? 30_000,
      hasHandleTimeout: limits?.handleTimeoutMs !== undefined,
      concurrency: limits?.concurrency ?? 1,
      phase: "starting",
      crashedAtMs: undefined,
      isToStop: false,
      hasStoppedItself: false,
      handling: new Set(),
      deferred: new Set(),
      pendingHook: undefined,
      hasPassivated: false,
      hasAskedToPause: false,
      openCount: 0,
    };
    this.isChanged = true;
    // Asked before the life before it is forgotten.
    this.#tell({ type: "created", life });
    this.lives.set(name, life);
    return life;
  }

  starting(life: Life): void {
    this.#tell({ type: "starting", life });
  }

  handling(life: Life, message: Message): Sent | undefined {
    const sent = this.#sents.get(message);
    this.#tell({ type: "handling", life, sent });
    if (sent === undefined) return undefined;
    this.waiting.delete(sent);
    life.handling.add(sent);
    life.hasPassivated = false;
    sent.life = life;
    sent.pendingHook = "handle";
    return sent;
  }

  handled(life: Life, message: Message, result: unknown): void {
    const sent = this.#sents.get(message);
    if (sent !== undefined && sent.life === life && !this.isOver(life)) {
      sent.outcome = "handled";
      const isCall = messageInternals.replyOf(message) !== undefined;
      if (isCall && sent.deferral === "none" && isPlain(result)) sent.result = textOf(result);
    }
    if (sent !== undefined) this.#done(life, sent);
    this.#tell({ type: "handled", life, sent });
  }

  #done(life: Life, sent: Sent): void {
    sent.pendingHook = undefined;
    life.handling.delete(sent);
    if (life.hasAskedToPause) this.checkpointing(life);
  }

  /** A handler ended with an error, about which `onError` is asked. */
  handlerFailed(message: Message): void {
    const sent = this.#sents.get(message);
    if (sent !== undefined) sent.pendingHook = undefined;
  }

  /** The reply to a message was put off. */
  deferred(life: Life, message: Message): void {
    const sent = this.#sents.get(message);
    if (sent === undefined) return;
    sent.deferral = "open";
    if (messageInternals.replyOf(message) !== undefined) life.deferred.add(sent);
    this.#tell({ type: "deferred", life, sent });
  }

  /** A reply that was put off is given: with a payload, or with an error. */
  replied(life: Life, message: Message, payload: object | undefined): void {
    const sent = this.#sents.get(message);
    if (sent === undefined) return;
    this.#tell({ type: "replied", life, sent });
    sent.deferral = "given";
    if (payload !== undefined) sent.result = textOf(payload);
    life.deferred.delete(sent);
  }

  passivating(life: Life): void {
    life.pendingHook = "onPassivate";
    life.hasPassivated = true;
    this.#tell({ type: "passivating", life });
  }

  /** A handler ended with an error that nobody waits for. */
  cancelled(life: Life, message: Message): void {
    const sent = this.#sents.get(message);
    if (sent === undefined || !life.handling.has(sent)) return;
    sent.outcome = "failed";
    this.#done(life, sent);
  }

  /** `onError` is asked about a message. */
  deciding(message: Message): void {
    const sent = this.#sents.get(message);
    if (sent !== undefined) sent.pendingHook = "onError";
  }

  decided(life: Life, message: Message, action: ErrorAction): void {
    if (action === "stop") life.hasStoppedItself = true;
    const sent = this.#sents.get(message);
    if (sent === undefined) return;
    sent.pendingHook = undefined;
    if (action === "retry" || !life.handling.has(sent)) return;
    sent.outcome = "failed";
    this.#done(life, sent);
  }

  stopping(life: Life): void {
    this.isChanged = true;
    this.#tell({ type: "stopping", life });
    if (life.phase !== "over") life.phase = "ending";
  }

  stopHookEnded(life: Life): void {
    this.isChanged = true;
    // After a normal stop an event says so; after a crash nothing else does.
    if (life.crashedAtMs !== undefined) life.phase = "over";
  }

  checkpointing(life: Life): string {
    const text = textOf(life.agent.state) ?? "";
    this.#tell({ type: "checkpointing", life, text });
    return text;
  }

  checkpointed(life: Life, text: string): void {
    this.#tell({ type: "checkpointed", life, text });
  }

  // Approvals.

  approvalAsked(life: Life, id: string, payload: object): void {
    this.#tell({ type: "approvalAsked", life, id, payload: textOf(payload) ?? "" });
  }

  approvalTried(decision: DecisionTried): void {
    this.#tell({ type: "approvalTried", decision });
  }

  approvalSettled(decision: DecisionTried, outcome: "done" | "refused"): void {
    decision.outcome = outcome;
    this.#tell({ type: "approvalSettled", decision });
  }

  approvalGiven(life: Life, approval: Approval): void {
    this.#tell({ type: "approvalGiven", life, approval });
  }

  // Models.

  modelAsked(ask: ModelAsk): void {
    this.#tell({ type: "modelAsked", ask });
  }

  modelAnswered(ask: ModelAsk, used: ModelAmount | undefined): void {
    this.#tell({ type: "modelAnswered", ask, used, atMs: this.#clock.nowMs() });
  }

  // Calls and messages.

  /** Follows a call from before it is made to its end. */
  following(asked: Asked<SendOptions>, make: () => Promise<JsonObject>): Promise<JsonObject> {
    const timeoutMs = asked.options?.timeoutMs ?? defaultTimeoutMs;
    const call = this.#open(asked, { timeoutMs, isStream: false });
    this.openCalls.add(call);
    try {
      return this.#follow(call, make());
    } finally {
      this.#calling = undefined;
    }
  }

  /** Follows a stream from before it is asked for to its end. */
  followingStream(asked: Asked<StreamOptions>, make: () => ChunkStream): ChunkStream {
    // Its `timeoutMs` is the wait for the first chunk.
    const timeoutMs = asked.options?.durationMsMax ?? Number.POSITIVE_INFINITY;
    const call = this.#open(asked, { timeoutMs, isStream: true });
    try {
      return this.#followStream(call, make());
    } finally {
      this.#calling = undefined;
    }
  }

  #open(
    { caller, to, options }: Asked<SendOptions | StreamOptions>,
    { timeoutMs, isStream }: { readonly timeoutMs: number; readonly isStream: boolean },
  ): OpenCall {
    const upstream = options?.signal === null ? undefined : this.#workOf(caller);
    const ownMs = this.atMs + timeoutMs;
    const call: OpenCall = {
      to,
      caller,
      isStream,
      upstream,
      deadlineMs: Math.min(ownMs, upstream?.call?.deadlineMs ?? Number.POSITIVE_INFINITY),
      isRepeated: this.#isRepeated(to),
      sent: undefined,
      leftAtMs: undefined,
      leftAtQuiet: 0,
      isSettled: false,
      error: undefined,
    };
    const signal = options?.signal ?? undefined;
    signal?.addEventListener("abort", () => this.left(call), { once: true });
    if (signal?.aborted === true) this.left(call);
    this.#calling = call;
    return call;
  }

  #isRepeated(to: OpenCall["to"]): boolean {
    // Of a key it is the policy of its agent.
    if (typeof to === "string") return this.#repeatedNames.has(to.split("/", 1)[0] ?? to);
    const holders = this.#attached().registry.withCapability(to.capability);
    return holders.some(({ name }) => this.#repeatedNames.has(name));
  }

  /** What the running code of an agent works on, while something of it is left to do. */
  #workOf(life: Life | undefined): Sent | undefined {
    const sent = life === undefined ? undefined : this.#work.getStore();
    if (sent === undefined || sent.life !== life) return undefined;
    return life?.handling.has(sent) === true || life?.deferred.has(sent) === true
      ? sent
      : undefined;
  }

  /** Runs code that works on a message. */
  working<Result>(sent: Sent | undefined, code: () => Result): Result {
    return sent === undefined ? code() : this.#work.run(sent, code);
  }

  /** The caller waits no longer. */
  left(call: OpenCall): void {
    if (call.isSettled || call.leftAtMs !== undefined) return;
    call.leftAtMs = this.atMs;
    call.leftAtQuiet = this.quietCount;
    this.#tell({ type: "left", call });
  }

  #followStream(call: OpenCall, stream: ChunkStream): ChunkStream {
    const { caller } = call;
    const next = async (): Promise<IteratorResult<JsonObject, undefined>> => {
      this.openCalls.add(call);
      if (caller !== undefined) caller.openCount += 1;
      try {
        const step = await stream.next();
        if (step.done === true) this.#settle(call);
        else this.#tell({ type: "chunk", call });
        return step;
      } catch (error) {
        this.#settle(call, error);
        this.#tell({ type: "refused", call, error });
        throw error;
      } finally {
        this.openCalls.delete(call);
        if (caller !== undefined) caller.openCount -= 1;
      }
    };
    const leave = (): void => this.left(call);
    const followed: ChunkStream = {
      next,
      return: () => {
        leave();
        return stream.return();
      },
      [Symbol.asyncIterator]: () => followed,
      [Symbol.asyncDispose]: () => {
        leave();
        return stream[Symbol.asyncDispose]();
      },
    };
    return followed;
  }

  /** Notes how a call ends. */
  async #follow(call: OpenCall, answer: Promise<JsonObject>): Promise<JsonObject> {
    try {
      const payload = await answer;
      this.#settle(call);
      this.#tell({ type: "answered", call, payload });
      return payload;
    } catch (error) {
      this.#settle(call, error);
      this.#tell({ type: "refused", call, error });
      throw error;
    }
  }

  onSent(message: Message): void {
    this.sentCount += 1;
    const lane = message.priority > 0 ? "priority" : "normal";
    const agent = this.plan.agentOf(message);
    const name = agent === message.recipient ? agent : `${message.recipient}:${agent}`;
    const way = `${message.sender}>${name} ${lane}`;
    const position = (this.#positions.get(way) ?? 0) + 1;
    this.#positions.set(way, position);
    const isCall = messageInternals.replyOf(message) !== undefined;
    const isOnlyOne = isCall && this.#calling?.isRepeated !== true;
    const call = isOnlyOne ? this.#calling : undefined;
    const sent: Sent = {
      message,
      way,
      position,
      agent,
      arrivedAtMs: undefined,
      call,
      life: undefined,
      outcome: "none",
      pendingHook: undefined,
      deferral: "none",
      dropCount: 0,
      result: undefined,
    };
    if (call !== undefined) call.sent = sent;
    this.#sents.set(message, sent);
    this.waiting.add(sent);
    this.#tell({ type: "sent", sent });
  }

  onArrived(message: Message): void {
    const sent = this.#sents.get(message);
    if (sent !== undefined) sent.arrivedAtMs = this.atMs;
  }

  onUnwanted(message: Message): void {
    this.unwantedCount += 1;
    const sent = this.#sents.get(message);
    if (sent !== undefined) this.waiting.delete(sent);
  }

  #dropped(message: Message, reason: DropReason): void {
    const sent = this.#sents.get(message);
    if (sent === undefined) return;
    sent.dropCount += 1;
    sent.pendingHook = undefined;
    this.waiting.delete(sent);
    this.#tell({ type: "dropped", sent, reason });
  }

  /**
   * Follows what somebody outside the tree asks for.
   *
   * @param request What, and of whom.
   * @param make Asks.
   */
  async asking<Result>(request: Request, make: () => Promise<Result>): Promise<Result> {
    this.#forgetTree();
    this.openRequests.add(request);
    if (request.kind === "stop") this.stopAskedAtMs ??= this.atMs;
    this.#tell({ type: "asked", request });
    try {
      return await make();
    } finally {
      this.openRequests.delete(request);
    }
  }

  // Invariants.

  /** Asks the invariants when nothing is left to do but wait for timers. */
  quiet(): void {
    this.#forgetTree();
    this.quietCount += 1;
    for (const invariant of this.#quieting) {
      const reason = invariant.onQuiet(this);
      if (reason !== undefined) this.#judge(invariant.name, reason);
    }
    this.isChanged = false;
  }

  /** Asks the invariants for the last time: the tree has stopped. */
  end(): void {
    this.isStopped = true;
    this.#forgetTree();
    for (const invariant of this.#invariants) {
      for (const reason of [invariant.onQuiet?.(this), invariant.onEnd?.(this)])
        if (reason !== undefined) this.#judge(invariant.name, reason);
    }
  }

  /** Writes a line into the trace. */
  note(line: string): void {
    if (this.#isTraced) this.trace.push(`${Math.round(this.atMs * 100) / 100} ${line}`);
  }

  #onEvent(event: RuntimeEvent): void {
    this.isChanged = true;
    this.#forgetTree();
    const life = "name" in event ? this.lives.get(event.name) : undefined;
    this.#tell({ type: "event", event });
    if (event.type === "supervisor.restart") {
      for (const child of event.children) this.#toStop(child);
    }
    if (life === undefined) return;
    if (event.type === "agent.started") life.phase = "running";
    if (event.type === "agent.crashed") {
      life.crashedAtMs ??= this.atMs;
      for (const sent of life.handling) {
        sent.outcome = "failed";
        this.#done(life, sent);
      }
      life.deferred.clear();
    }
    if (event.type === "agent.stopped" || event.type === "agent.late") {
      life.phase = "over";
      for (const sent of life.handling) this.#done(life, sent);
      life.deferred.clear();
    }
  }

  /** Whatever lives at a node and below it is about to be stopped. */
  #toStop(name: string): void {
    const node = this.plan.node(name);
    const agents = node === undefined ? [name] : agentNames(node);
    const pools = node === undefined ? [] : supervisorNames(node);
    for (const life of this.lives.values()) {
      const pool = this.plan.poolOf(life.name)?.name;
      const isMember = pool !== undefined && pools.includes(pool);
      if (isMember || agents.includes(life.name)) life.isToStop = true;
    }
  }

  #settle(call: OpenCall, error?: unknown): void {
    call.isSettled = true;
    call.error = error;
    this.openCalls.delete(call);
    // Nobody waits for what was put off.
    if (call.sent !== undefined) call.sent.life?.deferred.delete(call.sent);
  }

  #tell(fact: Fact): void {
    if (this.#isTraced) this.#traceFact(fact);
    for (const invariant of this.#factual) {
      const reason = invariant.onFact(fact, this);
      if (reason !== undefined) this.#judge(invariant.name, reason);
    }
  }

  #judge(invariant: string, reason: string): void {
    this.note(`BROKEN ${invariant}: ${reason}`);
    this.violation ??= { invariant, reason, atMs: this.atMs };
  }

  #traceFact(fact: Fact): void {
    const line = describeFact(fact);
    if (line !== undefined) this.note(line);
  }

  #attached(): Runtime {
    if (this.#runtime === undefined) throw new TypeError("The record watches no runtime yet");
    return this.#runtime;
  }
}

/** What a fact is called in a trace; undefined for those that others imply. */
function describeFact(fact: Fact): string | undefined {
  switch (fact.type) {
    case "sent":
      return `sent ${nameOf(fact.sent)}`;
    case "handling":
      return `handle ${fact.life.name}#${fact.life.number} ${nameOf(fact.sent)}`;
    case "handled":
      return `done ${fact.life.name}#${fact.life.number} ${nameOf(fact.sent)}`;
    case "created":
    case "stopping":
    case "passivating":
    case "checkpointed":
      return `${fact.type} ${fact.life.name}#${fact.life.number}`;
    case "dropped":
      return `dropped ${nameOf(fact.sent)}: ${fact.reason}`;
    case "deferred":
    case "replied":
      return `${fact.type} ${fact.life.name}#${fact.life.number} ${nameOf(fact.sent)}`;
    case "left":
      return `left ${nameOf(fact.call.sent)}`;
    case "chunk":
      return `chunk of ${nameOf(fact.call.sent)}`;
    case "asked":
      return `asked for ${fact.request.kind} of ${fact.request.name}`;
    case "answered":
      return `answered ${nameOf(fact.call.sent)}`;
    case "refused":
      return `refused ${nameOf(fact.call.sent)}: ${codeOf(fact.error)}`;
    case "event":
      return describeEvent(fact.event);
    case "modelAsked":
      return `model asked by ${fact.ask.agent}`;
    case "modelAnswered":
      return `model answered ${fact.ask.agent}: ${fact.used?.tokens ?? "no"} tokens`;
    case "approvalAsked":
      return `approval ${fact.id} asked by ${fact.life.name}#${fact.life.number}`;
    case "approvalGiven":
      return `approval ${fact.approval.id} ${fact.approval.status} given to ${fact.life.name}#${fact.life.number}`;
    case "approvalSettled": {
      const { id, principal, payload, outcome } = fact.decision;
      return `approval ${id} ${payload === undefined ? "denied" : "approved"} by ${principal}: ${outcome}`;
    }
    case "starting":
    case "checkpointing":
    case "approvalTried":
      return undefined;
  }
}

function describeEvent(event: RuntimeEvent): string {
  const { type, atMs: _, budget: _budget, ...rest } = { budget: undefined, ...event };
  const details = Object.entries(rest).map(([key, value]) => {
    const text = key === "error" ? codeOf(value) : String(value);
    return `${key}=${text}`;
  });
  return [type as string, ...details].join(" ");
}

function nameOf(sent: Sent | undefined): string {
  if (sent === undefined) return "a message";
  return `${sent.way} #${sent.position}`;
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return "code" in error ? String(error.code) : error.message;
}

function isPlain(result: unknown): result is object {
  return typeof result === "object" && result !== null && !(Symbol.asyncIterator in result);
}

/** JSON of what may be no JSON. */
function textOf(value: object): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
