import { isAffected, type PendingRestart, type Slot } from "./supervisor-job.ts";
import type { System } from "../ports/index.ts";
import type { RestartStrategy } from "../tree/index.ts";

/** The crashes of one supervisor whose backoff has not ended. At most one for each child. */
export class PendingRestarts {
  readonly #system: System;
  /** That of the supervisor. */
  strategy: RestartStrategy;
  #pendings: PendingRestart[] = [];

  constructor(system: System, strategy: RestartStrategy) {
    this.#system = system;
    this.strategy = strategy;
  }

  /** @returns True when a pending restart will restart this child, too. */
  covers(slot: Slot): boolean {
    return this.#pendings.some((pending) => isAffected(this.strategy, pending.slot, slot));
  }

  /** @returns True while the restart was neither covered by another one nor given up. */
  has(pending: PendingRestart): boolean {
    return this.#pendings.includes(pending);
  }

  /**
   * Arms the restart of a child.
   *
   * @param slot The child that crashed.
   * @param delayMs Its backoff; without one, the restart still leaves a turn to the event loop.
   * @param onDue Called when the backoff has ended.
   */
  add(slot: Slot, delayMs: number, onDue: (pending: PendingRestart) => void): void {
    const pending: PendingRestart = { slot, timer: undefined };
    this.#pendings.push(pending);
    const due = (): void => onDue(pending);
    if (delayMs === 0) this.#system.yieldTurn(due);
    else pending.timer = this.#system.setTimer(delayMs, due);
  }

  /** @returns True while a restart of this very child waits. */
  waitsFor(slot: Slot): boolean {
    return this.#pendings.some((pending) => pending.slot === slot);
  }

  /** Cancels the pending restarts of these children, because they are restarted or stopped now. */
  drop(slots: readonly Slot[]): void {
    for (const { slot, timer } of this.#pendings) {
      if (timer !== undefined && slots.includes(slot)) this.#system.clearTimer(timer);
    }
    this.#pendings = this.#pendings.filter((pending) => !slots.includes(pending.slot));
  }
}
