import { agentErrors } from "../errors.ts";
import { type Agent, defaultReply, isThenable } from "../agents/index.ts";
import type { AgentHome } from "./agent-access.ts";
import type { AgentLimits, AgentSpec, AgentStatus, FaultOwner } from "../tree/index.ts";
import { chunkSourceOf, produceReply, settleStreamEnd } from "./produce-reply.ts";
import { DeferredReplies } from "./deferred-replies.ts";
import {
  type Address,
  type DeferredReply,
  type HandleResult,
  type Mailbox,
  type MessageHolder,
  messageInternals,
  type Message,
} from "../messages/index.ts";
import { failExpired, failSkipped, failStopped, failUnwanted } from "./message-end.ts";
import { handleMessage } from "./handle-message.ts";
import { Handling, type HandlingOwner } from "./handling.ts";
import { LoopSeat } from "./loop-seat.ts";
import { circuitErrors } from "../resilience/index.ts";
import { readableError } from "../values/index.ts";
import { Watchdog } from "./watchdog.ts";

/** The part of an agent that survives its restarts, as its message loop sees it. */
export interface LoopHome extends AgentHome, Address {
  readonly spec: AgentSpec;
  readonly mailbox: Mailbox;
  /** Called when the loop waits and nothing is at hand. */
  readonly onIdle: (() => void) | undefined;
  /**
   * True once the agent has asked others while it handled a message. From then on each message is handled in a separate async
   * context, so that what is asked ends with the message; agents that ask nobody do not pay for it.
   */
  isTracked: boolean;
}

/** What `onError` may answer. */
const errorActions: ReadonlySet<unknown> = new Set(["retry", "skip", "escalate", "stop"]);

/** A message whose handling failed, and with what. */
interface Failure {
  readonly message: Message;
  readonly error: unknown;
}

/** What comes after the handler of the message at hand. */
interface Outcome {
  /** Lets the agent handle it, in its own async context. */
  readonly handle: (handling: Handling) => HandleResult | PromiseLike<HandleResult>;
  readonly onResult: (result: HandleResult) => void;
  readonly onError: (error: unknown) => void;
  /** What the handler gave is sent. */
  readonly onSettled: () => void;
}

/**
 * The message loop of an incarnation: takes messages, lets the agent handle them, one or several at once, sends what it
 * answers, and asks `onError` about failures.
 *
 * `Incarnation` derives from this class, and this class from `LoopSeat`, for the reason given there.
 */
export abstract class MessageLoop extends LoopSeat implements HandlingOwner, MessageHolder {
  /** The tree's, until the object is built; then what its class gives to itself goes first. */
  limits: AgentLimits;
  status: AgentStatus = "INITIALIZING";
  /** Something is to be done at the next message boundary: a stop, a restart, a change of the suspension. */
  protected isAsked = false;
  isStopRequested = false;
  /** The stop comes after the queue. */
  protected isDraining = false;
  readonly #home: LoopHome;
  /** The message at hand of an agent that handles one at a time. */
  #current: Message | undefined;
  /** What stands for it when the agent is tracked, or as soon as it has asked somebody or has put its reply off. */
  #currentHandling: Handling | undefined;
  /** True once messages are handled in separate async contexts: code in that of the loop works on none of them. */
  #isEntered = false;
  /** The messages at hand of an agent that handles several at once. */
  #atHand: Set<Handling> | undefined;
  /** The loop waits for a message at hand to end. */
  #isFull = false;
  #deferred: DeferredReplies | undefined;
  #sliceLength = 0;
  /** Monotonic time at which handling the message at hand began; infinite when it is not measured. */
  #beganAtMs = Number.POSITIVE_INFINITY;
  /** Monotonic time since which the message at hand is waited for, as far as it was read. */
  #sinceMs = 0;
  /** Made with the first message of a loop. */
  #outcome: Outcome | undefined;
  /** Made when there is a `handleTimeoutMs`. */
  #watchdog: Watchdog | undefined;

  constructor(home: LoopHome) {
    super(home);
    this.#home = home;
    this.limits = home.spec.limits;
  }

