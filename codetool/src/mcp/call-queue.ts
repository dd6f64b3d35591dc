/** A call that waits for its turn. */
interface Waiting {
  readonly isAlone: boolean;
  readonly begin: () => void;
}

/** Calls that run at once, and that wait, of all clients. */
const runningCountMax = 8;
const waitingCountMax = 1000;

/** The JSON-RPC error of a request that there is no room for. */
export const isFullCode = -32_000;

/** There is no room for another call. */
class QueueFull extends Error {
  readonly code = isFullCode;
}

/** Lets some calls run at once, in the order in which they came; one that writes runs while no other does. */
export class CallQueue {
  readonly #waiting: Waiting[] = [];
  #runningCount = 0;
  #isOneAlone = false;
  #whenIdle: (() => void) | undefined;

  /** Resolves when no call runs. */
  async whenIdle(): Promise<void> {
    if (this.#runningCount === 0) return;
    const idle = Promise.withResolvers<void>();
    this.#whenIdle = idle.resolve;
    await idle.promise;
  }

  /**
   * Runs a call when it is its turn.
   *
   * @param call.isAlone True for one that may write.
   * @param call.signal Aborted when nobody wants the answer any more: a call that waits then never begins.
   * @throws QueueFull; the signal's reason; what the work throws.
   */
  async run<Result>(
    call: { readonly isAlone: boolean; readonly signal: AbortSignal },
    work: () => Promise<Result>,
  ): Promise<Result> {
    await this.#turn(call);
    try {
      return await work();
    } finally {
      this.#runningCount -= 1;
      this.#isOneAlone = false;
      this.#beginNext();
      if (this.#runningCount === 0) this.#whenIdle?.();
    }
  }

  async #turn({
    isAlone,
    signal,
  }: {
    readonly isAlone: boolean;
    readonly signal: AbortSignal;
  }): Promise<void> {
    signal.throwIfAborted();
    if (this.#waiting.length === 0 && this.#mayBegin(isAlone)) {
      this.#begin(isAlone);
      return;
    }
    if (this.#waiting.length >= waitingCountMax)
      throw new QueueFull(`${waitingCountMax} calls wait already: try again later`);
    const turn = Promise.withResolvers<void>();
    const waiting: Waiting = { isAlone, begin: turn.resolve };
    const leave = (): void => {
      const at = this.#waiting.indexOf(waiting);
      if (at < 0) return;
      this.#waiting.splice(at, 1);
      turn.reject(signal.reason);
      this.#beginNext();
    };
    signal.addEventListener("abort", leave, { once: true });
    this.#waiting.push(waiting);
    await turn.promise.finally(() => signal.removeEventListener("abort", leave));
  }

  #mayBegin(isAlone: boolean): boolean {
    if (this.#isOneAlone) return false;
    return isAlone ? this.#runningCount === 0 : this.#runningCount < runningCountMax;
  }

  #begin(isAlone: boolean): void {
    this.#runningCount += 1;
    this.#isOneAlone = isAlone;
  }

  #beginNext(): void {
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined || !this.#mayBegin(next.isAlone)) return;
      this.#waiting.shift();
      this.#begin(next.isAlone);
      next.begin();
    }
  }
}
