import type { Agent } from "../agents/index.ts";
import { Checkpoints } from "./checkpoints.ts";
import { Companions } from "./companions.ts";
import { TallyCounters } from "./counters.ts";
import type {
  AgentActivity,
  ChildDriver,
  ChildExit,
  StopOptions,
  Kernel,
  AgentCounters,
  AgentNode,
  AgentLimits,
  AgentStatus,
  AgentSpec,
} from "../tree/index.ts";
import { copyOfMetadata } from "../tree/index.ts";
import { agentErrors } from "../errors.ts";
import { endRemoved } from "./end-removed.ts";
import { Incarnation, type IncarnationHome, type StartPhase } from "./incarnation.ts";
import { type JsonObject, reasonOf } from "../values/index.ts";
import { type ModelSessionCounters, noModelSession } from "../llm/index.ts";
import {
  correctionType,
  digestOf,
  Downs,
  haltType,
  Mailbox,
  type MessageSchemas,
  type MailboxOwner,
  messageInternals,
  oldestTimestampMs,
  type Message,
  type Address,
  type Registration,
} from "../messages/index.ts";
import { type RestartRequest, restartRequested } from "./restart-request.ts";
import { Notices, type Notice } from "./notices.ts";
import { refuseIfDrained } from "./refuse-if-drained.ts";
import {
  type DrainRequest,
  AgentSuspension,
  describeMarker,
  haltAgent,
  suspensionRequestCountMax,
  type SuspensionRequest,
  tellHalted,
} from "../suspension/index.ts";
import type { TimerHandle } from "../ports/index.ts";

function unheard(): void {}

/** How long a stop waits for a start that is under way: nothing was accepted yet. */
const startAbandonMs = 5_000;
const stopped = "stopped";

/** What an agent that comes and goes shares with others. */
export interface AgentCellOptions {
  /** The last writes of an agent that had the name before; the state is read after them. */
  readonly earlierWrites?: Promise<void> | undefined;
  /** Counters that it shares with others; default its own. */
  readonly tally?: TallyCounters | undefined;
  /** {@inheritDoc ChildDriver.isHeldFirst} */
  readonly isHeldFirst?: boolean | undefined;
  /** False when messages come to it by another name; default true. */
  readonly isListed?: boolean | undefined;
}

/**
 * The place of an agent in the tree: its name, mailbox, registration and counters. It survives restarts, while each
 * incarnation of the agent lives only until the next one. It is the `ChildDriver` of agents in this process.
 */
