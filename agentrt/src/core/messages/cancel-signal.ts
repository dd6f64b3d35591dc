import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Says once that work is no longer wanted, over an `AbortSignal` that is created on first use. Its listeners run in the
 * async context of the code that used it first, so that a fault in a listener counts as a fault of that code.
 */
export class CancelSignal {
  #controller: AbortController | undefined;
  #runAsOwner: (<Result>(callback: () => Result) => Result) | undefined;
  #reason: Error | undefined;

  /** Aborted with the reason of `cancel`. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      this.#runAsOwner = AsyncLocalStorage.snapshot();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** The reason of `cancel`; undefined before. */
  get reason(): Error | undefined {
    return this.#reason;
  }

  /** Aborts the signal, also one that is asked for later. The first reason stays. */
  cancel(reason: Error): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    const controller = this.#controller;
    if (controller !== undefined) this.#runAsOwner?.(() => controller.abort(reason));
  }
}
