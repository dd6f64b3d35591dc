import { Alarm, type System, type TimerWheel } from "../ports/index.ts";
import { agentErrors } from "../errors.ts";

/** What a watchdog is made from. */
export interface WatchdogInit {
  readonly system: System;
  readonly wheel: TimerWheel;
  /** Name of the agent, for errors. */
  readonly agent: string;
  readonly handleTimeoutMs: number;
}

/** Enforces `handleTimeoutMs` for the handlers of one incarnation. A late handler runs on; its result is not used. */
export class Watchdog {
  readonly #init: WatchdogInit;
  /** Set while a handler runs. */
  #alarm: Alarm | undefined;

  constructor(init: WatchdogInit) {
    this.#init = init;
  }

  /**
   * Waits for a handler, or for its next chunk.
   *
   * @returns What it gives.
   * @throws AGENTRT_AGENT_HANDLE_TIMEOUT, and what the handler throws.
   */
  watch<Result>(pending: PromiseLike<Result>): Promise<Result> {
    const { wheel, agent, handleTimeoutMs } = this.#init;
    return new Promise((resolve, reject) => {
      const alarm = new Alarm(() =>
        reject(new agentErrors.HANDLE_TIMEOUT({ agent, handleTimeoutMs })),
      );
      this.#alarm = alarm;
      this.#arm(alarm);
      const rest = (): void => {
        wheel.disarm(alarm);
        if (this.#alarm === alarm) this.#alarm = undefined;
      };
      pending.then(
        (result) => {
          rest();
          resolve(result);
        },
        (error: unknown) => {
          rest();
          reject(error);
        },
      );
    });
  }

  /**
   * Stops the clock while the handler waits for its consumer.
   *
   * @returns Starts it again, from zero.
   */
  pause(): () => void {
    const alarm = this.#alarm;
    if (alarm === undefined) return () => undefined;
    this.#init.wheel.disarm(alarm);
    return () => {
      if (this.#alarm !== alarm) return;
      // Emits that were not awaited come back one by one.
      this.#init.wheel.disarm(alarm);
      this.#arm(alarm);
    };
  }

  #arm(alarm: Alarm): void {
    const { wheel, system, handleTimeoutMs } = this.#init;
    wheel.arm(alarm, system.monotonicMs() + handleTimeoutMs);
  }
}
