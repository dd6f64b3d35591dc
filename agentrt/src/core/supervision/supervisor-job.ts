import type { ChildDriver, StopOptions, RestartStrategy } from "../tree/index.ts";
import type { TimerHandle } from "../ports/index.ts";

/** What at most one job at a time belongs to: all children that are declared in an order, or one that is not. */
export interface Lane {
  job: Job | undefined;
}

/** One child as its supervisor sees it. */
export interface Slot {
  readonly driver: ChildDriver;
  readonly index: number;
  readonly lane: Lane;
  /** Grows with each start and each stop: an event that carries an older number is stale. */
  epoch: number;
  /** `failed`: the root gave up on it. `held`: somebody stopped it for good. */
  phase: "down" | "starting" | "up" | "stopping" | "failed" | "held";
}

/** A crash that waits for its backoff to end. */
export interface PendingRestart {
  readonly slot: Slot;
  timer: TimerHandle | undefined;
}

/** Told who was late when a job is done. */
export type JobWaiter = (lateNames: readonly string[]) => void;

/** A stop that a restart follows: bounded by the children's own limits. */
export const untilDone: StopOptions = { deadlineMs: Number.POSITIVE_INFINITY, isFinal: false };

/** What a job is made from; without stops, starts and waiters it has none. */
export interface JobInit {
  readonly kind: "boot" | "spawn" | "restart" | "stopChild" | "fail" | "stop";
  readonly lane: Lane;
  readonly stops?: Slot[];
  readonly starts?: Slot[];
  /** Default: bounded by the children's own limits, and a restart follows. */
  readonly stopOptions?: StopOptions;
  /** Those who asked for it, or for a job that this one took over: answered when it is done. */
  readonly waiters?: JobWaiter[];
  readonly onDone?: JobWaiter;
}

// Shared by jobs that have none: nothing is ever added to what a job was made without.
const none: never[] = [];

/** Stops, then starts: the only way in which children change. */
export class Job {
  readonly kind: JobInit["kind"];
  readonly lane: Lane;
  readonly stops: Slot[];
  readonly starts: Slot[];
  readonly stopOptions: StopOptions;
  lateNames: readonly string[] = none;
  /** Those of `init`: only a job that was made with some gets more. */
  readonly waiters: JobWaiter[];
  readonly onDone: JobWaiter | undefined;
  /** Stops that are under way. */
  openCount = 0;
  /** The child whose start it waits for, or waited for last. */
  starting: Slot | undefined;

  constructor(init: JobInit) {
    this.kind = init.kind;
    this.lane = init.lane;
    this.stops = init.stops ?? none;
    this.starts = init.starts ?? none;
    this.stopOptions = init.stopOptions ?? untilDone;
    this.waiters = init.waiters ?? none;
    this.onDone = init.onDone;
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
