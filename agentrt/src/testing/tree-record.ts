import {
  agentInternals,
  AgentCell,
  PoolQueue,
  messageInternals,
  type Agent,
  type ErrorAction,
  type JsonObject,
  type Message,
  type RuntimeEvent,
  type SendOptions,
  type SupervisorNode,
  type SupervisorSpec,
  joinLimits,
} from "../core/index.ts";
import type { Runtime, RuntimeSnapshot } from "../runtime/index.ts";
import type { Fact, Life, OpenCall, Request, Sent } from "./fact.ts";
import type { Invariant, View } from "./invariant.ts";
import { agentNames, TreePlan } from "./tree-plan.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** What is broken, and when. */
export interface Violation {
  readonly invariant: string;
  readonly reason: string;
  /** Virtual milliseconds since the beginning of the run. */
  readonly atMs: number;
}

const defaultTimeoutMs = 30_000;

/** Writes down what a simulation sees and asks the invariants about each thing of it. */
export class TreeRecord implements View {
  readonly plan: TreePlan;
  readonly lives = new Map<string, Life>();
  readonly openCalls = new Set<OpenCall>();
  readonly openRequests = new Set<Request>();
  /** What happened, for people; empty unless asked for. */
  readonly trace: string[] = [];
  sentCount = 0;
  unwantedCount = 0;
  isStopped = false;
  isChanged = true;
  /** The first invariant that was broken. */
  violation: Violation | undefined;
  readonly #clock: VirtualClock;
  readonly #invariants: readonly Invariant[];
  readonly #isTraced: boolean;
  readonly #sents = new WeakMap<Message, Sent>();
  readonly #positions = new Map<string, number>();
  #runtime: Runtime | undefined;
  #inTransitCount: () => number = () => 0;
  #calling: OpenCall | undefined;
  #tree: SupervisorNode | undefined;

  constructor(init: {
    readonly clock: VirtualClock;
    readonly supervision: SupervisorSpec;
    readonly invariants: readonly Invariant[];
    readonly isTraced: boolean;
  }) {
    this.plan = new TreePlan(init.supervision);
    this.#clock = init.clock;
    this.#invariants = init.invariants;
    this.#isTraced = init.isTraced;
  }

  /** Begins to watch a runtime. */
  attach(runtime: Runtime, inTransitCount: () => number): void {
    this.#runtime = runtime;
    this.#inTransitCount = inTransitCount;
    runtime.onEvent((event) => this.#onEvent(event));
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
    }
    return count;
  };

  readonly snapshot = (): RuntimeSnapshot => this.#attached().snapshot();

