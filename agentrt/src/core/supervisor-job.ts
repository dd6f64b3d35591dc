import type { ChildDriver, StopOptions } from "./child-driver.ts";
import type { TimerHandle } from "./system.ts";
import type { RestartStrategy } from "./tree-spec.ts";

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

/** Stops, then starts, one child after the other: the only way in which children change. */
export interface Job {
  readonly kind: "boot" | "restart" | "stopChild" | "fail" | "stop";
  readonly lane: Lane;
  readonly stops: Slot[];
  readonly starts: Slot[];
  readonly stopOptions: StopOptions;
  readonly lateNames: string[];
  /** Those who asked for it, or for a job that this one took over: answered when it is done. */
  readonly waiters: JobWaiter[];
  readonly onDone?: JobWaiter;
}

/** A stop that a restart follows: bounded by the children's own limits. */
export const untilDone: StopOptions = { deadlineMs: Number.POSITIVE_INFINITY, isFinal: false };

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
