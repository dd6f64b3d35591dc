import { AgentLog, traceOf } from "./agent-log.ts";
import { Alarm, type Log } from "../ports/index.ts";
import type {
  AgentPort,
  AgentSpan,
  DetachOptions,
  SendAfterOptions,
  SendTimer,
  ChildStopReport,
  EndRequest,
  SpawnReport,
  SpawnRequest,
} from "../agents/index.ts";
import {
  type AgentDown,
  type BroadcastReport,
  type OutgoingPayload,
  type SendOptions,
  correctionType,
  evalEventType,
  type EvalSignal,
  haltType,
  isStateRequest,
  messageInternals,
  OpenRequests,
  type Message,
  type SpanAttributes,
  type TracePoint,
} from "../messages/index.ts";
import { type ApprovalOptions, readApprovalOptions } from "../approvals/index.ts";
import type { AwaitedCall, CrashTrail, Origin, Kernel, AgentSpec } from "../tree/index.ts";
import type { Checkpoints } from "./checkpoints.ts";
import { copyOfChunk } from "./copy-of-chunk.ts";
import type { Handling } from "./handling.ts";
import type { TallyCounters } from "./counters.ts";
import type { Notice } from "./notices.ts";
import { RecordedLlm, RecordedTools } from "./recorded-answers.ts";
import { agentErrors, busErrors, streamErrors, supervisionErrors } from "../errors.ts";
import { type JsonObject, timeoutMsMax } from "../values/index.ts";
import {
  AgentLlm,
  type Llm,
  ModelSession,
  type ModelSessionCounters,
  type WorkScope,
  noModelSession,
} from "../llm/index.ts";
import type { ChunkStream, StreamOptions } from "../streams/index.ts";
import { AgentTools, type Tools } from "../tools/index.ts";
import { checkReason, type SuspensionRequest } from "../suspension/index.ts";

/** The part of an agent that survives its restarts and that each incarnation uses to reach the tree. */
export interface AgentHome {
  readonly name: string;
  readonly spec: Pick<AgentSpec, "credentials">;
  /** Of the object of a key. */
  readonly key?: string | undefined;
  readonly kernel: Kernel;
  readonly tally: TallyCounters;
  readonly checkpoints: Checkpoints;
  /** Hands in a request to suspend or resume; it is served before the next message. */
  askSuspension(request: SuspensionRequest): void;
  /** Hands in a notice, which the agent gets before its next message. */
  notify(notice: Notice): void;
}

/** Most pending timers of one incarnation. */
const timerCountMax = 10_000;
/** Most watches of one incarnation. */
const watchCountMax = 1000;
/** Most open streams of one incarnation. */
const streamCountMax = 10_000;

const accepted: Promise<void> = Promise.resolve();
const ignore = (): void => undefined;
const noSpan: AgentSpan = { traceparent: undefined, set: ignore };

/**
 * The access of one incarnation to the tree: sending, calling, saving, timers. Once it is sealed, every member refuses,
 * so that code which still runs has no effect. `Incarnation` derives from it, so that each agent needs one object only.
 */
export abstract class AgentAccess implements AgentPort, Origin {
  readonly name: string;
  protected readonly kernel: Kernel;
  readonly #home: AgentHome;
  /** Made when something is logged first: most agents never do. */
  #log: Log | undefined;
  /** Made with the first timer: most agents have none. */
  #timers: Set<Alarm> | undefined;
  /** Made with the first watch. */
  #watches: Set<() => void> | undefined;
  /** Made when a model is first asked: most agents ask none. */
  #modelSession: ModelSession | undefined;
  /** Made with the first call or stream: most agents make none. */
  #requests: OpenRequests | undefined;
  /** Emits since other agents last had their turn. */
  #emitCount = 0;
  #tools: AgentTools | undefined;
  /** Made with the first thing to remember: many agents of a tree may never get a message. */
  #trail: CrashTrail | undefined;
  #isSealed = false;

