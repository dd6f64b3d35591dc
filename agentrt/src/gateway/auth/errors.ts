import { defineErrors } from "../../core/index.ts";

/** Errors of setting up the authentication of a gateway. */
export const gatewayAuthErrors = defineErrors("AGENTRT_GATEWAY_AUTH", {
  SETTING_INVALID: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { node: string; middleware: string; reason: string }) =>
      `Cannot start gateway "${d.node}" with ${d.middleware}: ${d.reason}`,
    remedy: "Correct the environment variable where `agentrt run` starts",
  },
  CLIENT_CERT_INVALID: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { node: string; key: string; reason: string }) =>
      `Cannot start gateway "${d.node}": ${d.key} ${d.reason}`,
    remedy:
      "Correct the settings of the node: they say together where clients' certificates come from",
  },
  JWKS_UNUSABLE: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { source: string; reason: string }) =>
      `Cannot use the key set ${d.source}: ${d.reason}`,
    remedy: "Look at the key set: JSON with a list `keys` of public RSA, EC or Ed25519 keys",
  },
});
