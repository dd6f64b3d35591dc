import type { JsonObject } from "../../core/index.ts";
import type { BuiltInMiddleware, Middleware, MiddlewareSetup } from "../chain/index.ts";
import { errorResponse } from "../request.ts";
import { addAuth } from "./authenticate.ts";
import { readBearer } from "./bearer.ts";
import { JwksSource } from "./jwks-source.ts";
import { type JwtSettings, readJwtSettings } from "./jwt-settings.ts";
import { JwtVerifier, leewayMs } from "./jwt-verifier.ts";
import { type KeySource, parseKeySet, singleKey } from "./key-set.ts";
import { fetchJwks, readJwksFile } from "./load-jwks.ts";

const missing = errorResponse(401, "missing bearer token", { "www-authenticate": "Bearer" });
const invalid = errorResponse(401, "invalid token", {
  "www-authenticate": 'Bearer error="invalid_token"',
});
const unavailable = errorResponse(503, "keys of tokens are not available", { "retry-after": "5" });

/**
 * Lets only requests pass that bring a valid token (`Authorization: Bearer`), and sets `auth.id`, `auth.principal` and
 * `auth.claims` from it, and `auth.scopes` from its claim `scope`. Keys, audience, issuer and algorithms come from the environment: `AGENTRT_JWT_*`.
 */
export const requireJwt: BuiltInMiddleware = {
  isAuthentication: true,
  create: async (setup) => jwtMiddleware(await createJwtVerifier(setup)),
};

/**
 * Makes the verifier that the environment describes; listeners that take tokens in another place than the header
 * `Authorization` make their own.
 *
 * @param setup The gateway and the environment.
 * @returns The verifier.
 * @throws AGENTRT_GATEWAY_AUTH_SETTING_INVALID, and AGENTRT_GATEWAY_AUTH_JWKS_UNUSABLE for a file.
 */
export async function createJwtVerifier(setup: MiddlewareSetup): Promise<JwtVerifier> {
  const settings = readJwtSettings(setup);
  for (const warning of settings.warnings) setup.log.warn(warning, { node: setup.node });
  const { jwtVerify } = await import("jose");
  return new JwtVerifier({
    jwtVerify,
    settings,
    keys: await keySourceOf(settings, setup),
    system: setup.system,
  });
}

async function keySourceOf(
  { keys, algorithms }: JwtSettings,
  { system, log, node, onReopen }: MiddlewareSetup,
): Promise<KeySource> {
  const reopened = (source: JwksSource): JwksSource => {
    onReopen?.(() => source.reload());
    return source;
  };
  switch (keys.kind) {
    case "key":
      return singleKey(keys.key);
    case "jwks_file": {
      const source = keys.path;
      const load = async () => parseKeySet(await readJwksFile(source), { source, algorithms });
      await load(); // A file that is not there, or holds no key, is told at the start.
      return reopened(new JwksSource({ load, system, log, node }));
    }
    case "jwks_url": {
      const source = keys.url;
      const load = async () => parseKeySet(await fetchJwks(source, system), { source, algorithms });
      return reopened(new JwksSource({ load, system, log, node }));
    }
    default:
      return keys satisfies never;
  }
}

function jwtMiddleware(verifier: JwtVerifier): Middleware {
  return async (request, next) => {
    const token = readBearer(request.headers["authorization"]);
    if (token === undefined) return missing;
    const verdict = await verifier.verify(token);
    if (verdict === "invalid") return invalid;
    if (verdict === "unavailable") return unavailable;
    const { subject: id, claims } = verdict;
    const expiresAtMs = verdict.expiresAtMs + leewayMs;
    const scopes = scopesIn(claims);
    addAuth(request, { id, principal: { id, method: "jwt" }, claims, expiresAtMs, ...scopes });
    return await next(request);
  };
}

/**
 * A list is what some issuers write instead of a text (RFC 9068 says text). A claim that is neither gives nothing: it was
 * meant to narrow what the token may do.
 */
function scopesIn({ scope }: JsonObject): { readonly scopes?: readonly string[] } {
  if (scope === undefined) return {};
  if (typeof scope === "string") return { scopes: scope.split(" ") };
  const listed = Array.isArray(scope) ? scope : [];
  return { scopes: listed.filter((each) => typeof each === "string") };
}
