import type { System, TimerHandle } from "../core/index.ts";

/** Between two looks. */
const tickMs = 200;
/** A look that comes so late was held up by somebody who computed. */
const lateMsMin = 800;
/** Blocks that are kept; beyond it the oldest goes. */
const blockCountMax = 1000;

/** When the event loop was blocked. */
export interface LoopBlocksPicture {
  readonly count: number;
  /** When the first and the last of them ended: wall-clock milliseconds since the Unix epoch. */
  readonly firstMs: number;
  readonly lastMs: number;
}

/** Notes when the event loop was blocked for about a second or more. */
export class LoopBlocks {
  readonly #system: Pick<System, "monotonicMs" | "wallTimeMs" | "setTimer" | "clearTimer">;
  /** When each of them ended, on the monotonic clock. */
  readonly #endsMs: number[] = [];
  #timer: TimerHandle;

  /** Begins to look. */
  constructor(system: Pick<System, "monotonicMs" | "wallTimeMs" | "setTimer" | "clearTimer">) {
    this.#system = system;
    this.#timer = this.#arm();
  }

  /**
   * @param windowMs So far back.
   * @returns The blocks of that time; undefined for none.
   */
  read(windowMs: number): LoopBlocksPicture | undefined {
    const fromMs = this.#system.monotonicMs() - windowMs;
    const found = this.#endsMs.filter((atMs) => atMs >= fromMs);
    const [first] = found;
    const last = found.at(-1);
    if (first === undefined || last === undefined) return undefined;
    const wallMs = (atMs: number): number => this.#system.wallTimeMs(atMs);
    return { count: found.length, firstMs: wallMs(first), lastMs: wallMs(last) };
  }

  /** Ends it. */
  end(): void {
    this.#system.clearTimer(this.#timer);
  }

  #arm(): TimerHandle {
    const dueMs = this.#system.monotonicMs() + tickMs;
    return this.#system.setTimer(tickMs, () => {
      const nowMs = this.#system.monotonicMs();
      if (nowMs - dueMs >= lateMsMin) {
        this.#endsMs.push(nowMs);
        if (this.#endsMs.length > blockCountMax) this.#endsMs.shift();
      }
      this.#timer = this.#arm();
    });
  }
}
