import type { Agent } from "../../agents/index.ts";
import type { StopOptions } from "../../tree/index.ts";
import type { JobWaiter } from "../supervisor-job.ts";
import { type KeyPlaces, roomCheckMs } from "./key-places.ts";
import type { KeyedHome } from "./keyed-home.ts";
import { isIdle, type KeyedSlot } from "./keyed-slot.ts";

const softly: StopOptions = { deadlineMs: Number.POSITIVE_INFINITY, isFinal: false };

/**
 * How keys go when they are not needed: `onPassivate`, their state is saved, they stop, they are forgotten. Whatever is
 * asked of a key comes back as a step of its supervisor.
 */
export class KeyPassivation {
  readonly #home: KeyedHome;
  readonly #places: () => KeyPlaces;

  /**
   * @param home The keyed agent.
   * @param places Those of its keys.
   */
  constructor(home: KeyedHome, places: () => KeyPlaces) {
    this.#home = home;
    this.#places = places;
  }

  /** Takes note that a key has nothing at hand. */
  onIdle(slot: KeyedSlot): void {
    slot.activeAtMs = this.#home.kernel.system.monotonicMs();
    if (slot.isPassivating && slot.driver.isSuspended) {
      this.#home.later(() => this.#askAgain(slot));
    } else if (this.#places().waitingCount > 0 && !slot.isPassivating) {
      this.#places().admitLater();
    }
  }

  /** Looks whether a key has been idle for its time. */
  onIdleDue(slot: KeyedSlot): void {
    if (!slot.isResident) return;
    const { kernel, policy } = this.#home;
    const { idleMs } = policy;
    const nowMs = kernel.system.monotonicMs();
    const dueMs = slot.activeAtMs + idleMs;
    if (nowMs >= dueMs && isIdle(slot)) this.passivate(slot);
    slot.wakeAt(kernel.wheel, nowMs >= dueMs ? nowMs + idleMs : dueMs);
  }

  /** Asks a key to go: at its next message boundary it saves its state and ends, unless messages have come. */
  passivate(slot: KeyedSlot): void {
    slot.isPassivating = true;
    const { driver } = slot;
    // A suspended one hears of nothing: it is saved at its end.
    if (driver.isSuspended) this.end(slot);
    else driver.notify((agent) => this.#leave(slot, agent));
  }

  /** A key that was suspended before it heard that it is to go: it gets no notices now. */
  #askAgain(slot: KeyedSlot): void {
    if (!this.#home.has(slot) || slot.job !== undefined) return;
    if (!slot.isPassivating || !slot.driver.isSuspended) return;
    slot.isPassivating = false;
    if (isIdle(slot)) this.passivate(slot);
    else this.#places().admit();
  }

  async #leave(slot: KeyedSlot, agent: Agent): Promise<void> {
    const { driver, epoch } = slot;
    const isWanted = (): boolean => driver.mailbox.hasMessages;
    // It took too long and was crashed for it, or was stopped: there may be another object of the key.
    const isGone = (): boolean => slot.epoch !== epoch || !driver.isRunning;
    let isSaved = false;
    if (!isWanted()) {
      await agent.onPassivate();
      if (isGone()) return;
      isSaved = await this.#save(slot, agent);
      if (isGone()) return;
    }
    if (isWanted() || !isSaved) {
      slot.isPassivating = false;
      // Not at once again: the store needs time.
      slot.staysUntilMs = this.#home.kernel.system.monotonicMs() + roomCheckMs;
      return;
    }
    slot.isSaved = true;
    // Asked for in the same turn as the look at the mailbox: no message is handled in between.
    void driver.stop(softly);
    this.#home.later(() => this.end(slot));
  }

  /** @returns False when the store refuses: then the key stays. */
  async #save({ driver }: KeyedSlot, agent: Agent): Promise<boolean> {
    try {
      if (Object.keys(agent.state).length > 0) await driver.checkpoints.write(agent.state);
      else await driver.checkpoints.discard();
      return true;
    } catch (error) {
      const otherwise = "it stays, and is tried again";
      const fields = { agent: driver.name, otherwise, error };
      this.#home.kernel.log.warn("a state could not be saved", fields);
      return false;
    }
  }

  /** Stops a key that runs and is in no other job, and calls back when it is down. */
  end(slot: KeyedSlot, onEnded?: JobWaiter): void {
    if (slot.job !== undefined || slot.phase !== "up") return onEnded?.([]);
    this.#home.begin({
      kind: "stopChild",
      lane: slot,
      stops: [slot],
      stopOptions: softly,
      ...(onEnded === undefined ? {} : { waiters: [onEnded] }),
      onDone: () => this.#passivated(slot),
    });
  }

  #passivated(slot: KeyedSlot): void {
    slot.isPassivating = false;
    if (slot.driver.mailbox.hasMessages) {
      // They came while it ended: it keeps its place.
      this.#home.begin({ kind: "spawn", lane: slot, starts: [slot] });
      return;
    }
    this.#home.forget(slot);
    this.#places().admit();
  }

  /** Saves at a stop of the whole what passivation would have saved. */
  async beforeStop(slot: KeyedSlot, agent: Agent): Promise<void> {
    if (slot.isSaved) return;
    const { epoch } = slot;
    await agent.onPassivate();
    // It took too long, and was not waited for: there may be another object of the key.
    if (slot.epoch !== epoch || !this.#home.has(slot)) return;
    slot.isSaved = await this.#save(slot, agent);
  }
}
