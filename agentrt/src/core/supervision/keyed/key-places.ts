import { failExpired, failUnwanted } from "../../incarnations/index.ts";
import { messageInternals } from "../../messages/index.ts";
import { Alarm } from "../../ports/index.ts";
import { RingBuffer } from "../../values/index.ts";
import type { KeyedHome } from "./keyed-home.ts";
import { isIdle, type KeyedSlot } from "./keyed-slot.ts";

/** How often keys that wait in line look for room, besides when a key comes to rest. */
export const roomCheckMs = 100;

/** Who has one of the places of a keyed agent, and who waits in line for one. */
export class KeyPlaces {
  readonly #home: KeyedHome;
  readonly #askToGo: (slot: KeyedSlot) => void;
  /** Those with a place, the least recently used first. */
  readonly #residents = new Map<string, KeyedSlot>();
  /** Those that wait in line. */
  readonly #line = new RingBuffer<KeyedSlot>();
  /** Those whose messages wait until they, or the whole, are suspended no more. */
  readonly #held = new Set<KeyedSlot>();
  /** Looks again for a key that can go, while others wait in line. */
  readonly #roomAlarm = new Alarm(() => this.admitLater());
  #isToAdmit = false;

  /**
   * @param home The keyed agent.
   * @param askToGo Asks an idle key to leave its place.
   */
  constructor(home: KeyedHome, askToGo: (slot: KeyedSlot) => void) {
    this.#home = home;
    this.#askToGo = askToGo;
  }

  /** Keys that have a place. */
  get residentCount(): number {
    return this.#residents.size;
  }

  /** Keys that wait for one. */
  get waitingCount(): number {
    return this.#line.length + this.#held.size;
  }

  /** Looks whether no more keys may wait. Those in front that nobody waits for any more make room. */
  isFull(): boolean {
    const { residentCountMax, waitingCountMax } = this.#home.policy;
    if (this.waitingCount >= waitingCountMax) this.#dropUnwanted();
    const freeCount = Math.max(0, residentCountMax - this.#residents.size);
    return this.waitingCount >= waitingCountMax + freeCount;
  }

  /** Takes note that a key is used. */
  touch(slot: KeyedSlot): void {
    if (!slot.isResident) return;
    this.#residents.delete(slot.key);
    this.#residents.set(slot.key, slot);
  }

  /** Puts a key at the end of the line, unless it has a place, is in line, or has nothing to do. */
  seek(slot: KeyedSlot): void {
    if (slot.isResident) return;
    if (slot.isWaiting && !(this.#held.has(slot) && slot.driver.hasNext)) return;
    this.#held.delete(slot);
    slot.isWaiting = true;
    this.#line.push(slot);
    this.admitLater();
  }

  /** Gives places in the supervisor's next turn. */
  admitLater(): void {
    if (this.#isToAdmit) return;
    this.#isToAdmit = true;
    this.#home.later(() => {
      this.#isToAdmit = false;
      this.admit();
    });
  }

  /** Gives places to those that wait in line, as long as there are some. */
  admit(): void {
    if (!this.#home.isRunning) return;
    const { residentCountMax } = this.#home.policy;
    for (;;) {
      const slot = this.#first();
      if (slot === undefined) return;
      if (this.#residents.size >= residentCountMax) {
        this.#makeRoom();
        return;
      }
      this.#line.shift();
      slot.isWaiting = false;
      slot.isResident = true;
      this.#residents.set(slot.key, slot);
      this.#home.begin({ kind: "spawn", lane: slot, starts: [slot] });
    }
  }

  /** @returns The first in line that has something to do, after those are gone whose callers have all left. */
  #first(): KeyedSlot | undefined {
    for (;;) {
      const slot = this.#line.peek();
      if (slot === undefined) return undefined;
      const isWanted = this.#home.has(slot) && this.#hasWork(slot);
      if (isWanted && slot.driver.hasNext) return slot;
      this.#line.shift();
      if (isWanted) this.#held.add(slot);
      else {
        slot.isWaiting = false;
        this.#home.forget(slot);
      }
    }
  }

  #dropUnwanted(): void {
    this.#first();
    for (const slot of this.#held) {
      if (this.#hasWork(slot)) return;
      this.#home.forget(slot);
    }
  }

  /** The whole is suspended no more: those that it held back come before the others. */
  release(): void {
    const later = this.#line.toArray();
    this.#line.clear();
    for (const slot of [...this.#held, ...later]) this.#line.push(slot);
    this.#held.clear();
    this.admitLater();
  }

  /** Drops the messages in front that nobody waits for any more. @returns Whether there is something else to do. */
  #hasWork({ driver }: KeyedSlot): boolean {
    const { kernel } = this.#home;
    const nowMs = kernel.system.monotonicMs();
    for (;;) {
      const message = driver.mailbox.takeUnwanted(nowMs);
      if (message === undefined) return driver.hasWork;
      if (!messageInternals.isWanted(message)) failUnwanted(kernel, message);
      else failExpired(kernel, message, driver.name);
    }
  }

  /**
   * Asks as many idle keys to go as there are in line, the least recently used first. One that takes long, because the
   * store does, is not counted on: another one is asked as well.
   */
  #makeRoom(): void {
    const { wheel, system } = this.#home.kernel;
    const nowMs = system.monotonicMs();
    let wantedCount = this.#line.length;
    for (const slot of this.#residents.values()) {
      if (isIdle(slot) && nowMs >= slot.staysUntilMs) this.#askToGo(slot);
      if (slot.isPassivating && nowMs < slot.askedAtMs + roomCheckMs) wantedCount -= 1;
      if (wantedCount <= 0) break;
    }
    // A key may come to rest in a way that nobody hears of, and the store may refuse to save one that was asked to go.
    wheel.disarm(this.#roomAlarm);
    wheel.arm(this.#roomAlarm, nowMs + roomCheckMs);
  }

  /** Takes the place of a key, if it has one. */
  leave(slot: KeyedSlot): void {
    if (this.#held.delete(slot)) slot.isWaiting = false;
    slot.isResident = false;
    this.#residents.delete(slot.key);
    this.#home.kernel.wheel.disarm(slot.idleAlarm);
  }

  /** Looks for room no longer: all keys are stopped now. */
  close(): void {
    this.#home.kernel.wheel.disarm(this.#roomAlarm);
    for (const slot of this.#residents.values()) slot.isPassivating = false;
  }

  /** Takes all places. */
  clear(): void {
    for (const slot of this.#residents.values()) this.leave(slot);
  }
}
