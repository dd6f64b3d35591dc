import type { System } from "../../agentrt/src/core/index.ts";

/** Times are whole numbers of these, so that sums of them are exact: the runtime's timers wait for a time, and not for almost that. */
const grainsPerMs = 65_536;

/** @returns A duration that adds up exactly, milliseconds. */
export function exactMs(durationMs: number): number {
  return Math.round(durationMs * grainsPerMs) / grainsPerMs;
}

interface Job {
  readonly costMs: number;
  readonly done: () => void;
}

/** A machine: some cores, and the processes that share them. Each process has one thread; those that wait for a core get one in turn. */
export class Machine {
  readonly clock: Pick<System, "setTimer" | "monotonicMs">;
  /** How much longer everything takes, as where other programs use a part of the cores. */
  readonly slowness: number;
  #freeCount: number;
  readonly #waiting: Processor[] = [];

  constructor(
    clock: Pick<System, "setTimer" | "monotonicMs">,
    { coreCount, slowness = 1 }: { readonly coreCount: number; readonly slowness?: number },
  ) {
    this.clock = clock;
    this.slowness = slowness;
    this.#freeCount = coreCount;
  }

  /** A process has work, and none of it is done yet. */
  ready(processor: Processor): void {
    this.#waiting.push(processor);
    this.#next();
  }

  /** A process has done one piece of work. */
  release(): void {
    this.#freeCount += 1;
    this.#next();
  }

  #next(): void {
    while (this.#freeCount > 0) {
      const processor = this.#waiting.shift();
      if (processor === undefined) return;
      this.#freeCount -= 1;
      processor.begin();
    }
  }
}

/**
 * The thread of one process. What has come when it gets a core it does in one turn, one after the other, and what it says goes
 * out at the end: a turn costs something, however much is done in it.
 */
export class Processor {
  readonly #machine: Machine;
  readonly #turnMs: number;
  #jobs: Job[] = [];
  #isBusy = false;
  #busyMs = 0;

  /** @param turnUs What each turn costs, microseconds. */
  constructor(machine: Machine, turnUs: number) {
    this.#machine = machine;
    this.#turnMs = exactMs((turnUs / 1000) * machine.slowness);
  }

  /** How long it has worked, milliseconds. */
  get busyMs(): number {
    return this.#busyMs;
  }

  /** Works for so long, in its next turn; calls back at the end of that. */
  work(costUs: number, done: () => void): void {
    this.#jobs.push({ costMs: exactMs((costUs / 1000) * this.#machine.slowness), done });
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#machine.ready(this);
  }

  /** Called by its machine when it has a core. */
  begin(): void {
    const jobs = this.#jobs;
    this.#jobs = [];
    const turnMs = jobs.reduce((sum, { costMs }) => sum + costMs, this.#turnMs);
    this.#machine.clock.setTimer(turnMs, () => {
      this.#busyMs += turnMs;
      for (const { done } of jobs) done();
      this.#machine.release();
      if (this.#jobs.length > 0) this.#machine.ready(this);
      else this.#isBusy = false;
    });
  }
}
