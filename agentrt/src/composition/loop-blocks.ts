import type { System, TimerHandle } from "../core/index.ts";

/** Between two looks. */
const tickMs = 200;
/** A look that comes so late was held up. */
const lateMsMin = 800;
/** Who ran for less than that meanwhile has computed nothing; on a busy machine one that computes runs for a tenth of the time. */
const ranMsMax = 200;
/** Blocks that are kept; beyond it the oldest goes. */
const blockCountMax = 1000;
/** How far back blocks count. */
const windowMs = 120_000;

/** When the event loop was held up in the last two minutes. */
export interface LoopBlocksPicture {
  readonly count: number;
  /** When the first and the last of them ended: wall-clock milliseconds since the Unix epoch. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** How long the longest of them was. */
  readonly maxMs: number;
}

/** By what it was held up; undefined for never. */
export interface LoopBlocksPictures {
  /** Somebody computed, or waited in one call. */
  readonly blocked?: LoopBlocksPicture;
  /** The machine gave the process no processor for nearly all of the time. */
  readonly starved?: LoopBlocksPicture;
}

interface Block {
  /** On the monotonic clock. */
  readonly endMs: number;
  readonly lateMs: number;
  readonly isStarved: boolean;
}

/** Notes when the event loop was held up for about a second or more. */
export class LoopBlocks {
  readonly #system: Pick<System, "monotonicMs" | "wallTimeMs" | "setTimer" | "clearTimer">;
  readonly #waitMs: () => number | undefined;
  readonly #blocks: Block[] = [];
  #timer: TimerHandle;

  /**
   * Begins to look.
   *
   * @param system Whose clock counts.
   * @param waitMs For how long the process got no processor, since some moment; undefined where nobody knows.
   */
  constructor(
    system: Pick<System, "monotonicMs" | "wallTimeMs" | "setTimer" | "clearTimer">,
    waitMs: () => number | undefined,
  ) {
    this.#system = system;
    this.#waitMs = waitMs;
    this.#timer = this.#arm();
  }

  /** @returns The blocks of the last two minutes. */
  read(): LoopBlocksPictures {
    const fromMs = this.#system.monotonicMs() - windowMs;
    const found = this.#blocks.filter(({ endMs }) => endMs >= fromMs);
    const blocked = this.#picture(found.filter(({ isStarved }) => !isStarved));
    const starved = this.#picture(found.filter(({ isStarved }) => isStarved));
    return {
      ...(blocked === undefined ? {} : { blocked }),
      ...(starved === undefined ? {} : { starved }),
    };
  }

  /** Ends it. */
  end(): void {
    this.#system.clearTimer(this.#timer);
  }

  #picture(blocks: readonly Block[]): LoopBlocksPicture | undefined {
    const [first] = blocks;
    const last = blocks.at(-1);
    if (first === undefined || last === undefined) return undefined;
    return {
      count: blocks.length,
      firstMs: this.#system.wallTimeMs(first.endMs),
      lastMs: this.#system.wallTimeMs(last.endMs),
      maxMs: Math.max(...blocks.map(({ lateMs }) => lateMs)),
    };
  }

  #arm(): TimerHandle {
    const dueMs = this.#system.monotonicMs() + tickMs;
    const waitedBeforeMs = this.#waitMs();
    return this.#system.setTimer(tickMs, () => {
      const endMs = this.#system.monotonicMs();
      const lateMs = endMs - dueMs;
      if (lateMs >= lateMsMin) {
        const waitedMs = (this.#waitMs() ?? 0) - (waitedBeforeMs ?? 0);
        this.#blocks.push({ endMs, lateMs, isStarved: lateMs - waitedMs < ranMsMax });
        if (this.#blocks.length > blockCountMax) this.#blocks.shift();
      }
      this.#timer = this.#arm();
    });
  }
}
