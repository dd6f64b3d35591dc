import { createRealSystem } from "../../core/index.ts";

/** Turns that are asked of Node together: it looks for timers and sockets of the real world once for all of them. */
const turnCountMax = 64;

/** Turns that were asked for together, and how many of them will still be used. */
interface Series {
  usedCount: number;
}

/**
 * Turns of the real event loop. Before each, promises have done all they have to do, and Node has reported the rejections
 * that nobody handled. A turn costs calls of the operating system; while somebody says when other code waits for one, too,
 * many are asked for together, which cost as much as one.
 */
class RealTurns {
  readonly #real = createRealSystem();
  readonly #waiting: (() => void)[] = [];
  /** Those that were asked for, have not come and will be used. */
  #comingCount = 0;
  #series: Series = { usedCount: 0 };
  #isAsking = false;
  #watcherCount = 0;

  /** Runs a callback in the next turn. */
  wait(callback: () => void): void {
    this.#waiting.push(callback);
    if (this.#comingCount >= this.#waiting.length) return;
    this.#ask(this.#watcherCount > 0 ? turnCountMax : 1);
  }

  /**
   * From now on somebody calls `otherWaits` whenever code asks Node for a turn.
   *
   * @returns Takes that back.
   */
  watched(): () => void {
    this.#watcherCount += 1;
    return () => {
      this.#watcherCount -= 1;
      this.#giveUpRest();
    };
  }

  /** Code asks Node for a turn: it comes after what waits here now, and before what does not wait yet. */
  otherWaits(): void {
    if (!this.#isAsking) this.#giveUpRest();
  }

  #giveUpRest(): void {
    const restCount = this.#comingCount - this.#waiting.length;
    this.#comingCount -= restCount;
    this.#series.usedCount -= restCount;
  }

  #ask(count: number): void {
    const series: Series = { usedCount: count };
    this.#series = series;
    this.#comingCount += count;
    this.#isAsking = true;
    for (let asked = 0; asked < count; asked += 1) this.#real.yieldTurn(() => this.#serve(series));
    this.#isAsking = false;
  }

  #serve(series: Series): void {
    if (series.usedCount === 0) return;
    series.usedCount -= 1;
    this.#comingCount -= 1;
    this.#waiting.shift()?.();
  }
}

/** The turns of this process, or of this thread: it has one event loop. */
export const realTurns = new RealTurns();