  /** {@inheritDoc HandlingOwner.home} */
  get home(): Address {
    return this.#home;
  }

  /** Messages at hand. */
  get busyCount(): number {
    return (this.#atHand?.size ?? 0) + (this.#current === undefined ? 0 : 1);
  }

  /** Replies that were put off and that somebody waits for. */
  get deferredCount(): number {
    return this.#deferred?.openCount ?? 0;
  }

  /** True when nothing is at hand, no reply is put off, and it waits for nobody. */
  get isAtRest(): boolean {
    return this.busyCount === 0 && this.deferredCount === 0 && !this.hasRequests;
  }

  /** Does what was asked, between two messages. */
  protected abstract attendNow(agent: Agent): Promise<void>;

  /** Ends the incarnation normally. */
  protected abstract stopNow(): Promise<void>;

  /** Ends the incarnation as crashed. */
  abstract override crash(error: unknown, message?: Message | null): void;

  /** True when it stops at the next message boundary. */
  protected get isStopping(): boolean {
    return this.isStopRequested && !(this.isDraining && this.#home.mailbox.hasMessages);
  }

  /** Runs a hook within `hookTimeoutMs`. */
  protected abstract inTime<Result>(
    hook: string,
    result: Result | PromiseLike<Result>,
  ): Promise<Result>;

  // What the running code works on.

  protected override get messageAtHand(): Message | undefined {
    const owner = this.kernel.faultOwner.getStore();
    if (owner instanceof Handling) return owner.owner === this ? owner.message : undefined;
    return owner === this.frame && !this.#isEntered ? this.#current : undefined;
  }

  protected override handlingAtHand(): Handling | undefined {
    const owner: FaultOwner | undefined = this.kernel.faultOwner.getStore();
    if (owner instanceof Handling) return owner.owner === this ? owner : undefined;
    return owner === this.frame && !this.#isEntered ? this.#trackCurrent() : undefined;
  }

  #trackCurrent(): Handling | undefined {
    const message = this.#current;
    if (message === undefined) return undefined;
    this.#home.isTracked = true;
    return (this.#currentHandling ??= new Handling(this, message));
  }

  /** {@inheritDoc HandlingOwner.endRequestsOf} */
  endRequestsOf(handling: Handling, reason: Error): void {
    this.requests.cancel(
      new agentErrors.CANCELLED({ agent: this.name, id: handling.message.id }, { cause: reason }),
      { reason: this.isOver ? "its consumer has ended" : "its consumer has left", of: handling },
    );
  }

  /** {@inheritDoc HandlingOwner.forgetDeferred} */
  forgetDeferred(handling: Handling): void {
    this.#deferred?.forget(handling);
  }

  /** {@inheritDoc HandlingOwner.forgive} */
  forgive(error: unknown, message: Message): void {
    this.#home.tally.messagesCancelled += 1;
    const { id, type } = message;
    this.log.debug("message was no longer wanted", { id, type, error: readableError(error) });
  }

  /** {@inheritDoc MessageHolder.defer} */
  defer(message: Message): DeferredReply {
    const handling = this.#handlingOf(message);
    if (handling === undefined || this.isSealed) {
      throw new agentErrors.NOT_AT_HAND({ agent: this.name, id: message.id });
    }
    const { kernel, name } = this;
    const { tally } = this.#home;
    const isSealed = (): boolean => this.isSealed;
    const onClosed = (): void => {
      if (!this.isOver && this.isAtRest) this.#home.onIdle?.();
    };
    this.#deferred ??= new DeferredReplies({ name, bus: kernel.bus, tally, isSealed, onClosed });
    return this.#deferred.add(handling);
  }

  /** {@inheritDoc MessageHolder.isDeferred} */
  isDeferred(message: Message): boolean {
    if (message === this.#current) return this.#currentHandling?.isDeferred === true;
    return this.#handlingOf(message)?.isDeferred === true;
  }

  #handlingOf(message: Message): Handling | undefined {
    if (message === this.#current) return this.#trackCurrent();
    for (const handling of this.#atHand ?? []) if (handling.message === message) return handling;
    return undefined;
  }

  /** @returns The messages at hand, each with the monotonic time at which its handling began. */
  messagesAtHand(): { readonly message: Message; readonly beganAtMs: number }[] {
    const several = [...(this.#atHand ?? [])].map(({ message, beganAtMs }) => ({
      message,
      beganAtMs,
    }));
    if (this.#current === undefined) return several;
    // It cannot have begun before it was sent.
    const beganAtMs = Math.max(this.#sinceMs, messageInternals.sentAtMsOf(this.#current));
    return [...several, { message: this.#current, beganAtMs }];
  }

  /** @returns The messages at hand, which are so no longer. */
  protected takeAtHand(): Message[] {
    const messages = [...(this.#atHand ?? [])].map(({ message }) => message);
    if (this.#current !== undefined) messages.push(this.#current);
    this.#atHand?.clear();
    this.#current = undefined;
    return messages;
  }

  /**
   * Fails the replies that were put off and not given.
   *
   * @param error Makes what they fail with. Most ends have none, and an error costs more than the rest of the end.
   */
  protected endDeferred(error: () => Error): void {
    this.#deferred?.end(error);
  }

  /** Ends the streams whose chunks come one by one: a stop or a restart does not wait for them. */
  protected haltStreams(): void {
    const ending = this.endingError;
    if (ending === undefined) return;
    const halt = (message: Message): void => {
      const slot = messageInternals.streamOf(message);
      if (slot?.hasBegun === true) slot.reject(ending);
    };
    if (this.#current !== undefined) halt(this.#current);
    for (const { message } of this.#atHand ?? []) halt(message);
  }

  protected override pauseWatchdog(): (() => void) | undefined {
    return this.#watchdogAtHand()?.pause();
  }

  /** @returns What enforces `handleTimeoutMs` for the message that the running code works on. */
  #watchdogAtHand(): Watchdog | undefined {
    const owner = this.kernel.faultOwner.getStore();
    return owner instanceof Handling ? owner.watchdog : this.#watchdog;
  }

  #makeWatchdog(): Watchdog | undefined {
    const { handleTimeoutMs } = this.limits;
    if (handleTimeoutMs === undefined) return undefined;
    const { system, wheel } = this.kernel;
    return new Watchdog({ system, wheel, agent: this.name, handleTimeoutMs });
  }

  // The loop.

  /**
   * Takes messages until none is there or one has to be waited for; what comes after the wait calls it again.
   *
   * Not an async function: a promise to park on and one for each handler would cost as much as the rest of a message.
   */
  protected serve(agent: Agent): void {
    const { mailbox } = this.#home;
    const { concurrency } = this.limits;
    const { sliceLengthMax } = this.kernel.scheduler;
    for (;;) {
      if (this.isOver) return;
      if (this.isAsked || this.#sliceLength >= sliceLengthMax || this.#atHand !== undefined) {
        if (this.#isHeldUp(agent)) return;
      }
      const message = this.status === "SUSPENDED" ? mailbox.takePriority() : mailbox.take();
      if (message === undefined) return this.#rest();
      const reply = messageInternals.replyOf(message);
      if (reply !== undefined && !reply.isOpen) {
        failUnwanted(this.kernel, message);
        continue;
      }
      if (message.ttlMs !== null && failExpired(this.kernel, message, this.name)) continue;
      this.#sliceLength += 1;
      messageInternals.hold(message, this);
      if (concurrency > 1) void this.#handleOneOfSeveral(agent, message);
      else if (!this.#handleOne(agent, message)) return;
    }
  }

  /** Does what comes before the next message. True when the loop goes on later. */
  #isHeldUp(agent: Agent): boolean {
    const busyCount = this.#atHand?.size ?? 0;
    if (busyCount > 0 && (this.isAsked || busyCount >= this.limits.concurrency)) {
      this.#isFull = true;
      this.park();
    } else if (this.isAsked) {
      void this.attendNow(agent).then(() => this.serve(agent));
    } else if (this.#sliceLength >= this.kernel.scheduler.sliceLengthMax) {
      this.#sliceLength = 0;
      this.pause();
    } else return false;
    return true;
  }

  /** Nothing waits. */
  #rest(): void {
    const { mailbox, onIdle } = this.#home;
    if (this.isDraining && this.busyCount === 0 && !mailbox.hasMessages) {
      void this.stopNow();
      return;
    }
    this.#isFull = this.isDraining;
    if (onIdle !== undefined && this.busyCount === 0) onIdle();
    this.park();
  }

  /** {@inheritDoc LoopSeat.unload} */
  protected override unload(): void {
    this.#outcome = undefined;
  }

  /** Handles a message while no other one is at hand. False when it has to be waited for. */
  #handleOne(agent: Agent, message: Message): boolean {
    const { tally, isTracked } = this.#home;
    const { kernel } = this;
    const outcome = (this.#outcome ??= this.#outcomeFor(agent));
    this.#current = message;
    this.remember(message);
    const { messagesHandled } = tally;
    // How long a stream took says nothing about the handler: its first chunk counts.
    const isTimed = (messagesHandled < 16 || (messagesHandled & 15) === 0) && !message.isStream;
    this.#beganAtMs = isTimed ? kernel.system.monotonicMs() : Number.POSITIVE_INFINITY;
    if (this.limits.handleTimeoutMs !== undefined) this.#watchdog ??= this.#makeWatchdog();
    try {
      const result = isTracked
        ? kernel.faultOwner.enter(this.#track(message), outcome.handle)
        : handleMessage(kernel, agent, message, this.#watchdog);
      if (isThenable(result)) Promise.resolve(result).then(outcome.onResult, outcome.onError);
      else if (this.#finish(agent, message, result)) return true;
    } catch (error) {
      outcome.onError(error);
    }
    // From now on somebody may look at it. Reading a clock would be an eighth of what a message costs.
    this.#sinceMs = isTimed ? this.#beganAtMs : kernel.coarseClock.nowMs;
    return false;
  }

  /** Made once for each loop, not for each message: it is about the one at hand. */
  #outcomeFor(agent: Agent): Outcome {
    const goOn = (): void => {
      if (this.isOver) return;
      this.#conclude();
      this.serve(agent);
    };
    return {
      handle: ({ message, watchdog }) => handleMessage(this.kernel, agent, message, watchdog),
      onResult: (result) => {
        const message = this.#current;
        if (this.isOver || message === undefined) return;
        if (this.#finish(agent, message, result)) this.serve(agent);
      },
      onError: (error) => {
        const message = this.#current;
        if (this.isOver || message === undefined) return;
        void this.#recoverCurrent(agent, { message, error: readableError(error) }, goOn);
      },
      onSettled: () => {
        if (!this.isOver) this.#tallyHandled(this.#current);
        goOn();
      },
    };
  }

  /** Answers with what the handler gave. False when that has to be waited for. */
  #finish(agent: Agent, message: Message, result: HandleResult): boolean {
    const reply = messageInternals.replyOf(message);
    const outcome = (this.#outcome ??= this.#outcomeFor(agent));
    const { tally } = this.#home;
    if (reply === undefined ? result !== undefined : reply.isStream) {
      this.#settleCurrent(agent, message, result).then(outcome.onSettled, outcome.onError);
      return false;
    }
    try {
      if (reply !== undefined && this.#currentHandling?.isDeferred !== true) {
        if (!reply.isOpen) tally.repliesUnwanted += 1;
        else this.kernel.bus.reply(message, result ?? this.#defaultReply(agent, message));
      }
    } catch (error) {
      outcome.onError(error);
      return false;
    }
    this.#tallyHandled(message);
    this.#conclude();
    return true;
  }

  #tallyHandled(message: Message | undefined): void {
    this.#home.tally.messagesHandled += 1;
    if (message !== undefined) messageInternals.receiptOf(message)?.handled();
  }

  /** Takes note that nothing of the message at hand is left to do. */
  #conclude(): void {
    this.#current = undefined;
    this.#currentHandling?.end();
    this.#currentHandling = undefined;
    if (this.#beganAtMs === Number.POSITIVE_INFINITY) return;
    this.#home.tally.addLatency(this.kernel.system.monotonicMs() - this.#beganAtMs);
  }

  /** Makes what stands for a message that is handled in a separate async context. */
  #track(message: Message): Handling {
    const handling = new Handling(this, message);
    handling.watchdog = this.#watchdog;
    this.#isEntered = true;
    this.#currentHandling = handling;
    return handling;
  }

  /** Runs what belongs to the message at hand in its async context. */
  #within<Result>(callback: () => Result): Result {
    const handling = this.#isEntered ? this.#currentHandling : undefined;
    return handling === undefined ? callback() : this.kernel.faultOwner.enter(handling, callback);
  }

  #settleCurrent(agent: Agent, message: Message, result: HandleResult): Promise<void> {
    return this.#within(() => this.#settle(agent, message, result));
  }

  async #recoverCurrent(agent: Agent, failed: Failure, goOn: () => void): Promise<void> {
    await this.#within(() => this.#recover(agent, failed));
    goOn();
  }

  #defaultReply(agent: Agent, message: Message): object {
    return this.#within(() => defaultReply(agent, message));
  }

  /** Handles a message in a separate async context, while the loop goes on. */
  #handleOneOfSeveral(agent: Agent, message: Message): Promise<void> {
    const handling = new Handling(this, message);
    handling.watchdog = this.#makeWatchdog();
    (this.#atHand ??= new Set()).add(handling);
    this.remember(message);
    return this.kernel.faultOwner.enter(handling, () => this.#handle(agent, handling));
  }

  async #handle(agent: Agent, handling: Handling): Promise<void> {
    const { message, watchdog } = handling;
    const { system } = this.kernel;
    const beginMs = system.monotonicMs();
    handling.beganAtMs = beginMs;
    try {
      let result = handleMessage(this.kernel, agent, message, watchdog);
      if (isThenable(result)) {
        result = await result;
        if (this.isOver) return;
      }
      await this.#settle(agent, message, result);
      if (this.isOver) return;
      this.#tallyHandled(message);
      if (!message.isStream) this.#home.tally.addLatency(system.monotonicMs() - beginMs);
    } catch (error) {
      if (this.isOver) return;
      await this.#recover(agent, { message, error: readableError(error) });
    } finally {
      handling.end();
      this.#atHand?.delete(handling);
      if (this.#isFull) {
        this.#isFull = false;
        this.wake();
      }
    }
  }

  /** Sends what a handler gave: chunks, a reply, or nothing when the reply was put off. */
  async #settle(agent: Agent, message: Message, result: HandleResult): Promise<void> {
    const streaming = this.#stream(agent, message, result);
    if (streaming !== undefined) return await streaming;
    const reply = messageInternals.replyOf(message);
    if (reply === undefined || this.isDeferred(message)) return;
    if (reply.isOpen) this.kernel.bus.reply(message, result ?? defaultReply(agent, message));
    else this.#home.tally.repliesUnwanted += 1;
  }

  /** Sends the chunks that a handler gives to the caller; undefined when it gave an ordinary reply, or put it off. */
  #stream(agent: Agent, message: Message, result: HandleResult): Promise<void> | undefined {
    if (!message.isStream && chunkSourceOf(result) === undefined) return undefined;
    if (this.isDeferred(message)) return undefined;
    const { bus, scheduler, system } = this.kernel;
    const beginMs = system.monotonicMs();
    return produceReply(message, result, {
      onFirstChunk: () => this.#home.tally.addFirstChunk(system.monotonicMs() - beginMs),
      agent,
      bus,
      counters: this.#home.tally,
      sliceLengthMax: scheduler.sliceLengthMax,
      isOver: () => this.isOver,
      endingError: () => this.endingError,
      watchdog: this.#watchdogAtHand(),
      pause: () => this.turn(),
    });
  }

  /** Asks `onError` what to do, and does it: on return the message is done, unless the incarnation is over. */
  async #recover(agent: Agent, failed: Failure): Promise<void> {
    const { message } = failed;
    const { retryCountMax } = this.limits;
    const slot = messageInternals.streamOf(message);
    let { error } = failed;
    for (;;) {
      try {
        if (this.#isForgiven(agent, { message, error })) return;
      } catch (hookError) {
        error = readableError(hookError);
      }
      let action: string;
      try {
        action = await this.inTime("onError", agent.onError(error, message));
      } catch (hookError) {
        this.#logFailed("onError failed about this error", { message, error });
        this.crash(hookError, message);
        return;
      }
      if (this.isOver) return;
      if (!errorActions.has(action)) {
        const wanted = [...errorActions].join(", ");
        const found = typeof action === "string" ? `"${action}"` : `a ${typeof action}`;
        this.#logFailed(`onError answered ${found}, wanted one of ${wanted}`, { message, error });
      }
      // An agent whose models, tools or agents are away is well itself: a crash would only use up its restarts.
      const isRefused = error instanceof circuitErrors.OPEN && action === "escalate";
      if (action === "skip" || isRefused) {
        this.#home.tally.addError(error);
        return this.#skip(message, error);
      }
      if (action === "stop") {
        this.#logFailed('the agent stops: onError answered "stop"', { message, error });
        return this.#stopAfter(message, error);
      }
      // A consumer must not get the same chunks twice, nor a caller an answer that was put off.
      const hasSent = (slot !== undefined && slot.chunkCount > 0) || this.isDeferred(message);
      if (action !== "retry" || hasSent) return this.crash(error, message);
      if (this.isStopping) return this.#skip(message, error);
      if (messageInternals.nextAttempt(message) > retryCountMax) {
        const details = { agent: this.name, retryCountMax };
        return this.crash(new agentErrors.RETRIES_EXHAUSTED(details, { cause: error }), message);
      }
      try {
        const result = await handleMessage(this.kernel, agent, message, this.#watchdogAtHand());
        if (this.isOver) return;
        await this.#settle(agent, message, result);
        if (!this.isOver) this.#countHandled(message);
        return;
      } catch (retryError) {
        if (this.isOver) return;
        error = readableError(retryError);
      }
    }
  }

  /** Says whether an error does not count as a fault of the agent: nobody waits for the answer any more, or the stream is over. */
  #isForgiven(agent: Agent, { message, error }: Failure): boolean {
    if (settleStreamEnd({ agent, message, error, bus: this.kernel.bus })) {
      this.#countHandled(message);
      return true;
    }
    if (messageInternals.replyOf(message)?.callerGone === undefined) return false;
    // The handler still runs: only a new incarnation is rid of it.
    if (error instanceof agentErrors.HANDLE_TIMEOUT) return false;
    this.forgive(error, message);
    this.#countHandled(message);
    return true;
  }

  #countHandled(message: Message): void {
    this.#tallyHandled(message);
    this.#leave(message);
  }

  /** Takes note that a message is counted: a crash that comes before the next turn of the loop does not count it again. */
  #leave(message: Message): void {
    if (this.#current === message) this.#current = undefined;
    for (const handling of this.#atHand ?? []) {
      if (handling.message === message) this.#atHand?.delete(handling);
    }
  }

  #logFailed(text: string, { message, error }: Failure): void {
    this.log.error(text, { id: message.id, type: message.type, error });
  }

  #stopAfter(message: Message, error: unknown): void {
    this.#home.tally.addError(error);
    this.isStopRequested = true;
    this.isDraining = false;
    this.isAsked = true;
    failStopped(this.kernel, message, this.name);
    this.#leave(message);
  }

  #skip(message: Message, error: unknown): void {
    const fields = { id: message.id, type: message.type, error };
    // That a circuit is open was said when it opened.
    if (error instanceof circuitErrors.OPEN) this.log.debug("message refused", fields);
    else this.log.warn("message skipped", fields);
    failSkipped(this.kernel, message, { agent: this.name, error });
    this.#leave(message);
  }
}
