import type { GatewayRequest } from "../request.ts";

const unauthenticated = "unauthenticated";

/**
 * Says who asks: what an authenticating middleware found out, and nothing that the client said of itself.
 *
 * @param request Behind the middleware.
 * @returns The id of the principal; `api_key:` and its fingerprint for a key that names nobody; `unauthenticated` where
 *   nobody asked who it is.
 */
export function principalOf({ auth }: Pick<GatewayRequest, "auth">): string {
  const id: unknown = auth?.principal?.id ?? auth?.id;
  if (typeof id === "string" && id !== "") return id;
  const apiKey = auth?.["apiKey"] as { readonly fingerprint?: unknown } | undefined;
  const fingerprint = apiKey?.fingerprint;
  return typeof fingerprint === "string" ? `api_key:${fingerprint}` : unauthenticated;
}
