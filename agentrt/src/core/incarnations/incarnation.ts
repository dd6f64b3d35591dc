import {
  agentInternals,
  Agent,
  type HandleResult,
  defaultReply,
  isThenable,
} from "../agents/index.ts";
import type { AgentHome } from "./agent-access.ts";
import {
  type ChildExit,
  type StopOptions,
  type AgentStatus,
  joinLimits,
  type AgentLimits,
  type AgentSpec,
} from "../tree/index.ts";
import { agentErrors } from "../errors.ts";
import type { Notices } from "./notices.ts";
import { handleMessage } from "./handle-message.ts";
import { LoopSeat } from "./loop-seat.ts";
import { type Mailbox, messageInternals, type Message } from "../messages/index.ts";
import { failCrashed, failExpired, failSkipped, failStopped, logCrash } from "./message-end.ts";
import { Alarm } from "../ports/index.ts";
import { reasonOf } from "../values/index.ts";
import { chunkSourceOf, produceReply, settleStreamEnd } from "./produce-reply.ts";
import { serveSuspension, type AgentSuspension } from "../suspension/index.ts";
import { Watchdog } from "./watchdog.ts";

/** The part of an agent that survives its restarts, as its incarnation sees it. */
export interface IncarnationHome extends AgentHome {
  readonly spec: AgentSpec;
  readonly mailbox: Mailbox;
  /** The suspension, and the requests to change it that wait. */
  readonly suspension: AgentSuspension | undefined;
  /** Notices for the agent, which it gets between two messages. */
  readonly notices: Notices | undefined;
  /** Called once, when nothing of the incarnation runs any more. */
  onEnd(incarnation: Incarnation, exit: ChildExit): void;
}

/** The step of a start, as a failed start reports it. */
export type StartPhase = "restore" | "on_start";

/**
 * One life of an agent: a new object, its message loop, its end. The mailbox, the counters and the registration
 * belong to the cell and outlive it. Once it is sealed, whatever its code still does has no effect.
 */
export class Incarnation extends LoopSeat {
  readonly startedAtMs: number;
  /** The tree's, until the object is built; then what its class gives to itself goes first. */
  limits: AgentLimits;
  status: AgentStatus = "INITIALIZING";
  /** True when its end did not come in time and was not waited for. */
  isLate = false;
  readonly #home: IncarnationHome;
  #agent: Agent | undefined;
  #current: Message | undefined;
  /** No further message is handled. */
  #isOver = false;
  /** Something is to be done at the next message boundary: a stop, a restart, a change of the suspension. */
  #isAsked = false;
  #isStopRequested = false;
  /** The stop comes after the queue. */
  #isDraining = false;
  /** What the start is at, or failed in. */
  startPhase: StartPhase = "on_start";
  #restartError: Error | undefined;
  #sliceLength = 0;
  /** Made when there is a `handleTimeoutMs`. */
  #watchdog: Watchdog | undefined;
  #restartAlarm: Alarm | undefined;
  #settleStart: ((error: unknown) => void) | undefined;

