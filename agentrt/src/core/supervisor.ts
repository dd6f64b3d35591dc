import type { ChildDriver, ChildExit, StopOptions } from "./child-driver.ts";
import { supervisionErrors } from "./errors.ts";
import { reasonOf } from "./fault-reason.ts";
import { PendingRestarts } from "./pending-restarts.ts";
import type { FaultOwner, Kernel } from "./kernel.ts";
import { backoffDelayMs, RestartWindow } from "./restart-window.ts";
import { RingBuffer } from "./ring-buffer.ts";
import type { Runnable } from "./scheduler.ts";
import { reportCrash, reportExhausted, reportRestart } from "./supervision-report.ts";
import { isAffected, isUp, type Job, type Slot } from "./supervisor-job.ts";
import { isDeferrable, type SupervisorMessage } from "./supervisor-message.ts";
import type { AgentStatus, SupervisorNode } from "./tree-node.ts";
import type { SupervisorSpec } from "./tree-spec.ts";

const settled = Promise.resolve();
const nobody = undefined as unknown as FaultOwner;
/** A stop that a restart follows: bounded by the children's own limits. */
const untilDone: StopOptions = { deadlineMs: Number.POSITIVE_INFINITY, isFinal: false };

/**
 * A supervisor: an actor whose mailbox holds the crash reports of its children, the ends of its restart timers and
 * the requests to stop. It never waits: whatever takes time comes back as a message, so a stop is served in the
 * middle of a failing restart. This is the one restart engine, for every kind of child.
 */
export class Supervisor implements ChildDriver, Runnable {
  readonly kind = "supervisor";
  readonly name: string;
  readonly spec: SupervisorSpec;
  readonly #kernel: Kernel;
  readonly #slots: readonly Slot[];
  readonly #window: RestartWindow;
  readonly #isRoot: boolean;
  readonly #mailbox = new RingBuffer<SupervisorMessage>();
  #isScheduled = false;
  #status: AgentStatus = "INITIALIZING";
  #job: Job | undefined;
  /** What cannot be served while a job runs; served in order when it is done. */
  #deferred: SupervisorMessage[] = [];
  readonly #pendings: PendingRestarts;
  #startCount = 0;
  #startedAtMs = 0;
  #onExit: (exit: ChildExit) => void = () => undefined;
  #settleStart: { resolve: () => void; reject: (error: Error) => void } | undefined;
  #stopping: PromiseWithResolvers<readonly string[]> | undefined;

