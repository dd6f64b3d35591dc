import process from "node:process";
import { IdSequence, type Scheduler, type System, type TimerHandle } from "../core/index.ts";
import { SeededRandom } from "./seeded-random.ts";
import { realTurns, SeededScheduler, TimerHeap } from "./turns/index.ts";
import { RepeatableWorld } from "./world/index.ts";

/** What a virtual clock begins with. */
export interface VirtualClockOptions {
  /** Decides randomness, ids and the interleaving of mailboxes; default 1. */
  readonly seed?: number | undefined;
  /** Wall-clock time at the beginning; default 2025-01-01T00:00:00Z. */
  readonly startMs?: number | undefined;
}

interface VirtualTimer extends TimerHandle {
  readonly dueMs: number;
  readonly order: number;
  readonly callback: () => void;
  isPending: boolean;
}

const defaultStartMs = Date.UTC(2025, 0, 1);
// More messages than this without time passing: two mailboxes feed each other for ever.
const defaultStepCountMax = 1_000_000;

/**
 * A `System` whose time passes only on request, and whose randomness, ids and interleaving come from a seed.
 * Mailboxes are served by themselves; only timers wait for `advance`.
 *
 * @example
 * const clock = new VirtualClock({ seed: 7 });
 * const runtime = new Runtime({ supervision, system: clock, scheduler: clock.scheduler });
 * await runtime.start();
 * await clock.advance(60_000);
 */
export class VirtualClock implements System {
  /** Serves one mailbox at a time, chosen by the seed: hand it to the runtime together with the clock. */
  readonly scheduler: Scheduler;
  readonly ids: IdSequence;
  /** What the code that this clock runs sees of the process: the clock's time, and chance from the seed. */
  readonly world: RepeatableWorld;
  readonly #scheduler: SeededScheduler;
  readonly #random: SeededRandom;
  readonly #startMs: number;
  #elapsedMs = 0;
  readonly #timers = new TimerHeap<VirtualTimer>();
  #setCount = 0;

  constructor(options: VirtualClockOptions = {}) {
    const seed = options.seed ?? 1;
    this.#startMs = options.startMs ?? defaultStartMs;
    this.#random = new SeededRandom(seed, 1);
    const idRandom = new SeededRandom(seed, 2);
    this.ids = new IdSequence(Uint32Array.from({ length: 4 }, () => idRandom.nextWord()));
    this.world = new RepeatableWorld({
      seed,
      nowMs: () => this.nowMs(),
      monotonicMs: () => this.monotonicMs(),
    });
    this.#scheduler = new SeededScheduler(new SeededRandom(seed, 3), (callback) =>
      afterMicrotasks(() => this.world.run(callback)),
    );
    this.scheduler = this.#scheduler;
  }

  nowMs(): number {
    return this.#startMs + this.#elapsedMs;
  }

  monotonicMs(): number {
    return this.#elapsedMs;
  }

  wallTimeMs(monotonicMs: number): number {
    return this.#startMs + monotonicMs;
  }

  setTimer(delayMs: number, callback: () => void): TimerHandle {
    this.#setCount += 1;
    const timer: VirtualTimer = {
      timer: undefined,
      dueMs: this.#elapsedMs + Math.max(0, delayMs),
      order: this.#setCount,
      callback,
      isPending: true,
    };
    this.#timers.add(timer);
    return timer;
  }

  clearTimer(handle: TimerHandle): void {
    this.#timers.giveUp(handle as VirtualTimer);
  }

  yieldTurn(callback: () => void): void {
    this.#scheduler.ready({ name: "turn", run: callback });
  }

  random(): number {
    return this.#random.next();
  }

  nextId(): string {
    return this.ids.messageId(this.ids.next(), this.nowMs());
  }

  nextTraceId(): string {
    return this.ids.traceId(this.ids.next());
  }

  nextSpanId(): string {
    return this.ids.spanId(this.ids.next());
  }

  /** Timers that wait. */
  get timerCount(): number {
    return this.#timers.pendingCount;
  }

  /**
   * Lets time pass. Timers fire in order of their time, then of their setting; after each, all mailboxes are served
   * until nothing is left to do.
   *
   * @param durationMs 0 or more; what is not such a number throws a RangeError.
   */
  async advance(durationMs: number): Promise<void> {
    if (!(durationMs >= 0 && durationMs < Number.POSITIVE_INFINITY)) {
      throw new RangeError(`Cannot advance the clock by ${durationMs} ms: want 0 or more`);
    }
    const targetMs = this.#elapsedMs + durationMs;
    await this.runUntilIdle();
    while (await this.fireNextTimer(targetMs));
    this.#elapsedMs = targetMs;
  }

  /** Lets time pass until the next timer has fired and all mailboxes are served. */
  async advanceToNextTimer(): Promise<void> {
    await this.runUntilIdle();
    await this.fireNextTimer();
  }

  /**
   * Fires the timer that is due first, without serving mailboxes before it: for loops that have just done so.
   *
   * @param untilMs Monotonic time after which a timer is left alone; default none is.
   * @returns False when no timer was due.
   */
  async fireNextTimer(untilMs: number = Number.POSITIVE_INFINITY): Promise<boolean> {
    const timer = this.#timers.peek();
    if (timer === undefined || timer.dueMs > untilMs) return false;
    this.#timers.take();
    this.#elapsedMs = Math.max(this.#elapsedMs, timer.dueMs);
    this.world.run(timer.callback);
    await this.runUntilIdle();
    return true;
  }

  /**
   * Lets time pass, timer by timer, until a promise is settled or no timer is left.
   *
   * @param pending What the tree will settle.
   */
  async settle(pending: Promise<unknown>): Promise<void> {
    const isSettled = watchSettled(pending);
    await this.runUntilIdle();
    while (!isSettled() && (await this.fireNextTimer()));
  }

  /**
   * Serves mailboxes until nothing is left to do but wait for timers.
   *
   * @param options.stepCountMax Most messages that are served; default 1_000_000.
   * @throws When mailboxes feed each other without end.
   */
  async runUntilIdle(options: { readonly stepCountMax?: number } = {}): Promise<void> {
    const stepCountMax = options.stepCountMax ?? defaultStepCountMax;
    const lastStep = this.#scheduler.stepCount + stepCountMax;
    do {
      const isOver = await new Promise<boolean>((resolve) => {
        const limit = this.#scheduler.limitAt(lastStep, () => resolve(true));
        // Before it comes, promises and the mailboxes that they fill have nothing left to do, and Node has reported the
        // rejections that nobody handled: they crash their agent.
        realTurns.wait(() => {
          this.#scheduler.dropLimit(limit);
          resolve(false);
        });
      });
      if (isOver) {
        throw new Error(`Cannot run until idle: ${stepCountMax} messages and still more to do`);
      }
    } while (!this.#scheduler.isIdle);
  }
}

/**
 * Watches a promise, and takes its rejection for handled.
 *
 * @returns Says whether it is settled.
 */
export function watchSettled(pending: Promise<unknown>): () => boolean {
  let isSettled = false;
  const settle = (): void => {
    isSettled = true;
  };
  pending.then(settle, settle);
  return () => isSettled;
}

const settled = Promise.resolve();

/** Runs a callback when no promise has anything left to do: far cheaper than a turn of the real event loop. */
function afterMicrotasks(callback: () => void): void {
  // From inside a microtask, Node serves its tick queue only after the last microtask.
  void settled.then(() => process.nextTick(callback));
}
