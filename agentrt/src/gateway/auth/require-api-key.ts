import { hash, timingSafeEqual } from "node:crypto";
import type { BuiltInMiddleware, Middleware, MiddlewareSetup } from "../chain/index.ts";
import { errorResponse } from "../request.ts";
import { addAuth } from "./authenticate.ts";

const header = "x-api-key";
const keyVariable = "AGENTRT_GATEWAY_API_KEY";
const keysVariable = "AGENTRT_GATEWAY_API_KEYS";
const fingerprintLength = 16;

const notConfigured = errorResponse(500, "server auth is not configured");
const refusal = errorResponse(401, "invalid or missing API key", {
  "www-authenticate": 'ApiKey header="X-API-Key"',
});

/**
 * Lets only requests pass whose `X-API-Key` is one of the keys of the environment: `AGENTRT_GATEWAY_API_KEY`, and
 * those of `AGENTRT_GATEWAY_API_KEYS`, separated by commas, so that a key can be replaced without a gap. It names no
 * principal; `auth.apiKey.fingerprint` tells keys apart. Without any key every request is refused with 500.
 */
export const requireApiKey: BuiltInMiddleware = {
  isAuthentication: true,
  create: createApiKeyMiddleware,
};

function createApiKeyMiddleware({ node, environment, log }: MiddlewareSetup): Middleware {
  const digests = keysOf(environment).map(digestOf);
  if (digests.length === 0) {
    log.warn(
      `require_api_key refuses every request: neither ${keyVariable} nor ${keysVariable} is set`,
      { node },
    );
    return () => Promise.resolve(notConfigured);
  }
  return (request, next) => {
    const shown = request.headers[header];
    const digest = shown === undefined ? undefined : digestOf(shown);
    if (digest === undefined || !isOneOf(digests, digest)) return Promise.resolve(refusal);
    const fingerprint = digest.toString("hex").slice(0, fingerprintLength);
    addAuth(request, { apiKey: { fingerprint } });
    return next(request);
  };
}

function keysOf(environment: MiddlewareSetup["environment"]): string[] {
  const one = environment[keyVariable]?.trim() ?? "";
  const several = environment[keysVariable]?.split(",").map((key) => key.trim()) ?? [];
  return [one, ...several].filter((key) => key !== "");
}

/** Digests are all of one length: comparing them tells nothing of how long a key is, or where it differs. */
function digestOf(key: string): Buffer {
  return hash("sha256", Buffer.from(key, "latin1"), "buffer");
}

/** Compares with every key, whichever fits. */
function isOneOf(known: readonly Buffer[], digest: Buffer): boolean {
  let isFound = false;
  for (const each of known) isFound = timingSafeEqual(each, digest) || isFound;
  return isFound;
}
