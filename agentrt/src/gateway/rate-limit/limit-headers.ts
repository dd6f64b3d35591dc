import type { JsonObject } from "../../core/index.ts";
import type { GatewayResponse, StringMap } from "../request.ts";

/** Name of the agent that counts. */
export const limiterName = "rate_limiter";
/** It answers from memory: when it takes longer, it has more to do than it can. */
export const limiterTimeoutMs = 2_000;

/** A limit, as the headers name it. */
export interface NamedPolicy {
  readonly name: string;
  /** The value of `RateLimit-Policy`; empty where nobody knows it. */
  readonly policy: string;
}

const names = ["ratelimit-policy", "ratelimit"] as const;

/** Makes the headers of a verdict, as draft-ietf-httpapi-ratelimit-headers writes them. */
export function limitHeaders(
  { name, policy }: NamedPolicy,
  { remaining, reset_after: reset }: JsonObject,
): StringMap {
  if (policy === "" || typeof remaining !== "number" || typeof reset !== "number") return {};
  return { "ratelimit-policy": policy, ratelimit: `"${name}";r=${remaining};t=${reset}` };
}

/** Adds them to a response; of several limits the headers are a list, the outermost first. */
export function withLimitHeaders(response: GatewayResponse, headers: StringMap): GatewayResponse {
  const merged = { ...headers, ...response.headers };
  for (const name of names) {
    const [outer, inner] = [headers[name], response.headers?.[name]];
    if (outer !== undefined && inner !== undefined) merged[name] = `${outer}, ${inner}`;
  }
  return { ...response, headers: merged };
}
