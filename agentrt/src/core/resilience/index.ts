/**
 * What is done about calls that fail: retries, time-outs, circuit breakers, fallbacks. Policies as values, and the circuits
 * that count.
 *
 * It must not know models, agents or tools: who calls decides which errors count.
 */
export { retryPauseMs } from "./retry-pause.ts";
export type {
  CallOutcome,
  CircuitBreaker,
  CircuitSnapshot,
  CircuitState,
} from "./circuit-breaker.ts";
export { circuitErrors } from "./errors.ts";
export { fallbackLoop, fallbackOrder, fallbacksOf } from "./fallback-order.ts";
export { circuitDefaults, retryDefaults } from "./policies.ts";
export type {
  CircuitBreakerPolicy,
  ModelPolicy,
  ResilienceOptions,
  RetryPolicy,
  TargetKind,
  TargetPolicy,
} from "./policies.ts";
export { Resilience } from "./resilience.ts";
export type { GuardedTarget } from "./resilience.ts";
export { type Attempts, type FailedAttempt, withRetries } from "./with-retries.ts";