export class AgentCell
  implements ChildDriver, Address, Registration, MailboxOwner, IncarnationHome
{
  readonly kind = "agent";
  readonly name: string;
  readonly mailbox: Mailbox;
  readonly tally: TallyCounters;
  readonly checkpoints: Checkpoints;
  /** {@inheritDoc ChildDriver.isHeldFirst} */
  readonly isHeldFirst: boolean;
  /** {@inheritDoc LoopHome.onIdle} */
  onIdle: (() => void) | undefined;
  /** {@inheritDoc IncarnationHome.beforeStop} */
  beforeStop: ((agent: Agent) => Promise<void>) | undefined;
  /** {@inheritDoc LoopHome.isTracked} */
  isTracked = false;
  #spec: AgentSpec;
  #kernel: Kernel;
  /** Made with the first one. */
  notices: Notices | undefined;
  #leave: Notice | undefined;
  /** Those who lift a halt with the next start. */
  readonly #lifts: SuspensionRequest[] = [];
  /** Made with the first request about it. */
  suspension: AgentSuspension | undefined;
  /** Made with the first watcher, or at the first end. */
  #downs: Downs | undefined;
  #incarnation: Incarnation | undefined;
  /** Made where an incarnation starts next to another one. */
  #companions: Companions | undefined;
  #onExit: (exit: ChildExit) => void = unheard;
  #startCount = 0;
  /** True when it takes no more messages. */
  #isClosed = false;
  /** Settles at the end of the stop that is under way; all callers of the stop share it. */
  #stopping: Promise<readonly string[]> | undefined;
  #onStopped: ((isLate: boolean) => void) | undefined;
  #stopTimer: TimerHandle | undefined;
  #isWorkGivenUp = false;
  /** How the latest incarnation ended, when it crashed: callers of an agent that is given up learn of it. */
  #crash: { readonly reason: string; readonly atMs: number } | undefined;
  #stopDeadlineMs = Number.POSITIVE_INFINITY;

  /**
   * @param kernel What all actors share.
   * @param spec Its name, class and limits.
   * @param options For agents that come and go.
   * @throws AGENTRT_SUPERVISION_DUPLICATE_NAME when the name is taken.
   */
  constructor(kernel: Kernel, spec: AgentSpec, options: AgentCellOptions = {}) {
    this.name = spec.name;
    this.#spec = spec;
    this.#kernel = kernel;
    this.isHeldFirst = options.isHeldFirst === true;
    this.tally = options.tally ?? new TallyCounters();
    this.checkpoints = new Checkpoints(kernel, spec.name, options.earlierWrites);
    this.mailbox = this.makeMailbox();
    if (options.isListed !== false) kernel.registry.register(this);
  }

  /** What it was described with last. */
  get spec(): AgentSpec {
    return this.#spec;
  }

  get kernel(): Kernel {
    return this.#kernel;
  }

  /**
   * Describes it again: its next incarnation is made by that. Its name stays, and so do its queue and its counters.
   *
   * @param spec Of the same name.
   * @param kernel What the actors at its place share.
   */
  describeAnew(spec: AgentSpec, kernel: Kernel): void {
    this.#kernel.registry.renew(this, () => {
      this.#spec = spec;
      this.#kernel = kernel;
    });
  }

  get capabilities(): readonly string[] {
    return this.spec.capabilities;
  }

  get capabilityMetadata(): JsonObject {
    return this.spec.capabilityMetadata;
  }

  get schemas(): MessageSchemas | undefined {
    return this.spec.schemas;
  }

  get isEvalAgent(): boolean {
    return this.spec.isEvalAgent === true;
  }

  get address(): Address {
    return this;
  }

  /** {@inheritDoc Registration.downs} */
  get downs(): Downs {
    return (this.#downs ??= this.makeDowns());
  }

  protected makeDowns(): Downs {
    return new Downs(this.name);
  }

  /**
   * Takes note that it has ended; the watchers hear of it when its supervisor has decided.
   *
   * @param reason The error, or `"stopped"`.
   * @param _isStopped True when its supervisor has stopped it.
   */
  protected markDown(reason: string, _isStopped: boolean): void {
    this.downs.end(reason);
  }

  settleDown(willRestart: boolean): void {
    this.#downs?.settle(willRestart);
  }

  protected makeMailbox(): Mailbox {
    return new Mailbox(this, this.spec.limits.mailboxLengthMax);
  }

  /** {@inheritDoc IncarnationHome.checkLimits} */
  checkLimits(_limits: AgentLimits): void {}

  /** {@inheritDoc MailboxOwner.onRefused} */
  onRefused(message: Message): void {
    this.kernel.bus.drop(message, "refused");
  }

  /** {@inheritDoc IncarnationHome.onEnd} */
  onEnd(incarnation: Incarnation, exit: ChildExit): void {
    if (this.#companions?.onEnd(incarnation) === true) return;
    const reason = exit.kind === "normal" ? stopped : reasonOf(exit.error);
    if (exit.kind === "crashed") this.#crash = { reason, atMs: this.kernel.system.nowMs() };
    this.markDown(reason, this.#onStopped !== undefined);
    if (this.#onStopped === undefined) this.#onExit(exit);
    else this.#onStopped(incarnation.isLate);
  }

  get status(): AgentStatus {
    return this.#incarnation?.status ?? "INITIALIZING";
  }

  /** True while an incarnation runs, waits suspended, or starts. */
  get isRunning(): boolean {
    const status = this.#incarnation?.status;
    return status === "RUNNING" || status === "SUSPENDED" || status === "INITIALIZING";
  }

  /** {@inheritDoc ChildDriver.isEnding} */
  get isEnding(): boolean {
    const incarnation = this.#incarnation;
    return incarnation?.isSealed === false && incarnation.isStopRequested;
  }

  /** True when it runs and nothing is to be done: no message waits or is at hand, and it waits for nobody. */
  get isAtRest(): boolean {
    const incarnation = this.#incarnation;
    const isUp = incarnation?.status === "RUNNING" || incarnation?.status === "SUSPENDED";
    return isUp && incarnation.isAtRest && !this.mailbox.hasNext;
  }

  /** True while it runs and waits for work. */
  get isAwaiting(): boolean {
    return this.#incarnation?.status === "RUNNING" && this.#incarnation.isParked;
  }

  get isSuspended(): boolean {
    return this.checkpoints.marker !== undefined && !this.isHalted;
  }

  /** True for one that an eval agent has halted: no start goes through before somebody resumes it. */
  get isHalted(): boolean {
    return this.checkpoints.marker?.isHalted === true;
  }

  /** True while its messages wait until somebody resumes it, or the group that it is of. */
  get awaitsResume(): boolean {
    return this.isSuspended;
  }

  /** {@inheritDoc Address.isRefusing} */
  get isRefusing(): boolean {
    return this.checkpoints.isRefusing;
  }

  /** {@inheritDoc Drainable.beginDrain} */
  beginDrain(asked: DrainRequest): Promise<void> {
    return this.checkpoints.beginDrain(asked, this.kernel.system.nowMs());
  }

  /** {@inheritDoc Drainable.isWorking} */
  get isWorking(): boolean {
    if (this.busyCount > 0 || this.deferredCount > 0) return true;
    return this.mailbox.hasMessages && !this.awaitsResume;
  }

  /** {@inheritDoc IncarnationHome.refuseWaiting} */
  refuseWaiting(): void {
    this.#giveUpWaiting(() => new agentErrors.DRAINED({ agent: this.name }), "refused");
  }

  /** What it asked to be approved waits on, also for a later agent of its name. */
  release(): void {
    // No failure of it, or of what is above it, lifts a halt.
    if (this.isHalted) return;
    this.checkpoints.drain = undefined;
    const { marker } = this.checkpoints;
    if (marker === undefined || !marker.isHeld) return;
    const isWaiting = marker.approvals.length > 0;
    this.checkpoints.marker = isWaiting
      ? { ...marker, isHeld: false, isDrained: false }
      : undefined;
    this.checkpoints.rewrite().catch((error: unknown) => {
      this.kernel.log.error("a suspension could not be forgotten", { agent: this.name, error });
    });
  }

  /**
   * Forgets what it has saved, its suspension included, after all that it still writes.
   *
   * @returns Settles when that is done; undefined when nothing is saved.
   * @throws What the store throws.
   */
  forget(): Promise<void> | undefined {
    this.checkpoints.marker = undefined;
    this.checkpoints.drain = undefined;
    const withdrawn = this.kernel.approvals.withdraw(this.name);
    if (withdrawn === undefined)
      return this.checkpoints.isEmpty ? undefined : this.checkpoints.discard();
    return Promise.all([withdrawn, this.checkpoints.discard()]).then(() => undefined);
  }

  /** Another process may have had it, while it was down here: what that has saved is found when it starts. */
  reread(): void {
    this.checkpoints.reread();
    if (this.suspension !== undefined) this.suspension.isDurable = true;
  }

  /** {@inheritDoc Checkpoints.reconcile} */
  async reconcile(): Promise<boolean> {
    const isSame = await this.checkpoints.reconcile();
    if (isSame && this.suspension !== undefined) this.suspension.isDurable = true;
    return isSame;
  }

  /** {@inheritDoc Address.control} */
  control(message: Message): boolean {
    const incarnation = this.#incarnation;
    if (this.#isClosed || incarnation === undefined) return false;
    if (message.type === haltType) {
      this.#halt(message);
      incarnation.requestStop();
    } else if (message.type === correctionType) this.notify((agent) => agent.onCorrection(message));
    else return false;
    return true;
  }

  #halt({ sender: initiatedBy, payload: { reason } }: Message): void {
    const halt = { initiatedBy, reason: typeof reason === "string" ? reason : "" };
    const suspension = (this.suspension ??= new AgentSuspension());
    void haltAgent(this, halt).then((isDurable) => {
      suspension.isDurable = isDurable;
    });
  }

  /** {@inheritDoc IncarnationHome.onHalted} */
  onHalted(): void {
    tellHalted(this, this.isLiftedInPlace ? "warn" : "info");
    // Nobody waits for one that does not start.
    this.retire();
  }

  /** True where the same place is started again when a halt is lifted. */
  protected get isLiftedInPlace(): boolean {
    return true;
  }

  /** True while somebody has asked that a halt is lifted, and no start has come to that. */
  get hasLift(): boolean {
    return this.#lifts.length > 0;
  }

  /** Gives up what `hasLift` says, where nothing starts it. */
  dropLift(): void {
    for (const lift of this.#lifts.splice(0)) lift.onGone(this.#stoppedError());
  }

  /** {@inheritDoc IncarnationHome.takeLift} */
  takeLift(): boolean {
    const { requests } = (this.suspension ??= new AgentSuspension());
    requests.unshift(...this.#lifts.splice(0));
    const { marker } = this.checkpoints;
    if (marker === undefined || !requests.some(({ kind }) => kind === "resume")) return false;
    // The halt is forgotten once the resume is served and saved.
    this.checkpoints.marker = { ...marker, isHalted: false };
    return true;
  }

  /** Gives the agent a notice before its next message. If it restarts before that, the next incarnation gets it. */
  notify(notice: Notice): void {
    this.notices ??= new Notices();
    if (!this.notices.add(notice)) {
      this.kernel.log.warn("a notice was dropped: too many wait", { agent: this.name });
    }
    this.#incarnation?.attend();
  }

  /** {@inheritDoc Registration.childGone} */
  childGone(child: string, reason: string): void {
    this.notify((agent) => agent.onChildTerminated(child, reason));
  }

  /** Has something done between two messages, once, also while the agent is suspended: after all else that waits. */
  askToLeave(leave: Notice): void {
    this.#leave = leave;
    this.#incarnation?.attend();
  }

  /** {@inheritDoc IncarnationHome.isToLeave} */
  get isToLeave(): boolean {
    return this.#leave !== undefined;
  }

  /** {@inheritDoc IncarnationHome.takeLeave} */
  takeLeave(): Notice | undefined {
    const leave = this.#leave;
    this.#leave = undefined;
    return leave;
  }

  /** {@inheritDoc AgentHome.askSuspension} */
  askSuspension(request: SuspensionRequest): void {
    const isLift = request.kind === "resume" && this.isHalted && this.isLiftedInPlace;
    if (!isLift && (this.#isClosed || !this.isExpected)) {
      request.onGone(this.#stoppedError());
      return;
    }
    this.suspension ??= new AgentSuspension();
    const requests = isLift ? this.#lifts : this.suspension.requests;
    if (requests.length >= suspensionRequestCountMax) {
      const details = { agent: this.name, requestCountMax: suspensionRequestCountMax };
      request.onGone(new agentErrors.SUSPENSION_BUSY(details));
      return;
    }
    requests.push(request);
    if (isLift) return;
    // An agent that is about to restart finds the request after its start.
    this.#incarnation?.attend();
  }

  /** {@inheritDoc IncarnationHome.onFree} */
  onFree(): void {
    // The next incarnation reads its state when all is written, so it does not begin suspended.
  }

  /** {@inheritDoc IncarnationHome.recallApprovals} */
  recallApprovals(): void {
    const { approvals } = this.kernel;
    this.suspension?.handed.clear();
    for (const { id, isPending, isGated } of approvals.openOf(this.name)) {
      if (!isPending || !isGated) this.askSuspension(approvals.requestOf(id));
    }
  }

  /** {@inheritDoc IncarnationHome.isGroupHeld} */
  get isGroupHeld(): boolean {
    return false;
  }

  /** True when it has started before, or starts for what is asked of it. */
  protected get isExpected(): boolean {
    return this.#startCount > 0;
  }

  get concurrency(): number {
    return (this.#incarnation?.limits ?? this.spec.limits).concurrency;
  }

  get mailboxLengthMax(): number {
    return this.mailbox.lengthMax;
  }

  get mailboxDepth(): number {
    return this.mailbox.depth;
  }

  /** How many messages are handled at this moment. */
  get busyCount(): number {
    const incarnation = this.#incarnation;
    return incarnation === undefined || incarnation.isSealed ? 0 : incarnation.busyCount;
  }

  /** Replies that were put off and that somebody waits for. */
  get deferredCount(): number {
    const incarnation = this.#incarnation;
    return incarnation === undefined || incarnation.isSealed ? 0 : incarnation.deferredCount;
  }

  get isAccepting(): boolean {
    return !this.#isClosed;
  }

  /** Puts a message into the mailbox and wakes the agent. */
  accept(message: Message, deadlineMs: number | undefined): Promise<void> | undefined {
    if (this.#isClosed) {
      this.kernel.bus.drop(message, "refused");
      throw this.#stoppedError();
    }
    refuseIfDrained(this, message, this.kernel.bus);
    if (!this.mailbox.push(message)) {
      const { wheel } = this.kernel;
      return this.mailbox.wait(
        message,
        deadlineMs === undefined ? undefined : { wheel, deadlineMs },
      );
    }
    this.wake();
    return undefined;
  }

  /** Says that there is a message to be handled. */
  protected wake(): void {
    const incarnation = this.#incarnation;
    if (incarnation === undefined || !incarnation.isParked) return;
    incarnation.isParked = false;
    this.kernel.scheduler.ready(incarnation);
  }

  async start(onExit: (exit: ChildExit) => void): Promise<void> {
    this.#isClosed = false;
    this.#stopping = undefined;
    this.#onExit = onExit;
    this.#crash = undefined;
    this.#downs?.begin();
    const incarnation = new Incarnation(this);
    this.#incarnation = incarnation;
    this.#startCount += 1;
    if (this.#startCount > 1) this.tally.restarts += 1;
    try {
      await incarnation.start();
    } catch (error) {
      const reason = error instanceof agentErrors.STOPPED ? stopped : reasonOf(error);
      if (reason !== stopped) this.#crash = { reason, atMs: this.kernel.system.nowMs() };
      this.markDown(reason, this.#onStopped !== undefined);
      this.#onStopped?.(incarnation.isLate);
      throw error;
    }
  }

  /** True when the next incarnation can start next to the one that there is. */
  get canStartBeside(): boolean {
    return this.spec.giveUp !== undefined && this.#incarnation?.isUp === true;
  }

  /** Makes the one that there is give up what only one can have; what it has at hand it finishes. */
  async giveUp(): Promise<void> {
    const agent = this.#incarnation?.agent;
    if (agent !== undefined) await this.spec.giveUp?.(agent);
  }

  /**
   * Starts the next incarnation while the one that there is runs on. From then on the agent goes by the next one, and the
   * one before finishes what it has at hand, until `endBeside`.
   *
   * @throws What the start fails with; AGENTRT_AGENT_STOPPED when somebody has stopped the agent meanwhile. Then the agent
   *   goes by the one before.
   */
  async startBeside(): Promise<void> {
    const before = this.#incarnation;
    const next = new Incarnation(this);
    const companions = (this.#companions ??= new Companions(this.kernel.system));
    companions.add(next);
    this.#startCount += 1;
    this.tally.restarts += 1;
    try {
      await next.start();
    } catch (error) {
      companions.remove(next);
      throw error;
    }
    if (before?.isUp !== true || !next.isUp) {
      next.isReplaced = true;
      next.requestStop();
      throw this.#stoppedError();
    }
    this.#replace(before, next);
  }

  /** Goes by the one before again, where that can run on; the next one ends by `endBeside`. @returns Whether it can. */
  goBack(): boolean {
    const before = this.#companions?.latest;
    if (before === undefined || this.#incarnation === undefined) return false;
    before.isReplaced = false;
    this.#replace(this.#incarnation, before);
    return true;
  }

  #replace(before: Incarnation, next: Incarnation): void {
    this.#companions?.remove(next);
    before.isReplaced = true;
    if (!before.isSealed) this.#companions?.add(before);
    this.#incarnation = next;
    if (this.mailbox.hasMessages) this.wake();
  }

  /**
   * Ends what runs next to the incarnation that the agent goes by.
   *
   * @returns Its name where that did not end in time.
   */
  async endBeside(options: StopOptions): Promise<readonly string[]> {
    const isLate = await this.#companions?.stop(options);
    return isLate === true ? [this.name] : [];
  }

  /** The message at hand has had its time: the next stop does not wait for it. */
  giveUpWork(): void {
    this.#isWorkGivenUp = true;
  }

  stop(asked: StopOptions): Promise<readonly string[]> {
    const options: StopOptions = this.#isWorkGivenUp ? { ...asked, after: "now" } : asked;
    if (options.after === "queue") this.#isClosed = true;
    else if (options.isFinal) this.retire();
    const incarnation = this.#incarnation;
    const beside = this.#companions === undefined ? undefined : this.endBeside(options);
    const own = this.#stopOwn(incarnation, options);
    if (beside === undefined) return own;
    return Promise.all([own, beside]).then((names) => [...new Set(names.flat())]);
  }

  /** All callers of a stop get the same promise. */
  #stopOwn(incarnation: Incarnation | undefined, options: StopOptions): Promise<readonly string[]> {
    if (incarnation === undefined || incarnation.isSealed) return Promise.resolve([]);
    if (this.#stopping === undefined) this.#stopping = this.#stopIncarnation(incarnation, options);
    else {
      if (options.deadlineMs < this.#stopDeadlineMs) this.#armStop(incarnation, options);
      if (options.after !== "queue") incarnation.requestStop(options.after);
    }
    return this.#stopping;
  }

  kill(error: Error): void {
    this.#incarnation?.crash(error);
  }

  retire(): void {
    this.#isClosed = true;
    const stopped = (): Error => this.#stoppedError();
    this.suspension?.drop(stopped);
    this.#giveUpWaiting(stopped, "stopped");
  }

  #giveUpWaiting(error: () => Error, reason: "refused" | "stopped"): void {
    if (!this.mailbox.hasMessages) return;
    for (const message of this.mailbox.drain(error)) {
      messageInternals.replyOf(message)?.reject(error());
      this.kernel.bus.drop(message, reason);
    }
  }

  #stoppedError(): Error {
    const crash = this.#crash;
    const { isHalted, initiatedBy: haltedBy } = this.checkpoints.marker ?? {};
    if (isHalted === true) return new agentErrors.STOPPED({ agent: this.name, haltedBy });
    return new agentErrors.STOPPED({ agent: this.name, ...(crash === undefined ? {} : { crash }) });
  }

  /**
   * Makes the running incarnation crash at its next message boundary, or, when it does not reach one within its
   * shutdown time-out, right there.
   *
   * @param request Who asked, and whether it is charged.
   */
  requestRestart(request: RestartRequest): void {
    const incarnation = this.#incarnation;
    if (incarnation === undefined) return;
    const error = restartRequested(this.name, request);
    incarnation.requestRestart(error, incarnation.limits.shutdownTimeoutMs);
  }

  /** @returns What it does at this moment. */
  activity(): AgentActivity {
    const { system } = this.kernel;
    const incarnation = this.#incarnation;
    const atHand = incarnation === undefined ? [] : incarnation.messagesAtHand();
    const waiting = this.mailbox.peek();
    return {
      className: incarnation?.agent?.constructor.name ?? null,
      atHand: atHand.map(({ message, beganAtMs }) => ({
        ...digestOf(message),
        sinceMs: system.wallTimeMs(beganAtMs),
        attempt: message.attempt,
      })),
      mailboxDepth: waiting.length,
      oldestMs: oldestTimestampMs(waiting),
      awaitsStore: this.#awaitsStore(atHand.length > 0),
      awaits: incarnation?.awaitedCall() ?? null,
    };
  }

  /** What was spent is waited for only while a message is at hand. */
  #awaitsStore(isBusy: boolean): boolean {
    if (this.checkpoints.isWaiting) return true;
    return isBusy && this.kernel.budget?.isWaiting(this.name) === true;
  }

  /**
   * Copies the state of its object, without what `redactState` takes out.
   *
   * @returns The copy; undefined where there is no object.
   * @throws What `redactState` throws; AGENTRT_BUS_PAYLOAD_NOT_JSON.
   */
  shownState(): JsonObject | undefined {
    const agent = this.#incarnation?.agent;
    if (agent === undefined) return undefined;
    return this.kernel.bus.isolate(agent.redactState(agent.state));
  }

  /** @returns The messages that wait, as `Mailbox.peek`. */
  waitingMessages(): Message[] {
    return this.mailbox.peek();
  }

  /**
   * Takes one message out of its mailbox, which is not handled then.
   *
   * @returns False when none of that id waits.
   */
  removeWaiting(id: string, initiatedBy: string): boolean {
    const message = this.mailbox.remove(id);
    if (message === undefined) return false;
    endRemoved(this.kernel.bus, message, { agent: this.name, initiatedBy });
    return true;
  }

  /** How long a stop waits for the message at hand, in milliseconds. */
  get shutdownTimeoutMs(): number {
    return (this.#incarnation?.limits ?? this.spec.limits).shutdownTimeoutMs;
  }

  /** When the start began that is under way, on the monotonic clock. */
  get startingSinceMs(): number | undefined {
    const incarnation = this.#incarnation;
    const isStarting = incarnation?.isSealed === false && incarnation.status === "INITIALIZING";
    return isStarting ? incarnation.startedAtMs : undefined;
  }

  /** The step at which the start of the incarnation is, or failed. */
  get startPhase(): StartPhase {
    return this.#incarnation?.startPhase ?? "on_start";
  }

  /** @returns The counters, summed over the incarnations. */
  counters(): AgentCounters {
    return { ...this.tally.toValue(), ...this.#modelSession() };
  }

  describe(): AgentNode {
    const incarnation = this.#incarnation;
    const isUp = incarnation !== undefined && !incarnation.isSealed;
    return {
      kind: "agent",
      name: this.name,
      status: this.status,
      restartCount: Math.max(0, this.#startCount - 1),
      capabilities: [...this.spec.capabilities],
      capabilityMetadata: copyOfMetadata(this.spec.capabilityMetadata),
      processName: this.spec.processName ?? "main",
      uptimeMs: isUp ? this.kernel.system.monotonicMs() - incarnation.startedAtMs : 0,
      suspension: describeMarker(this.checkpoints.marker, this.suspension?.isDurable ?? true),
      concurrency: this.concurrency,
      busyCount: this.busyCount,
      mailboxDepth: this.mailbox.depth,
      waitingSenderCount: this.mailbox.senderCount,
      ...this.#modelSession(),
    };
  }

  #modelSession(): ModelSessionCounters {
    return this.#incarnation?.modelSession() ?? noModelSession;
  }

  async #stopIncarnation(
    incarnation: Incarnation,
    options: StopOptions,
  ): Promise<readonly string[]> {
    const { system } = this.kernel;
    const beginMs = system.monotonicMs();
    const ended = new Promise<boolean>((resolve) => {
      this.#onStopped = resolve;
    });
    this.#armStop(incarnation, options);
    incarnation.requestStop(options.after);
    const isLate = await ended;
    this.#onStopped = undefined;
    if (this.#stopTimer !== undefined) system.clearTimer(this.#stopTimer);
    this.#stopTimer = undefined;
    if (!isLate) return [];
    const timeoutMs = Math.round(system.monotonicMs() - beginMs);
    const details = { agent: this.name, timeoutMs };
    this.kernel.log.error("agent did not stop in time and was abandoned", details);
    this.kernel.emit({ type: "agent.late", name: this.name, atMs: system.nowMs(), timeoutMs });
    return [this.name];
  }

  /** Sets when the stop is given up: after the agent's own limit, or at a nearer deadline. */
  #armStop(incarnation: Incarnation, options: StopOptions): void {
    const { system } = this.kernel;
    const nowMs = system.monotonicMs();
    // The agent's own limit does not cover the time that its queue takes.
    const { shutdownTimeoutMs } = incarnation.limits;
    const isStarting = incarnation.status === "INITIALIZING";
    const ownTimeoutMs = isStarting
      ? Math.min(startAbandonMs, shutdownTimeoutMs)
      : shutdownTimeoutMs;
    const ownDeadlineMs =
      options.after === "queue" ? Number.POSITIVE_INFINITY : nowMs + ownTimeoutMs;
    this.#stopDeadlineMs = Math.min(ownDeadlineMs, options.deadlineMs);
    if (this.#stopTimer !== undefined) system.clearTimer(this.#stopTimer);
    this.#stopTimer = undefined;
    // Nothing but onStop is waited for then, and that has the same bound.
    if (options.after === "now" && this.#stopDeadlineMs === ownDeadlineMs) return;
    this.#stopTimer = system.setTimer(Math.max(0, this.#stopDeadlineMs - nowMs), () =>
      incarnation.abandon(),
    );
  }
}
