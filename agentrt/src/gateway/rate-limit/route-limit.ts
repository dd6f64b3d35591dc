import type { JsonObject, System } from "../../core/index.ts";
import type { AddressRanges, RouteLimitRule } from "../../gateway-settings/index.ts";
import type { Middleware } from "../chain/index.ts";
import type { GatewayRequest } from "../request.ts";
import { clientKeyOf } from "./client-key.ts";
import {
  limiterName,
  limiterTimeoutMs,
  limiterUnavailable,
  passOrRefuse,
} from "./limit-headers.ts";
import { SlidingWindow } from "./sliding-window.ts";

/** What the limit of one route is made from. */
export interface RouteLimitSetup {
  readonly rule: RouteLimitRule;
  /** Method and path, by which the limiter and the client know it. */
  readonly route: string;
  readonly system: System;
  readonly trustedProxies: AddressRanges | undefined;
}

/** Counts the messages of one client over WebSocket. */
export interface MessageLimit {
  /** @returns False for one more than the route allows; that one does not count. */
  hit(): boolean;
}

/**
 * Makes the innermost middleware of a route with a limit: it counts what the middleware around it has let through. The
 * agent `rate_limiter` counts, where the tree has one, so for all gateways together; else the gateway itself.
 *
 * @param setup Of the route.
 */
export function createRouteLimit({
  rule,
  route,
  system,
  trustedProxies,
}: RouteLimitSetup): Middleware {
  const { requestCountMax, windowMs, key = "address" } = rule;
  const own = new SlidingWindow({ requestCountMax, windowMs });
  const policy = `"${route}";q=${requestCountMax};w=${Math.ceil(windowMs / 1000)}`;
  const count = async ({ gateway }: GatewayRequest, clientId: string): Promise<JsonObject> => {
    if (gateway.hasAgent(limiterName)) {
      const asked = { client_id: clientId, route, max_requests: requestCountMax };
      const payload = { ...asked, window_seconds: windowMs / 1000 };
      return await gateway.call(limiterName, payload, { timeoutMs: limiterTimeoutMs });
    }
    const verdict = own.hit(clientId, system.monotonicMs());
    return {
      allowed: verdict.isAllowed,
      remaining: verdict.remainingCount,
      retry_after: Math.ceil(verdict.retryAfterMs / 1000),
      reset_after: Math.ceil(verdict.resetAfterMs / 1000),
    };
  };
  return async (request, next) => {
    let verdict: JsonObject;
    try {
      verdict = await count(request, clientKeyOf(request, key, trustedProxies));
    } catch {
      return limiterUnavailable; // The bus has said why, and nothing passes uncounted.
    }
    return await passOrRefuse({ name: route, policy }, verdict, () => next(request));
  };
}

/**
 * Makes what counts the messages of a WebSocket route, of each client over all of its connections. The gateway itself
 * counts them: asking an agent before each message would cost more than most messages.
 *
 * @param setup Of the route.
 * @returns Gives the count of the client of a handshake.
 */
export function createMessageLimit({
  rule,
  system,
  trustedProxies,
}: RouteLimitSetup): (request: GatewayRequest) => MessageLimit {
  const { requestCountMax, windowMs, key = "address" } = rule;
  const own = new SlidingWindow({ requestCountMax, windowMs });
  return (request) => {
    const clientId = clientKeyOf(request, key, trustedProxies);
    return { hit: () => own.hit(clientId, system.monotonicMs()).isAllowed };
  };
}
