import { type Profiler, Session } from "node:inspector";

/**
 * Counts the steps that code of this repository takes: how often its functions and the blocks in them run, by the
 * engine's own coverage. Unlike time it is the same on every machine, however busy. What runs inside of the engine, such
 * as one `indexOf`, is one step.
 *
 * A function that was compiled before the counter was made is counted as a whole, without its blocks: make the counter
 * first, in a process of its own, and import after it what is counted.
 */
export class StepCounter implements Disposable {
  readonly #session = new Session();

  constructor() {
    this.#session.connect();
    this.#session.post("Profiler.enable");
    this.#session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  /** The steps of one run. */
  count(run: () => void): number {
    this.#take();
    run();
    let steps = 0;
    for (const { url, functions } of this.#take())
      if (url.includes("/src/"))
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
