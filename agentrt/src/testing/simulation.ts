import { createTextLog, type StateStore, type SupervisorSpec } from "../core/index.ts";
import { Runtime, type StopReport } from "../runtime/index.ts";
import { EventLog } from "./event-log.ts";
import { VirtualClock } from "./virtual-clock.ts";

/** What a simulation runs. */
export interface SimulationOptions {
  readonly supervision: SupervisorSpec;
  /** Default 1. */
  readonly seed?: number | undefined;
  /** Default in memory. */
  readonly state?: StateStore | undefined;
}

/** A runtime on a virtual clock, its events written down and its log kept instead of printed. */
export class Simulation implements AsyncDisposable {
  readonly clock: VirtualClock;
  readonly runtime: Runtime;
  /** What happened in the tree, one line an event, times from 0. */
  readonly events: EventLog;
  /** What runtime and agents logged, `warn` and above. */
  readonly logLines: string[] = [];

  constructor(options: SimulationOptions) {
    this.clock = new VirtualClock({ seed: options.seed });
    this.runtime = new Runtime({
      supervision: options.supervision,
      system: this.clock,
      scheduler: this.clock.scheduler,
      state: options.state,
      log: createTextLog({
        write: (line) => void this.logLines.push(line.trimEnd()),
        level: "warn",
      }),
    });
    this.events = new EventLog(this.runtime, this.clock.nowMs());
  }

  /** Starts the tree, letting time pass as far as the start needs it. */
  async start(): Promise<void> {
    await this.#whilePassing(this.runtime.start());
  }

  /** Stops the tree, letting time pass as far as the stop needs it. */
  async stop(options?: { readonly timeoutMs?: number }): Promise<StopReport> {
    return await this.#whilePassing(this.runtime.stop(options));
  }

  /** Lets time pass; see `VirtualClock.advance`. */
  async advance(durationMs: number): Promise<void> {
    await this.clock.advance(durationMs);
  }

  /** Serves mailboxes until nothing is left to do but wait for timers. */
  async runUntilIdle(): Promise<void> {
    await this.clock.runUntilIdle();
  }

  /** Stops the tree at the end of an `await using` block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    this.events.close();
  }

  async #whilePassing<Result>(pending: Promise<Result>): Promise<Result> {
    let isSettled = false;
    const settle = (): void => {
      isSettled = true;
    };
    pending.then(settle, settle);
    for (;;) {
      await this.clock.runUntilIdle();
      if (isSettled || this.clock.timerCount === 0) return await pending;
      await this.clock.advanceToNextTimer();
    }
  }
}
