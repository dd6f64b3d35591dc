import { agentInternals, Agent, isThenable } from "../agents/index.ts";
import {
  type AgentLimits,
  type ChildExit,
  type StopOptions,
  joinLimits,
  type AgentStatus,
  type NotedCrash,
} from "../tree/index.ts";
import { agentErrors } from "../errors.ts";
import { type LoopHome, MessageLoop } from "./message-loop.ts";
import { failCrashed, failStopped, logCrash } from "./message-end.ts";
import { digestOf, type Message, messageInternals } from "../messages/index.ts";
import type { Notice, Notices } from "./notices.ts";
import { Alarm } from "../ports/index.ts";
import { readableError, reasonOf } from "../values/index.ts";
import { serveSuspension, type AgentSuspension } from "../suspension/index.ts";

/** The part of an agent that survives its restarts, as its incarnation sees it. */
export interface IncarnationHome extends LoopHome {
  /** The suspension, and the requests to change it that wait. */
  readonly suspension: AgentSuspension | undefined;
  /** True while the group that it is of is suspended as a whole. */
  readonly isGroupHeld: boolean;
  /** Called when a decision was the last thing that it waited for. The incarnation that got it may be over by then. */
  onFree(): void;
  /** Asks again for what is to be done about approvals: they outlive incarnations, and what was asked of one. */
  recallApprovals(): void;
  /** Notices for the agent, which it gets between two messages. */
  readonly notices: Notices | undefined;
  /** @returns What is to be done once between two messages, also of a suspended agent, after all else that waits. */
  takeLeave(): Notice | undefined;
  /** True when there is something to be done so. */
  readonly isToLeave: boolean;
  /** Asked at a normal end, before `onStop`; what it throws is logged. */
  readonly beforeStop: ((agent: Agent) => Promise<void>) | undefined;
  /** @throws When the agent must not have the limits that its class gives to it. */
  checkLimits(limits: AgentLimits): void;
  /** True for one that an eval agent has halted. */
  readonly isHalted: boolean;
  /** @returns True when somebody has asked that the halt is lifted: then it is, for this start. */
  takeLift(): boolean;
  /** Called when a start ends because of a halt. */
  onHalted(): void;
  /** Refuses what waits: it was sent before anybody could know that the agent is drained. */
  refuseWaiting(): void;
  /** Called once, when nothing of the incarnation runs any more. */
  onEnd(incarnation: Incarnation, exit: ChildExit): void;
}

/** The step of a start, as a failed start reports it. */
export type StartPhase = "restore" | "on_start";

/**
 * One life of an agent: a new object, its message loop, its end. The mailbox, the counters and the registration
 * belong to the cell and outlive it. Once it is sealed, whatever its code still does has no effect.
 */
export class Incarnation extends MessageLoop {
  readonly startedAtMs: number;
  /** True when its end did not come in time and was not waited for. */
  isLate = false;
  /** True when another one has come in its place: its end is not the end of the agent. */
  isReplaced = false;
  readonly #home: IncarnationHome;
  #agent: Agent | undefined;
  /** What the start is at, or failed in. */
  startPhase: StartPhase = "on_start";
  #restartError: Error | undefined;
  #restartAlarm: Alarm | undefined;
  #settleStart: ((error: unknown) => void) | undefined;

  constructor(home: IncarnationHome) {
    super(home);
    this.#home = home;
    this.startedAtMs = home.kernel.system.monotonicMs();
  }

