/** What a policy is for: a model provider, an agent, a tool server. */
export type TargetKind = "model" | "agent" | "tool";

/** How a call that failed is made again. */
export interface RetryPolicy {
  /** Attempts after the first one, 0 to 100; default 3. */
  readonly retryCountMax?: number | undefined;
  /** First wait; each further one is twice as long. 0 or more; default 500. A random quarter is taken off. */
  readonly backoffBaseMs?: number | undefined;
  /** Longest wait, 0 or more; default 8000. */
  readonly backoffMaxMs?: number | undefined;
}

/** When calls of a target are refused at once, because too many of them failed. */
export interface CircuitBreakerPolicy {
  /** Share of the calls within the window that fail before it opens, above 0, at most 1; default 0.5. */
  readonly failureRate?: number | undefined;
  /** It does not open before so many calls are within the window, 1 to 1 000 000; default 5. */
  readonly callCountMin?: number | undefined;
  /** Length of the rolling window, 1 to 2_147_483_647; default 60_000. */
  readonly windowMs?: number | undefined;
  /** How long calls are refused before some try again, 1 to 2_147_483_647; default 30_000. */
  readonly openMs?: number | undefined;
  /** Calls that try whether the target works again; all of them must succeed. 1 to 1000; default 1. */
  readonly probeCount?: number | undefined;
  /** A call that takes longer counts as failed, even where its caller left; 1 to 2_147_483_647, default none does. */
  readonly slowCallMs?: number | undefined;
}

/** What is done about calls of a target that fail. What is left out is not done. */
export interface TargetPolicy {
  /** Of an agent: it may handle the same message twice. */
  readonly retry?: RetryPolicy | undefined;
  /** Upper bound on one attempt, 1 to 2_147_483_647. */
  readonly timeoutMs?: number | undefined;
  readonly circuitBreaker?: CircuitBreakerPolicy | undefined;
}

/** What is done about calls of a model provider that fail. */
export interface ModelPolicy extends TargetPolicy {
  /** Names of the providers that are asked in its place, one after the other, each for its default model. */
  readonly fallback?: string | readonly string[] | undefined;
}

/** Policies by name. */
export interface ResilienceOptions {
  /** By the name of a model provider. */
  readonly models?: { readonly [name: string]: ModelPolicy } | undefined;
  /** By the name of an agent, a pool or a keyed agent, for `call` and `stream`. */
  readonly agents?: { readonly [name: string]: TargetPolicy } | undefined;
  /** By the name of a tool server. */
  readonly tools?: { readonly [name: string]: TargetPolicy } | undefined;
}

/** What a policy says when it says nothing. */
export const retryDefaults = {
  retryCountMax: 3,
  backoffBaseMs: 500,
  backoffMaxMs: 8000,
} as const satisfies RetryPolicy;

/** What a breaker does when its policy says nothing. */
export const circuitDefaults = {
  failureRate: 0.5,
  callCountMin: 5,
  windowMs: 60_000,
  openMs: 30_000,
  probeCount: 1,
} as const satisfies CircuitBreakerPolicy;
