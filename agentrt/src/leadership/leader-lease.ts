import {
  type JsonObject,
  type Log,
  reasonOf,
  type System,
  type TimerHandle,
} from "../core/index.ts";
import { leadershipErrors } from "./errors.ts";
import type { CellEntry, LeaseCell } from "./lease-cell.ts";

/** How often a leader renews its lease, and others look at it, milliseconds. */
export const renewIntervalMs = 1000;
/** How long a lease stays as it is before others may take it, milliseconds. */
export const leaseMs = 3000;
/** How long after a renewal began its leader is certain to be one, milliseconds: always less than others wait. */
export const heldMs = 2500;
/** How long it waits after a renewal that failed, milliseconds. */
const retryMs = 250;

/** Who has a lease, for people. */
export interface LeaseHolder {
  /** Id of the process, new at each start. */
  readonly processId: string;
  readonly host: string;
  readonly pid: number;
}

/** What a lease is made from. */
export interface LeaderLeaseInit {
  readonly cell: LeaseCell;
  readonly system: System;
  readonly log: Log;
  readonly holder: LeaseHolder;
  /** What the next leader is to know: asked at each renewal. Default nothing. */
  readonly legacy?: (() => JsonObject) | undefined;
  /** Called while it waits, once for each process that leads. */
  readonly onWaiting?: ((leader: LeaseHolder) => void) | undefined;
}

/** What a leader left. */
export interface Legacy {
  readonly value: JsonObject;
  /** How long ago it was written, at least, milliseconds. */
  readonly ageMs: number;
}

/**
 * Which of several processes leads. The leader renews its lease each second; a process that sees no renewal for three seconds
 * takes it over. No clocks are compared: a process that waits measures from when it has seen a renewal, and the leader from before
 * it asked for one, and is certain of its lead for half a second less. A leader that is not certain may still be one, where nobody
 * took over: it goes on with the next renewal.
 */
export class LeaderLease {
  readonly #init: LeaderLeaseInit;
  readonly #lost = Promise.withResolvers<void>();
  /** Settles with the next renewal. */
  #held = Promise.withResolvers<boolean>();
  /** True when it was said that nobody knows who leads. */
  #isDoubted = false;
  #heldUntilMs = Number.NEGATIVE_INFINITY;
  #revision = 0;
  #term = 0;
  #timer: TimerHandle | undefined;
  #isEnded = false;
  #legacy: Legacy | undefined;
  #seen: { readonly revision: number; readonly atMs: number } | undefined;
  #wake: (() => void) | undefined;

  constructor(init: LeaderLeaseInit) {
    this.#init = init;
  }

  /** True while this process leads. It is asked before each thing that only a leader may do. */
  get isHeld(): boolean {
    return !this.#isEnded && this.#init.system.monotonicMs() < this.#heldUntilMs;
  }

