import type { ChildDriver, ChildExit, StopOptions, RestartStrategy } from "../tree/index.ts";
import type { TimerHandle } from "../ports/index.ts";

/** Runs at most one job at a time. Declared children share one lane; spawned ones and members of a pool have their own. */
export interface Lane {
  job: Job | undefined;
}

/** One child as its supervisor sees it. */
export interface Slot {
  readonly driver: ChildDriver;
  /** Its place among its siblings. */
  index: number;
  lane: Lane;
  /** The supervisor that it came to from another one: what its driver reports goes there. */
  home?: SlotHome;
  /** Grows with each start and each stop: an event that carries an older number is stale. */
  epoch: number;
  /** The job that started it last. */
  startedBy?: Job;
  /** Of a child that no description has, because another process has it run here: called when it has ended by itself. */
  readonly onEnded?: () => void;
  /** How often it failed in a row because the state store was away. */
  storeFaultCount?: number;
  /** Requests to stop it for good that are not answered. */
  stopRequestCount?: number;
  /** `failed`: the root gave up on it. `held`: somebody stopped it for good. */
  phase: "down" | "starting" | "up" | "stopping" | "failed" | "held";
}

/** Where a slot is, after it came from another supervisor. */
export interface SlotHome {
  /** Takes what the driver of a slot reports. */
  take(message: ChildExited): void;
}

/** The end of a child, as it arrives in a supervisor's mailbox. */
export interface ChildExited {
  readonly kind: "childExited";
  readonly slot: Slot;
  readonly epoch: number;
  readonly exit: ChildExit;
}

/** A crash that waits for its backoff to end. */
export interface PendingRestart {
  readonly slot: Slot;
  timer: TimerHandle | undefined;
}

/** Called when a job is done, with the names of the children that did not stop in time. */
export type JobWaiter = (lateNames: readonly string[]) => void;

/** A stop before a restart: only the children's own limits bound it. */
export const untilDone: StopOptions = { deadlineMs: Number.POSITIVE_INFINITY, isFinal: false };

/** What a job is made from. Stops, starts and waiters are empty when they are not given. */
export interface JobInit {
  readonly kind: "boot" | "spawn" | "restart" | "stopChild" | "change" | "fail" | "stop";
  readonly lane: Lane;
  readonly stops?: readonly Slot[];
  readonly starts?: readonly Slot[];
  /** Default: bounded by the children's own limits, and a restart follows. */
  readonly stopOptions?: StopOptions;
  /** Called when the job is done: for the callers that asked for it, or for a job that it took over. */
  readonly waiters?: JobWaiter[];
  readonly onDone?: JobWaiter;
}

// All empty lists of jobs share this array: nothing is ever added to a list that was not given.
const none: never[] = [];

/** Stops some children, then starts some. Children are stopped and started only by jobs. */
export class Job {
  readonly kind: JobInit["kind"];
  readonly lane: Lane;
  readonly stopOptions: StopOptions;
  // Read by index: taking the first one off a long array moves all others.
  #stops: readonly Slot[];
  #starts: readonly Slot[];
  #stopIndex = 0;
  #startIndex = 0;
  lateNames: readonly string[] = none;
  #waiters: JobWaiter[];
  #onDone: JobWaiter | undefined;
  /** Stops that are under way; once all are done, starts that are. */
  openCount = 0;

  constructor(init: JobInit) {
    this.kind = init.kind;
    this.lane = init.lane;
    this.#stops = init.stops ?? none;
    this.#starts = init.starts ?? none;
    this.stopOptions = init.stopOptions ?? untilDone;
    this.#waiters = init.waiters ?? none;
    this.#onDone = init.onDone;
  }

  /** Those who asked for it, or for a job that it took over. */
  get waiters(): readonly JobWaiter[] {
    return this.#waiters;
  }

  /** Lets one more wait for its end. */
  addWaiter(waiter: JobWaiter): void {
    if (this.#waiters === none) this.#waiters = [waiter];
    else this.#waiters.push(waiter);
  }

  /**
   * Ends it: its lane is free, and who waits for it hears of it. It lets go of all that it had: a child holds the job that
   * started it, and would keep what comes after it from the short collections.
   */
  finish(): void {
    this.lane.job = undefined;
    const [waiters, onDone] = [this.#waiters, this.#onDone];
    this.#stops = none;
    this.#starts = none;
    this.#waiters = none;
    this.#onDone = undefined;
    for (const waiter of waiters) waiter(this.lateNames);
    onDone?.(this.lateNames);
  }

  /** A child that this job stopped is down: a job that waits for each of its steps says so here. */
  onSlotDown(_slot: Slot, _lateNames: readonly string[]): void {}

  /** A child that this job started runs. */
  onSlotUp(_slot: Slot): void {}

  /**
   * A child that this job started did not start.
   *
   * @returns False where that is one more crash, which its supervisor decides about.
   */
  onSlotFailed(_slot: Slot, _error: unknown): boolean {
    return false;
  }

  /** Takes the next child to stop; undefined when all were taken. */
  nextStop(): Slot | undefined {
    const next = this.#stops[this.#stopIndex];
    if (next !== undefined) this.#stopIndex += 1;
    return next;
  }

  /** Takes the next child to start; undefined when all were taken. */
  nextStart(): Slot | undefined {
    const next = this.#starts[this.#startIndex];
    if (next !== undefined) this.#startIndex += 1;
    return next;
  }

  /** Gives up the starts that were not taken. */
  dropStarts(): void {
    this.#startIndex = this.#starts.length;
  }
}

/**
 * Says whether something of a child runs or is about to.
 *
 * @param slot The child.
 * @returns True when it has to be stopped before it can be started.
 */
export function isUp(slot: Slot): boolean {
  return slot.phase === "up" || slot.phase === "starting" || slot.phase === "stopping";
}

/**
 * Says which children restart together.
 *
 * @param strategy The supervisor's strategy.
 * @param crashed The child that crashed.
 * @param other Any child of the same supervisor.
 * @returns Whether a crash of `crashed` restarts `other`.
 */
export function isAffected(strategy: RestartStrategy, crashed: Slot, other: Slot): boolean {
  switch (strategy) {
    case "ONE_FOR_ONE":
      return crashed === other;
    case "ONE_FOR_ALL":
      return true;
    case "REST_FOR_ONE":
      return other.index >= crashed.index;
  }
}
