/**
 * How often a client may ask.
 *
 * ```
 * request → rate_limit ── call {client_id} ──→ RateLimiter (agent `rate_limiter`) → SlidingWindow
 *               └──────── {allowed, remaining, retry_after} ←──────┘
 * ```
 *
 * The agent counts for all gateways of the tree; the middleware finds out whose request it is and says in headers what
 * is left. Memory is bounded however many clients there are, and a clock that is set back or forth changes nothing:
 * windows are measured on the monotonic clock. What is counted together is an address (of IPv6 its network), or what
 * the middleware in front has verified; a header of the client's own never decides.
 */
export { rateLimit } from "./rate-limit.ts";
export {
  createMessageLimit,
  createRouteLimit,
  type MessageLimit,
  type RouteLimitSetup,
} from "./route-limit.ts";
export { RateLimiter } from "./rate-limiter.ts";
export { rateLimitErrors } from "./errors.ts";
