import {
  agentInternals,
  type AgentOptions,
  GenServer,
  infrastructure,
  type JsonObject,
  type Message,
} from "../../core/index.ts";
import {
  type ClientKeyKind,
  isClientKeyKind,
  rateLimitFaults,
} from "../../gateway-settings/index.ts";
import { rateLimitErrors } from "./errors.ts";
import { SlidingWindow } from "./sliding-window.ts";

const defaults = { maxRequests: 100, windowSeconds: 60 };
const clientIdLengthMax = 512;

/**
 * Counts the requests of clients in a sliding window, for every gateway of the tree that has the middleware
 * `rate_limit`. Config: `max_requests` (1 to 1 000 000, default 100), `window_seconds` (above 0 to 86 400, default 60),
 * `key` (`address`, `forwarded_address`, `api_key`, `principal` or `claim:<name>`; default `address`).
 *
 * A call with `client_id` counts a request, for a route with its own limit when it has `route`, `max_requests` and
 * `window_seconds` as well, and is answered `{allowed, remaining, retry_after, reset_after}`, times in
 * whole seconds, rounded up; a call with `__op__: "settings"` is answered `{key, max_requests, window_seconds}`. What it
 * has counted is gone when it restarts.
 *
 * @example
 * child(RateLimiter, "rate_limiter", { config: { max_requests: 100, window_seconds: 60 } })
 */
export class RateLimiter extends GenServer {
  /** See `infrastructure`. */
  static readonly [infrastructure] = true;
  readonly #settings: { key: ClientKeyKind; maxRequests: number; windowSeconds: number };
  readonly #window: SlidingWindow;
  readonly #routes = new Map<string, SlidingWindow>();

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
    const window = this.#windowOf(payload);
    if (typeof window === "string") return { error: window };
    const nowMs = agentInternals.portOf(this, "handleCall").monotonicMs();
    const verdict = window.hit(clientId, nowMs);
    return {
      allowed: verdict.isAllowed,
      remaining: verdict.remainingCount,
      retry_after: Math.ceil(verdict.retryAfterMs / 1000),
      reset_after: Math.ceil(verdict.resetAfterMs / 1000),
    };
  }

  /** The window of the route that a call names, with the route's own limit; without one that of the config. */
  #windowOf({ route, max_requests: maxRequests, window_seconds: windowSeconds }: JsonObject) {
    if (route === undefined) return this.#window;
    if (typeof route !== "string" || route.length > routeLengthMax)
      return `route must be a text of at most ${routeLengthMax} characters`;
    const [fault] = rateLimitFaults({ max_requests: maxRequests, window_seconds: windowSeconds });
    if (fault !== undefined) return `${fault.key} is ${fault.found}, wanted ${fault.wanted}`;
    // Of two gateways with the same route and limit the requests are counted together.
    const name = JSON.stringify([route, maxRequests, windowSeconds]);
    const known = this.#routes.get(name);
    if (known !== undefined) return known;
    if (this.#routes.size >= routeCountMax) return `more than ${routeCountMax} routes have a limit`;
    const window = new SlidingWindow({
      requestCountMax: Number(maxRequests ?? defaults.maxRequests),
      windowMs: Number(windowSeconds ?? defaults.windowSeconds) * 1000,
      momentCountMax: routeMomentCountMax,
    });
    this.#routes.set(name, window);
    return window;
  }
}

const routeCountMax = 1_000;
const routeLengthMax = 2_048;
/** Of all clients of one route: a route is a part of what its gateway serves. */
const routeMomentCountMax = 262_144;

function readSettings(
  agent: string,
  config: JsonObject,
): { key: ClientKeyKind; maxRequests: number; windowSeconds: number } {
  const [fault] = rateLimitFaults(config);
  if (fault !== undefined) throw new rateLimitErrors.CONFIG_INVALID({ agent, ...fault });
  const { max_requests: maxRequests, window_seconds: windowSeconds, key } = config;
  return {
    key: typeof key === "string" && isClientKeyKind(key) ? key : "address",
    maxRequests: Number(maxRequests ?? defaults.maxRequests),
    windowSeconds: Number(windowSeconds ?? defaults.windowSeconds),
  };
}
