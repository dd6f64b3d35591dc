import { circuitErrors } from "./errors.ts";
import { circuitDefaults, type CircuitBreakerPolicy, type TargetKind } from "./policies.ts";
import { RollingWindow } from "./rolling-window.ts";

/**
 * `closed`: calls go through. `open`: they are refused. `halfOpen`: some go through, to see whether the target works
 * again.
 */
export type CircuitState = "closed" | "open" | "halfOpen";

/** What came of a call: `neutral` says nothing about the target, as when its caller left. */
export type CallOutcome = "success" | "failure" | "neutral";

/** A circuit at one moment. */
export interface CircuitSnapshot {
  readonly kind: TargetKind;
  /** Name of the target. */
  readonly name: string;
  readonly state: CircuitState;
  /** Calls within the window, and how many of them failed. */
  readonly callCount: number;
  readonly failureCount: number;
  /** Calls that were refused since the start. */
  readonly refusedCount: number;
  /** How often it has opened since the start. */
  readonly openedCount: number;
  /** Until some calls go through; 0 unless it is open. */
  readonly retryAfterMs: number;
}

/** That a circuit has another state. */
export interface CircuitChange {
  readonly kind: TargetKind;
  readonly name: string;
  readonly state: CircuitState;
  /** Calls within the window when it opened, and how many of them failed. */
  readonly callCount: number;
  readonly failureCount: number;
  /** How long it stays open; 0 unless it opened. */
  readonly openMs: number;
}

/** What a breaker is made from. */
export interface CircuitBreakerInit {
  readonly kind: TargetKind;
  readonly name: string;
  readonly policy: CircuitBreakerPolicy;
  readonly clock: { monotonicMs(): number };
  /** Called once for each change of its state. Must not throw. */
  readonly onChange: (change: CircuitChange) => void;
}

/** The leave to make one call. */
export interface CallPermit {
  /** Says what came of the call; only the first time counts. */
  settle(outcome: CallOutcome): void;
}

/** A policy whose gaps are filled. */
type CircuitSettings = { readonly [Name in keyof CircuitBreakerPolicy]-?: number };

function settingsOf({
  failureRate = circuitDefaults.failureRate,
  callCountMin = circuitDefaults.callCountMin,
  windowMs = circuitDefaults.windowMs,
  openMs = circuitDefaults.openMs,
  probeCount = circuitDefaults.probeCount,
  slowCallMs = Number.POSITIVE_INFINITY,
}: CircuitBreakerPolicy): CircuitSettings {
  return { failureRate, callCountMin, windowMs, openMs, probeCount, slowCallMs };
}

/** Refused because others try already: how long until a caller should come again, at most. */
const probesBusyMs = 1000;
/** A probe that takes longer is given up: longer than the longest time-out of models and tools. */
const probeLostMs = 600_000;

/**
 * Counts the calls of one target and refuses them while too many fail. Nothing in it waits: it looks at the clock when
 * it is asked. A probe that never ends is given up some time, so that none can keep the circuit half-open.
 */
export class CircuitBreaker {
  readonly #init: CircuitBreakerInit;
  readonly #policy: CircuitSettings;
  readonly #window: RollingWindow;
  #state: CircuitState = "closed";
  /** Counts the states: a call that began in an earlier one says nothing about this one. */
  #epoch = 0;
  #openUntilMs = 0;
  /** Half-open: probes under way, those that succeeded, and when the last one began. */
  #probingCount = 0;
  #probedCount = 0;
  #lastProbeAtMs = 0;
  #refusedCount = 0;
  #openedCount = 0;
  #reason = "";

  constructor(init: CircuitBreakerInit) {
    this.#init = init;
    this.#policy = settingsOf(init.policy);
    this.#window = new RollingWindow(this.#policy.windowMs);
  }