  /**
   * @param kernel What all actors share.
   * @param spec Name and limits.
   * @param options.drivers The children in declaration order.
   * @param options.isRoot A root out of budget leaves the child CRASHED; any other supervisor fails upward.
   */
  constructor(
    kernel: Kernel,
    spec: SupervisorSpec,
    options: { readonly drivers: readonly ChildDriver[]; readonly isRoot: boolean },
  ) {
    this.#kernel = kernel;
    this.name = spec.name;
    this.spec = spec;
    this.#isRoot = options.isRoot;
    this.#window = new RestartWindow(spec.limits);
    this.#pendings = new PendingRestarts(kernel.system, spec.limits.strategy);
    this.#slots = options.drivers.map((driver, index) => ({
      driver,
      index,
      epoch: 0,
      phase: "down",
    }));
  }

  get status(): AgentStatus {
    return this.#status;
  }

  start(onExit: (exit: ChildExit) => void): Promise<void> {
    this.#onExit = onExit;
    this.#startCount += 1;
    this.#startedAtMs = this.#kernel.system.monotonicMs();
    this.#status = "INITIALIZING";
    this.#stopping = undefined;
    return new Promise((resolve, reject) => {
      this.#settleStart = { resolve, reject };
      this.#post({ kind: "boot" });
    });
  }

  stop(options: StopOptions): Promise<readonly string[]> {
    if (this.isDown) {
      if (options.isFinal) this.retire();
      return Promise.resolve([]);
    }
    this.#stopping ??= Promise.withResolvers();
    this.#post({ kind: "stop", options, startCount: this.#startCount });
    return this.#stopping.promise;
  }

  kill(error: Error): void {
    this.#post({ kind: "kill", error });
  }

  retire(): void {
    for (const slot of this.#slots) slot.driver.retire();
  }

  /**
   * Stops one child for good: it is not restarted until `reviveChild`.
   *
   * @param name Name of a direct child.
   * @returns The names of those who were late.
   */
  stopChild(name: string): Promise<readonly string[]> {
    const slot = this.#slotOf(name);
    return new Promise((onDone) => this.#post({ kind: "stopChild", slot, onDone }));
  }

  /**
   * Starts a child that was stopped or given up; one that runs is left alone.
   *
   * @param name Name of a direct child.
   * @returns Settles when the start was tried; a failed start goes the way of a crash.
   */
  reviveChild(name: string): Promise<void> {
    const slot = this.#slotOf(name);
    return new Promise((onDone) => this.#post({ kind: "reviveChild", slot, onDone }));
  }

  /** True when it neither runs nor is about to: never started, stopped, or failed. */
  get isDown(): boolean {
    const isEnded = this.#status === "STOPPED" || this.#status === "CRASHED";
    return this.#startCount === 0 || (isEnded && this.#job === undefined);
  }

  /** @returns The names of children, here and below, that were given up. */
  failedNames(): string[] {
    return this.#slots.flatMap((slot) => {
      if (slot.phase === "failed") return [slot.driver.name];
      return slot.driver instanceof Supervisor ? slot.driver.failedNames() : [];
    });
  }

  describe(): SupervisorNode {
    const nowMs = this.#kernel.system.monotonicMs();
    return {
      kind: "supervisor",
      name: this.name,
      status: this.#status,
      restartCount: Math.max(0, this.#startCount - 1),
      crashesInWindow: this.#window.count(nowMs),
      ...this.spec.limits,
      processName: "main",
      uptimeMs: this.#status === "RUNNING" ? nowMs - this.#startedAtMs : 0,
      children: this.#slots.map((slot) => slot.driver.describe()),
    };
  }

  // Mailbox.

  /** Serves one slice of the mailbox: called by the scheduler. */
  run(): void {
    // Faults of this code belong to nobody, whichever agent's crash brought us here.
    const { faultOwner } = this.#kernel;
    void settled.then(() => faultOwner.run(nobody, () => this.#serveSlice()));
  }

  #post(message: SupervisorMessage): void {
    this.#mailbox.push(message);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#kernel.scheduler.ready(this);
  }

  #serveSlice(): void {
    this.#isScheduled = false;
    const message = this.#mailbox.shift();
    if (message === undefined) return;
    this.#serve(message);
    if (this.#mailbox.length > 0) this.#schedule();
  }

  #serve(message: SupervisorMessage): void {
    if (this.#job !== undefined && isDeferrable(message)) {
      this.#deferred.push(message);
      return;
    }
    switch (message.kind) {
      case "boot":
        return this.#boot();
      case "childStarted":
        return this.#childStarted(message.slot, message.epoch);
      case "childStartFailed":
        return this.#childStartFailed(message);
      case "childExited":
        return this.#childExited(message);
      case "childDown":
        return this.#childDown(message);
      case "restartDue":
        return this.#restartDue(message);
      case "stopChild":
        return this.#stopChild(message);
      case "reviveChild":
        return this.#reviveChild(message);
      case "kill":
        return this.#fail(message.error);
      case "stop":
        return this.#stop(message);
    }
  }

  // Start and stop.

  #boot(): void {
    this.#window.clear();
    this.#pendings.drop(this.#slots);
    // Who was stopped for good stays so, whatever happens to this supervisor.
    for (const slot of this.#slots) if (slot.phase !== "held") slot.phase = "down";
    this.#begin({
      kind: "boot",
      stops: [],
      starts: [...this.#slots],
      stopOptions: untilDone,
      lateNames: [],
      waiters: [],
      onDone: () => {
        this.#status = "RUNNING";
        this.#settleStart?.resolve();
        this.#settleStart = undefined;
      },
    });
  }

  #stop({ options, startCount }: SupervisorMessage & { kind: "stop" }): void {
    // One that was answered already, as a second request for the stop before the last start.
    if (startCount !== this.#startCount) return;
    if (this.isDown) {
      if (options.isFinal) this.retire();
      this.#stopping?.resolve([]);
      return;
    }
    const earlier = this.#job?.kind === "stop" ? this.#job.stopOptions : options;
    const stopOptions = {
      deadlineMs: Math.min(options.deadlineMs, earlier.deadlineMs),
      isFinal: options.isFinal || earlier.isFinal,
    };
    this.#status = "STOPPING";
    this.#tearDown("stop", stopOptions, (lateNames) => {
      this.#status = "STOPPED";
      this.#settleStart?.reject(this.#startError("it was stopped while it started"));
      this.#settleStart = undefined;
      this.#stopping?.resolve(lateNames);
    });
  }

  /** Ends as crashed: the subtree is stopped, then the parent (or whoever started this) is told. */
  #fail(error: Error): void {
    if (this.isDown || this.#job?.kind === "fail" || this.#job?.kind === "stop") return;
    this.#status = "CRASHED";
    this.#tearDown("fail", untilDone, () => {
      const settleStart = this.#settleStart;
      this.#settleStart = undefined;
      if (settleStart === undefined) this.#onExit({ kind: "crashed", error });
      else settleStart.reject(error);
    });
  }

  /** Stops every child, right to left, whatever was under way. */
  #tearDown(
    kind: "fail" | "stop",
    stopOptions: StopOptions,
    onDone: (lateNames: readonly string[]) => void,
  ): void {
    this.#pendings.drop(this.#slots);
    const waiters = this.#job?.waiters ?? [];
    this.#job = undefined;
    if (stopOptions.isFinal) for (const slot of this.#slots) if (!isUp(slot)) slot.driver.retire();
    const stops = this.#slots.filter(isUp).reverse();
    // Who waits for one child is answered once all are down.
    this.#begin({ kind, stops, starts: [], stopOptions, lateNames: [], waiters, onDone });
  }

  // Jobs.

  #begin(job: Job): void {
    this.#job = job;
    this.#advance(job);
  }

  #advance(job: Job): void {
    for (;;) {
      const stopping = job.stops.shift();
      if (stopping === undefined) break;
      if (!isUp(stopping)) continue;
      this.#stopSlot(stopping, job);
      return;
    }
    for (;;) {
      const starting = job.starts.shift();
      if (starting === undefined) break;
      if (starting.phase === "failed" || starting.phase === "held") continue;
      this.#startSlot(starting);
      return;
    }
    this.#job = undefined;
    for (const waiter of job.waiters) waiter(job.lateNames);
    job.onDone?.(job.lateNames);
    // A job of its own may have begun in onDone; the rest waits for that one.
    while (this.#job === undefined) {
      const message = this.#deferred.shift();
      if (message === undefined) return;
      this.#serve(message);
    }
  }

  #startSlot(slot: Slot): void {
    slot.epoch += 1;
    slot.phase = "starting";
    const { epoch } = slot;
    slot.driver
      .start((exit) => this.#post({ kind: "childExited", slot, epoch, exit }))
      .then(
        () => this.#post({ kind: "childStarted", slot, epoch }),
        (error: unknown) => this.#post({ kind: "childStartFailed", slot, epoch, error }),
      );
  }

  #stopSlot(slot: Slot, job: Job): void {
    slot.epoch += 1;
    slot.phase = "stopping";
    void slot.driver
      .stop(job.stopOptions)
      .then((lateNames) => this.#post({ kind: "childDown", slot, job, lateNames }));
  }

  #childDown(message: { slot: Slot; job: Job; lateNames: readonly string[] }): void {
    if (message.job !== this.#job) return;
    message.slot.phase = "down";
    message.job.lateNames.push(...message.lateNames);
    this.#advance(message.job);
  }

  #childStarted(slot: Slot, epoch: number): void {
    if (slot.epoch !== epoch) return;
    slot.phase = "up";
    if (this.#job?.kind === "restart") {
      this.#kernel.log.info("child restarted", { supervisor: this.name, child: slot.driver.name });
    }
    if (this.#job !== undefined) this.#advance(this.#job);
  }

  #childStartFailed(message: { slot: Slot; epoch: number; error: unknown }): void {
    const { slot, error } = message;
    if (slot.epoch !== message.epoch) return;
    slot.phase = "down";
    const job = this.#job;
    if (job === undefined) return;
    if (job.kind === "boot") {
      const details = { name: slot.driver.name, reason: reasonOf(error) };
      this.#fail(new supervisionErrors.START_FAILED(details, { cause: error }));
      return;
    }
    // A start that fails is one more crash. Children that this job has not started yet are covered by the new
    // restart, except where the root gives the child up: then the job goes on without it.
    const isGivenUp = this.#crashed(slot, error) === "givenUp";
    if (this.#job !== job) return;
    if (!isGivenUp) job.starts.length = 0;
    this.#advance(job);
  }

  // Crashes.

  #childExited(message: SupervisorMessage & { kind: "childExited" }): void {
    const { slot, exit } = message;
    // The incarnation was replaced or stopped meanwhile.
    if (slot.epoch !== message.epoch) return;
    slot.phase = "down";
    if (exit.kind === "normal") slot.driver.retire();
    else this.#crashed(slot, exit.error);
  }

  /** Takes note of a crash and arms its restart, or ends what the budget no longer covers. */
  #crashed(slot: Slot, error: unknown): "restarting" | "givenUp" | "escalated" {
    const { system } = this.#kernel;
    const { limits } = this.spec;
    const crashCount = this.#window.record(system.monotonicMs());
    if (crashCount > limits.restartCountMax) return this.#exhausted(slot, error);
    const delayMs = backoffDelayMs(limits, crashCount, system.random());
    const child = slot.driver.name;
    reportCrash(this.#kernel, this.spec, { child, error, crashesInWindow: crashCount, delayMs });
    if (!this.#pendings.covers(slot)) {
      this.#pendings.add(slot, delayMs, (pending) => this.#post({ kind: "restartDue", pending }));
    }
    return "restarting";
  }

  #exhausted(slot: Slot, error: unknown): "givenUp" | "escalated" {
    const report = { child: slot.driver.name, error, isEscalated: !this.#isRoot };
    const exhausted = reportExhausted(this.#kernel, this.spec, report);
    if (!this.#isRoot) {
      this.#fail(exhausted);
      return "escalated";
    }
    slot.phase = "failed";
    slot.driver.retire();
    return "givenUp";
  }

  #restartDue(message: SupervisorMessage & { kind: "restartDue" }): void {
    const { pending } = message;
    if (!this.#pendings.has(pending)) return;
    const { slot } = pending;
    const affected = this.#slots.filter((other) =>
      isAffected(this.spec.limits.strategy, slot, other),
    );
    // Restarts that this one covers need not run again.
    this.#pendings.drop(affected);
    const starts = affected.filter((other) => other.phase !== "failed" && other.phase !== "held");
    if (starts.length === 0) return;
    reportRestart(this.#kernel, this.spec, {
      child: slot.driver,
      crashesInWindow: this.#window.count(this.#kernel.system.monotonicMs()),
      children: starts.map((other) => other.driver.name),
    });
    this.#begin({
      kind: "restart",
      stops: starts.filter(isUp).reverse(),
      starts,
      stopOptions: untilDone,
      lateNames: [],
      waiters: [],
    });
  }

  // Requests for one child.

  #stopChild(message: SupervisorMessage & { kind: "stopChild" }): void {
    const { slot, onDone } = message;
    // The restart of one child alone is given up; one that others share goes on without it.
    if (this.spec.limits.strategy === "ONE_FOR_ONE") this.#pendings.drop([slot]);
    this.#begin({
      kind: "stopChild",
      stops: [slot],
      starts: [],
      stopOptions: { ...untilDone, isFinal: true },
      lateNames: [],
      waiters: [
        (lateNames) => {
          slot.phase = "held";
          slot.driver.retire();
          onDone(lateNames);
        },
      ],
    });
  }

  #reviveChild(message: SupervisorMessage & { kind: "reviveChild" }): void {
    const { slot, onDone } = message;
    if (isUp(slot)) return onDone();
    slot.phase = "down";
    // A restart that is due anyway, of this child or of this supervisor, starts it.
    if (this.isDown || this.#pendings.covers(slot)) return onDone();
    this.#begin({
      kind: "restart",
      stops: [],
      starts: [slot],
      stopOptions: untilDone,
      lateNames: [],
      waiters: [onDone],
    });
  }

  #slotOf(name: string): Slot {
    const slot = this.#slots.find((candidate) => candidate.driver.name === name);
    if (slot === undefined) throw new supervisionErrors.UNKNOWN_NAME({ name });
    return slot;
  }

  #startError(reason: string): Error {
    return new supervisionErrors.START_FAILED({ name: this.name, reason });
  }
}
