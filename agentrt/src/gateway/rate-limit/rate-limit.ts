import type { JsonObject } from "../../core/index.ts";
import type { BuiltInMiddleware, Middleware, MiddlewareSetup } from "../chain/index.ts";
import { errorResponse, type GatewayProcess } from "../request.ts";
import { type ClientKeyKind, isClientKeyKind } from "../../gateway-settings/index.ts";
import { clientKeyOf } from "./client-key.ts";
import {
  limiterName,
  limiterTimeoutMs,
  limiterUnavailable,
  passOrRefuse,
} from "./limit-headers.ts";

const warnPauseMs = 60_000;

const notConfigured = errorResponse(500, "rate limiter is not configured");

/**
 * Lets as many requests of a client pass as the agent `rate_limiter` allows, and refuses the others with 429 and
 * `Retry-After`. Every response says in `RateLimit-Policy` and `RateLimit` what is allowed and what is left. When the
 * agent does not answer, nothing passes: 503.
 */
export const rateLimit: BuiltInMiddleware = {
  isAuthentication: false,
  create: createRateLimit,
};

interface Policy {
  readonly key: ClientKeyKind;
  /** The header that says so. */
  readonly text: string;
}

function createRateLimit({ node, system, log, trustedProxies }: MiddlewareSetup): Middleware {
  let policy: Policy | undefined;
  let warnedAtMs = -Infinity;
  const warn = (reason: string): void => {
    const nowMs = system.monotonicMs();
    if (nowMs - warnedAtMs < warnPauseMs) return;
    warnedAtMs = nowMs;
    log.warn(`requests are refused, for the rate limiter does not answer: ${reason}`, { node });
  };
  return async (request, next) => {
    const { gateway } = request;
    if (!gateway.hasAgent(limiterName)) {
      warn(`there is no agent "${limiterName}"`);
      return notConfigured;
    }
    let verdict: JsonObject;
    try {
      // Its config does not change while the tree runs.
      policy ??= await readPolicy(gateway);
      const payload = { client_id: clientKeyOf(request, policy.key, trustedProxies) };
      verdict = await gateway.call(limiterName, payload, { timeoutMs: limiterTimeoutMs });
    } catch (error) {
      warn(error instanceof Error ? error.message : String(error));
      return limiterUnavailable;
    }
    return await passOrRefuse({ name: limiterName, policy: policy.text }, verdict, () =>
      next(request),
    );
  };
}

async function readPolicy(gateway: GatewayProcess): Promise<Policy> {
  const settings = await gateway.call(
    limiterName,
    { __op__: "settings" },
    { timeoutMs: limiterTimeoutMs },
  );
  const { key, max_requests: requests, window_seconds: seconds } = settings;
  // Without these it is an agent of the user's own that counts as it likes: it is asked about addresses.
  const isKnown = typeof key === "string" && isClientKeyKind(key);
  const isCounted = typeof requests === "number" && typeof seconds === "number";
  return {
    key: isKnown ? key : "address",
    text: isCounted ? `"${limiterName}";q=${requests};w=${Math.ceil(seconds)}` : "",
  };
}
