import type {
  ChildDriver,
  ChildExit,
  Kernel,
  RestartLimits,
  StopOptions,
  SupervisorSpec,
} from "../tree/index.ts";
import { supervisionErrors } from "../errors.ts";
import { HeldChildren, type HeldHost } from "./held/index.ts";
import { PendingRestarts } from "./pending-restarts.ts";
import { planRestart } from "./plan-restart.ts";
import { RestartWindow } from "./restart-window.ts";
import { reportExhausted, reportRestart } from "./report.ts";
import { SupervisorEngine } from "./supervisor-engine.ts";
import {
  isAffected,
  isUp,
  type Job,
  type JobWaiter,
  type PendingRestart,
  type Slot,
  untilDone,
} from "./supervisor-job.ts";

/** How a guest ends. */
interface GuestEnd {
  readonly stopOptions: StopOptions;
  readonly isRemoved: boolean;
}

/**
 * Restarts declared children by one of three strategies, within one budget of crashes that all of them share.
 * When the budget is used up, it fails upward.
 */
export class Supervisor extends SupervisorEngine {
  #slots: Slot[];
  readonly #isEachAlone: boolean;
  readonly #window: RestartWindow;
  /** The crashes of suspended agents that did not count against the budget. Created with the first one. */
  #exemptWindow: RestartWindow | undefined;
  readonly #pendings: PendingRestarts;

  /**
   * @param kernel What all actors share.
   * @param spec Name and limits.
   * @param options.drivers The children in declaration order.
   * @param options.isConcurrent True where children are independent of each other: each has its own lane, and they are
   *   started and stopped all at once. Only with ONE_FOR_ONE.
   * @param options.isRoot A root out of budget leaves the child CRASHED; any other supervisor fails upward.
   */
  constructor(
    kernel: Kernel,
    spec: SupervisorSpec,
    options: {
      readonly drivers: readonly ChildDriver[];
      readonly isRoot: boolean;
      readonly isConcurrent?: boolean;
    },
  ) {
    super(kernel, spec, options);
    this.#window = new RestartWindow(spec.limits);
    this.#pendings = new PendingRestarts(kernel.system, spec.limits.strategy);
    this.#isEachAlone = options.isConcurrent === true;
    this.#slots = options.drivers.map((driver, index) => this.makeSlot(driver, index));
  }

  /** Counts crashes that another process has seen, by how long ago they were, milliseconds. */
  recallCrashes(agesMs: readonly number[]): void {
    const nowMs = this.kernel.system.monotonicMs();
    this.#window.recall(agesMs.map((ageMs) => nowMs - ageMs));
  }

  protected override get slots(): readonly Slot[] {
    return this.#slots;
  }

  protected makeSlot(driver: ChildDriver, index: number): Slot {
    const lane = this.#isEachAlone ? { job: undefined } : this.lane;
    const phase = driver.isHeldFirst === true ? "held" : "down";
    return { driver, index, lane, epoch: 0, phase };
  }

  /** Its children from now on, in order: none that it did not have. */
  protected setSlots(given: readonly Slot[]): void {
    const guests = this.#slots.filter((slot) => isGuest(slot) && !given.includes(slot));
    this.#putSlots([...given, ...guests]);
  }

