import type { System } from "../../agentrt/src/core/index.ts";

/** Times are whole numbers of these, so that sums of them are exact: the runtime's timers wait for a time, and not for almost that. */
const grainsPerMs = 65_536;

/** @returns A duration that adds up exactly, milliseconds. */
export function exactMs(durationMs: number): number {
  return Math.round(durationMs * grainsPerMs) / grainsPerMs;
}

interface Job {
  readonly costMs: number;
  readonly byteCount: number;
  readonly done: () => void;
}

/** What the turns of a process are. */
export interface TurnShape {
  /** What each costs, microseconds. */
  readonly turnUs: number;
  /** Bytes of messages that one takes at most, as it reads no more of its sockets. Default: all that have come. */
  readonly turnBytesMax?: number | undefined;
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
  readonly #turnBytesMax: number;
  #jobs: Job[] = [];
  #isBusy = false;
  /** When its turn began; undefined outside of one. */
  #sinceMs: number | undefined;
  #busyMs = 0;

  constructor(machine: Machine, { turnUs, turnBytesMax = Number.POSITIVE_INFINITY }: TurnShape) {
    this.#machine = machine;
    this.#turnMs = exactMs((turnUs / 1000) * machine.slowness);
    this.#turnBytesMax = turnBytesMax;
  }

  /**
   * How long it has worked, milliseconds, with what it has done of this turn; without what turns cost by themselves: a process
   * that is always in a turn can do more as long as few messages come for each.
   */
  get busyMs(): number {
    if (this.#sinceMs === undefined) return this.#busyMs;
    const elapsedMs = this.#machine.clock.monotonicMs() - this.#sinceMs;
    return this.#busyMs + Math.max(0, elapsedMs - this.#turnMs);
  }

  /**
   * Works for so long, in its next turn; calls back at the end of that.
   *
   * @param byteCount Of the message that it is for, if there is one.
   */
  work(costUs: number, done: () => void, byteCount = 0): void {
    const costMs = exactMs((costUs / 1000) * this.#machine.slowness);
    this.#jobs.push({ costMs, byteCount, done });
    if (this.#isBusy) return;
    this.#isBusy = true;
    // What else comes at this instant came with it, as the messages of one turn of their sender do: they are one turn here, too.
    this.#machine.clock.setTimer(0, () => this.#machine.ready(this));
  }

  /** Called by its machine when it has a core. */
  begin(): void {
    const { clock } = this.#machine;
    const jobs = this.#take();
    const turnMs = jobs.reduce((sum, { costMs }) => sum + costMs, this.#turnMs);
    this.#sinceMs = clock.monotonicMs();
    clock.setTimer(turnMs, () => {
      this.#sinceMs = undefined;
      this.#busyMs += turnMs - this.#turnMs;
      for (const { done } of jobs) done();
      this.#machine.release();
      if (this.#jobs.length > 0) this.#machine.ready(this);
      else this.#isBusy = false;
    });
  }

  /** @returns What is done in this turn: at least one piece of work. */
  #take(): Job[] {
    let byteCount = 0;
    const end = this.#jobs.findIndex((job, index) => {
      byteCount += job.byteCount;
      return index > 0 && byteCount > this.#turnBytesMax;
    });
    return this.#jobs.splice(0, end === -1 ? this.#jobs.length : end);
  }
}
