/** An answer that takes long is asked for less often: at most a twentieth of the time is spent on it. */
const shareOfTime = 20;
const longestPauseMs = 30_000;

/** From a wish for another question to the question: what changes meanwhile is in it, too. */
const soonMs = 200;

/** What a poller needs. */
export interface PollerParts {
  /** The least pause between an answer and the next question, milliseconds. */
  readonly everyMs: number;
  /** Asks, and keeps the answer; it never rejects. */
  readonly ask: () => Promise<void>;
  /** Says whether somebody sees the page; nothing is asked for those who do not. */
  readonly isSeen: () => boolean;
  readonly clock: PollerClock;
}

/** The time, and what is done later. */
export interface PollerClock {
  /** Milliseconds from any moment on. */
  readonly nowMs: () => number;
  /** @returns Gives it up. */
  readonly after: (delayMs: number, run: () => void) => () => void;
}

/** Decides when something is asked again: one question at a time, each of which is answered before the next. */
export class Poller {
  readonly #parts: PollerParts;
  #isAsking = false;
  #isEnded = false;
  #wish: "now" | "soon" | undefined;
  /** When the pause is over that the latest answer cost. */
  #restedMs = 0;
  #giveUp: () => void = () => undefined;

  constructor(parts: PollerParts) {
    this.#parts = parts;
  }

  /** Asks at once, or right after the answer that is waited for. */
  askNow(): void {
    this.#wish = "now";
    this.#plan();
  }

  /** Asks soon, and not more often than answers that take long allow. */
  askSoon(): void {
    // A second wish must not put off what the first one brings.
    if (this.#wish !== undefined) return;
    this.#wish = "soon";
    this.#plan();
  }

  /** Asks nothing any more. */
  end(): void {
    this.#isEnded = true;
    this.#giveUp();
  }

  #plan(): void {
    if (this.#isAsking || this.#isEnded) return;
    this.#giveUp();
    const { clock, isSeen } = this.#parts;
    if (this.#wish !== "now" && !isSeen()) return;
    this.#giveUp = clock.after(this.#pauseMs(), () => void this.#turn());
  }

  #pauseMs(): number {
    if (this.#wish === "now") return 0;
    const leastMs = this.#wish === "soon" ? soonMs : this.#parts.everyMs;
    return Math.max(leastMs, this.#restedMs - this.#parts.clock.nowMs());
  }

  async #turn(): Promise<void> {
    const { ask, clock } = this.#parts;
    const begunMs = clock.nowMs();
    this.#isAsking = true;
    this.#wish = undefined;
    await ask();
    this.#isAsking = false;
    const endedMs = clock.nowMs();
    this.#restedMs = endedMs + Math.min(longestPauseMs, shareOfTime * (endedMs - begunMs));
    this.#plan();
  }
}
