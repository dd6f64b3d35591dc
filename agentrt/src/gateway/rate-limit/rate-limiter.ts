import {
  agentInternals,
  type AgentOptions,
  GenServer,
  type JsonObject,
  type Message,
} from "../../core/index.ts";
import { type ClientKeyKind, isClientKeyKind } from "./client-key.ts";
import { rateLimitErrors } from "./errors.ts";
import { SlidingWindow } from "./sliding-window.ts";

const defaults = { maxRequests: 100, windowSeconds: 60 };
const clientIdLengthMax = 512;
const requestCountMax = 1_000_000;
const windowSecondsMax = 86_400;

/**
 * Counts the requests of clients in a sliding window, for every gateway of the tree that has the middleware
 * `rate_limit`. Config: `max_requests` (1 to 1 000 000, default 100), `window_seconds` (above 0 to 86 400, default 60),
 * `key` (`address`, `forwarded_address`, `api_key`, `principal` or `claim:<name>`; default `address`).
 *
 * A call with `client_id` counts a request and is answered `{allowed, remaining, retry_after, reset_after}`, times in
 * whole seconds, rounded up; a call with `__op__: "settings"` is answered `{key, max_requests, window_seconds}`. What it
 * has counted is gone when it restarts.
 *
 * @example
 * child(RateLimiter, "rate_limiter", { config: { max_requests: 100, window_seconds: 60 } })
 */
export class RateLimiter extends GenServer {
  readonly #settings: { key: ClientKeyKind; maxRequests: number; windowSeconds: number };
  readonly #window: SlidingWindow;

  /**
   * @param name Unique in the tree; the middleware asks the one named `rate_limiter`.
   * @param options With the config.
   * @throws AGENTRT_RATE_LIMIT_CONFIG_INVALID.
   */
  constructor(name: string, options?: AgentOptions) {
    super(name, options);
    this.#settings = readSettings(name, this.config);
    this.#window = new SlidingWindow({
      requestCountMax: this.#settings.maxRequests,
      windowMs: this.#settings.windowSeconds * 1000,
    });
  }

  override handleCall({ payload }: Message): JsonObject {
    const { key, maxRequests, windowSeconds } = this.#settings;
    if (payload["__op__"] === "settings") {
      return { key, max_requests: maxRequests, window_seconds: windowSeconds };
    }
    const clientId = payload["client_id"];
    if (typeof clientId !== "string" || clientId === "" || clientId.length > clientIdLengthMax) {
      return { error: `client_id must be a text of 1 to ${clientIdLengthMax} characters` };
    }
    const nowMs = agentInternals.portOf(this, "handleCall").monotonicMs();
    const verdict = this.#window.hit(clientId, nowMs);
    return {
      allowed: verdict.isAllowed,
      remaining: verdict.remainingCount,
      retry_after: Math.ceil(verdict.retryAfterMs / 1000),
      reset_after: Math.ceil(verdict.resetAfterMs / 1000),
    };
  }
}

function readSettings(
  agent: string,
  config: JsonObject,
): { key: ClientKeyKind; maxRequests: number; windowSeconds: number } {
  const refuse = (key: string, wanted: string): Error => {
    const found = JSON.stringify(config[key]) ?? "nothing";
    return new rateLimitErrors.CONFIG_INVALID({ agent, key, found, wanted });
  };
  const known = ["max_requests", "window_seconds", "key"];
  const unknown = Object.keys(config).find((key) => !known.includes(key));
  if (unknown !== undefined) throw refuse(unknown, `no such key: it takes ${known.join(", ")}`);
  const maxRequests = config["max_requests"] ?? defaults.maxRequests;
  if (!isBetween(maxRequests, 1, requestCountMax) || !Number.isInteger(maxRequests)) {
    throw refuse("max_requests", `a whole number from 1 to ${requestCountMax}`);
  }
  const windowSeconds = config["window_seconds"] ?? defaults.windowSeconds;
  if (!isBetween(windowSeconds, 0.001, windowSecondsMax)) {
    throw refuse("window_seconds", `seconds from 0.001 to ${windowSecondsMax}`);
  }
  const key = config["key"] ?? "address";
  if (typeof key !== "string" || !isClientKeyKind(key)) {
    throw refuse("key", "address, forwarded_address, api_key, principal or claim:<name>");
  }
  return { key, maxRequests, windowSeconds };
}

function isBetween(value: unknown, min: number, max: number): value is number {
  return typeof value === "number" && value >= min && value <= max;
}