  constructor(home: AgentHome) {
    this.name = home.name;
    this.kernel = home.kernel;
    this.#home = home;
  }

  /** Lines that name the agent. */
  get log(): Log {
    return (this.#log ??= new AgentLog(this.kernel.log.with({ agent: this.name }), () =>
      traceOf(this.messageAtHand),
    ));
  }

  /** True when the agent's code can have no effect any more. */
  get isSealed(): boolean {
    return this.#isSealed;
  }

  /** What remembers this life, for the record of a crash; undefined where nobody wants one. */
  protected get trail(): CrashTrail | undefined {
    return (this.#trail ??= this.kernel.crashTrails?.begin(this.name));
  }

  get #isRemembering(): boolean {
    const { crashTrails } = this.kernel;
    return crashTrails !== undefined && crashTrails.isRemembering !== false;
  }

  /** A message is handled now. */
  protected remember(message: Message): void {
    if (this.#isRemembering) this.trail?.handle(message);
  }

  /** {@inheritDoc Origin.noteAnswer} */
  noteAnswer(to: string, value: JsonObject | Error): void {
    if (this.#isRemembering && !this.#isSealed) this.trail?.replied(to, value);
  }

  /** {@inheritDoc Origin.requests} */
  get requests(): OpenRequests {
    return (this.#requests ??= new OpenRequests());
  }

  /** True while a call or a stream that it made is open. */
  protected get hasRequests(): boolean {
    return this.#requests !== undefined && this.#requests.count > 0;
  }

  /** @returns Where the trace of the message at hand is. */
  tracePoint(): TracePoint | undefined {
    const message = this.messageAtHand;
    return message === undefined ? this.#ownPoint(undefined) : this.pointIn(message);
  }

  /** {@inheritDoc HandlingOwner.pointIn} */
  pointIn(message: Message): TracePoint {
    return this.#ownPoint(message) ?? messageInternals.tracePointOf(message);
  }

  /** The agent's own span that the running code is in, when that was begun for the same message. */
  #ownPoint(message: Message | undefined): TracePoint | undefined {
    const own = this.kernel.ownSpans?.getStore();
    return own !== undefined && own.message === message ? own.span.point : undefined;
  }

  /** {@inheritDoc AgentPort.span} */
  async span<Result>(
    name: string,
    work: (span: AgentSpan) => Result | PromiseLike<Result>,
    attributes: SpanAttributes = {},
  ): Promise<Result> {
    if (this.#isSealed) throw this.overError();
    const { tracer, ownSpans } = this.kernel;
    if (tracer === undefined || ownSpans === undefined) return await work(noSpan);
    const span = tracer.startSpan(name, {
      parent: this.tracePoint(),
      attributes: { "agentrt.agent.name": this.name, ...attributes },
    });
    try {
      const own = { message: this.messageAtHand, span };
      const result = await ownSpans.run(own, () => work(span));
      span.end();
      return result;
    } catch (error) {
      span.end(error ?? new Error(String(error)));
      throw error;
    }
  }

  /** The message that the running code works on. */
  protected abstract get messageAtHand(): Message | undefined;

  /**
   * Finds what the running code works on, so that what it asks for ends with it.
   *
   * @returns Undefined for code that works on no message: hooks, timers, what goes on after a reply.
   */
  protected abstract handlingAtHand(): Handling | undefined;

  /** @throws AGENTRT_AGENT_CANCELLED when nobody waits any more for the answer that the running code works on. */
  protected refuseUnwanted(): void {
    const message = this.messageAtHand;
    const slot = message === undefined ? undefined : messageInternals.replyOf(message);
    if (message === undefined || slot?.callerGone === undefined) return;
    const cause = slot.cancellation.reason;
    throw new agentErrors.CANCELLED({ agent: this.name, id: message.id }, cause && { cause });
  }

  /**
   * Finds what ends a piece of work that the running code asks for.
   *
   * @param own The signal that it gave; null for none at all.
   * @throws AGENTRT_AGENT_CANCELLED when nobody waits for the answer any more.
   */
  scopeOf(own: AbortSignal | null | undefined): WorkScope {
    const free = { signal: own ?? undefined, deadlineMs: Number.POSITIVE_INFINITY };
    const handling = own === null ? undefined : this.handlingAtHand();
    if (handling === undefined || handling.isOver) return free;
    this.refuseUnwanted();
    const { signal } = handling.message;
    return {
      signal: own === undefined || own === null ? signal : AbortSignal.any([own, signal]),
      deadlineMs: handling.deadlineMs ?? Number.POSITIVE_INFINITY,
    };
  }

  /**
   * Finds what a request is made for, with which it ends.
   *
   * @throws AGENTRT_AGENT_CANCELLED when nobody waits any more for the answer that the running code works on.
   */
  #originOf(options: { readonly signal?: AbortSignal | null | undefined } | undefined): Origin {
    const handling = options?.signal === null ? undefined : this.handlingAtHand();
    if (handling?.isUnwanted === true && !handling.isOver) this.refuseUnwanted();
    return handling ?? this;
  }

  /** {@inheritDoc SendVerbs.call} */
  call(to: string, payload: OutgoingPayload, options?: SendOptions): Promise<JsonObject> {
    if (this.#isSealed) return Promise.reject(this.overError());
    try {
      const origin = this.#originOf(options);
      this.#home.tally.messagesSent += 1;
      return this.kernel.bus.call(origin, to, payload, options);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** {@inheritDoc SendVerbs.send} */
  send(to: string, payload: OutgoingPayload, options?: SendOptions): Promise<void> {
    if (this.#isSealed) return Promise.reject(this.overError());
    this.#home.tally.messagesSent += 1;
    return this.kernel.bus.send(this, to, payload, options);
  }

  /** {@inheritDoc SendVerbs.cast} */
  cast(to: string, payload: OutgoingPayload, options?: SendOptions): Promise<void> {
    if (this.#isSealed) return Promise.reject(this.overError());
    this.#home.tally.messagesSent += 1;
    return this.kernel.bus.cast(this, to, payload, options);
  }

  /** {@inheritDoc SendVerbs.broadcast} */
  async broadcast(
    pattern: string,
    payload: OutgoingPayload,
    options?: SendOptions,
  ): Promise<BroadcastReport> {
    if (this.#isSealed) throw this.overError();
    const report = await this.kernel.bus.broadcast(this, pattern, payload, options);
    this.#home.tally.messagesSent += report.receiverCount;
    return report;
  }

  /** {@inheritDoc SendVerbs.sendCapable} */
  async sendCapable(tag: string, payload: OutgoingPayload, options?: SendOptions): Promise<string> {
    if (this.#isSealed) throw this.overError();
    this.#home.tally.messagesSent += 1;
    return await this.kernel.bus.sendCapable(this, tag, payload, options);
  }

  /** {@inheritDoc SendVerbs.callCapable} */
  callCapable(tag: string, payload: OutgoingPayload, options?: SendOptions): Promise<JsonObject> {
    if (this.#isSealed) return Promise.reject(this.overError());
    this.#home.tally.messagesSent += 1;
    const origin = options?.signal === null ? this : (this.handlingAtHand() ?? this);
    return this.kernel.bus.callCapable(origin, tag, payload, options);
  }

  /** {@inheritDoc AgentPort.watch} */
  watch(name: string): () => void {
    if (this.#isSealed) throw this.overError();
    const found = this.kernel.registry.get(name);
    const downs = found?.name === name ? found.downs : found?.downsOf?.(name);
    if (downs === undefined) throw new supervisionErrors.UNKNOWN_NAME({ name });
    const watches = (this.#watches ??= new Set());
    if (watches.size >= watchCountMax) {
      throw new agentErrors.WATCHES_EXHAUSTED({ agent: this.name, watchCountMax });
    }
    let isOver = false;
    const tell = (down: AgentDown): void =>
      this.#home.notify((agent) => (isOver || this.#isSealed ? undefined : agent.onDown(down)));
    const watcher = { onDown: tell, onGone: () => void watches.delete(end) };
    const end = (): void => {
      isOver = true;
      watches.delete(end);
      downs.delete(watcher);
    };
    watches.add(end);
    downs.add(watcher);
    return end;
  }

  /** {@inheritDoc AgentPort.mailboxDepthOf} */
  mailboxDepthOf(name: string): number | undefined {
    return this.kernel.registry.get(name)?.address?.mailboxDepth;
  }

  /** {@inheritDoc AgentPort.stream} */
  stream(
    to: string | { readonly capability: string },
    payload: OutgoingPayload,
    options?: StreamOptions,
  ): ChunkStream {
    if (this.#isSealed) throw this.overError();
    if (this.requests.streamCount >= streamCountMax) {
      throw new streamErrors.STREAMS_EXHAUSTED({ agent: this.name, streamCountMax });
    }
    const origin = this.#originOf(options);
    this.#home.tally.messagesSent += 1;
    this.trail?.missed("a stream of another agent");
    return this.kernel.bus.stream({ origin, to, payload, options });
  }

  /** {@inheritDoc AgentPort.emit} */
  emit(message: Message, chunk: OutgoingPayload): Promise<void> {
    if (this.#isSealed) return Promise.reject(this.overError());
    try {
      const room = this.#pushChunk(message, chunk);
      this.#emitCount += 1;
      const isPauseDue = this.#emitCount >= this.kernel.scheduler.sliceLengthMax;
      if (room === undefined && !isPauseDue) return accepted;
      const sent = this.#restAfterEmit(room, isPauseDue);
      // An emit that nobody awaits must not crash the agent because its consumer has left.
      sent.catch(ignore);
      return sent;
    } catch (error) {
      const refused = Promise.reject(error);
      if (error instanceof streamErrors.CANCELLED) refused.catch(ignore);
      return refused;
    }
  }

  #pushChunk(message: Message, chunk: OutgoingPayload): Promise<void> | undefined {
    const reply = messageInternals.replyOf(message);
    if (reply === undefined) return undefined;
    const slot = messageInternals.streamOf(message);
    if (slot === undefined) {
      const error = new streamErrors.NOT_A_REPLY({ agent: this.name });
      // Its caller is told whatever the handler makes of the error; a question about the state has its own answer.
      if (!isStateRequest(message)) reply.reject(error);
      throw error;
    }
    const ending = this.endingError;
    if (ending !== undefined) slot.reject(ending);
    const room = slot.push(copyOfChunk(this.kernel.bus, chunk));
    this.#home.tally.chunksSent += 1;
    return room;
  }

  /** Waits for room, and now and then for the others to have their turn. The watchdog does not count it. */
  async #restAfterEmit(room: Promise<void> | undefined, isPauseDue: boolean): Promise<void> {
    const resumeWatchdog = this.pauseWatchdog();
    try {
      await room;
      if (isPauseDue) await this.turn();
    } finally {
      resumeWatchdog?.();
    }
  }

  /** Lets other mailboxes, timers and sockets have their turn. */
  protected turn(): Promise<void> {
    this.#emitCount = 0;
    return new Promise((resolve) => this.kernel.scheduler.pause({ name: this.name, run: resolve }));
  }

  /** {@inheritDoc AgentPort.checkpoint} */
  async checkpoint(state: JsonObject, options?: DetachOptions): Promise<void> {
    if (this.#isSealed) throw this.overError();
    const { checkpoints } = this.#home;
    if (checkpoints.isStateless) throw new agentErrors.STATELESS({ agent: this.name });
    if (options?.signal !== null) this.refuseUnwanted();
    const { trail } = this;
    await this.#traced("agentrt.state.save", () => checkpoints.write(state, { trail }));
  }

  /** Records what the state store is asked for a message. */
  async #traced(name: string, ask: () => Promise<void>): Promise<void> {
    const { tracer } = this.kernel;
    const parent = tracer === undefined ? undefined : this.tracePoint();
    if (tracer === undefined || parent === undefined) return await ask();
    const attributes = { "agentrt.agent.name": this.name };
    const span = tracer.startSpan(name, { parent, attributes, kind: "client" });
    try {
      await ask();
      span.end();
    } catch (error) {
      span.end(error);
      throw error;
    }
  }

  /** {@inheritDoc AgentPort.spawn} */
  spawn(request: SpawnRequest): Promise<SpawnReport> {
    if (this.#isSealed) return Promise.reject(this.overError());
    this.trail?.missed("a child that was spawned");
    return this.kernel.children.spawn(this.name, request);
  }

  /** {@inheritDoc AgentPort.endChild} */
  endChild(request: EndRequest): Promise<ChildStopReport> {
    if (this.#isSealed) return Promise.reject(this.overError());
    return this.kernel.children.end(this.name, request);
  }

  /** {@inheritDoc AgentPort.llm} */
  llm(name?: string): Llm {
    this.#modelSession ??= new ModelSession({
      owner: this,
      kernel: this.kernel,
      tally: this.#home.tally.models,
      credentials: this.#home.spec.credentials,
    });
    const llm = new AgentLlm(this.#modelSession, name);
    const { trail, kernel } = this;
    if (trail === undefined) return llm;
    const { system, models = [] } = kernel;
    return new RecordedLlm(llm, name ?? models[0]?.name ?? "", { trail, system });
  }

  /** @returns What this incarnation asked of models. */
  modelSession(): ModelSessionCounters {
    return this.#modelSession?.toValue() ?? noModelSession;
  }

  /** @returns The answer of a model or a tool that is waited for longest; null for none. */
  awaitedCall(): AwaitedCall | null {
    const { system } = this.kernel;
    const [model, tool] = [this.#modelSession?.longestWait(), this.#tools?.longestWait()];
    const isOfTool = (tool?.sinceMs ?? Number.POSITIVE_INFINITY) < (model?.sinceMs ?? Infinity);
    const found = isOfTool ? tool : model;
    if (found === undefined) return null;
    const { name, sinceMs } = found;
    return { kind: isOfTool ? "tool" : "model", name, sinceMs: system.wallTimeMs(sinceMs) };
  }

  /** {@inheritDoc AgentPort.tools} */
  get tools(): Tools {
    const tools = (this.#tools ??= new AgentTools(this, this.kernel));
    const { trail, kernel } = this;
    if (trail === undefined) return tools;
    return new RecordedTools(tools, (name) => kernel.tools?.find(name), {
      trail,
      system: kernel.system,
    });
  }

  /** {@inheritDoc AgentPort.suspendForApproval} */
  async suspendForApproval(reason: string): Promise<void> {
    if (this.#isSealed) throw this.overError();
    checkReason(this.name, reason);
    this.#home.askSuspension({
      kind: "suspend",
      reason,
      category: "hitl_approval",
      initiatedBy: this.name,
      onDone: () => undefined,
      onGone: (error) => this.log.warn("the agent was not suspended", { error }),
    });
  }

  /** {@inheritDoc AgentPort.askApproval} */
  async askApproval(options: ApprovalOptions): Promise<string> {
    if (this.#isSealed) throw this.overError();
    const { approvals, bus } = this.kernel;
    const asked = readApprovalOptions(this.name, options, (value) => bus.isolate(value));
    this.trail?.missed("an approval that was asked for");
    const { id, saved } = approvals.ask({ name: this.name, key: this.#home.key }, asked);
    this.#home.askSuspension(approvals.requestOf(id, saved));
    await saved;
    return id;
  }

  /** {@inheritDoc AgentPort.emitEval} */
  async emitEval(
    eventType: string,
    payload: OutgoingPayload,
    evalAgent: string | undefined,
  ): Promise<void> {
    if (this.#isSealed) throw this.overError();
    if (typeof eventType !== "string" || eventType === "") {
      const found = typeof eventType === "string" ? "empty" : `a ${typeof eventType}`;
      throw new busErrors.OPTION_INVALID({ option: "eventType", found, wanted: "some text" });
    }
    const event = { event_type: eventType, payload: this.kernel.bus.isolate(payload) };
    const { registry } = this.kernel;
    const judge = evalAgent === undefined ? registry.evalAgent : registry.get(evalAgent);
    if (judge?.address === undefined) return;
    this.#home.tally.messagesSent += 1;
    await this.kernel.bus.sendReserved(this, evalAgent ?? judge.name, {
      type: evalEventType,
      payload: event,
    });
  }

  /** {@inheritDoc AgentPort.correct} */
  correct(target: string, { severity, reason, payload }: EvalSignal): boolean {
    if (this.#isSealed) return false;
    const type = severity === "halt" ? haltType : correctionType;
    const content = { ...payload, severity, reason };
    return this.kernel.bus.control(this, target, { type, payload: content });
  }

  /** {@inheritDoc AgentPort.monotonicMs} */
  monotonicMs(): number {
    return this.kernel.system.monotonicMs();
  }

  /** {@inheritDoc AgentPort.sendAfter} */
  sendAfter(delayMs: number, payload: OutgoingPayload, options: SendAfterOptions): SendTimer {
    if (this.#isSealed) throw this.overError();
    if (options.signal !== null) this.refuseUnwanted();
    const timers = (this.#timers ??= new Set());
    if (timers.size >= timerCountMax) {
      throw new agentErrors.TIMERS_EXHAUSTED({ agent: this.name, timerCountMax });
    }
    if (typeof delayMs !== "number" || !(delayMs >= 0 && delayMs <= timeoutMsMax)) {
      const wanted = `a number from 0 to ${timeoutMsMax}`;
      throw new busErrors.OPTION_INVALID({ option: "delayMs", found: String(delayMs), wanted });
    }
    const { bus, wheel, system } = this.kernel;
    const kept = bus.isolate(payload);
    // A timer belongs to no message, whichever is at hand when it is due.
    const origin = { name: this.name, tracePoint: () => undefined };
    const alarm = new Alarm(() => {
      timers.delete(alarm);
      if (this.isOver) return;
      this.#home.tally.messagesSent += 1;
      bus
        .send(origin, this.name, kept, { type: options.type })
        .catch((error: unknown) => this.log.warn("sendAfter could not deliver", { error }));
    });
    timers.add(alarm);
    wheel.arm(alarm, system.monotonicMs() + delayMs);
    return {
      cancel: () => {
        timers.delete(alarm);
        wheel.disarm(alarm);
      },
    };
  }

  /** True when no further message is handled. */
  protected isOver = false;

  /** The error that a consumer gets when the incarnation ends after the message at hand; undefined when it goes on. */
  protected abstract get endingError(): Error | undefined;

  /** Stops the clock of `handleTimeoutMs`. @returns Starts it again; undefined when there is none. */
  protected abstract pauseWatchdog(): (() => void) | undefined;

  /** Takes the access away for good, gives up its timers and streams and ends its calls of models. */
  protected seal(): void {
    this.#isSealed = true;
    this.#modelSession?.end(this.overError());
    this.#requests?.cancel(this.overError(), { reason: "its consumer has ended" });
    this.#tools?.end(this.overError());
    for (const end of this.#watches ?? []) end();
    this.#trail?.end();
    if (this.#timers === undefined) return;
    for (const alarm of this.#timers) this.kernel.wheel.disarm(alarm);
    this.#timers.clear();
  }

  /** @returns The error for code that still uses this incarnation after its end. */
  protected overError(): Error {
    return new agentErrors.STOPPED({ agent: this.name });
  }
}
