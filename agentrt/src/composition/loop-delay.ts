import type { LoopDelay, LoopDelayWatch, System } from "../core/index.ts";
import type { LoopBlocks, LoopBlocksPictures } from "./loop-blocks.ts";

/** A picture covers at least so much, once the process is that old, and at most so much more than since the one before. */
const windowMs = 60_000;

/** The delay of the event loop over the last minute or more. */
export interface LoopDelayPicture extends LoopDelay, LoopBlocksPictures {
  /** How much time it covers. */
  readonly windowMs: number;
}

/** A span of time with what was measured in it. */
interface Window extends LoopDelay {
  readonly startedAtMs: number;
}

/** Measures the delay of the event loop all the time, so that a question gets the minute before. */
export class LoopDelayMeter {
  readonly #system: Pick<System, "monotonicMs">;
  readonly #watch: LoopDelayWatch;
  readonly #blocks: LoopBlocks | undefined;
  #startedAtMs: number;
  #before: Window | undefined;

  /** Begins to measure; `blocks` says when it was bad. */
  constructor(system: Pick<System, "monotonicMs">, watch: LoopDelayWatch, blocks?: LoopBlocks) {
    this.#system = system;
    this.#watch = watch;
    this.#blocks = blocks;
    this.#startedAtMs = system.monotonicMs();
  }

  /** @returns The delay of this window and the one before; then a new one begins, if this one is full. */
  read(): LoopDelayPicture {
    const nowMs = this.#system.monotonicMs();
    const current: Window = { startedAtMs: this.#startedAtMs, ...this.#watch.read() };
    const before = this.#before ?? current;
    if (nowMs - this.#startedAtMs >= windowMs) {
      this.#before = current;
      this.#startedAtMs = nowMs;
      this.#watch.reset();
    }
    const spanMs = nowMs - before.startedAtMs;
    return {
      p50Ms: Math.max(before.p50Ms, current.p50Ms),
      p99Ms: Math.max(before.p99Ms, current.p99Ms),
      maxMs: Math.max(before.maxMs, current.maxMs),
      windowMs: spanMs,
      ...this.#blocks?.read(),
    };
  }

  /** Ends the measure. */
  end(): void {
    this.#watch.end();
    this.#blocks?.end();
  }
}