  /**
   * Builds the object, restores its state, runs `onStart` and enters the message loop.
   *
   * @returns Settles when the start hook is done; rejects when the start failed, after `onStop`.
   */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#settleStart = (error) => {
        this.#settleStart = undefined;
        if (error === undefined) resolve();
        else reject(error);
      };
      this.kernel.faultOwner.run(this, () => void this.#live());
    });
  }

  /** True while it runs, suspended or not, and nobody has asked it to end. */
  get isUp(): boolean {
    const isRunning = this.status === "RUNNING" || this.status === "SUSPENDED";
    return isRunning && !this.isOver && !this.isStopRequested;
  }

  /** Its object; undefined until that is made. */
  get agent(): Agent | undefined {
    return this.#agent;
  }

  protected override get endingError(): Error | undefined {
    if (this.isOver || this.isStopping) return this.overError();
    if (this.#restartError === undefined) return undefined;
    const details = { agent: this.name, reason: reasonOf(this.#restartError) };
    return new agentErrors.CRASHED(details, { cause: this.#restartError });
  }

  /** {@inheritDoc LoopSeat.serveOn} */
  override serveOn(): void {
    if (this.#agent !== undefined) this.serve(this.#agent);
  }

  /** Asks for a normal end: at the next message boundary, when the queue is served, or at once. */
  requestStop(after: StopOptions["after"] = "message"): void {
    if (after === "now") {
      this.#halt();
      return;
    }
    this.isStopRequested = true;
    this.isDraining = after === "queue";
    this.haltStreams();
    this.attend();
  }

  /** Ends it in the middle of whatever it does; `onStop` runs all the same. */
  #halt(): void {
    if (this.isOver) return;
    this.#failAtHand();
    void this.kernel.faultOwner.run(this, () => this.stopNow());
  }

  /** Serves what was asked at the next message boundary. */
  attend(): void {
    this.isAsked = true;
    this.wake();
  }

  /**
   * Asks for a crash at the next message boundary, so that the supervisor restarts the agent.
   *
   * @param error What the agent crashes with.
   * @param timeoutMs When no boundary comes in this time, it crashes in the middle of the message at hand.
   */
  requestRestart(error: Error, timeoutMs: number): void {
    if (this.isOver || this.#restartError !== undefined) return;
    this.#restartError = error;
    this.haltStreams();
    const alarm = new Alarm(() => {
      if (!this.isOver) this.crash(error);
    });
    this.#restartAlarm = alarm;
    this.kernel.wheel.arm(alarm, this.kernel.system.monotonicMs() + timeoutMs);
    this.attend();
  }

  /**
   * Ends the incarnation as crashed: its code threw where nobody caught it, or somebody killed it. All messages at hand
   * fail.
   *
   * @param fault What was thrown.
   * @param during The message it was thrown for; null for none, undefined when that is not known.
   */
  override crash(fault: unknown, during?: Message | null): void {
    const error = readableError(fault);
    if (this.isOver) {
      this.log.warn("fault after the end of an incarnation", { error });
      return;
    }
    this.isOver = true;
    const messages = this.takeAtHand();
    const message = during === undefined && messages.length === 1 ? messages[0] : during;
    logCrash(this.log, { error, status: this.status, message: message ?? undefined });
    const noted = this.#note(error, { message: message ?? null, atHandCount: messages.length });
    for (const each of messages) failCrashed(this.kernel, each, { agent: this.name, error });
    const crashed = (): Error =>
      new agentErrors.CRASHED({ agent: this.name, reason: reasonOf(error) }, { cause: error });
    this.endDeferred(crashed);
    this.status = "CRASHED";
    this.#home.tally.addError(error);
    this.kernel.emit({
      type: "agent.crashed",
      name: this.name,
      atMs: this.#nowMs(),
      error,
      message: message == null ? null : digestOf(message),
      ...(noted === undefined ? {} : { shown: noted.shown }),
      ...(noted?.record === undefined ? {} : { record: noted.record }),
    });
    void this.kernel.faultOwner.run(this, () => this.#end({ kind: "crashed", error }));
  }

  /** Records what it was doing. @returns What is left of the crash; undefined where nothing takes note of it. */
  #note(
    error: unknown,
    at: { readonly message: Message | null; readonly atHandCount: number },
  ): NotedCrash | undefined {
    if (this.kernel.crashTrails === undefined || error instanceof agentErrors.RESTART_REQUESTED)
      return undefined;
    const agent = this.#agent;
    try {
      return this.trail?.crashed({
        error,
        message: at.message,
        atMs: this.#nowMs(),
        otherCount: at.message === null ? at.atHandCount : Math.max(0, at.atHandCount - 1),
        state: agent?.state,
        className: agent?.constructor.name,
        redact: (state) => agent?.redactState(state) ?? state,
      });
    } catch (fault) {
      // Callers are answered and the agent is restarted all the same: its state may be a getter that throws.
      this.log.warn("a crash was not recorded", { reason: reasonOf(fault) });
      // What is secret in its text is not known.
      return {
        shown: { message: "not shown: the state cannot be read", causes: [] },
        record: undefined,
      };
    }
  }

  /** Ends the incarnation without waiting for its code any longer. */
  abandon(): void {
    if (this.isSealed) return;
    const wasCrashed = this.status === "CRASHED";
    this.isOver = true;
    this.isLate = true;
    this.#failAtHand();
    if (!wasCrashed) this.status = "STOPPED";
    this.#seal({ kind: "normal" });
  }

  // Life.

  async #live(): Promise<void> {
    const startAlarm = new Alarm(() => {
      const { startTimeoutMs } = this.limits;
      this.#failStart(new agentErrors.START_TIMEOUT({ agent: this.name, startTimeoutMs }));
    });
    const { wheel } = this.kernel;
    try {
      const agent: unknown = this.#home.spec.create();
      if (!(agent instanceof Agent)) {
        const found =
          typeof agent === "object" ? "an object of another class" : `a ${typeof agent}`;
        throw new agentErrors.NOT_AN_AGENT({ agent: this.name, found });
      }
      this.#agent = agent;
      this.limits = joinLimits(this.name, this.limits, agentInternals.optionsOf(agent));
      this.#home.checkLimits(this.limits);
      this.#home.mailbox.lengthMax = this.limits.mailboxLengthMax;
      wheel.arm(startAlarm, this.startedAtMs + this.limits.startTimeoutMs);
      agentInternals.attach(agent, this);
      this.kernel.onCreated?.(agent);
      this.startPhase = "restore";
      const { checkpoints } = this.#home;
      const isKnown = checkpoints.marker !== undefined;
      const saved = await checkpoints.read();
      if (!this.isOver && this.#home.isHalted && !this.#home.takeLift()) {
        wheel.disarm(startAlarm);
        this.#endHalted();
        return;
      }
      if (checkpoints.marker !== undefined && !isKnown) this.#tellSuspended();
      if (checkpoints.marker?.isDrained === true && !isKnown) this.#home.refuseWaiting();
      this.#home.recallApprovals();
      this.startPhase = "on_start";
      if (this.isOver) return;
      if (saved !== undefined) {
        this.trail?.restored(saved);
        agent.state = saved;
      }
      await agent.onStart();
    } catch (error) {
      wheel.disarm(startAlarm);
      this.#failStart(error);
      return;
    }
    wheel.disarm(startAlarm);
    if (this.isOver) return;
    const isSuspended = this.#home.checkpoints.marker !== undefined;
    this.status = isSuspended ? "SUSPENDED" : "RUNNING";
    if (isSuspended) this.#tellStartsSuspended();
    this.kernel.emit({ type: "agent.started", name: this.name, atMs: this.#nowMs() });
    this.#settleStart?.(undefined);
    // No loop before there is something to do: many agents of a tree may never get a message.
    this.isParked = true;
    this.isAsked ||= this.#isWaitedFor;
    if (this.isAsked || this.#home.mailbox.hasMessages) this.wake();
  }

  #tellStartsSuspended(): void {
    const { approvals } = this.kernel;
    const ids = this.#home.checkpoints.marker?.approvals ?? [];
    const gone = approvals.isLoaded(this.name) ? ids.filter((id) => !approvals.isOpen(id)) : [];
    if (gone.length === 0) this.log.info("agent starts suspended");
    else this.log.warn("agent starts suspended: it waits for approvals that are gone", { gone });
  }

  /** A start of a halted agent goes well and is over at once: neither `onStart` nor `onStop` runs. */
  #endHalted(): void {
    this.isOver = true;
    this.isStopRequested = true;
    this.status = "STOPPED";
    this.#home.onHalted();
    this.#settleStart?.(undefined);
    // Its supervisor hears of the start before it hears of the end.
    this.kernel.system.yieldTurn(() => this.#seal({ kind: "normal" }));
  }

  /** What waits was sent before anybody could know that the agent is suspended. */
  #tellSuspended(): void {
    for (const message of this.#home.mailbox.peek()) {
      const reply = messageInternals.replyOf(message);
      if (reply?.isStream === false) reply.onSuspended();
    }
  }

  #failStart(error: unknown): void {
    if (!this.isOver) this.crash(error);
  }

  /** Does what was asked: a stop before a restart before changes of the suspension. */
  protected override async attendNow(agent: Agent): Promise<void> {
    this.isAsked = false;
    if (this.isStopping) return await this.stopNow();
    if (this.#restartError !== undefined) return this.crash(this.#restartError);
    // One thing at a time: a stop may come in between.
    if (!(await this.#attendSuspension(agent))) {
      const notice = this.#nextNotice() ?? this.#home.takeLeave();
      if (notice !== undefined) await this.#tell(agent, notice);
    }
    this.isAsked ||= this.#isWaitedFor;
  }

  /** True when suspension requests or notices still wait. A suspended agent gets no notices. */
  get #isWaitedFor(): boolean {
    const { suspension, notices, isToLeave } = this.#home;
    if ((suspension?.requests.length ?? 0) > 0 || isToLeave) return true;
    return this.status !== "SUSPENDED" && (notices?.length ?? 0) > 0;
  }

  #nextNotice(): Notice | undefined {
    return this.status === "SUSPENDED" ? undefined : this.#home.notices?.take();
  }

  async #tell(agent: Agent, notice: Notice): Promise<void> {
    try {
      await this.inTime("a notice hook", notice(agent));
    } catch (error) {
      if (!this.isOver) this.crash(error);
    }
  }

  /** Changes the suspension as somebody asked. False when nobody did. */
  async #attendSuspension(agent: Agent): Promise<boolean> {
    const { suspension, checkpoints } = this.#home;
    const { kernel, log } = this;
    const request = suspension?.requests.shift();
    if (suspension === undefined || request === undefined) return false;
    const setStatus = (status: AgentStatus): void => {
      if (!this.isOver) this.status = status;
    };
    try {
      const inTime = (hook: string, result: void | PromiseLike<void>): Promise<void> =>
        this.inTime(hook, result);
      const { isGroupHeld } = this.#home;
      const known = { agent, kernel, log, checkpoints, suspension, isGroupHeld };
      const onFree = (): void => this.#home.onFree();
      const target = { ...known, isOver: () => this.isOver, setStatus, onFree, inTime };
      await serveSuspension(target, request);
    } catch (error) {
      request.onGone(error as Error);
      if (!this.isOver) this.crash(error);
    }
    return true;
  }

  /** Runs a hook within `hookTimeoutMs`: one that does not end crashes the agent, and its late result is not used. */
  protected override inTime<Result>(
    hook: string,
    result: Result | PromiseLike<Result>,
  ): Promise<Result> {
    if (!isThenable(result)) return Promise.resolve(result);
    const { name: agent, kernel } = this;
    const { hookTimeoutMs } = this.limits;
    return new Promise((resolve, reject) => {
      const late = (): void => reject(new agentErrors.HOOK_TIMEOUT({ agent, hook, hookTimeoutMs }));
      const alarm = new Alarm(late);
      kernel.wheel.arm(alarm, kernel.system.monotonicMs() + hookTimeoutMs);
      Promise.resolve(result)
        .finally(() => kernel.wheel.disarm(alarm))
        .then(resolve, reject);
    });
  }

  #failAtHand(): void {
    for (const message of this.takeAtHand()) failStopped(this.kernel, message, this.name);
  }

  protected override async stopNow(): Promise<void> {
    this.isOver = true;
    this.status = "STOPPING";
    await this.#end({ kind: "normal" });
  }

  async #prepareStop(): Promise<void> {
    if (this.#agent === undefined) return;
    try {
      await this.#home.beforeStop?.(this.#agent);
    } catch (error) {
      const text = "onPassivate failed; what changed since the state was last saved is lost";
      this.log.error(text, { error });
    }
  }

  /** Runs `onStop` within the shutdown time-out, then seals. */
  async #end(exit: ChildExit): Promise<void> {
    const { shutdownTimeoutMs } = this.limits;
    const alarm = new Alarm(() => {
      if (this.isSealed) return;
      this.log.error("onStop did not end in time", { shutdownTimeoutMs });
      this.isLate = true;
      this.#seal(exit);
    });
    this.kernel.wheel.arm(alarm, this.kernel.system.monotonicMs() + shutdownTimeoutMs);
    if (exit.kind === "normal") await this.#prepareStop();
    try {
      await this.#agent?.onStop();
    } catch (error) {
      this.log.error("onStop failed", { error });
    }
    this.kernel.wheel.disarm(alarm);
    if (exit.kind === "normal" && !this.isSealed) this.status = "STOPPED";
    this.#seal(exit);
  }

  #seal(exit: ChildExit): void {
    if (this.isSealed) return;
    this.endDeferred(() => this.overError());
    this.seal();
    if (this.status === "STOPPING") this.status = "STOPPED";
    if (this.#restartAlarm !== undefined) this.kernel.wheel.disarm(this.#restartAlarm);
    if (this.status === "STOPPED" && !this.isReplaced) {
      this.kernel.emit({ type: "agent.stopped", name: this.name, atMs: this.#nowMs() });
    }
    const settleStart = this.#settleStart;
    if (settleStart === undefined) this.#home.onEnd(this, exit);
    else settleStart(exit.kind === "crashed" ? exit.error : this.overError());
  }

  #nowMs(): number {
    return this.kernel.system.nowMs();
  }
}
