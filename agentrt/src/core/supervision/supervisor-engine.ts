import type {
  ChildDriver,
  ChildExit,
  StopOptions,
  FaultOwner,
  Kernel,
  AgentStatus,
  SupervisorNode,
  SupervisorSpec,
  TreeNode,
} from "../tree/index.ts";
import { agentErrors, supervisionErrors } from "../errors.ts";
import { Downs } from "../messages/index.ts";
import { reasonOf, RingBuffer } from "../values/index.ts";
import type { Runnable } from "../ports/index.ts";
import {
  type ChildExited,
  isUp,
  Job,
  type JobInit,
  type JobWaiter,
  type Lane,
  type Slot,
  untilDone,
} from "./supervisor-job.ts";
import { isDeferrable, isOfOneChild, type SupervisorMessage } from "./supervisor-message.ts";

const settled = Promise.resolve();
const nobody = undefined as unknown as FaultOwner;

/** Most requests from outside (to stop, revive or end a child) that one supervisor has not answered yet. */
export const requestCountMax = 100_000;

/**
 * Most messages of one child that wait for its supervisor: that it started or did not, that it ended, that it is down,
 * and that its restart is due.
 */
export const messageCountMaxPerChild = 4;

/**
 * The restart engine, for every kind of child: an actor whose mailbox holds the crash reports of its children, the
 * ends of its restart timers and the requests to stop. It never waits: whatever takes time comes back as a message, so
 * a stop is served in the middle of a failing restart. What a crash leads to is up to the class that derives from it.
 *
 *     crash, start, end of a child ─┐
 *     restart timer, request, stop ─┴▶ mailbox ─▶ serve one message ─▶ begin(job) ─▶ advance(job) ─┐
 *                 ▲                                  │ a job runs: what may begin another waits       │
 *                 │                                  └▶ deferred                                     │
 *                 └──────── childStarted, childStartFailed, childDown ◀── driver.start, driver.stop ◀┘
 *
 *     slot   one child: its driver, its phase, and an epoch that shows which messages are stale
 *     lane   runs at most one job at a time: declared children share a lane, those that are independent have their own
 *     job    stops, then starts, of the slots of a lane. `onDone` is the engine's own next step;
 *            `waiters` are those who asked for the job, or for one that it took over
 *
 * Nothing in the mailbox is ever dropped. It is bounded by what there is: `messageCountMaxPerChild` of each child, one
 * stop, and `requestCountMax` requests from outside, which are refused beyond.
 */
export abstract class SupervisorEngine implements ChildDriver, Runnable {
  readonly kind = "supervisor";
  readonly name: string;
  #spec: SupervisorSpec;
  #kernel: Kernel;
  /** A root out of budget leaves the child CRASHED; any other supervisor fails upward. */
  protected readonly isRoot: boolean;
  /** The lane of what concerns all children. */
  protected readonly lane: Lane = { job: undefined };
  /** True where children are independent of each other: then they are started and stopped all at once. */
  readonly #isConcurrent: boolean;
  readonly #mailbox = new RingBuffer<SupervisorMessage>();
  #isScheduled = false;
  /** Messages since the others last had their turn. */
  #sliceLength = 0;
  #status: AgentStatus = "INITIALIZING";
  /** What cannot be served while a job runs; served in order when it is done. */
  readonly #deferred = new RingBuffer<SupervisorMessage>();
  #requestCount = 0;
  /** The stop that waits in the mailbox: a further one is joined with it. */
  #queuedStop: (SupervisorMessage & { kind: "stop" }) | undefined;
  /** It was asked to start, and has not begun. */
  #isToBoot = false;
  #startCount = 0;
  #startedAtMs = 0;
  #onExit: (exit: ChildExit) => void = () => undefined;
  #settleStart: { resolve: () => void; reject: (error: Error) => void } | undefined;
  #stopping: PromiseWithResolvers<readonly string[]> | undefined;
  /** What it failed with last, since its last start. */
  #crash: { readonly reason: string; readonly atMs: number } | undefined;
  /** {@inheritDoc Registration.downs} */
  readonly downs: Downs;