  /** @returns True as soon as this process leads for certain; false when it does not any more. */
  async whenHeld(): Promise<boolean> {
    while (!this.isHeld && !this.#isEnded) await this.#held.promise;
    return !this.#isEnded;
  }

  /** What the leader before this one left; undefined where there was none, or this process does not lead. */
  get legacy(): Legacy | undefined {
    return this.#legacy;
  }

  /** Number of this lead, above those of all before it; 0 before it leads. */
  get term(): number {
    return this.#term;
  }

  /** Settles when this process led, and does not any more. */
  get lost(): Promise<void> {
    return this.#lost.promise;
  }

  /**
   * Waits until this process leads.
   *
   * @returns True when it does; false after `release`.
   * @throws AGENTRT_LEADER_UNUSABLE where the cell cannot be used. While it does not answer it is asked again.
   */
  async acquire(): Promise<boolean> {
    const { log } = this.#init;
    let hasRead = false;
    let told = "";
    while (!this.#isEnded) {
      try {
        const entry = await this.#init.cell.read();
        hasRead = true;
        const holder = entry === undefined ? undefined : holderIn(entry);
        if (this.#isFree(entry, holder) && (await this.#take(entry))) return true;
        if (holder !== undefined && holder.processId !== told) {
          told = holder.processId;
          this.#init.onWaiting?.(holder);
          log.info(
            "another supervisor of this topology leads: this one waits, and takes over when it is gone",
            {
              host: holder.host,
              pid: holder.pid,
            },
          );
        }
      } catch (error) {
        if (!hasRead && error instanceof leadershipErrors.UNUSABLE) throw error;
        log.warn("it is not known who leads; it is asked again", { reason: reasonOf(error) });
      }
      await this.#rest();
    }
    return false;
  }

  /** Ends it: a process that waits takes over at once. */
  async release(): Promise<void> {
    const wasHeld = this.isHeld;
    this.#end();
    if (wasHeld)
      await this.#init.cell.write(this.#text(nobody), this.#revision).catch((error: unknown) =>
        this.#init.log.warn("the lead could not be given up; it ends by itself", {
          reason: reasonOf(error),
        }),
      );
    await this.#init.cell.close();
  }

  #isFree(entry: CellEntry | undefined, holder: LeaseHolder | undefined): boolean {
    if (entry === undefined || holder === undefined) return true;
    const nowMs = this.#init.system.monotonicMs();
    if (this.#seen?.revision !== entry.revision)
      this.#seen = { revision: entry.revision, atMs: nowMs };
    return nowMs - this.#seen.atMs >= leaseMs;
  }

  async #take(entry: CellEntry | undefined): Promise<boolean> {
    const beganMs = this.#init.system.monotonicMs();
    const revision = await this.#init.cell.write(this.#text(), entry?.revision ?? 0);
    if (revision === undefined) return false;
    this.#term = revision;
    this.#legacy = entry && this.#legacyIn(entry);
    this.#hold(revision, beganMs);
    return true;
  }

  #hold(revision: number, beganMs: number): void {
    this.#revision = revision;
    this.#heldUntilMs = beganMs + heldMs;
    // A renewal that took longer than it holds makes nobody certain: the next one is due.
    if (!this.isHeld) {
      this.#tellDoubt("a renewal took too long");
      this.#renewLater(retryMs);
      return;
    }
    if (this.#isDoubted) this.#init.log.info("this supervisor still leads");
    this.#isDoubted = false;
    this.#held.resolve(true);
    this.#held = Promise.withResolvers();
    this.#renewLater(renewIntervalMs);
  }

  #renewLater(delayMs: number): void {
    const { system } = this.#init;
    if (this.#timer !== undefined) system.clearTimer(this.#timer);
    this.#timer = system.setTimer(delayMs, () => void this.#renew());
  }

  async #renew(): Promise<void> {
    const { system, cell } = this.#init;
    const beganMs = system.monotonicMs();
    try {
      const revision =
        (await cell.write(this.#text(), this.#revision)) ?? (await this.#ownIn(cell));
      if (this.#isEnded) return;
      if (revision === undefined) this.#lose();
      else this.#hold(revision, beganMs);
    } catch (error) {
      if (this.#isEnded) return;
      this.#tellDoubt(reasonOf(error));
      this.#renewLater(retryMs);
    }
  }

  /** Nobody may have taken the lead: then this process goes on to lead as soon as it can renew it. */
  #tellDoubt(reason: string): void {
    if (this.isHeld || this.#isDoubted) return;
    this.#isDoubted = true;
    this.#init.log.warn(
      "it is not known whether this supervisor still leads: it saves nothing until it is",
      { reason },
    );
  }

  /** A write whose answer was lost may have gone well. */
  async #ownIn(cell: LeaseCell): Promise<number | undefined> {
    const entry = await cell.read();
    const isOwn = entry !== undefined && holderIn(entry)?.processId === this.#init.holder.processId;
    return isOwn ? entry.revision : undefined;
  }

  #lose(): void {
    this.#init.log.error("another supervisor leads by now: this one ends");
    this.#end();
    this.#lost.resolve();
  }

  #end(): void {
    this.#isEnded = true;
    if (this.#timer !== undefined) this.#init.system.clearTimer(this.#timer);
    this.#wake?.();
    this.#held.resolve(false);
  }

  async #rest(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    if (this.#isEnded) return;
    this.#timer = this.#init.system.setTimer(renewIntervalMs, resolve);
    await promise;
  }

  #text(holder = this.#init.holder): string {
    return JSON.stringify({ ...holder, legacy: this.#init.legacy?.() ?? {} });
  }

  #legacyIn({ text, revision }: CellEntry): Legacy {
    const { legacy = {} } = JSON.parse(text) as { readonly legacy?: JsonObject };
    const nowMs = this.#init.system.monotonicMs();
    const atMs = this.#seen?.revision === revision ? this.#seen.atMs : nowMs;
    return { value: legacy, ageMs: nowMs - atMs };
  }
}

/** Whose lease one is that was given up. */
const nobody: LeaseHolder = { processId: "", host: "", pid: 0 };

/** @returns Who has it; undefined for nobody. */
function holderIn({ text }: CellEntry): LeaseHolder | undefined {
  const { processId = "", host = "", pid = 0 } = JSON.parse(text) as Partial<LeaseHolder>;
  return processId === "" ? undefined : { processId, host, pid };
}
