import { supervisionErrors } from "../../errors.ts";
import type { ChildDriver, StopOptions, SupervisorSpec } from "../../tree/index.ts";
import { isUp, type Job, type Slot, untilDone } from "../supervisor-job.ts";
import { HoldJob } from "./hold-job.ts";

/** A supervisor of declared children, as one who holds its lane sees it. */
export interface HeldHost {
  readonly name: string;
  /** True while children may run: it has started, and does not stop. */
  readonly isServing: boolean;
  readonly slots: readonly Slot[];
  begin(job: Job): void;
  advance(job: Job): void;
  startSlot(slot: Slot, job: Job): void;
  stopSlot(slot: Slot, job: Job, options: StopOptions): void;
  /** Adds a child behind all others; it is down. */
  addDriver(driver: ChildDriver): void;
  /** Adds a child behind all others that comes from elsewhere, running or not. */
  addSlot(slot: Slot): void;
  /** True while a restart waits for a child. */
  hasRestart(slot: Slot): boolean;
  /** Gives up the restart that waits for a child. @returns Whether one did. */
  dropRestart(slot: Slot): boolean;
  /** Has a child restarted that came without its waiting restart. */
  restartSoon(slot: Slot): void;
  /** Its children from now on, in order: none that it did not have. */
  setSlots(slots: readonly Slot[]): void;
  setLimits(spec: SupervisorSpec): void;
  /** Tells it that a child is down with an error: it decides when it is let go. */
  reportCrash(slot: Slot, error: unknown): void;
}

/** A slot on its way from one supervisor to another. */
export interface TakenSlot {
  readonly slot: Slot;
  /** A restart waited for it. */
  readonly wasRestarting: boolean;
}

/**
 * The children of one supervisor while somebody from outside changes them: nothing but that begins, until `release`.
 * Crashes, restarts that are due and requests wait. A stop of the supervisor ends it: what is under way rejects with
 * AGENTRT_SUPERVISION_HOLD_LOST then, and so does whatever is asked later.
 */
export class HeldChildren {
  readonly #host: HeldHost;
  readonly #job: HoldJob;

  /** @param host Whose lane is free: it is held from now on. */
  constructor(host: HeldHost, lane: Job["lane"]) {
    this.#host = host;
    this.#job = new HoldJob(lane, host.name);
    host.begin(this.#job);
  }

  /** Name of the supervisor. */
  get name(): string {
    return this.#host.name;
  }

  /** Names of the children, in order. */
  get names(): readonly string[] {
    return this.#host.slots.map(({ driver }) => driver.name);
  }

  /** True when a stop has taken the lane. */
  get isLost(): boolean {
    return this.#job.lane.job !== this.#job;
  }

  /** @returns The driver of a child. */
  driverOf(name: string): ChildDriver {
    return this.#slotOf(name).driver;
  }

  /** True for a child that somebody stopped for good. */
  isHeldBack(name: string): boolean {
    return this.#slotOf(name).phase === "held";
  }

  /** True for a child that runs, or is about to: a restart waits for it. */
  isWanted(name: string): boolean {
    const slot = this.#slotOf(name);
    return isUp(slot) || this.#host.hasRestart(slot);
  }

  /**
   * Starts a child; one that runs is left alone. Where the supervisor itself does not run, the child starts together with it.
   *
   * @throws What its start fails with; AGENTRT_SUPERVISION_HOLD_LOST.
   */
  async start(name: string): Promise<void> {
    const slot = this.#slotOf(name);
    this.#host.dropRestart(slot);
    if (isUp(slot)) return;
    slot.phase = "down";
    if (!this.#host.isServing) return;
    await this.#job.step(slot, () => this.#host.startSlot(slot, this.#job));
  }

  /**
   * Stops a child; its queue stays unless `isFinal`. One that is down already stays down.
   *
   * @param name Name of a child.
   * @param how.isFinal True where it is not started again. Default false.
   * @returns The names of the agents that did not stop in time.
   * @throws AGENTRT_SUPERVISION_HOLD_LOST.
   */
  async stop(
    name: string,
    { isFinal = false }: { readonly isFinal?: boolean } = {},
  ): Promise<readonly string[]> {
    const slot = this.#slotOf(name);
    this.#host.dropRestart(slot);
    if (!isUp(slot)) {
      // Its crash may wait to be decided about: that is over.
      slot.epoch += 1;
      if (isFinal) slot.driver.retire();
      return [];
    }
    const options = { ...untilDone, isFinal };
    return await this.#job.step(slot, () => this.#host.stopSlot(slot, this.#job, options));
  }

  /** Adds a child behind all others; it is down. */
  add(driver: ChildDriver): void {
    this.#refuseLost();
    this.#host.addDriver(driver);
  }

  /** Takes a child out, running or not. */
  take(name: string): TakenSlot {
    const slot = this.#slotOf(name);
    const wasRestarting = this.#host.dropRestart(slot);
    this.#host.setSlots(this.#host.slots.filter((other) => other !== slot));
    return { slot, wasRestarting };
  }

  /** Puts in place, behind all others, what was taken out of this supervisor or another one. */
  put({ slot, wasRestarting }: TakenSlot): void {
    this.#refuseLost();
    this.#host.addSlot(slot);
    if (wasRestarting) this.#host.restartSoon(slot);
  }

  /** Puts the children in order. All of them have to be named. */
  arrange(names: readonly string[]): void {
    this.#refuseLost();
    const slots = new Map(this.#host.slots.map((slot) => [slot.driver.name, slot]));
    this.#host.setSlots(names.flatMap((name) => slots.get(name) ?? []));
  }

  /** Its strategy, its limits and its place are other ones from now on. */
  setLimits(spec: SupervisorSpec): void {
    this.#host.setLimits(spec);
  }

  /** Has the supervisor decide about a child that did not start, as about a crash. */
  reportCrash(name: string, error: unknown): void {
    this.#host.reportCrash(this.#slotOf(name), error);
  }

  /** Lets go: what waited is served. */
  release(): void {
    if (this.isLost) return;
    this.#job.isReleased = true;
    this.#job.openCount -= 1;
    this.#host.advance(this.#job);
  }

  #refuseLost(): void {
    if (this.isLost) throw this.#job.lostError();
  }

  #slotOf(name: string): Slot {
    this.#refuseLost();
    const slot = this.#host.slots.find(({ driver }) => driver.name === name);
    if (slot === undefined) throw new supervisionErrors.UNKNOWN_NAME({ name });
    return slot;
  }
}