  constructor(
    kernel: Kernel,
    spec: SupervisorSpec,
    options: { readonly isRoot: boolean; readonly isConcurrent?: boolean },
  ) {
    this.#kernel = kernel;
    this.name = spec.name;
    this.downs = new Downs(spec.name);
    this.#spec = spec;
    this.isRoot = options.isRoot;
    this.#isConcurrent = options.isConcurrent === true;
  }

  /** What it was described with last. */
  get spec(): SupervisorSpec {
    return this.#spec;
  }

  protected get kernel(): Kernel {
    return this.#kernel;
  }

  /** Its limits and budgets are other ones from now on. */
  protected setDescription(spec: SupervisorSpec, kernel: Kernel): void {
    this.#spec = spec;
    this.#kernel = kernel;
  }

  // What a subclass provides.

  /** The children, in the order in which they start. */
  protected abstract get slots(): readonly Slot[];
  /** The children that start with this supervisor. */
  protected get bootSlots(): readonly Slot[] {
    return this.slots;
  }
  /** Crashes that count now. */
  protected abstract crashesInWindow(): number;
  /** Forgets crashes and makes the children ready to be started. */
  protected abstract onBoot(): void;
  /** Cancels the restarts that wait, because all children are stopped now. */
  protected abstract onTearDown(): void;
  /** A child ended by itself. */
  protected abstract onChildExit(slot: Slot, exit: ChildExit): void;
  /** A child did not start, in a job that is not the start of all. */
  protected abstract onStartFailed(slot: Slot, job: Job, error: unknown): void;
  /**
   * Starts a child that was stopped or given up; one that runs is left alone.
   *
   * @param name Name of a direct child.
   * @returns Settles when the start was tried; a failed start goes the way of a crash.
   */
  abstract reviveChild(name: string): Promise<void>;
  /** A child runs. */
  protected onChildStarted(_slot: Slot): void {}
  /** All children are stopped. */
  protected onTornDown(): void {}
  /** How children are stopped when this supervisor is. */
  protected childStopOptions(options: StopOptions): StopOptions {
    return options;
  }

  // The driver of the supervisor above.

  get status(): AgentStatus {
    return this.#status;
  }

  start(onExit: (exit: ChildExit) => void): Promise<void> {
    this.#onExit = onExit;
    this.#startCount += 1;
    this.#startedAtMs = this.kernel.system.monotonicMs();
    this.#status = "INITIALIZING";
    this.#stopping = undefined;
    this.#crash = undefined;
    this.downs.begin();
    return new Promise((resolve, reject) => {
      this.#settleStart = { resolve, reject };
      this.#isToBoot = true;
      this.post({ kind: "boot" });
    });
  }

