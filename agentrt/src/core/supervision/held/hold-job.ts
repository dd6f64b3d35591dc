import { supervisionErrors } from "../../errors.ts";
import { Job, type Lane, type Slot } from "../supervisor-job.ts";

/** A step of a hold that is under way. */
interface Step {
  readonly onDone: (lateNames: readonly string[]) => void;
  readonly onFailed: (error: unknown) => void;
}

/** Holds a lane until it is released: one who asked for it takes its steps, and waits for each. */
export class HoldJob extends Job {
  isReleased = false;
  readonly #supervisor: string;
  readonly #steps = new Map<Slot, Step>();

  /**
   * @param lane The lane that it holds.
   * @param supervisor For the error.
   */
  constructor(lane: Lane, supervisor: string) {
    super({ kind: "change", lane, waiters: [() => this.#end()] });
    this.#supervisor = supervisor;
    // Its own place: so it is not done when nothing of it is under way.
    this.openCount = 1;
  }

  /**
   * Takes a step and waits for its end.
   *
   * @param slot The child that is stopped or started.
   * @param take Begins it.
   * @returns The names of the agents that did not stop in time.
   */
  step(slot: Slot, take: () => void): Promise<readonly string[]> {
    return new Promise((onDone, onFailed) => {
      this.#steps.set(slot, { onDone, onFailed });
      take();
    });
  }

  override onSlotDown(slot: Slot, lateNames: readonly string[]): void {
    this.#take(slot)?.onDone(lateNames);
  }

  override onSlotUp(slot: Slot): void {
    this.#take(slot)?.onDone([]);
  }

  override onSlotFailed(slot: Slot, error: unknown): boolean {
    this.#take(slot)?.onFailed(error);
    return true;
  }

  /** What is asked of it, or under way, once a stop has taken its lane. */
  lostError(): Error {
    return new supervisionErrors.HOLD_LOST({ supervisor: this.#supervisor });
  }

  #take(slot: Slot): Step | undefined {
    const step = this.#steps.get(slot);
    this.#steps.delete(slot);
    return step;
  }

  #end(): void {
    const open = [...this.#steps.values()];
    this.#steps.clear();
    for (const { onFailed } of open) onFailed(this.lostError());
  }
}
