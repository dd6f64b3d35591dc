import type { BuiltInMiddleware, Middleware, MiddlewareSetup } from "../chain/index.ts";
import { errorResponse } from "../request.ts";
import { addAuth } from "./authenticate.ts";
import { readAllowedNames } from "./allowed-names.ts";
import { canonicalName, parseName } from "./distinguished-name.ts";
import { gatewayAuthErrors } from "./errors.ts";

const variable = "AGENTRT_GATEWAY_MTLS_ALLOWED_DNS";

const notConfigured = errorResponse(500, "server auth is not configured");
const missing = errorResponse(401, "client certificate required", {
  "www-authenticate": "ClientCertificate",
});
const refusal = errorResponse(403, "client certificate not authorized");

/**
 * Lets only requests pass whose client certificate has a subject that is in `AGENTRT_GATEWAY_MTLS_ALLOWED_DNS`, whole
 * names separated by `;`. It sets `auth.clientCert.dn`, and `auth.id` where nothing in front has. Without any name every
 * request is refused with 500.
 */
export const requireClientCert: BuiltInMiddleware = {
  isAuthentication: true,
  create: createClientCertMiddleware,
};

function createClientCertMiddleware({ node, environment, log }: MiddlewareSetup): Middleware {
  const { names, faulty } = readAllowedNames(environment[variable] ?? "");
  if (faulty.length > 0) {
    throw new gatewayAuthErrors.SETTING_INVALID({
      node,
      middleware: "require_client_cert",
      reason: `${variable} holds "${faulty[0]}": wanted whole names such as CN=ada,O=Acme, separated by ;`,
    });
  }
  if (names.size === 0) {
    log.warn(`require_client_cert refuses every request: ${variable} is not set`, { node });
    return () => Promise.resolve(notConfigured);
  }
  return (request, next) => {
    const dn = request.clientCert?.dn;
    if (dn === undefined) return Promise.resolve(missing);
    const name = parseName(dn);
    if (name === undefined || !names.has(canonicalName(name))) return Promise.resolve(refusal);
    addAuth(request, {
      ...(request.auth?.id === undefined ? { id: dn } : {}),
      clientCert: { dn },
    });
    return next(request);
  };
}
