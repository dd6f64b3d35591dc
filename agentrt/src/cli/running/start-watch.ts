import type { System, TimerHandle } from "../../core/index.ts";
import type { StartingAgent } from "../../runtime/index.ts";
import type { RunLines } from "./run-lines.ts";

const intervalMs = 5_000;

/** Says every five seconds which agents a start waits for. */
export class StartWatch {
  readonly #system: System;
  #timer: TimerHandle | undefined;

  /**
   * @param system For the time.
   * @param lines Where it says so.
   * @param starting The agents whose start is under way.
   */
  constructor(system: System, lines: RunLines, starting: () => readonly StartingAgent[]) {
    this.#system = system;
    const look = (): void => {
      for (const { agent, step, sinceMs } of starting()) {
        const seconds = Math.round(sinceMs / 1000);
        lines.info(`waiting for agent "${agent}": ${step} since ${seconds} s`, { agent, step });
      }
      this.#timer = system.setTimer(intervalMs, look);
    };
    this.#timer = system.setTimer(intervalMs, look);
  }

  /** Ends the watch. */
  end(): void {
    if (this.#timer !== undefined) this.#system.clearTimer(this.#timer);
  }
}
