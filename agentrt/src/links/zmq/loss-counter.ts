import type { System, TimerHandle } from "../../core/index.ts";

/** Messages that a link has lost, as far as that is known. */
export interface Losses {
  /** Accepted, and not sent before the broker went. */
  readonly unsentCount: number;
  /** Of another process, and not come though later ones of it have. */
  readonly missingCount: number;
}

/** How often it tells at most, milliseconds. */
const tellIntervalMs = 1000;

/** Counts what is lost, and tells it: the first at once, what follows together. */
export class LossCounter {
  readonly #system: Pick<System, "setTimer" | "clearTimer">;
  readonly #tell: (losses: Losses) => void;
  #totals: Losses = { unsentCount: 0, missingCount: 0 };
  #told: Losses = this.#totals;
  #timer: TimerHandle | undefined;

  constructor(system: Pick<System, "setTimer" | "clearTimer">, tell: (losses: Losses) => void) {
    this.#system = system;
    this.#tell = tell;
  }

  /** Since the link was made. */
  get totals(): Losses {
    return this.#totals;
  }

  /** Counts some more. */
  add({ unsentCount = 0, missingCount = 0 }: Partial<Losses>): void {
    if (unsentCount === 0 && missingCount === 0) return;
    this.#totals = {
      unsentCount: this.#totals.unsentCount + unsentCount,
      missingCount: this.#totals.missingCount + missingCount,
    };
    if (this.#timer === undefined) this.#tellNow();
  }

  /** Tells what is left to tell. */
  end(): void {
    if (this.#timer !== undefined) this.#system.clearTimer(this.#timer);
    this.#timer = undefined;
    this.#tellDifference();
  }

  #tellNow(): void {
    this.#tellDifference();
    this.#timer = this.#system.setTimer(tellIntervalMs, () => {
      this.#timer = undefined;
      if (this.#totals !== this.#told) this.#tellNow();
    });
  }

  #tellDifference(): void {
    const { unsentCount, missingCount } = this.#totals;
    const told = this.#told;
    if (this.#totals === told) return;
    this.#told = this.#totals;
    this.#tell({
      unsentCount: unsentCount - told.unsentCount,
      missingCount: missingCount - told.missingCount,
    });
  }
}
