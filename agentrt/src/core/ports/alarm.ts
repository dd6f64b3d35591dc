import { WheelEntry } from "./timer-wheel.ts";

/** A callback with a deadline. */
export class Alarm extends WheelEntry {
  readonly #onDue: () => void;

  constructor(onDue: () => void) {
    super();
    this.#onDue = onDue;
  }

  override onDue(): void {
    this.#onDue();
  }
}
