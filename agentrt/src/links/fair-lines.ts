import type { System, TimerHandle } from "../core/index.ts";
import type { StoredDelivery } from "./stored-topics.ts";

/** What all lines of a topic may have in work together; a message is one unit and one more for each so many bytes. */
const [unitCountMax, unitSizeBytes] = [2048, 32 * 1024];
/** A line has less in work than that part of what is free. */
const lineShare = 1 / 64;

/** What fair lines are made from. */
export interface FairLinesInit {
  readonly system: Pick<System, "setTimer" | "clearTimer">;
  /** Takes a message whose turn has come after a wait. */
  readonly serve: (delivery: OpenDelivery) => void;
}

/** A message in work: what becomes of it is said here. */
export type OpenDelivery = Omit<StoredDelivery, "park">;

/** A message of a line. */
interface Entry {
  /** In the order in which they came. */
  readonly number: number;
  readonly units: number;
  isOpen: boolean;
  /** Has its bytes read again; while it waits. */
  unpark: ReturnType<StoredDelivery["park"]> | undefined;
}

/** The messages of one key. */
interface Line {
  readonly name: string;
  openCount: number;
  openUnits: number;
  /** Those that wait, in their order. */
  readonly waiting: Entry[];
  /** Ends a rest after a message that could not be handled. */
  timer: TimerHandle | undefined;
}

/**
 * Messages of one topic that are for many keys: each key is a line, handled in its order. A line has no more in work than a small
 * part of what is free, so one that is suspended, or hundreds of them, leave room for the rest. What has no room waits in the
 * broker: this process keeps its number and no bytes. A message that could not be handled waits at the head of its line.
 *
 *     broker ─▶ enter ── room? ── yes ─▶ in work ── done ─▶ the next of its line
 *                          └─ no: parked, without its bytes  ◀── later
 */
export class FairLines {
  readonly #init: FairLinesInit;
  readonly #lines = new Map<string, Line>();
  /** Lines that have nothing in work, because there was no room at all. */
  readonly #starved = new Set<Line>();
  #freeUnits = unitCountMax;
  #count = 0;
  #isEnded = false;

  constructor(init: FairLinesInit) {
    this.#init = init;
  }

  /** @returns The message, when its turn is now; else it comes to `serve`. */
  enter(name: string, delivery: StoredDelivery): OpenDelivery | undefined {
    const line = this.#lineOf(name);
    this.#count += 1;
    const units = 1 + Math.floor(delivery.bytes.length / unitSizeBytes);
    const entry: Entry = { number: this.#count, units, isOpen: false, unpark: undefined };
    if (line.waiting.length === 0 && line.timer === undefined && this.#hasRoom(line)) {
      this.#open(line, entry);
      return this.#watched(line, entry, delivery);
    }
    entry.unpark = delivery.park();
    line.waiting.push(entry);
    this.#noteStarved(line);
    return undefined;
  }

  /** Nothing more is served. */
  end(): void {
    this.#isEnded = true;
    for (const { timer } of this.#lines.values())
      if (timer !== undefined) this.#init.system.clearTimer(timer);
    this.#lines.clear();
    this.#starved.clear();
  }

  #lineOf(name: string): Line {
    let line = this.#lines.get(name);
    if (line === undefined) {
      line = { name, openCount: 0, openUnits: 0, waiting: [], timer: undefined };
      this.#lines.set(name, line);
    }
    return line;
  }

  #hasRoom({ openUnits }: Line): boolean {
    return openUnits < this.#freeUnits * lineShare;
  }

  #open(line: Line, entry: Entry): void {
    entry.isOpen = true;
    line.openCount += 1;
    line.openUnits += entry.units;
    this.#freeUnits -= entry.units;
  }

  #close(line: Line, entry: Entry): void {
    entry.isOpen = false;
    line.openCount -= 1;
    line.openUnits -= entry.units;
    this.#freeUnits += entry.units;
  }

  #watched(line: Line, entry: Entry, delivery: StoredDelivery): OpenDelivery {
    const { bytes, beginCount } = delivery;
    return {
      bytes,
      beginCount,
      done: () => {
        if (!entry.isOpen) return;
        delivery.done();
        this.#leave(line, entry);
      },
      later: (delayMs) => {
        if (!entry.isOpen) return;
        if (this.#isEnded) delivery.later(delayMs);
        else this.#putBack(line, entry, { unpark: delivery.park(true), delayMs });
      },
    };
  }

  #putBack(
    line: Line,
    entry: Entry,
    { unpark, delayMs }: { readonly unpark: Entry["unpark"]; readonly delayMs: number },
  ): void {
    entry.unpark = unpark;
    const at = line.waiting.findIndex(({ number }) => number > entry.number);
    line.waiting.splice(at === -1 ? line.waiting.length : at, 0, entry);
    line.timer ??= this.#init.system.setTimer(delayMs, () => {
      line.timer = undefined;
      this.#serve(line);
    });
    this.#leave(line, entry);
  }

  /** It is not in work any more: the next ones have its room, of its own line first. */
  #leave(line: Line, entry: Entry): void {
    this.#close(line, entry);
    if (this.#isEnded) return;
    this.#serve(line);
    for (const each of this.#starved) {
      if (this.#freeUnits <= 0) return;
      this.#starved.delete(each);
      this.#serve(each);
    }
  }

  #serve(line: Line): void {
    const { waiting } = line;
    while (line.timer === undefined && this.#hasRoom(line)) {
      const entry = waiting.shift();
      if (entry === undefined) break;
      this.#open(line, entry);
      entry.unpark?.((delivery) => {
        if (delivery === undefined) this.#leave(line, entry);
        else this.#init.serve(this.#watched(line, entry, delivery));
      });
    }
    if (waiting.length > 0) this.#noteStarved(line);
    else if (line.openCount === 0 && line.timer === undefined) this.#lines.delete(line.name);
  }

  /** A line that has something in work is looked at when that ends. */
  #noteStarved(line: Line): void {
    if (line.openCount === 0 && line.timer === undefined) this.#starved.add(line);
  }
}
