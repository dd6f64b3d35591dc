import type { Agent } from "../../agents/index.ts";
import { Alarm } from "../../ports/index.ts";
import type { StopOptions } from "../../tree/index.ts";
import { reasonOf } from "../../values/index.ts";
import { keyErrors } from "./errors.ts";
import { type KeyPlaces, roomCheckMs } from "./key-places.ts";
import type { KeyedHome } from "./keyed-home.ts";
import { isIdle, type KeyedSlot, type KeyStop } from "./keyed-slot.ts";

const softly: StopOptions = { deadlineMs: Number.POSITIVE_INFINITY, isFinal: false };

/**
 * How keys go: between two messages `onPassivate` runs and the state is saved; then the key stops and is forgotten. One
 * that cannot be saved stays. Whatever is asked of a key comes back as a step of its supervisor.
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

  /** Takes note that a key runs. */
  onStarted(slot: KeyedSlot): void {
    const { kernel, policy } = this.#home;
    slot.isSaved = false;
    slot.wakeAt(kernel.wheel, kernel.system.monotonicMs() + policy.idleMs);
    if (slot.stops.length > 0) this.passivate(slot);
    // After a crash it may have nothing to do, and others wait for a place.
    this.onIdle(slot);
  }

  /** Takes note that a key has nothing at hand. */
  onIdle(slot: KeyedSlot): void {
    slot.activeAtMs = this.#home.kernel.system.monotonicMs();
    if (this.#places().waitingCount > 0 && !slot.isPassivating) this.#places().admitLater();
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

  /** Asks a key to go: at its next message boundary, unless messages have come. */
  passivate(slot: KeyedSlot): void {
    slot.isPassivating = true;
    slot.askedAtMs = this.#home.kernel.system.monotonicMs();
    slot.driver.askToLeave((agent) => this.#leave(slot, agent));
  }

  /** Ends a key after its message at hand, idle or not; at its time-out in the middle of it. */
  stop(slot: KeyedSlot, stop: KeyStop): void {
    if (slot.job === undefined && slot.phase !== "up") return stop.onDown([]);
    const { wheel, system } = this.#home.kernel;
    const late = new Alarm(() => this.#home.later(() => this.#endLate(slot, timed)));
    const timed: KeyStop = {
      onDown: (lateNames) => {
        wheel.disarm(late);
        stop.onDown(lateNames);
      },
      onKept: (error) => {
        wheel.disarm(late);
        stop.onKept(error);
      },
    };
    slot.stops.push(timed);
    wheel.arm(late, system.monotonicMs() + slot.driver.shutdownTimeoutMs);
    if (slot.phase === "up" && slot.job === undefined && !slot.isPassivating) this.passivate(slot);
  }

  /** Answers those who asked that a key stops. */
  answer(slot: KeyedSlot, lateNames: readonly string[]): void {
    for (const { onDown } of slot.stops.splice(0)) onDown(lateNames);
  }

  async #leave(slot: KeyedSlot, agent: Agent): Promise<void> {
    const { driver, epoch } = slot;
    const mayGo = (): boolean => slot.stops.length > 0 || !driver.hasNext;
    // It took too long and was crashed for it, or was stopped: there may be another object of the key.
    const isGone = (): boolean => slot.epoch !== epoch || !driver.isRunning;
    let isSaved = false;
    if (mayGo()) {
      try {
        await agent.onPassivate();
      } catch (error) {
        if (!isGone()) this.#keep(slot, `onPassivate failed: ${reasonOf(error)}`);
        throw error;
      }
      if (isGone()) return;
      const error = await this.#save(slot, agent);
      if (isGone()) return;
      isSaved = error === undefined;
      if (error !== undefined) this.#refused(slot, error);
    }
    if (!mayGo() || !isSaved) {
      slot.isPassivating = false;
      // Not at once again: the store needs time.
      slot.staysUntilMs = this.#home.kernel.system.monotonicMs() + roomCheckMs;
      return;
    }
    slot.isSaved = true;
    // Asked for in the same turn as the look at the mailbox: no message is handled in between.
    void driver.stop(softly);
    this.#home.later(() => this.#end(slot));
  }

  /** Takes note that the store refuses the state of a key: it stays, and those who want it to stop hear of it. */
  #refused(slot: KeyedSlot, error: unknown): void {
    const otherwise = "it stays, and is tried again";
    const fields = { agent: slot.driver.name, otherwise, error };
    this.#home.kernel.log.warn("a state could not be saved", fields);
    this.#keep(slot, reasonOf(error));
  }

  #keep(slot: KeyedSlot, reason: string): void {
    const error = new keyErrors.NOT_SAVED({ agent: slot.driver.name, reason });
    for (const { onKept } of slot.stops.splice(0)) onKept(error);
  }

  /** @returns What the store refuses with. */
  async #save({ driver }: KeyedSlot, agent: Agent): Promise<unknown> {
    try {
      if (Object.keys(agent.state).length > 0) await driver.checkpoints.write(agent.state);
      else await driver.checkpoints.discard();
      return undefined;
    } catch (error) {
      return error;
    }
  }

  /** Stops a key in the middle of what it does, because that takes too long. */
  #endLate(slot: KeyedSlot, stop: KeyStop): void {
    if (!slot.stops.includes(stop)) return;
    // One that waits for its restart is down.
    if (slot.job === undefined && slot.phase !== "up") return this.answer(slot, []);
    this.#end(slot, { ...softly, deadlineMs: this.#home.kernel.system.monotonicMs() });
  }

  /** Stops a key that runs and is in no other job. */
  #end(slot: KeyedSlot, stopOptions = softly): void {
    if (slot.job !== undefined || slot.phase !== "up") return;
    const onDone = (lateNames: readonly string[]): void => this.#ended(slot, lateNames);
    this.#home.begin({ kind: "stopChild", lane: slot, stops: [slot], stopOptions, onDone });
  }

  #ended(slot: KeyedSlot, lateNames: readonly string[]): void {
    slot.isPassivating = false;
    this.answer(slot, lateNames);
    const { driver } = slot;
    if (driver.hasNext) {
      // They came while it ended: it keeps its place.
      this.#home.begin({ kind: "spawn", lane: slot, starts: [slot] });
      return;
    }
    if (driver.hasWork) {
      // It waits until the key, or the whole, is suspended no more, and needs no place.
      this.#places().leave(slot);
      this.#places().seek(slot);
    } else this.#home.forget(slot);
    this.#places().admit();
  }

  /** Saves at a stop of the whole what passivation would have saved. */
  async beforeStop(slot: KeyedSlot, agent: Agent): Promise<void> {
    if (slot.isSaved) return;
    const { epoch } = slot;
    await agent.onPassivate();
    // It took too long, and was not waited for: there may be another object of the key.
    if (slot.epoch !== epoch || !this.#home.has(slot)) return;
    const error = await this.#save(slot, agent);
    slot.isSaved = error === undefined;
    if (slot.isSaved) return;
    const otherwise = "it ends: what changed since the state was last saved is lost";
    const fields = { agent: slot.driver.name, otherwise, error };
    this.#home.kernel.log.error("a state could not be saved", fields);
  }
}
