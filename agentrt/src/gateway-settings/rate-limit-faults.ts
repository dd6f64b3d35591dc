/**
 * Whose requests are counted together: those of a peer's address, of the address that trusted proxies say they serve, of
 * an API key, a principal, or a value of a claim.
 */
export type ClientKeyKind =
  | "address"
  | "forwarded_address"
  | "api_key"
  | "principal"
  | `claim:${string}`;

/**
 * Says whether text names a kind of key.
 *
 * @param text For example `address` or `claim:tenant`.
 */
export function isClientKeyKind(text: string): text is ClientKeyKind {
  return /^(?:address|forwarded_address|api_key|principal|claim:.+)$/.test(text);
}

/** A key of a rate limiter's config that is wrong. */
export interface RateLimitFault {
  readonly key: string;
  /** As JSON. */
  readonly found: string;
  readonly wanted: string;
}

const requestCountMax = 1_000_000;
const windowSecondsMax = 86_400;
const known = ["max_requests", "window_seconds", "key"];

/**
 * Finds what is wrong with the config of a rate limiter.
 *
 * @param config As it is in the topology.
 * @returns The faults, keys that it does not take first; none when it may start.
 */
export function rateLimitFaults(config: { readonly [key: string]: unknown }): RateLimitFault[] {
  const faults: RateLimitFault[] = [];
  const refuse = (key: string, wanted: string): void => {
    faults.push({ key, found: JSON.stringify(config[key]) ?? "nothing", wanted });
  };
  for (const key of Object.keys(config))
    if (!known.includes(key)) refuse(key, `no such key: it takes ${known.join(", ")}`);
  const { max_requests: maxRequests, window_seconds: windowSeconds, key } = config;
  const isWhole = isBetween(maxRequests ?? 1, 1, requestCountMax);
  if (!isWhole || !Number.isInteger(maxRequests ?? 1))
    refuse("max_requests", `a whole number from 1 to ${requestCountMax}`);
  if (!isBetween(windowSeconds ?? 1, 0.001, windowSecondsMax))
    refuse("window_seconds", `seconds from 0.001 to ${windowSecondsMax}`);
  const kind = key ?? "address";
  const isKind = typeof kind === "string" && isClientKeyKind(kind);
  if (!isKind) refuse("key", "address, forwarded_address, api_key, principal or claim:<name>");
  return faults;
}

function isBetween(value: unknown, min: number, max: number): value is number {
  return typeof value === "number" && value >= min && value <= max;
}
