import { Alarm } from "./alarm.ts";
import type { Log, LogFields } from "./log.ts";
import type { System } from "./system.ts";
import type { TimerWheel } from "./timer-wheel.ts";

/** How long a burst is watched before its count is written. */
const windowMs = 5000;
/** Most bursts that are kept apart; beyond it the rest count as one. */
const burstCountMax = 1000;
/** Most bursts of one origin that are kept apart; beyond it the rest of that origin count as one. */
const burstCountMaxPerOrigin = 20;

/** Which lines belong to one burst. */
export interface BurstKey {
  /** What they say. */
  readonly kind: string;
  /** Who brings them about, for example a client's address: one that is noisy hides no other. Default nobody. */
  readonly origin?: string | undefined;
}

interface Burst {
  readonly origin: string | undefined;
  readonly level: "warn" | "error";
  readonly message: string;
  readonly alarm: Alarm;
  /** Of the latest that was not written. */
  fields: LogFields;
  heldBackCount: number;
}

/**
 * Warnings and errors that may come by the thousand: the first of a burst is written at once, the rest of it as one line with
 * their count every five seconds.
 */
export class BurstLog {
  readonly #log: Log;
  readonly #system: System;
  readonly #wheel: TimerWheel;
  readonly #bursts = new Map<string, Burst>();
  readonly #countByOrigin = new Map<string, number>();

  /**
   * @param log Where the lines go.
   * @param time Clock and timers.
   */
  constructor(log: Log, time: { readonly system: System; readonly wheel: TimerWheel }) {
    this.#log = log;
    this.#system = time.system;
    this.#wheel = time.wheel;
  }

  /**
   * Writes a warning, or counts it when one of its burst was written within five seconds.
   *
   * @param key Which warnings belong to one burst.
   * @param message The line.
   * @param fields Its fields; those of the latest are in the line with the count.
   */
  warn(key: BurstKey, message: string, fields: LogFields): void {
    this.#add(key, { level: "warn", message, fields });
  }

  /** Writes an error, as `warn` does a warning. */
  error(key: BurstKey, message: string, fields: LogFields): void {
    this.#add(key, { level: "error", message, fields });
  }

  #add(key: BurstKey, line: Pick<Burst, "level" | "message" | "fields">): void {
    const { level, message, fields } = line;
    const kept = this.#keptKey(key);
    const burst = this.#bursts.get(kept);
    if (burst !== undefined) {
      burst.heldBackCount += 1;
      burst.fields = fields;
      return;
    }
    this.#log[level](message, fields);
    const alarm = new Alarm(() => this.#windowOver(kept));
    const origin = kept === "" ? undefined : key.origin;
    this.#bursts.set(kept, { ...line, origin, alarm, heldBackCount: 0 });
    if (origin !== undefined) this.#countOrigin(origin, 1);
    this.#arm(alarm);
  }

  /** The burst itself, that of its whole origin, or that of all. */
  #keptKey({ kind, origin }: BurstKey): string {
    const own = origin === undefined ? kind : `${origin} ${kind}`;
    if (this.#bursts.has(own)) return own;
    const originCount = origin === undefined ? 0 : (this.#countByOrigin.get(origin) ?? 0);
    const kept = originCount < burstCountMaxPerOrigin ? own : `${origin} `;
    return this.#bursts.has(kept) || this.#bursts.size < burstCountMax ? kept : "";
  }

  #countOrigin(origin: string, change: 1 | -1): void {
    const count = (this.#countByOrigin.get(origin) ?? 0) + change;
    if (count === 0) this.#countByOrigin.delete(origin);
    else this.#countByOrigin.set(origin, count);
  }

  /** Writes the counts that were held back, and forgets all bursts. */
  flush(): void {
    for (const burst of this.#bursts.values()) {
      this.#wheel.disarm(burst.alarm);
      this.#write(burst);
    }
    this.#bursts.clear();
    this.#countByOrigin.clear();
  }

  #windowOver(key: string): void {
    const burst = this.#bursts.get(key);
    if (burst === undefined) return;
    if (burst.heldBackCount === 0) {
      this.#bursts.delete(key);
      if (burst.origin !== undefined) this.#countOrigin(burst.origin, -1);
      return;
    }
    this.#write(burst);
    burst.heldBackCount = 0;
    this.#arm(burst.alarm);
  }

  #write({ level, message, fields, heldBackCount }: Burst): void {
    if (heldBackCount === 0) return;
    this.#log[level](`${message}: more like the one before`, { ...fields, count: heldBackCount });
  }

  #arm(alarm: Alarm): void {
    this.#wheel.arm(alarm, this.#system.monotonicMs() + windowMs);
  }
}