  readonly tree = (): SupervisorNode => (this.#tree ??= this.#attached().tree());

  readonly stateOf = (name: string): JsonObject | undefined => {
    const life = this.lives.get(name);
    if (life?.phase !== "running" || life.crashedAtMs !== undefined) return undefined;
    return life.agent.state;
  };

  readonly isSuspended = (name: string): boolean => {
    const address = this.#attached().registry.get(name)?.address;
    return address instanceof AgentCell && address.isSuspended;
  };

  readonly isOver = (life: Life): boolean => {
    if (life.phase === "over" || this.lives.get(life.name) !== life) return true;
    // An `onStop` after a crash that took too long is not waited for, and nothing says so.
    if (life.crashedAtMs === undefined) return false;
    return this.atMs >= life.crashedAtMs + life.shutdownTimeoutMs;
  };

  // What is told by agents.

  created(agent: Agent): Life {
    const { name } = agent;
    const address = this.#attached().registry.get(name)?.address;
    const own = agentInternals.optionsOf(agent);
    const declared = address instanceof AgentCell ? address.spec.limits : undefined;
    const limits = declared === undefined ? undefined : joinLimits(name, declared, own);
    const life: Life = {
      name,
      number: (this.lives.get(name)?.number ?? 0) + 1,
      agent,
      initialState: JSON.stringify(agent.state),
      shutdownTimeoutMs: limits?.shutdownTimeoutMs ?? 30_000,
      hasHandleTimeout: limits?.handleTimeoutMs !== undefined,
      phase: "starting",
      crashedAtMs: undefined,
      isToStop: false,
      hasStoppedItself: false,
      handling: undefined,
      pendingHook: undefined,
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

  handling(life: Life, message: Message): void {
    const sent = this.#sents.get(message);
    this.#tell({ type: "handling", life, sent });
    life.handling = sent;
    if (sent !== undefined) sent.life = life;
  }

  handled(life: Life, message: Message, result: unknown): void {
    const sent = this.#sents.get(message);
    if (sent !== undefined && sent.life === life && !this.isOver(life)) {
      sent.outcome = "handled";
      const isCall = messageInternals.replyOf(message) !== undefined;
      if (isCall && isPlain(result)) sent.result = textOf(result);
    }
    if (life.handling === sent) life.handling = undefined;
    this.#tell({ type: "handled", life, sent });
  }

  /** A handler ended with an error that nobody waits for. */
  cancelled(life: Life, message: Message): void {
    const sent = this.#sents.get(message);
    if (sent === undefined || life.handling !== sent) return;
    sent.outcome = "failed";
    life.handling = undefined;
  }

  decided(life: Life, action: ErrorAction): void {
    if (action === "stop") life.hasStoppedItself = true;
    if (action === "retry" || life.handling === undefined) return;
    life.handling.outcome = "failed";
    life.handling = undefined;
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

  // Calls and messages.

  /** Notes a call before it is made. */
  calling(caller: Life | undefined, to: string, options: SendOptions | undefined): OpenCall {
    const timeoutMs = options?.timeoutMs ?? defaultTimeoutMs;
    const call: OpenCall = {
      to,
      caller,
      deadlineMs: this.atMs + timeoutMs,
      sent: undefined,
      isSettled: false,
    };
    this.openCalls.add(call);
    this.#calling = call;
    return call;
  }

  /** The call was made. */
  called(_call: OpenCall): void {
    this.#calling = undefined;
  }

  /** Notes how a call ends. */
  async follow(call: OpenCall, answer: Promise<JsonObject>): Promise<JsonObject> {
    try {
      const payload = await answer;
      this.#settle(call);
      this.#tell({ type: "answered", call, payload });
      return payload;
    } catch (error) {
      this.#settle(call);
      this.#tell({ type: "refused", call, error });
      throw error;
    }
  }

  onSent(message: Message): void {
    this.sentCount += 1;
    const lane = message.priority > 0 ? "priority" : "normal";
    const way = `${message.sender}>${message.recipient} ${lane}`;
    const position = (this.#positions.get(way) ?? 0) + 1;
    this.#positions.set(way, position);
    const isCall = messageInternals.replyOf(message) !== undefined;
    const call = isCall ? this.#calling : undefined;
    const sent: Sent = {
      message,
      way,
      position,
      call,
      life: undefined,
      outcome: "none",
      result: undefined,
    };
    if (call !== undefined) call.sent = sent;
    this.#sents.set(message, sent);
    this.#tell({ type: "sent", sent });
  }

  onUnwanted(_message: Message): void {
    this.unwantedCount += 1;
  }

  /**
   * Follows what somebody outside the tree asks for.
   *
   * @param request What, and of whom.
   * @param make Asks.
   */
  async asking<Result>(request: Request, make: () => Promise<Result>): Promise<Result> {
    this.#tree = undefined;
    this.openRequests.add(request);
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
    this.#tree = undefined;
    for (const invariant of this.#invariants) {
      this.#judge(invariant.name, invariant.onQuiet?.(this));
    }
    this.isChanged = false;
  }

  /** Asks the invariants for the last time: the tree has stopped. */
  end(): void {
    this.isStopped = true;
    this.#tree = undefined;
    for (const invariant of this.#invariants) {
      this.#judge(invariant.name, invariant.onQuiet?.(this));
      this.#judge(invariant.name, invariant.onEnd?.(this));
    }
  }

  /** Writes a line into the trace. */
  note(line: string): void {
    if (this.#isTraced) this.trace.push(`${Math.round(this.atMs * 100) / 100} ${line}`);
  }

  #onEvent(event: RuntimeEvent): void {
    this.isChanged = true;
    this.#tree = undefined;
    const life = "name" in event ? this.lives.get(event.name) : undefined;
    this.#tell({ type: "event", event });
    if (event.type === "supervisor.restart") {
      for (const child of event.children) this.#toStop(child);
    }
    if (life === undefined) return;
    if (event.type === "agent.started") life.phase = "running";
    if (event.type === "agent.crashed") {
      life.crashedAtMs ??= this.atMs;
      if (life.handling !== undefined) life.handling.outcome = "failed";
      life.handling = undefined;
    }
    if (event.type === "agent.stopped" || event.type === "agent.late") {
      life.phase = "over";
      life.handling = undefined;
    }
  }

  /** Whatever lives at a node and below it is about to be stopped. */
  #toStop(name: string): void {
    const node = this.plan.node(name);
    for (const agent of node === undefined ? [name] : agentNames(node)) {
      const life = this.lives.get(agent);
      if (life !== undefined) life.isToStop = true;
    }
  }

  #settle(call: OpenCall): void {
    call.isSettled = true;
    this.openCalls.delete(call);
  }

  #tell(fact: Fact): void {
    if (this.#isTraced) this.#traceFact(fact);
    for (const invariant of this.#invariants) {
      this.#judge(invariant.name, invariant.onFact?.(fact, this));
    }
  }

  #judge(invariant: string, reason: string | undefined): void {
    if (reason === undefined) return;
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
    case "checkpointed":
      return `${fact.type} ${fact.life.name}#${fact.life.number}`;
    case "asked":
      return `asked for ${fact.request.kind} of ${fact.request.name}`;
    case "answered":
      return `answered ${nameOf(fact.call.sent)}`;
    case "refused":
      return `refused ${nameOf(fact.call.sent)}: ${codeOf(fact.error)}`;
    case "event":
      return describeEvent(fact.event);
    case "starting":
    case "checkpointing":
      return undefined;
  }
}

function describeEvent(event: RuntimeEvent): string {
  const { type, atMs: _, ...rest } = event;
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
