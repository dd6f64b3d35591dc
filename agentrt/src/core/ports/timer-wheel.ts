import { timeoutMsMax } from "../values/index.ts";
import type { System, TimerHandle } from "./system.ts";

const slotCount = 512;
const slotMask = slotCount - 1;
const tickMs = 10;
/** Deadlines that are compared to find the next one. */
const lookedAtCountMax = 64;

/** Something with a deadline. Linked into the wheel by its own fields, so arming one allocates nothing. */
export abstract class WheelEntry {
  /** Neighbours in the slot's ring; `undefined` while the entry is not armed. Only the wheel touches these. */
  previousEntry: WheelEntry | undefined = undefined;
  nextEntry: WheelEntry | undefined = undefined;
  dueTick = 0;

  /** Called once when the deadline has passed. */
  abstract onDue(): void;
}

class SlotHead extends WheelEntry {
  constructor() {
    super();
    this.previousEntry = this;
    this.nextEntry = this;
  }

  override onDue(): void {
    throw new Error("a slot head has no deadline");
  }
}

/**
 * All deadlines of a runtime on one `System` timer, with a resolution of 10 ms: an entry is never due early and at
 * most one tick late. Arming and disarming are a few pointer writes; the timer sleeps until
 * the next deadline, or where there are many, at most until the next entry's slot.
 */
export class TimerWheel {
  readonly #system: System;
  /** Each is made with the first entry that it holds. */
  readonly #slots: (SlotHead | undefined)[] = Array.from({ length: slotCount });
  readonly #startMs: number;
  #timer: TimerHandle | undefined;
  #timerTick = Number.POSITIVE_INFINITY;
  #servedTick = 0;
  #entryCount = 0;
  #isClosed = false;

  constructor(system: System) {
    this.#system = system;
    this.#startMs = system.monotonicMs();
  }

  /** Number of armed entries. */
  get entryCount(): number {
    return this.#entryCount;
  }

  /**
   * Arms an entry, which must not be armed.
   *
   * @param entry The thing with a deadline.
   * @param deadlineMs Monotonic time at which it becomes due.
   */
  arm(entry: WheelEntry, deadlineMs: number): void {
    const tick = Math.ceil((deadlineMs - this.#startMs) / tickMs);
    const dueTick = tick > this.#servedTick ? tick : this.#servedTick + 1;
    const head = (this.#slots[dueTick & slotMask] ??= new SlotHead());
    const last = head.previousEntry as WheelEntry;
    entry.dueTick = dueTick;
    entry.previousEntry = last;
    entry.nextEntry = head;
    last.nextEntry = entry;
    head.previousEntry = entry;
    this.#entryCount += 1;
    if (dueTick < this.#timerTick && !this.#isClosed) this.#setTimer(dueTick);
  }

  /**
   * Disarms an entry; one that is not armed is ignored.
   *
   * @param entry The thing with a deadline.
   */
  disarm(entry: WheelEntry): void {
    const next = entry.nextEntry;
    const previous = entry.previousEntry;
    if (next === undefined || previous === undefined) return;
    previous.nextEntry = next;
    next.previousEntry = previous;
    entry.nextEntry = undefined;
    entry.previousEntry = undefined;
    this.#entryCount -= 1;
  }

  /** Clears the underlying timer; entries armed before or after never become due. */
  close(): void {
    this.#isClosed = true;
    if (this.#timer !== undefined) this.#system.clearTimer(this.#timer);
    this.#timer = undefined;
    this.#timerTick = Number.POSITIVE_INFINITY;
  }

  #setTimer(tick: number): void {
    if (this.#timer !== undefined) this.#system.clearTimer(this.#timer);
    this.#timerTick = tick;
    const delayMs = this.#startMs + tick * tickMs - this.#system.monotonicMs();
    const sleepMs = Math.min(Math.max(0, Math.ceil(delayMs)), timeoutMsMax);
    this.#timer = this.#system.setTimer(sleepMs, () => this.#serve());
  }

  #serve(): void {
    this.#timer = undefined;
    this.#timerTick = Number.POSITIVE_INFINITY;
    const nowTick = Math.floor((this.#system.monotonicMs() - this.#startMs) / tickMs);
    // A long sleep needs one look at each slot, not one for each tick that went by.
    const firstTick = Math.max(this.#servedTick + 1, nowTick - slotMask);
    this.#servedTick = Math.max(this.#servedTick, nowTick);
    for (let tick = firstTick; tick <= nowTick; tick += 1) {
      const head = this.#slots[tick & slotMask];
      if (head !== undefined) this.#serveSlot(head, nowTick);
    }
    if (this.#entryCount > 0) this.#sleep(nowTick);
  }

  #serveSlot(head: SlotHead, nowTick: number): void {
    if (head.nextEntry === head) return;
    // Collected first: onDue may arm and disarm entries of any slot.
    const due: WheelEntry[] = [];
    for (let entry = head.nextEntry as WheelEntry; entry !== head;) {
      if (entry.dueTick <= nowTick) due.push(entry);
      entry = entry.nextEntry as WheelEntry;
    }
    for (const entry of due) {
      if (entry.nextEntry === undefined || entry.dueTick > nowTick) continue;
      this.disarm(entry);
      entry.onDue();
    }
  }

  #sleep(nowTick: number): void {
    const tick = this.#wakeTick(nowTick);
    if (tick < this.#timerTick) this.#setTimer(tick);
  }

  /** The next deadline; where many entries would have to be looked at, the next slot that holds any. */
  #wakeTick(nowTick: number): number {
    let takenTick: number | undefined;
    let dueTick = Number.POSITIVE_INFINITY;
    let lookedAtCount = 0;
    for (let tick = nowTick + 1; tick <= nowTick + slotCount && dueTick >= tick; tick += 1) {
      const head = this.#slots[tick & slotMask];
      if (head === undefined) continue;
      for (let entry = head.nextEntry as WheelEntry; entry !== head;) {
        takenTick ??= tick;
        lookedAtCount += 1;
        if (lookedAtCount > lookedAtCountMax) return takenTick;
        if (entry.dueTick < dueTick) dueTick = entry.dueTick;
        entry = entry.nextEntry as WheelEntry;
      }
    }
    return dueTick;
  }
}
