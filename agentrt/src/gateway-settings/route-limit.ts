import { type ClientKeyKind, isClientKeyKind } from "./rate-limit-faults.ts";

/** How many requests of a client one route takes. */
export interface RouteLimitRule {
  /** Requests in any stretch of `windowMs`, 1 to 1 000 000. */
  readonly requestCountMax: number;
  /** Length of the window, milliseconds, 1 to 86 400 000. */
  readonly windowMs: number;
  /** Whose requests are counted together. Default those of an address. */
  readonly key?: ClientKeyKind | undefined;
}

/** What bounds the requests of one route. */
export interface RouteBounds {
  /** Longest wait for the agent's reply, with middleware around it, milliseconds. Default that of the gateway. */
  readonly requestTimeoutMs?: number | undefined;
  /** Longest body, bytes. Default that of the gateway. */
  readonly bodySizeBytesMax?: number | undefined;
  /** Default none. */
  readonly rateLimit?: RouteLimitRule | undefined;
}

/** What a timer can hold. */
const timeoutMsMax = 2_147_483_647;
const requestCountMax = 1_000_000;
const windowMsMax = 86_400_000;
const bodySizeBytesMax = 1_073_741_824;

/**
 * Finds what is wrong with the bounds of a route.
 *
 * @param bounds Of the route.
 * @returns One line for the first; `undefined` where all is well.
 */
export function routeBoundsFault(bounds: RouteBounds): string | undefined {
  const { requestTimeoutMs = 1, bodySizeBytesMax: size = 1, rateLimit } = bounds;
  if (!(requestTimeoutMs > 0 && requestTimeoutMs <= timeoutMsMax))
    return `requestTimeoutMs is ${requestTimeoutMs}, wanted above 0, at most ${timeoutMsMax}`;
  if (!isWhole(size, bodySizeBytesMax))
    return `bodySizeBytesMax is ${size}, wanted a whole number from 1 to ${bodySizeBytesMax}`;
  if (rateLimit === undefined) return undefined;
  const { requestCountMax: count, windowMs, key = "address" } = rateLimit;
  if (!isWhole(count, requestCountMax))
    return `rateLimit.requestCountMax is ${count}, wanted a whole number from 1 to ${requestCountMax}`;
  if (!(windowMs >= 1 && windowMs <= windowMsMax))
    return `rateLimit.windowMs is ${windowMs}, wanted 1 to ${windowMsMax}`;
  return isClientKeyKind(key)
    ? undefined
    : `rateLimit.key is "${String(key)}", wanted ${keyWanted}`;
}

/** What the key of a limit may be. */
export const keyWanted = "address, forwarded_address, api_key, principal or claim:<name>";

function isWhole(value: number, max: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= max;
}
