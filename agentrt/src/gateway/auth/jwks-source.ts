import type { System } from "../../core/index.ts";
import type { GatewayLog } from "../ports.ts";
import { candidatesOf, type FoundKeys, type KeySource, type VerificationKey } from "./key-set.ts";
import type { TokenHeader } from "./token-text.ts";

/** What a set of keys that lies elsewhere is read with. */
export interface JwksSourceOptions {
  /** Reads the whole set; rejects when it cannot be had. Ends in bounded time. */
  readonly load: () => Promise<readonly VerificationKey[]>;
  readonly system: System;
  readonly log: GatewayLog;
  /** Name of the gateway, for the log. */
  readonly node: string;
}

/** After this the set is read again, while the old one still serves. */
const freshMs = 600_000;
/** After this the old set serves no more: nobody knows whether its keys are still good. */
const usableMs = 3_600_000;
/** Between two reads of a set that lacks a token's key: a client that invents key ids causes one read in this time. */
const unknownKeyPauseMs = 30_000;
/** Between two reads of a set that could not be had. */
const failurePauseMs = 5_000;

/** A key set that lies elsewhere: read when it is needed, by one read at a time, and kept for a bounded time. */
export class JwksSource implements KeySource {
  readonly #options: JwksSourceOptions;
  #keys: readonly VerificationKey[] = [];
  #generation = 0;
  #loadedAtMs: number | undefined;
  #triedAtMs: number | undefined;
  #isFailing = false;
  #loading: Promise<void> | undefined;

  constructor(options: JwksSourceOptions) {
    this.#options = options;
  }

  get generation(): number {
    return this.#generation;
  }

  isCurrent(): boolean {
    return this.#ageMs() <= freshMs;
  }

  async find(header: TokenHeader): Promise<FoundKeys> {
    const ageMs = this.#ageMs();
    if (ageMs > freshMs && this.#mayTry(failurePauseMs)) {
      const loading = this.reload();
      if (ageMs > usableMs) await loading;
    } else if (ageMs > usableMs) {
      await this.#loading;
    }
    if (this.#ageMs() > usableMs) return "unavailable";
    const found = candidatesOf(this.#keys, header);
    if (found.length > 0) return found;
    if (this.#mayTry(this.#isFailing ? failurePauseMs : unknownKeyPauseMs)) await this.reload();
    else await this.#loading;
    return candidatesOf(this.#keys, header);
  }

  /**
   * Reads the set now, or waits for the read that is under way.
   *
   * @returns Settles, never rejects; a failure is logged and the old keys stay.
   */
  reload(): Promise<void> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #load(): Promise<void> {
    const { load, system, log, node } = this.#options;
    this.#triedAtMs = system.monotonicMs();
    try {
      const keys = await load();
      if (!isSameSet(keys, this.#keys)) {
        this.#keys = keys;
        this.#generation += 1;
      }
      this.#loadedAtMs = system.monotonicMs();
      this.#isFailing = false;
    } catch (error) {
      this.#isFailing = true;
      const reason = error instanceof Error ? error.message : String(error);
      log.warn(`Keys of tokens could not be read: ${reason}`, { node });
    }
  }

  #ageMs(): number {
    if (this.#loadedAtMs === undefined) return Infinity;
    return this.#options.system.monotonicMs() - this.#loadedAtMs;
  }

  #mayTry(pauseMs: number): boolean {
    if (this.#loading !== undefined) return false;
    if (this.#triedAtMs === undefined) return true;
    return this.#options.system.monotonicMs() - this.#triedAtMs >= pauseMs;
  }
}

function isSameSet(left: readonly VerificationKey[], right: readonly VerificationKey[]): boolean {
  return (
    left.length === right.length &&
    left.every((each, index) => {
      const other = right[index];
      return (
        other !== undefined &&
        each.keyId === other.keyId &&
        each.algorithm === other.algorithm &&
        each.key.equals(other.key)
      );
    })
  );
}
