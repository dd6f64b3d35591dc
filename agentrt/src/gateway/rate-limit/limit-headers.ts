import type { JsonObject } from "../../core/index.ts";
import { errorResponse, type GatewayResponse, type StringMap } from "../request.ts";

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
function limitHeaders(
  { name, policy }: NamedPolicy,
  { remaining, reset_after: reset }: JsonObject,
): StringMap {
  if (policy === "" || typeof remaining !== "number" || typeof reset !== "number") return {};
  return { "ratelimit-policy": policy, ratelimit: `"${name}";r=${remaining};t=${reset}` };
}

/** What a request gets whose limiter does not answer: nothing passes uncounted. */
export const limiterUnavailable = errorResponse(503, "rate limiter is not available", {
  "retry-after": "1",
});

/**
 * Lets a request pass or refuses it with 429 and `Retry-After`; both answers say what is left.
 *
 * @param verdict Of the limiter.
 * @param pass Goes on with the request.
 */
export async function passOrRefuse(
  policy: NamedPolicy,
  verdict: JsonObject,
  pass: () => Promise<GatewayResponse>,
): Promise<GatewayResponse> {
  const headers = limitHeaders(policy, verdict);
  if (verdict["allowed"] === true) return withLimitHeaders(await pass(), headers);
  const retryAfter = String(Math.max(1, Number(verdict["retry_after"] ?? 1)));
  return errorResponse(429, "rate limit exceeded", { ...headers, "retry-after": retryAfter });
}

/** Adds them to a response; of several limits the headers are a list, the outermost first. */
function withLimitHeaders(response: GatewayResponse, headers: StringMap): GatewayResponse {
  const merged = { ...headers, ...response.headers };
  for (const name of names) {
    const [outer, inner] = [headers[name], response.headers?.[name]];
    if (outer !== undefined && inner !== undefined) merged[name] = `${outer}, ${inner}`;
  }
  return { ...response, headers: merged };
}
