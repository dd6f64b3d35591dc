import { Alarm, type System, type TimerWheel } from "../ports/index.ts";

/** The time of a call: what it needs of the kernel. */
export interface CallKernel {
  readonly system: System;
  readonly wheel: TimerWheel;
}

/** What ends a piece of work from outside: the signal and the deadline of what it is done for. */
export interface WorkScope {
  /** Not aborted yet. */
  readonly signal: AbortSignal | undefined;
  /** Monotonic time; Infinity for none. */
  readonly deadlineMs: number;
}

/** What may end a call before its answer. */
export interface CallScopeInit {
  readonly kernel: CallKernel;
  readonly work: WorkScope;
  /** Upper bound on the whole call; none without it. */
  readonly timeoutMs: number | undefined;
  readonly cancelledError: () => Error;
  readonly timeoutError: () => Error;
}

/**
 * One call of a model from its first attempt to its last: whatever ends it early (the caller's signal, a deadline, the
 * end of the incarnation) aborts the provider's work and is what the caller sees, at once, whether or not the provider
 * listens.
 */
export class CallScope {
  readonly #init: CallScopeInit;
  readonly #controller = new AbortController();
  readonly #onAbort = (): void => this.end(this.#init.cancelledError());
  readonly #deadline: Alarm | undefined;
  readonly #deadlineMs: number;
  #error: Error | undefined;
  #rejectWait: ((error: Error) => void) | undefined;

  constructor(init: CallScopeInit) {
    this.#init = init;
    const { kernel, work, timeoutMs } = init;
    const ownDeadlineMs = kernel.system.monotonicMs() + (timeoutMs ?? Number.POSITIVE_INFINITY);
    this.#deadlineMs = Math.min(ownDeadlineMs, work.deadlineMs);
    work.signal?.addEventListener("abort", this.#onAbort, { once: true });
    if (timeoutMs === undefined) return;
    this.#deadline = new Alarm(() => this.end(init.timeoutError()));
    kernel.wheel.arm(this.#deadline, ownDeadlineMs);
  }

  /** Aborted when the call is over. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Milliseconds until the deadline of the whole call. */
  get remainingMs(): number {
    return this.#deadlineMs - this.#init.kernel.system.monotonicMs();
  }

  /**
   * Waits for a part of the provider's work.
   *
   * @param work What the provider does.
   * @param late Upper bound on this wait, and the error of its end.
   * @returns Its result.
   * @throws What it throws, or what ended the call first.
   */
  wait<Result>(
    work: PromiseLike<Result>,
    late: { readonly timeoutMs: number; readonly error: () => Error },
  ): Promise<Result> {
    const { kernel } = this.#init;
    const alarm = new Alarm(() => this.end(late.error()));
    return new Promise((resolve, reject) => {
      const over = (): void => {
        kernel.wheel.disarm(alarm);
        this.#rejectWait = undefined;
      };
      Promise.resolve(work).then(
        (result) => {
          // What came after the end is nobody's: the wait was settled then.
          if (this.#error === undefined) over();
          resolve(result);
        },
        (error: unknown) => {
          if (this.#error === undefined) over();
          reject(error);
        },
      );
      if (this.#error !== undefined) {
        reject(this.#error);
        return;
      }
      kernel.wheel.arm(alarm, kernel.system.monotonicMs() + late.timeoutMs);
      this.#rejectWait = (error) => {
        over();
        reject(error);
      };
    });
  }

  /** Lets time pass before a retry. */
  pause(delayMs: number): Promise<void> {
    const { system } = this.#init.kernel;
    return new Promise((resolve, reject) => {
      if (this.#error !== undefined) {
        reject(this.#error);
        return;
      }
      const timer = system.setTimer(delayMs, () => {
        this.#rejectWait = undefined;
        resolve();
      });
      this.#rejectWait = (error) => {
        system.clearTimer(timer);
        reject(error);
      };
    });
  }

  /** Ends the call: the caller gets the error, and the provider's signal is aborted. Only the first end counts. */
  end(error: Error): void {
    if (this.#error !== undefined) return;
    this.#error = error;
    const rejectWait = this.#rejectWait;
    this.#rejectWait = undefined;
    rejectWait?.(error);
    this.#controller.abort(error);
  }

  /** Lets go of the deadline and the caller's signal; aborts work that is still under way. Twice is harmless. */
  close(): void {
    if (this.#deadline !== undefined) this.#init.kernel.wheel.disarm(this.#deadline);
    this.#init.work.signal?.removeEventListener("abort", this.#onAbort);
    this.end(this.#init.cancelledError());
  }
}