  stop(options: StopOptions): Promise<readonly string[]> {
    if (this.isDown) {
      if (options.isFinal) this.retire();
      return Promise.resolve([]);
    }
    this.#stopping ??= Promise.withResolvers();
    const queued = this.#queuedStop;
    if (queued?.startCount === this.#startCount) {
      queued.options = harderOf(queued.options, options);
    } else {
      this.#queuedStop = { kind: "stop", options, startCount: this.#startCount };
      this.post(this.#queuedStop);
    }
    return this.#stopping.promise;
  }

  kill(error: Error): void {
    this.post({ kind: "kill", error });
  }

  /** @returns The error for who asks something of it when it takes nothing. */
  stoppedError(): Error {
    const crash = this.#crash;
    return new agentErrors.STOPPED({ agent: this.name, ...(crash === undefined ? {} : { crash }) });
  }

  retire(): void {
    for (const slot of this.slots) slot.driver.retire();
  }

  settleDown(willRestart: boolean): void {
    for (const slot of this.slots) slot.driver.settleDown(willRestart);
    this.downs.settle(willRestart);
  }

  get isSuspended(): boolean {
    return false;
  }

  /** Only its own supervisor ends it, which knows. */
  get isEnding(): boolean {
    return false;
  }

  /**
   * Says whether a child is about to end in a way that no restart follows: then `reviveChild` restarts it.
   *
   * @param _name Name of a direct child.
   */
  isStoppingChild(_name: string): boolean {
    return false;
  }

  release(): void {
    for (const slot of this.slots) slot.driver.release();
  }

  /** True when it neither runs nor is about to: never started, stopped, or failed. */
  get isDown(): boolean {
    const isEnded = this.#status === "STOPPED" || this.#status === "CRASHED";
    return this.#startCount === 0 || (isEnded && this.lane.job === undefined);
  }

  /** @returns The names of children, here and below, that were given up. */
  failedNames(): string[] {
    return this.slots.flatMap((slot) => {
      if (slot.phase === "failed") return [slot.driver.name];
      return slot.driver instanceof SupervisorEngine ? slot.driver.failedNames() : [];
    });
  }

  describe(): SupervisorNode {
    const nowMs = this.kernel.system.monotonicMs();
    return {
      kind: "supervisor",
      name: this.name,
      status: this.#status,
      restartCount: Math.max(0, this.#startCount - 1),
      crashesInWindow: this.crashesInWindow(),
      ...this.spec.limits,
      processName: "main",
      uptimeMs: this.#status === "RUNNING" ? nowMs - this.#startedAtMs : 0,
      children: this.describeChildren(),
    };
  }

  /** @returns The children as plain values. */
  protected describeChildren(): TreeNode[] {
    return this.slots.map((slot) => slot.driver.describe());
  }

  // Mailbox.

  /** Serves one slice of the mailbox: called by the scheduler. */
  run(): void {
    // A fault of this code is not the fault of the agent whose crash led here.
    void settled.then(this.#serveAsNobody);
  }

  /** Messages that wait. */
  get waitingCount(): number {
    return this.#mailbox.length + this.#deferred.length;
  }

  /**
   * Takes a request from outside.
   *
   * @param serve Serves it in its turn, and answers when it is done.
   * @param slot The child that it is for, where it is for one that has a slot.
   * @returns The answer.
   * @throws AGENTRT_SUPERVISION_TOO_MANY_REQUESTS.
   */
  protected request<Answer>(
    serve: (answer: (value: Answer) => void) => void,
    slot?: Slot,
  ): Promise<Answer> {
    if (this.#requestCount >= requestCountMax) {
      const details = { supervisor: this.name, requestCountMax };
      return Promise.reject(new supervisionErrors.TOO_MANY_REQUESTS(details));
    }
    this.#requestCount += 1;
    return new Promise((resolve) => {
      const answer = (value: Answer): void => {
        this.#requestCount -= 1;
        resolve(value);
      };
      this.post({ kind: "request", serve: () => serve(answer), slot });
    });
  }

  protected post(message: SupervisorMessage): void {
    this.#mailbox.push(message);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const { scheduler } = this.kernel;
    if (this.#sliceLength >= scheduler.sliceLengthMax) {
      // Thousands of starts or spawns leave a turn to timers and sockets now and then.
      this.#sliceLength = 0;
      scheduler.pause(this);
    } else scheduler.ready(this);
  }

  readonly #serveAsNobody = (): void => {
    const { faultOwner } = this.kernel;
    if (faultOwner.getStore() === undefined) this.#serveSlice();
    else faultOwner.run(nobody, this.#serveSlice);
  };

  readonly #serveSlice = (): void => {
    this.#isScheduled = false;
    const message = this.#mailbox.shift();
    if (message === undefined) return;
    this.#serve(message);
    this.#sliceLength += 1;
    if (this.#mailbox.length > 0) this.#schedule();
  };

  #serve(message: SupervisorMessage): void {
    // It went to another supervisor while this waited.
    if (message.kind === "childExited" && this.#goesOn(message.slot, message)) return;
    if (isDeferrable(message) && this.#isBusyFor(message)) {
      this.#deferred.push(message);
      return;
    }
    switch (message.kind) {
      case "boot":
        return this.#boot();
      case "childStarted":
        return this.#childStarted(message);
      case "childStartFailed":
        return this.#childStartFailed(message);
      case "childExited":
        return this.#childExited(message);
      case "childDown":
        return this.#childDown(message);
      case "request":
      case "restartDue":
        return message.serve();
      case "kill":
        return this.fail(message.error);
      case "stop":
        return this.#stop(message);
    }
  }

  /** Hands a message on to the supervisor that a child came to. */
  #goesOn({ home }: Slot, message: ChildExited): boolean {
    if (home === undefined || home === this) return false;
    home.take(message);
    return true;
  }

  /** {@inheritDoc SlotHome.take} */
  take(message: ChildExited): void {
    this.post(message);
  }

  /** Whether something of all children is under way that a message has to wait for. */
  #isBusyFor(message: SupervisorMessage): boolean {
    const { job } = this.lane;
    if (this.#isToBoot || job === undefined) return this.#isToBoot;
    return !(this.#isConcurrent && job.kind === "boot" && isOfOneChild(message));
  }

  // Start and stop.

  #boot(): void {
    this.#isToBoot = false;
    this.onBoot();
    this.begin({
      kind: "boot",
      lane: this.lane,
      starts: [...this.bootSlots],
      onDone: () => {
        this.#status = "RUNNING";
        this.#settleStart?.resolve();
        this.#settleStart = undefined;
      },
    });
  }

  #stop(message: SupervisorMessage & { kind: "stop" }): void {
    if (this.#queuedStop === message) this.#queuedStop = undefined;
    const { options, startCount } = message;
    // One that was answered already, as a second request for the stop before the last start.
    if (startCount !== this.#startCount) return;
    if (this.isDown) {
      if (options.isFinal) this.retire();
      this.#stopping?.resolve([]);
      return;
    }
    const { job } = this.lane;
    const earlier = job?.kind === "stop" ? job.stopOptions : options;
    this.#status = "STOPPING";
    this.#tearDown("stop", harderOf(options, earlier), (lateNames) => {
      this.#status = "STOPPED";
      this.#settleStart?.reject(this.#startError("it was stopped while it started"));
      this.#settleStart = undefined;
      this.downs.end("stopped");
      if (this.isRoot) this.settleDown(false);
      this.#stopping?.resolve(lateNames);
    });
  }

  /** Ends as crashed: stops the subtree, then reports to the parent, or to the caller that started this supervisor. */
  protected fail(error: Error): void {
    const { job } = this.lane;
    if (this.isDown || job?.kind === "fail" || job?.kind === "stop") return;
    this.#status = "CRASHED";
    this.#crash = { reason: reasonOf(error), atMs: this.kernel.system.nowMs() };
    this.#tearDown("fail", untilDone, () => {
      const settleStart = this.#settleStart;
      this.#settleStart = undefined;
      this.downs.end(reasonOf(error));
      if (settleStart === undefined) this.#onExit({ kind: "crashed", error });
      else settleStart.reject(error);
    });
  }

  /** Stops every child, right to left or all at once, whatever was under way. */
  #tearDown(kind: "fail" | "stop", wanted: StopOptions, onDone: JobWaiter): void {
    const { slots } = this;
    const stopOptions = this.childStopOptions(wanted);
    this.onTearDown();
    const waiters: JobWaiter[] = [];
    for (const lane of new Set([this.lane, ...slots.map((slot) => slot.lane)])) {
      waiters.push(...(lane.job?.waiters ?? []));
      lane.job = undefined;
    }
    if (stopOptions.isFinal) for (const slot of slots) if (!isUp(slot)) slot.driver.retire();
    const stops = slots.filter(isUp).reverse();
    // Who waits for one child is answered once all are down.
    this.begin({
      kind,
      lane: this.lane,
      stops,
      stopOptions,
      waiters,
      onDone: (lateNames) => {
        this.onTornDown();
        onDone(lateNames);
      },
    });
  }

  // Jobs.

  /** Serves a request for a child; when its stop is under way, once that is done. */
  protected afterStop(slot: Slot, serve: () => void): void {
    const { job } = slot.lane;
    if (job?.kind !== "stopChild") return serve();
    const again = (): void => this.afterStop(slot, serve);
    job.addWaiter(() => this.post({ kind: "request", serve: again, slot }));
  }

  protected begin(init: JobInit | Job): void {
    const job = init instanceof Job ? init : new Job(init);
    job.lane.job = job;
    this.advance(job);
  }

  /** Takes the next step of a job; each ends with a message that comes back here. */
  protected advance(job: Job): void {
    while (this.#isConcurrent || job.openCount === 0) {
      const stopping = job.nextStop();
      if (stopping === undefined) break;
      if (isUp(stopping)) this.stopSlot(stopping, job);
    }
    if (job.openCount > 0) return;
    this.#startNext(job);
    if (job.openCount > 0) return;
    job.finish();
    // A job of its own may have begun in onDone; the rest waits for that one.
    while (this.lane.job === undefined) {
      const message = this.#deferred.shift();
      if (message === undefined) return;
      this.#serve(message);
    }
  }

  /** Starts one child after the other, or all at once. */
  #startNext(job: Job): void {
    while (this.#isConcurrent || job.openCount === 0) {
      const starting = job.nextStart();
      if (starting === undefined) return;
      if (starting.phase === "failed" || starting.phase === "held") continue;
      this.startSlot(starting, job);
    }
  }

  /** Starts a child for a job: `childStarted` or `childStartFailed` follows. */
  protected startSlot(slot: Slot, job: Job): void {
    job.openCount += 1;
    slot.epoch += 1;
    slot.phase = "starting";
    slot.startedBy = job;
    const { epoch } = slot;
    slot.driver
      .start((exit) => (slot.home ?? this).take({ kind: "childExited", slot, epoch, exit }))
      .then(
        () => this.post({ kind: "childStarted", slot, epoch, job }),
        (error: unknown) => this.post({ kind: "childStartFailed", slot, epoch, job, error }),
      );
  }

  /** Stops a child for a job: `childDown` follows. */
  protected stopSlot(slot: Slot, job: Job, options: StopOptions = job.stopOptions): void {
    job.openCount += 1;
    slot.epoch += 1;
    const wasStarting = slot.phase === "starting";
    slot.phase = "stopping";
    void slot.driver
      .stop(options)
      .then((lateNames) => this.post({ kind: "childDown", slot, job, lateNames }));
    const boot = this.lane.job;
    if (!wasStarting || boot === job || boot === undefined || boot !== slot.startedBy) return;
    // The start of all goes on without it.
    boot.openCount -= 1;
    if (boot.openCount === 0) this.advance(boot);
  }

  #childDown(message: { slot: Slot; job: Job; lateNames: readonly string[] }): void {
    const { slot, job, lateNames } = message;
    if (job.lane.job !== job) return;
    slot.phase = "down";
    // Of a stop or a failure of the whole, the supervisor above decides whether what it takes along comes back.
    if (job.kind === "restart" || job.kind === "stopChild") {
      slot.driver.settleDown(job.kind === "restart");
    }
    job.openCount -= 1;
    if (lateNames.length > 0) job.lateNames = [...job.lateNames, ...lateNames];
    job.onSlotDown(slot, lateNames);
    if (job.openCount === 0) this.advance(job);
  }

  #childStarted({ slot, epoch, job }: SupervisorMessage & { kind: "childStarted" }): void {
    if (slot.epoch !== epoch) return;
    slot.phase = "up";
    this.onChildStarted(slot);
    // Another job may have begun meanwhile, which waits for another child: this one's turn comes.
    if (job.lane.job !== job) return;
    job.openCount -= 1;
    job.onSlotUp(slot);
    if (job.kind === "restart") {
      this.kernel.log.info("child restarted", { supervisor: this.name, child: slot.driver.name });
    }
    this.advance(job);
  }

  #childStartFailed(message: SupervisorMessage & { kind: "childStartFailed" }): void {
    const { slot, job, error } = message;
    if (slot.epoch !== message.epoch) return;
    slot.phase = "down";
    if (job.lane.job !== job) return;
    job.openCount -= 1;
    if (job.onSlotFailed(slot, error)) return;
    if (job.kind !== "boot") return this.onStartFailed(slot, job, error);
    const details = { name: slot.driver.name, reason: reasonOf(error) };
    this.fail(new supervisionErrors.START_FAILED(details, { cause: error }));
  }

  #childExited(message: SupervisorMessage & { kind: "childExited" }): void {
    const { slot, exit } = message;
    // The incarnation was replaced or stopped meanwhile.
    if (slot.epoch !== message.epoch) return;
    slot.phase = "down";
    this.onChildExit(slot, exit);
  }

  #startError(reason: string): Error {
    return new supervisionErrors.START_FAILED({ name: this.name, reason });
  }
}

/** Of two stops the earlier deadline counts, and that no restart follows. */
function harderOf(one: StopOptions, other: StopOptions): StopOptions {
  return {
    deadlineMs: Math.min(one.deadlineMs, other.deadlineMs),
    isFinal: one.isFinal || other.isFinal,
  };
}
