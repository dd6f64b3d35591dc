import { Alarm, type TimerWheel } from "../../ports/index.ts";
import type { RestartWindow } from "../restart-window.ts";
import type { KeyAgent } from "./key-agent.ts";
import type { Job, JobWaiter, Lane, Slot } from "../supervisor-job.ts";

/** Why a key is left alone for a time. */
export interface KeyFailure {
  readonly reason: string;
  /** Monotonic time at which it may start again. */
  readonly untilMs: number;
}

/** Who asked that a key stops, and waits for it. */
export interface KeyStop {
  /** It is down, with the names of the agents that did not stop in time. */
  readonly onDown: JobWaiter;
  /** It stays. */
  readonly onKept: (error: Error) => void;
}

/** What a slot tells its supervisor. */
export interface KeyedSlotOwner {
  onIdleDue(slot: KeyedSlot): void;
}

/** One key, as its supervisor sees it. It is a separate lane: nothing of it waits for other keys. */
export class KeyedSlot implements Slot, Lane {
  readonly key: string;
  readonly driver: KeyAgent;
  readonly index = 0;
  readonly lane: Lane = this;
  job: Job | undefined = undefined;
  epoch = 0;
  storeFaultCount = 0;
  phase: Slot["phase"] = "down";
  /** It has one of the places; without one its messages wait. */
  isResident = false;
  /** It waits in the line for a place. */
  isWaiting = false;
  /** It is asked to go. */
  isPassivating = false;
  /** Monotonic time at which it was asked to go last. */
  askedAtMs = 0;
  /** Those who asked that it stops: it goes though messages wait. */
  stops: KeyStop[] = [];
  /** Its state is saved and nothing is handled any more. */
  isSaved = false;
  /** Present while it is left alone. */
  failure: KeyFailure | undefined = undefined;
  /** Made with the first crash: most keys have none. */
  window: RestartWindow | undefined = undefined;
  /** Monotonic time of its last message, or of the end of its handling. */
  activeAtMs = 0;
  /** Monotonic time before which it is not asked to go for another: it was, and could not be saved. */
  staysUntilMs = 0;
  readonly idleAlarm: Alarm;

  constructor(driver: KeyAgent, owner: KeyedSlotOwner) {
    this.key = driver.key;
    this.driver = driver;
    this.idleAlarm = new Alarm(() => owner.onIdleDue(this));
  }

  /** Has its owner look at it at that monotonic time, and no earlier. */
  wakeAt(wheel: TimerWheel, dueMs: number): void {
    wheel.disarm(this.idleAlarm);
    wheel.arm(this.idleAlarm, dueMs);
  }
}

/** @returns True when nothing is to be done for a key, and it may be asked to go. */
export function isIdle({ phase, job, driver, isPassivating }: KeyedSlot): boolean {
  return phase === "up" && job === undefined && driver.isAtRest && !isPassivating;
}