  /**
   * Asks for leave to make a call.
   *
   * @returns The permit. It must be settled.
   * @throws AGENTRT_CIRCUIT_OPEN while the circuit is open, or half-open with as many probes as may be.
   */
  acquire(): CallPermit {
    const nowMs = this.#init.clock.monotonicMs();
    if (this.#state === "open") {
      if (nowMs < this.#openUntilMs) throw this.#refused(this.#openUntilMs - nowMs);
      this.#beginHalfOpen();
    }
    if (this.#state === "halfOpen") this.#admitProbe(nowMs);
    return this.#permit(nowMs);
  }

  /** @returns The circuit as a plain value. */
  snapshot(): CircuitSnapshot {
    const { kind, name, clock } = this.#init;
    const nowMs = clock.monotonicMs();
    const { calls, failures } = this.#window.counts(nowMs);
    return {
      kind,
      name,
      state: this.#state,
      callCount: calls,
      failureCount: failures,
      refusedCount: this.#refusedCount,
      openedCount: this.#openedCount,
      retryAfterMs: this.#state === "open" ? Math.max(0, this.#openUntilMs - nowMs) : 0,
    };
  }

  #permit(beganAtMs: number): CallPermit {
    const epoch = this.#epoch;
    let isOpen = true;
    return {
      settle: (outcome) => {
        if (!isOpen) return;
        isOpen = false;
        if (epoch === this.#epoch) this.#settle(outcome, beganAtMs);
      },
    };
  }

  #settle(outcome: CallOutcome, beganAtMs: number): void {
    const nowMs = this.#init.clock.monotonicMs();
    const isSlow = nowMs - beganAtMs > this.#policy.slowCallMs;
    const isFailed = outcome === "failure" || isSlow;
    if (this.#state === "halfOpen") this.#endProbe(outcome, isFailed);
    else if (outcome !== "neutral" || isSlow) this.#count(nowMs, isFailed);
  }

  #count(nowMs: number, isFailed: boolean): void {
    this.#window.add(nowMs, isFailed);
    if (!isFailed) return;
    const { calls, failures } = this.#window.counts(nowMs);
    const { callCountMin, failureRate } = this.#policy;
    if (calls < callCountMin || failures / calls < failureRate) return;
    this.#open(`${failures} of its last ${calls} calls failed`);
  }

  #admitProbe(nowMs: number): void {
    const { probeCount } = this.#policy;
    if (this.#probingCount + this.#probedCount >= probeCount) {
      const freeInMs = this.#lastProbeAtMs + probeLostMs - nowMs;
      if (freeInMs > 0) throw this.#refused(Math.min(probesBusyMs, freeInMs));
      this.#epoch += 1;
      this.#probingCount = 0;
    }
    this.#probingCount += 1;
    this.#lastProbeAtMs = nowMs;
  }

  #endProbe(outcome: CallOutcome, isFailed: boolean): void {
    this.#probingCount -= 1;
    if (isFailed) {
      this.#open("a call that tried it failed, too");
      return;
    }
    if (outcome === "neutral") return;
    this.#probedCount += 1;
    if (this.#probedCount < this.#policy.probeCount) return;
    this.#window.clear();
    this.#change("closed");
  }

  #open(reason: string): void {
    this.#reason = reason;
    this.#openedCount += 1;
    this.#openUntilMs = this.#init.clock.monotonicMs() + this.#policy.openMs;
    this.#change("open");
  }

  #beginHalfOpen(): void {
    this.#probingCount = 0;
    this.#probedCount = 0;
    this.#change("halfOpen");
  }

  #change(state: CircuitState): void {
    this.#state = state;
    this.#epoch += 1;
    const { kind, name, clock, onChange } = this.#init;
    const { calls, failures } = this.#window.counts(clock.monotonicMs());
    const openMs = state === "open" ? this.#policy.openMs : 0;
    onChange({ kind, name, state, callCount: calls, failureCount: failures, openMs });
  }

  #refused(retryAfterMs: number): Error {
    this.#refusedCount += 1;
    const { kind, name } = this.#init;
    return new circuitErrors.OPEN({
      kind,
      name,
      retryAfterMs: Math.ceil(retryAfterMs),
      reason: this.#reason,
    });
  }
}
