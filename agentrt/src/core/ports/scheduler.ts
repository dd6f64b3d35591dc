import type { System } from "./system.ts";

/** Something with a mailbox that can go on. `run` continues in a microtask, never in the caller's stack. */
export interface Runnable {
  readonly name: string;
  run(): void;
}

/** Decides which mailbox is served next. The seeded one of `agentrt/testing` replays an interleaving. */
export interface Scheduler {
  /** Messages a mailbox handles before it must pause. */
  readonly sliceLengthMax: number;
  /** Says that a parked mailbox has something to do. */
  ready(runnable: Runnable): void;
  /** Says that a mailbox used up its slice and has more to do. */
  pause(runnable: Runnable): void;
}

/**
 * Makes the scheduler of a production run: first come, first served in the microtask queue, with a turn of the event
 * loop left to timers and sockets after every thousand messages of one mailbox.
 *
 * @param system Gives the turns.
 * @returns The scheduler.
 */
export function createFairScheduler(system: System): Scheduler {
  return {
    sliceLengthMax: 1000,
    ready: (runnable) => runnable.run(),
    pause: (runnable) => system.yieldTurn(() => runnable.run()),
  };
}
