import { X509Certificate } from "node:crypto";
import type { System } from "../../../core/index.ts";
import { createRequestChain, type RequestChain } from "../../chain/request-chain.ts";
import { builtInMiddleware } from "../../middleware/built-in-middleware.ts";
import { readAddressRanges } from "../../../gateway-settings/index.ts";
import { createClientCertReader } from "../index.ts";
import { loneGateway } from "../../test-support/lone-gateway.ts";

/** One request and what must come back, whichever listener carries it. */
export interface AuthCase {
  readonly name: string;
  readonly headers: { readonly [name: string]: string };
  readonly status: number;
  /** The whole body; without it that of a refusal, `{"error": …}`, whatever the text. */
  readonly body?: object;
  /** Headers of the response that must be there with these values. */
  readonly responseHeaders?: { readonly [name: string]: string };
}

/** Cases that share one gateway. */
export interface AuthCaseGroup {
  readonly name: string;
  /** Dotted paths of built-in middleware, outermost first. */
  readonly middleware: readonly string[];
  readonly environment: { readonly [name: string]: string };
  /** Where the gateway's wall clock stands, milliseconds. */
  readonly nowMs: number;
  /** With these, clients' certificates come in the header of a proxy. */
  readonly trustedProxyCidrs?: readonly string[];
  /** PEM of authorities that a forwarded certificate must be signed by. */
  readonly authorities?: readonly string[];
  readonly cases: readonly AuthCase[];
}

/** Where requests of cases go: who asks is told what is known of it. */
export const whoAmIPath = "/who-am-i";

/**
 * Makes the gateway of a group, to be put behind any listener. Its one route, GET `/who-am-i`, answers with
 * `request.auth`; headers `x-spoofed` and the like change nothing.
 *
 * @param group Which middleware, with which environment.
 * @param system Its clock.
 * @param warned Gets the warnings of the start.
 */
export async function gatewayOfGroup(
  group: Omit<AuthCaseGroup, "name" | "cases" | "nowMs">,
  system: System,
  warned: string[] = [],
): Promise<RequestChain> {
  const log = {
    warn: (message: string): void => void warned.push(message),
    error: (message: string, fields: object): void => {
      throw new Error(message, { cause: fields });
    },
  };
  const setup = { node: "api", system, log, environment: group.environment };
  const middleware = [];
  for (const path of group.middleware) {
    const found = builtInMiddleware.get(path);
    if (found === undefined) throw new Error(`there is no middleware ${path}`);
    middleware.push(await found.create(setup));
  }
  return createRequestChain({
    process: loneGateway,
    routes: [
      {
        method: "GET",
        path: whoAmIPath,
        handle: async ({ auth }) => ({
          status: 200,
          body: JSON.parse(JSON.stringify(auth ?? {})) as {},
        }),
      },
    ],
    middleware,
    readClientCert: createClientCertReader({
      source: group.trustedProxyCidrs === undefined ? "direct" : "proxy_header",
      trustedProxies: readAddressRanges(group.trustedProxyCidrs ?? []).ranges,
      authorities: (group.authorities ?? []).map((pem) => new X509Certificate(pem)),
      system,
    }),
    log,
  });
}
