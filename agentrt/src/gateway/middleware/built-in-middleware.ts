import { requireApiKey, requireClientCert, requireJwt } from "../auth/index.ts";
import type { builtInMiddlewarePaths } from "../../gateway-settings/index.ts";
import type { BuiltInMiddleware } from "../chain/index.ts";
import { rateLimit } from "../rate-limit/index.ts";

const middleware: {
  readonly [path in (typeof builtInMiddlewarePaths)[number]]: BuiltInMiddleware;
} = {
  "agentrt.gateway.auth.require_api_key": requireApiKey,
  "agentrt.gateway.jwt_auth.require_jwt": requireJwt,
  "agentrt.gateway.mtls.require_client_cert": requireClientCert,
  "agentrt.gateway.ratelimit.rate_limit": rateLimit,
};

/** The middleware of this package by the dotted path that is in a topology. */
export const builtInMiddleware: ReadonlyMap<string, BuiltInMiddleware> = new Map(
  Object.entries(middleware),
);
