import type { AuditEvent, AuditRefusal, JsonObject, System, TimerHandle } from "../core/index.ts";
import { timeText } from "./audit-line.ts";

const intervalMs = 10_000;
/** Kinds of refusals that are told apart in an interval; further ones are counted together. */
const kindCountMax = 200;
/** Clients that a record names. */
const clientCountMax = 5;
const others = "others";

interface Tally {
  readonly refusal: Omit<AuditRefusal, "client">;
  count: number;
  readonly clients: Set<string>;
  sinceMs: number;
}

/**
 * Counts refusals, so that nobody fills the log by being refused: the first of a kind is recorded at once, those that follow
 * within ten seconds together.
 */
export class SecurityTally {
  readonly #system: System;
  readonly #record: (event: AuditEvent) => void;
  readonly #tallies = new Map<string, Tally>();
  #timer: TimerHandle | undefined;

  /**
   * @param system Its clock and timers.
   * @param record Takes a record.
   */
  constructor(system: System, record: (event: AuditEvent) => void) {
    this.#system = system;
    this.#record = record;
  }

  /** Takes note of a refusal. */
  note({ client, ...refusal }: AuditRefusal): void {
    const { gateway, by, status, principal = "", details = {} } = refusal;
    const own = JSON.stringify([gateway, by, status, principal, details]);
    const known = this.#tallies.get(own);
    const isOther = known === undefined && this.#tallies.size >= kindCountMax;
    const key = isOther ? others : own;
    const found = known ?? this.#tallies.get(key);
    if (found === undefined) {
      const begun: AuditRefusal = isOther
        ? { gateway, by: others, status: 0, client }
        : { ...refusal, client };
      this.#tell(begun, { client });
      this.#tallies.set(key, { refusal: begun, count: 0, clients: new Set(), sinceMs: 0 });
      this.#timer ??= this.#system.setTimer(intervalMs, () => this.flush());
      return;
    }
    if (found.count === 0) found.sinceMs = this.#system.nowMs();
    found.count += 1;
    if (found.clients.size < clientCountMax) found.clients.add(client);
  }

  /** Records what was counted. */
  flush(): void {
    if (this.#timer !== undefined) this.#system.clearTimer(this.#timer);
    this.#timer = undefined;
    for (const [key, tally] of this.#tallies) {
      const { refusal, count, clients, sinceMs } = tally;
      // Of a kind that goes on, the next interval counts on: its first is not told again.
      if (count === 0) {
        this.#tallies.delete(key);
        continue;
      }
      this.#tell(refusal, { clients: [...clients], count, since: timeText(sinceMs) });
      tally.count = 0;
      clients.clear();
    }
    if (this.#tallies.size > 0) this.#timer = this.#system.setTimer(intervalMs, () => this.flush());
  }

  /** Records what was counted, and counts no more. */
  close(): void {
    this.flush();
    if (this.#timer !== undefined) this.#system.clearTimer(this.#timer);
    this.#timer = undefined;
    this.#tallies.clear();
  }

  #tell(refusal: Omit<AuditRefusal, "client">, counted: JsonObject): void {
    const { gateway, by, status, principal = "unauthenticated", details = {} } = refusal;
    const said = { gateway, by, status, principal, ...details, ...counted };
    this.#record({ event: "security.refuse", agent: null, details: said });
  }
}