  constructor(home: IncarnationHome) {
    super(home);
    this.#home = home;
    this.limits = home.spec.limits;
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

  protected override get isOver(): boolean {
    return this.#isOver;
  }

  protected override get endingError(): Error | undefined {
    if (this.#isOver || this.#isStopping) return this.overError();
    if (this.#restartError === undefined) return undefined;
    const details = { agent: this.name, reason: reasonOf(this.#restartError) };
    return new agentErrors.CRASHED(details, { cause: this.#restartError });
  }

  /** True when it stops at the next message boundary. */
  get #isStopping(): boolean {
    return this.#isStopRequested && !(this.#isDraining && this.#home.mailbox.hasMessages);
  }

  /** {@inheritDoc LoopSeat.beginLoop} */
  override beginLoop(): void {
    if (this.#agent !== undefined) void this.#serve(this.#agent);
  }

  /** Asks for a normal end: at the next message boundary, when the queue is served, or at once. */
  requestStop(after: StopOptions["after"] = "message"): void {
    if (after === "now") {
      this.#halt();
      return;
    }
    this.#isStopRequested = true;
    this.#isDraining = after === "queue";
    this.#haltStream();
    this.attend();
  }

  /** Ends it in the middle of whatever it does; `onStop` runs all the same. */
  #halt(): void {
    if (this.#isOver) return;
    const message = this.#takeCurrent();
    if (message !== undefined) failStopped(this.kernel, message, this.name);
    void this.kernel.faultOwner.run(this, () => this.#stop());
  }

  /** Serves what was asked at the next message boundary. */
  attend(): void {
    this.#isAsked = true;
    this.wake();
  }

  /**
   * Asks for a crash at the next message boundary, so that the supervisor restarts the agent.
   *
   * @param error What the agent crashes with.
   * @param timeoutMs When no boundary comes in this time, it crashes in the middle of the message at hand.
   */
  requestRestart(error: Error, timeoutMs: number): void {
    if (this.#isOver || this.#restartError !== undefined) return;
    this.#restartError = error;
    this.#haltStream();
    const alarm = new Alarm(() => {
      if (!this.#isOver) this.crash(error);
    });
    this.#restartAlarm = alarm;
    this.kernel.wheel.arm(alarm, this.kernel.system.monotonicMs() + timeoutMs);
    this.attend();
  }

  /** Ends the incarnation as crashed: its code threw where nobody caught it, or somebody killed it. */
  override crash(error: unknown): void {
    if (this.#isOver) {
      this.log.warn("fault after the end of an incarnation", { error });
      return;
    }
    this.#isOver = true;
    const message = this.#takeCurrent();
    logCrash(this.log, { error, status: this.status, message });
    if (message !== undefined) failCrashed(this.kernel, message, { agent: this.name, error });
    this.status = "CRASHED";
    this.#home.tally.errors += 1;
    this.kernel.emit({ type: "agent.crashed", name: this.name, atMs: this.#nowMs(), error });
    void this.kernel.faultOwner.run(this, () => this.#end({ kind: "crashed", error }));
  }

  /** Ends the incarnation without waiting for its code any longer. */
  abandon(): void {
    if (this.isSealed) return;
    const wasCrashed = this.status === "CRASHED";
    this.#isOver = true;
    this.isLate = true;
    const message = this.#takeCurrent();
    if (message !== undefined) failStopped(this.kernel, message, this.name);
    if (!wasCrashed) this.status = "STOPPED";
    this.#seal({ kind: "normal" });
  }

  protected override get messageAtHand(): Message | undefined {
    return this.#current;
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
      this.#home.mailbox.lengthMax = this.limits.mailboxLengthMax;
      wheel.arm(startAlarm, this.startedAtMs + this.limits.startTimeoutMs);
      agentInternals.attach(agent, this);
      this.kernel.onCreated?.(agent);
      this.startPhase = "restore";
      const saved = await this.#home.checkpoints.read();
      this.startPhase = "on_start";
      if (this.#isOver) return;
      if (saved !== undefined) agent.state = saved;
      await agent.onStart();
    } catch (error) {
      wheel.disarm(startAlarm);
      this.#failStart(error);
      return;
    }
    wheel.disarm(startAlarm);
    if (this.#isOver) return;
    const isSuspended = this.#home.checkpoints.marker !== undefined;
    this.status = isSuspended ? "SUSPENDED" : "RUNNING";
    if (isSuspended) this.log.info("agent starts suspended");
    this.kernel.emit({ type: "agent.started", name: this.name, atMs: this.#nowMs() });
    this.#settleStart?.(undefined);
    // No loop before there is something to do: many agents of a tree may never get a message.
    this.isParked = true;
    this.#isAsked ||= this.#isWaitedFor;
    if (this.#isAsked || this.#home.mailbox.hasMessages) this.wake();
  }

  #failStart(error: unknown): void {
    if (!this.#isOver) this.crash(error);
  }

  /** The message loop. It runs in the agent's async context from its first to its last line. */
  async #serve(agent: Agent): Promise<void> {
    const { mailbox, tally: counters } = this.#home;
    const { scheduler, system, bus } = this.kernel;
    const { handleTimeoutMs } = this.limits;
    if (handleTimeoutMs !== undefined) {
      const init = { system, wheel: this.kernel.wheel, agent: this.name, handleTimeoutMs };
      this.#watchdog ??= new Watchdog(init);
    }
    const watchdog = this.#watchdog;
    for (;;) {
      if (this.#isOver) return;
      if (this.#isAsked) {
        await this.#attendNow(agent);
        continue;
      }
      if (this.#sliceLength >= scheduler.sliceLengthMax) {
        this.#sliceLength = 0;
        await this.pause();
        continue;
      }
      const message = this.status === "SUSPENDED" ? mailbox.takePriority() : mailbox.take();
      if (message === undefined) {
        if (this.#isDraining && !mailbox.hasMessages) return this.#stop();
        await this.park();
        if (this.takeEviction()) return;
        continue;
      }
      if (message.ttlMs !== null && failExpired(this.kernel, message, this.name)) continue;
      this.#sliceLength += 1;
      this.#current = message;
      const handled = counters.messagesHandled;
      const isTimed = handled < 16 || (handled & 15) === 0;
      const beginMs = isTimed ? system.monotonicMs() : 0;
      try {
        let result = handleMessage(this.kernel, agent, message, watchdog);
        if (isThenable(result)) {
          result = await result;
          if (this.#isOver) return;
        }
        const reply = messageInternals.replyOf(message);
        if (reply === undefined ? result !== undefined : reply.isStream) {
          const streaming = this.#stream(agent, message, result);
          if (streaming !== undefined) {
            await streaming;
            // How long a stream took says nothing about the handler.
            continue;
          }
        }
        if (reply !== undefined) {
          bus.reply(message, result ?? defaultReply(agent, message));
        }
        counters.messagesHandled = handled + 1;
        this.#current = undefined;
      } catch (error) {
        if (this.#isOver) return;
        await this.#recover(agent, { message, error });
      }
      if (isTimed) counters.addLatency(system.monotonicMs() - beginMs);
    }
  }

  /** Does what was asked: a stop before a restart before changes of the suspension. */
  async #attendNow(agent: Agent): Promise<void> {
    this.#isAsked = false;
    if (this.#isStopping) return await this.#stop();
    if (this.#restartError !== undefined) return this.crash(this.#restartError);
    // One thing at a time: a stop may come in between.
    if (!(await this.#attendSuspension(agent))) await this.#tellNotice(agent);
    this.#isAsked ||= this.#isWaitedFor;
  }

  /** True when suspension requests or notices still wait. A suspended agent gets no notices. */
  get #isWaitedFor(): boolean {
    const { suspension, notices } = this.#home;
    if ((suspension?.requests.length ?? 0) > 0) return true;
    return this.status !== "SUSPENDED" && (notices?.length ?? 0) > 0;
  }

  async #tellNotice(agent: Agent): Promise<void> {
    const notice = this.status === "SUSPENDED" ? undefined : this.#home.notices?.take();
    if (notice === undefined) return;
    try {
      await notice(agent);
    } catch (error) {
      if (!this.#isOver) this.crash(error);
    }
  }

  /** Changes the suspension as somebody asked. False when nobody did. */
  async #attendSuspension(agent: Agent): Promise<boolean> {
    const { suspension, checkpoints } = this.#home;
    const { kernel, log } = this;
    const request = suspension?.requests.shift();
    if (suspension === undefined || request === undefined) return false;
    const setStatus = (status: AgentStatus): void => {
      if (!this.#isOver) this.status = status;
    };
    try {
      const target = { agent, kernel, log, checkpoints, suspension, setStatus };
      await serveSuspension(target, request);
    } catch (error) {
      request.onGone(error as Error);
      if (!this.#isOver) this.crash(error);
    }
    return true;
  }

  /** Asks `onError` what to do, and does it: on return the loop goes on, unless the incarnation is over. */
  async #recover(agent: Agent, failed: { message: Message; error: unknown }): Promise<void> {
    const { message } = failed;
    const { retryCountMax } = this.limits;
    const slot = messageInternals.streamOf(message);
    let { error } = failed;
    for (;;) {
      try {
        if (settleStreamEnd({ agent, message, error, bus: this.kernel.bus })) {
          this.#home.tally.messagesHandled += 1;
          this.#current = undefined;
          return;
        }
      } catch (hookError) {
        error = hookError;
      }
      let action: string;
      try {
        action = await agent.onError(error, message);
      } catch (hookError) {
        this.crash(hookError);
        return;
      }
      if (this.#isOver) return;
      if (action === "skip") {
        this.#home.tally.errors += 1;
        return this.#skip(message, error);
      }
      if (action === "stop") {
        this.#home.tally.errors += 1;
        this.#isStopRequested = true;
        this.#isDraining = false;
        this.#isAsked = true;
        messageInternals.replyOf(message)?.reject(new agentErrors.STOPPED({ agent: this.name }));
        this.kernel.bus.drop(message, "stopped");
        this.#current = undefined;
        return;
      }
      // A consumer must not get the same chunks twice.
      const hasSent = slot !== undefined && slot.chunkCount > 0;
      if (action !== "retry" || hasSent) return this.crash(error);
      if (this.#isStopping) return this.#skip(message, error);
      if (messageInternals.nextAttempt(message) > retryCountMax) {
        const details = { agent: this.name, retryCountMax };
        return this.crash(new agentErrors.RETRIES_EXHAUSTED(details, { cause: error }));
      }
      try {
        const settled = await handleMessage(this.kernel, agent, message, this.#watchdog);
        if (this.#isOver) return;
        const streaming = this.#stream(agent, message, settled);
        if (streaming !== undefined) return await streaming;
        this.kernel.bus.reply(message, settled ?? defaultReply(agent, message));
        this.#home.tally.messagesHandled += 1;
        this.#current = undefined;
        return;
      } catch (retryError) {
        if (this.#isOver) return;
        error = retryError;
      }
    }
  }

  /** Sends the chunks that a handler gives to the caller; undefined when it gave an ordinary reply. */
  #stream(agent: Agent, message: Message, result: HandleResult): Promise<void> | undefined {
    if (!message.isStream && chunkSourceOf(result) === undefined) return undefined;
    const { bus, scheduler } = this.kernel;
    return produceReply(message, result, {
      agent,
      bus,
      counters: this.#home.tally,
      sliceLengthMax: scheduler.sliceLengthMax,
      isOver: () => this.#isOver,
      endingError: () => this.endingError,
      watchdog: this.#watchdog,
      pause: () => this.turn(),
      onDone: () => {
        this.#home.tally.messagesHandled += 1;
        this.#current = undefined;
      },
    });
  }

  /** Ends a stream whose chunks come one by one: a stop or a restart does not wait for it. */
  #haltStream(): void {
    const slot = this.#current && messageInternals.streamOf(this.#current);
    const ending = this.endingError;
    if (slot?.hasBegun === true && ending !== undefined) slot.reject(ending);
  }

  #skip(message: Message, error: unknown): void {
    this.log.warn("message skipped", { id: message.id, type: message.type, error });
    failSkipped(this.kernel, message, { agent: this.name, error });
    this.#current = undefined;
  }

  protected override pauseWatchdog(): (() => void) | undefined {
    return this.#watchdog?.pause();
  }

  async #stop(): Promise<void> {
    this.#isOver = true;
    this.status = "STOPPING";
    await this.#end({ kind: "normal" });
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
    this.seal();
    if (this.status === "STOPPING") this.status = "STOPPED";
    if (this.#restartAlarm !== undefined) this.kernel.wheel.disarm(this.#restartAlarm);
    if (this.status === "STOPPED") {
      this.kernel.emit({ type: "agent.stopped", name: this.name, atMs: this.#nowMs() });
    }
    const settleStart = this.#settleStart;
    if (settleStart === undefined) this.#home.onEnd(this, exit);
    else settleStart(exit.kind === "crashed" ? exit.error : this.overError());
  }

  #takeCurrent(): Message | undefined {
    const message = this.#current;
    this.#current = undefined;
    return message;
  }

  #nowMs(): number {
    return this.kernel.system.nowMs();
  }
}
