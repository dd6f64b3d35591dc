import { monitorEventLoopDelay } from "node:perf_hooks";
import { IdSequence } from "../values/index.ts";

/** A pending timer. Opaque: only the `System` that made it can clear it. */
export type TimerHandle = { readonly timer: unknown };

/** How late the event loop was, milliseconds: half of the time at most `p50Ms`, nearly always at most `p99Ms`. */
export interface LoopDelay {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** A measure of the event loop that goes on. */
export interface LoopDelayWatch {
  /** @returns The delay since the beginning, or since `reset`. */
  read(): LoopDelay;
  /** Begins again. */
  reset(): void;
  /** Ends the measure. */
  end(): void;
}

/**
 * The only way to the world's clock, timers, randomness and ids. The real one is `createRealSystem`; the
 * virtual one of `agentrt/testing` makes a run repeatable from a seed.
 */
export interface System {
  /** Wall clock, milliseconds since the Unix epoch. */
  nowMs(): number;
  /** Monotonic clock in milliseconds, with fractions; only differences mean something. */
  monotonicMs(): number;
  /** Wall-clock time that belongs to a monotonic reading: one clock read then serves both uses. */
  wallTimeMs(monotonicMs: number): number;
  /** Calls `callback` once after `delayMs` (0 or more). */
  setTimer(delayMs: number, callback: () => void): TimerHandle;
  /** Cancels a timer; one that fired or was cleared is ignored. */
  clearTimer(handle: TimerHandle): void;
  /** Runs `callback` in a later turn of the event loop, so timers and sockets are served in between. */
  yieldTurn(callback: () => void): void;
  /** A number in [0, 1). */
  random(): number;
  /** A new UUIDv7 with dashes (RFC 9562 section 5.7). */
  nextId(): string;
  /** 32 lower-case hexadecimal digits, never all zero (W3C Trace Context). */
  nextTraceId(): string;
  /** 16 lower-case hexadecimal digits, never all zero (W3C Trace Context). */
  nextSpanId(): string;
  /** Begins to measure how late the event loop is; without this method nobody knows. */
  watchLoopDelay?(): LoopDelayWatch;
  /** Numbers from which messages derive their ids when somebody reads them. */
  readonly ids: IdSequence;
}

// The wall offset is read anew this often, so a corrected wall clock is followed.
const readsPerWallRead = 1024;
// How often the delay of the event loop is looked at.
const loopResolutionMs = 20;

/** The real world: Node's clocks, timers and randomness. */
class RealSystem implements System {
  readonly ids: IdSequence;
  #wallOffsetMs = 0;
  #readCount = 0;

  constructor() {
    const words = new Uint32Array(4);
    globalThis.crypto.getRandomValues(words);
    this.ids = new IdSequence(words);
    this.#wallOffsetMs = Date.now() - performance.now();
  }

  nowMs(): number {
    return Date.now();
  }

  monotonicMs(): number {
    const nowMs = performance.now();
    this.#readCount += 1;
    if (this.#readCount >= readsPerWallRead) {
      this.#readCount = 0;
      this.#wallOffsetMs = Date.now() - nowMs;
    }
    return nowMs;
  }

  wallTimeMs(monotonicMs: number): number {
    return Math.floor(this.#wallOffsetMs + monotonicMs);
  }

  setTimer(delayMs: number, callback: () => void): TimerHandle {
    return { timer: setTimeout(callback, delayMs) };
  }

  clearTimer(handle: TimerHandle): void {
    clearTimeout(handle.timer as NodeJS.Timeout);
  }

  yieldTurn(callback: () => void): void {
    setImmediate(callback);
  }

  random(): number {
    return Math.random();
  }

  nextId(): string {
    return this.ids.messageId(this.ids.next(), Date.now());
  }

  nextTraceId(): string {
    return this.ids.traceId(this.ids.next());
  }

  nextSpanId(): string {
    return this.ids.spanId(this.ids.next());
  }

  watchLoopDelay(): LoopDelayWatch {
    const histogram = monitorEventLoopDelay({ resolution: loopResolutionMs });
    histogram.enable();
    // What is measured is the time between two timers: their own distance is no delay.
    const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - loopResolutionMs);
    return {
      read: () => {
        if (histogram.count === 0) return { p50Ms: 0, p99Ms: 0, maxMs: 0 };
        return {
          p50Ms: late(histogram.percentile(50)),
          p99Ms: late(histogram.percentile(99)),
          maxMs: late(histogram.max),
        };
      },
      reset: () => histogram.reset(),
      end: () => void histogram.disable(),
    };
  }
}

/**
 * Makes the `System` of a production run.
 *
 * @returns A system over Node's own clock, timers and random source.
 */
export function createRealSystem(): System {
  return new RealSystem();
}