  #putSlots(slots: Slot[]): void {
    for (const [index, slot] of slots.entries()) slot.index = index;
    this.#slots = slots;
  }

  /**
   * Adds a child that no description has: another process has it run here. It is down, and `reviveChild` starts it. It has its
   * own lane, so none of the others waits for it.
   *
   * @param driver Of it.
   * @param onEnded Called when it has ended by itself.
   */
  async addGuest(driver: ChildDriver, onEnded: () => void): Promise<void> {
    await this.request<void>((answer) => {
      const lane = { job: undefined };
      const index = this.#slots.length;
      this.#slots.push({ driver, index, lane, epoch: 0, phase: "held", onEnded });
      answer();
    });
  }

  /**
   * Stops a guest. If it is being stopped already, the harder and the earlier of the two ways counts.
   *
   * @param name Of one; for any other name nothing happens.
   * @param how.stopOptions How it is stopped.
   * @param how.isRemoved True to take it out, too: it is a child of this supervisor no more.
   * @returns The names of the agents that did not stop in time.
   */
  async endGuest(name: string, how: GuestEnd): Promise<readonly string[]> {
    const slot = this.#slots.find((each) => isGuest(each) && each.driver.name === name);
    if (slot === undefined) return [];
    return await this.request<readonly string[]>(
      (onDone) => this.#endGuest(slot, how, onDone),
      slot,
    );
  }

  #endGuest(slot: Slot, how: GuestEnd, onDone: JobWaiter): void {
    const { lane } = slot;
    const { stopOptions, isRemoved } = how;
    if (!this.#has(slot)) return onDone([]);
    if (lane.job?.kind === "stopChild") {
      void slot.driver.stop(stopOptions);
      if (isRemoved) this.afterStop(slot, () => this.#endGuest(slot, how, onDone));
      else lane.job.addWaiter(onDone);
      return;
    }
    this.#pendings.drop([slot]);
    const waiters = [...(lane.job?.waiters ?? []), onDone];
    const stops = isUp(slot) ? [slot] : [];
    slot.epoch += 1;
    this.begin({
      kind: "stopChild",
      lane,
      stops,
      stopOptions,
      waiters,
      onDone: () => {
        slot.phase = "held";
        slot.driver.retire();
        if (isRemoved) this.#putSlots(this.#slots.filter((other) => other !== slot));
      },
    });
  }

  /** Adds a child behind all others; one that comes from another supervisor is its own from now on. */
  #addSlot(slot: Slot): void {
    slot.home = this;
    slot.lane = this.lane;
    slot.index = this.#slots.length;
    this.#slots.push(slot);
  }

  /** False for a child that went elsewhere, or is gone. */
  #has(slot: Slot): boolean {
    return this.#slots[slot.index] === slot;
  }

  protected override setDescription(spec: SupervisorSpec, kernel: Kernel): void {
    super.setDescription(spec, kernel);
    this.#window.setLimits(spec.limits);
    this.#exemptWindow?.setLimits(exemptLimits(spec));
    this.#pendings.strategy = spec.limits.strategy;
  }

  /**
   * Holds the lane of the children, once nothing else is under way in it, so that they can be changed from outside.
   *
   * @throws AGENTRT_SUPERVISION_TOO_MANY_REQUESTS.
   */
  hold(): Promise<HeldChildren> {
    return this.request((answer) => answer(new HeldChildren(this.#heldHost(), this.lane)));
  }

  #heldHost(): HeldHost {
    const isServing = (): boolean => this.status === "RUNNING";
    const slots = (): readonly Slot[] => this.#slots;
    return {
      name: this.name,
      get isServing() {
        return isServing();
      },
      get slots() {
        return slots();
      },
      begin: (job) => this.begin(job),
      advance: (job) => this.advance(job),
      startSlot: (slot, job) => this.startSlot(slot, job),
      stopSlot: (slot, job, options) => this.stopSlot(slot, job, options),
      addDriver: (driver) => this.#addSlot(this.makeSlot(driver, this.#slots.length)),
      addSlot: (slot) => this.#addSlot(slot),
      hasRestart: (slot) => this.#pendings.waitsFor(slot),
      dropRestart: (slot) => {
        const wasRestarting = this.#pendings.waitsFor(slot);
        this.#pendings.drop([slot]);
        return wasRestarting;
      },
      restartSoon: (slot) => this.#restartLater(slot, 0),
      setSlots: (given) => this.setSlots([...given]),
      setLimits: (spec) => this.setDescription(spec, this.kernel),
      reportCrash: (slot, error) => {
        const { epoch } = slot;
        this.post({ kind: "childExited", slot, epoch, exit: { kind: "crashed", error } });
      },
    };
  }

  /**
   * Stops one child for good: it is not restarted until `reviveChild`.
   *
   * @param name Name of a direct child.
   * @returns The names of the agents that did not stop in time.
   */
  async stopChild(name: string): Promise<readonly string[]> {
    const slot = this.#slotOf(name);
    const { stopRequestCount = 0 } = slot;
    slot.stopRequestCount = stopRequestCount + 1;
    try {
      return await this.request<readonly string[]>(
        (onDone) => this.afterStop(slot, () => this.#stopChild(slot, onDone)),
        slot,
      );
    } finally {
      slot.stopRequestCount = (slot.stopRequestCount ?? 1) - 1;
    }
  }

  override isStoppingChild(name: string): boolean {
    const { stopRequestCount = 0, driver } = this.#slotOf(name);
    return stopRequestCount > 0 || driver.isEnding;
  }

  override reviveChild(name: string): Promise<void> {
    const slot = this.#slotOf(name);
    return this.request<void>(
      (onDone) => this.afterStop(slot, () => this.#reviveChild(slot, onDone)),
      slot,
    );
  }

  protected override crashesInWindow(): number {
    return this.#window.count(this.kernel.system.monotonicMs());
  }

  protected override onBoot(): void {
    this.#window.clear();
    this.#exemptWindow = undefined;
    this.#pendings.drop(this.slots);
    // A child that was stopped for good stays stopped when this supervisor restarts.
    for (const slot of this.slots) if (slot.phase !== "held") slot.phase = "down";
  }

  protected override onTearDown(): void {
    this.#pendings.drop(this.slots);
  }

  protected override onStartFailed(slot: Slot, job: Job, error: unknown): void {
    // A start that fails is one more crash. Children that this job has not started yet are covered by the new
    // restart, except where the root gives the child up: then the job goes on without it.
    const isGivenUp = this.#crashed(slot, error) === "givenUp";
    if (job.lane.job !== job) return;
    if (!isGivenUp) job.dropStarts();
    this.advance(job);
  }

  protected override onChildStarted(slot: Slot): void {
    if (slot.storeFaultCount !== undefined) slot.storeFaultCount = 0;
  }

  // Crashes.

  protected override onChildExit(slot: Slot, exit: ChildExit): void {
    if (exit.kind === "crashed") {
      this.#crashed(slot, exit.error);
      return;
    }
    slot.driver.retire();
    slot.driver.settleDown(false);
    slot.onEnded?.();
  }

  #crashed(slot: Slot, error: unknown): "restarting" | "givenUp" | "escalated" {
    const outcome = this.#decide(slot, error);
    if (outcome !== "escalated") slot.driver.settleDown(outcome === "restarting");
    return outcome;
  }

  /** Plans a restart. Beyond the budget the root gives the child up, and others fail upward. */
  #decide(slot: Slot, error: unknown): "restarting" | "givenUp" | "escalated" {
    const isExempt = (): boolean => this.#isExempt(slot);
    const crash = { slot, error, window: this.#window, isExempt };
    const delayMs = planRestart(this.kernel, this.spec, crash);
    if (delayMs === undefined) return this.#exhausted(slot, error);
    this.#restartLater(slot, delayMs);
    return "restarting";
  }

  #restartLater(slot: Slot, delayMs: number): void {
    if (this.#pendings.covers(slot)) return;
    this.#pendings.add(slot, delayMs, (pending) =>
      this.post({ kind: "restartDue", serve: () => this.#restartDue(pending) }),
    );
  }

  #exhausted(slot: Slot, error: unknown): "givenUp" | "escalated" {
    const outcome = this.isRoot ? "givenUp" : "escalated";
    const report = { child: slot.driver.name, error, outcome } as const;
    const exhausted = reportExhausted(this.kernel, this.spec, report);
    if (!this.isRoot) {
      this.fail(exhausted);
      return "escalated";
    }
    slot.phase = "failed";
    slot.driver.retire();
    slot.driver.release();
    return "givenUp";
  }

  /**
   * True for a crash that does not count against the budget: the agent is suspended, so nobody waits for its work. In
   * one window at most as many crashes are exempt as the budget allows, but at least one. This ends a crash loop.
   */
  #isExempt(slot: Slot): boolean {
    if (!slot.driver.isSuspended) return false;
    const limits = exemptLimits(this.spec);
    this.#exemptWindow ??= new RestartWindow(limits);
    return this.#exemptWindow.record(this.kernel.system.monotonicMs()) <= limits.restartCountMax;
  }

  #restartDue(pending: PendingRestart): void {
    if (!this.#pendings.has(pending)) return;
    const { slot } = pending;
    const affected = this.slots.filter((other) =>
      isAffected(this.spec.limits.strategy, slot, other),
    );
    // Pending restarts of these children are cancelled: this one restarts them.
    this.#pendings.drop(affected);
    const starts = affected.filter((other) => other.phase !== "failed" && other.phase !== "held");
    if (starts.length === 0) return;
    reportRestart(this.kernel, this.spec, {
      child: slot.driver,
      crashesInWindow: this.crashesInWindow(),
      children: starts.map((other) => other.driver.name),
    });
    this.begin({
      kind: "restart",
      lane: slot.lane,
      stops: starts.filter(isUp).reverse(),
      starts,
    });
  }

  // Requests for one child.

  #stopChild(slot: Slot, onDone: JobWaiter): void {
    if (!this.#has(slot)) {
      if (slot.home instanceof Supervisor && slot.home !== this) slot.home.#stopLater(slot, onDone);
      else onDone([]);
      return;
    }
    // ONE_FOR_ONE: the restart concerns only this child, so it is cancelled. Otherwise it goes on without this child.
    if (this.spec.limits.strategy === "ONE_FOR_ONE") this.#pendings.drop([slot]);
    // With a lane of its own it may be starting: then that is given up, and who waits for it is answered with the stop.
    const { lane } = slot;
    this.begin({
      kind: "stopChild",
      lane,
      stops: [slot],
      stopOptions: { ...untilDone, isFinal: true },
      waiters: [
        ...(lane.job?.waiters ?? []),
        (lateNames) => {
          slot.phase = "held";
          slot.driver.retire();
          onDone(lateNames);
        },
      ],
    });
  }

  /** A request that was for the supervisor that the child was with before. */
  #stopLater(slot: Slot, onDone: JobWaiter): void {
    const serve = (): void => this.afterStop(slot, () => this.#stopChild(slot, onDone));
    this.post({ kind: "request", serve, slot });
  }

  #reviveLater(slot: Slot, onDone: () => void): void {
    const serve = (): void => this.afterStop(slot, () => this.#reviveChild(slot, onDone));
    this.post({ kind: "request", serve, slot });
  }

  #reviveChild(slot: Slot, onDone: () => void): void {
    if (!this.#has(slot)) {
      if (slot.home instanceof Supervisor && slot.home !== this)
        slot.home.#reviveLater(slot, onDone);
      else onDone();
      return;
    }
    const { job } = slot.lane;
    if (job !== undefined) return job.addWaiter(onDone);
    if (isUp(slot)) {
      if (slot.driver.isEnding) this.#restartOnce(slot, onDone);
      else onDone();
      return;
    }
    slot.phase = "down";
    // A pending restart of this child, or the next start of this supervisor, starts it anyway.
    if (this.isDown || this.#pendings.covers(slot)) return onDone();
    this.#restartOnce(slot, onDone);
  }

  /** Starts a child, after its end if that is under way. */
  #restartOnce(slot: Slot, onDone: () => void): void {
    this.begin({
      kind: "restart",
      lane: slot.lane,
      stops: isUp(slot) ? [slot] : [],
      starts: [slot],
      waiters: [onDone],
    });
  }

  #slotOf(name: string): Slot {
    const slot = this.slots.find((candidate) => candidate.driver.name === name);
    if (slot === undefined) throw new supervisionErrors.UNKNOWN_NAME({ name });
    return slot;
  }
}

/** True for a child that no description has. */
function isGuest({ onEnded }: Slot): boolean {
  return onEnded !== undefined;
}

/** The crashes of suspended agents that are exempt in one window: as many as the budget allows, but at least one. */
function exemptLimits({ limits }: SupervisorSpec): RestartLimits {
  return { ...limits, restartCountMax: Math.max(1, limits.restartCountMax) };
}
