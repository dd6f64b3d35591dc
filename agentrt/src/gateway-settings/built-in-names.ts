/** The dotted paths of the middleware of this package, as they are in a topology. Only names: nothing is loaded. */
export const builtInMiddlewarePaths = [
  "agentrt.gateway.auth.require_api_key",
  "agentrt.gateway.jwt_auth.require_jwt",
  "agentrt.gateway.mtls.require_client_cert",
  "agentrt.gateway.ratelimit.rate_limit",
] as const;

/** The dotted names of the classes of this package, as they are in a topology. */
export const builtInClassNames = ["agentrt.gateway.ratelimit.RateLimiter"] as const;

/** The middleware of this package that authenticates nobody. */
export const rateLimitPath = "agentrt.gateway.ratelimit.rate_limit";
