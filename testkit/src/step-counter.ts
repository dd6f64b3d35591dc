import assert from "node:assert/strict";
import { type Profiler, Session } from "node:inspector";

/**
 * Counts the steps that code of this repository takes: how often its functions and the blocks in them run, by the
 * engine's own coverage. Unlike time it is the same on every machine, however busy. What runs inside of the engine, such
 * as one `indexOf`, is one step.
 *
 * A function that was compiled before the counter was made is counted as a whole, without its blocks: make the counter
 * first, in a separate process, and import after it what is counted.
 */
export class StepCounter implements Disposable {
  readonly #session = new Session();
  readonly #within: string;

  /** @param within Part of the addresses of the files that count; default the code of this repository. */
  constructor(within = "/src/") {
    this.#within = within;
    this.#session.connect();
    this.#session.post("Profiler.enable");
    this.#session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  /** The steps of one run. */
  count(run: () => void): number {
    this.#take();
    run();
    return this.#stepsTaken();
  }

  /** The steps of one run that takes turns of the event loop; what else runs meanwhile counts too. */
  async countAsync(run: () => Promise<unknown>): Promise<number> {
    this.#take();
    await run();
    return this.#stepsTaken();
  }

  #stepsTaken(): number {
    let steps = 0;
    for (const { url, functions } of this.#take())
      if (url.includes(this.#within))
        for (const { ranges } of functions) for (const { count } of ranges) steps += count;
    return steps;
  }

  #take(): readonly Profiler.ScriptCoverage[] {
    let taken: readonly Profiler.ScriptCoverage[] | undefined;
    // On the session's own thread it is answered before the call is over.
    this.#session.post("Profiler.takePreciseCoverage", (error, answer) => {
      if (error !== null) throw error;
      taken = answer.result;
    });
    if (taken === undefined) throw new Error("the engine gave no coverage");
    return taken;
  }

  [Symbol.dispose](): void {
    this.#session.post("Profiler.stopPreciseCoverage");
    this.#session.disconnect();
  }
}

/** Counts are off at times, when the engine compiles a function again: one of so many attempts must be right. */
const attemptCountMax = 5;
/** Twice as much takes at most twice the steps and a little, and these, which do not grow. */
const growthMax = 2.2;
const stepsThatStay = 1_000;

/** A piece of work that can be had in any size. */
export interface GrowingWork {
  /** What a failure calls it. */
  readonly name: string;
  /** How much is done at first; then it is done twice as much. */
  readonly count: number;
  readonly run: (count: number) => unknown;
}

/** Asserts that twice the work takes at most twice the steps, and a little. */
export async function assertLinear(counter: StepCounter, work: GrowingWork): Promise<void> {
  const { name, count, run } = work;
  const stepsOf = async (size: number): Promise<number> =>
    await counter.countAsync(async () => await run(size));
  // What is made when it is needed first counts for nothing.
  await run(1);
  const tries: string[] = [];
  for (let attempt = 0; attempt < attemptCountMax; attempt += 1) {
    const once = await stepsOf(count);
    const twice = await stepsOf(2 * count);
    if (once > 0 && twice <= growthMax * once + stepsThatStay) return;
    tries.push(`${once} steps, for twice as much ${twice}`);
  }
  assert.fail(`${name}: ${tries.join("; ")}`);
}
