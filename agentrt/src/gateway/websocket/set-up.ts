import {
  type AddressRanges,
  routeBoundsFault,
  type RouteLimitRule,
} from "../../gateway-settings/index.ts";
import type { Route, MiddlewareRef } from "../chain/index.ts";
import { readRecipient, type RecipientConfig } from "../dispatch/index.ts";
import { gatewayErrors } from "../errors.ts";
import { createMessageLimit, type RouteLimitSetup } from "../rate-limit/index.ts";
import type { MiddlewareResolver } from "../middleware/index.ts";
import { upgradeRequired } from "./handshake.ts";
import {
  type WebSocketRoute,
  WebSocketServer,
  type WebSocketServerOptions,
} from "./web-socket-server.ts";

/** One WebSocket route as a topology declares it. */
export interface WebSocketRouteConfig extends RecipientConfig {
  /** Path pattern with `{name}` placeholders. */
  readonly path: string;
  /**
   * True: the agent is sent `ws.open` when a client has connected, before anything else of it, and `ws.close` when it has
   * gone. Default false.
   */
  readonly notify?: boolean | undefined;
  /** `session`: each connection is a key of the keyed agent. Default: as the agent's own setting says. */
  readonly key?: "session" | undefined;
  /**
   * True: each message is answered with an error at once while the agent is suspended; default false, and then it waits. A
   * client asks for the same with `X-Agentrt-Fail-If-Suspended: true` in the handshake.
   */
  readonly failIfSuspended?: boolean | undefined;
  /** How many messages of a client it takes, over all of its connections. Default any number. */
  readonly rateLimit?: RouteLimitRule | undefined;
  /** Runs only for this route's handshake, inside the gateway's own middleware; outermost first. Default none. */
  readonly middleware?: readonly MiddlewareRef[];
}

/** What the WebSocket routes of a gateway are set up from. */
export interface WebSocketSetup extends Omit<WebSocketServerOptions, "routes"> {
  /** Name of the gateway. */
  readonly node: string;
  readonly routes: readonly WebSocketRouteConfig[];
  /** The gateway's own. */
  readonly middleware: readonly MiddlewareRef[];
  readonly resolveMiddleware: MiddlewareResolver;
  /** Where clients' certificates come from; `undefined` where none are asked for. */
  readonly clientCerts: "direct" | "proxy_header" | undefined;
  /** Whose word about clients counts where a route has a limit. */
  readonly trustedProxies: AddressRanges | undefined;
}

/**
 * Makes routes that tell who asks without upgrade what the paths are for.
 *
 * @param routes As a topology declares them.
 * @returns One GET route each.
 */
export function upgradeHints(routes: readonly WebSocketRouteConfig[]): Route[] {
  return routes.map(({ path }) => ({
    method: "GET",
    path,
    isUngated: true,
    handle: () => Promise.resolve(upgradeRequired),
  }));
}

const requireJwt = "agentrt.gateway.jwt_auth.require_jwt";
const requireApiKey = "agentrt.gateway.auth.require_api_key";
const requireClientCert = "agentrt.gateway.mtls.require_client_cert";

/** @throws AGENTRT_GATEWAY_ROUTE_INVALID. */
function messageLimitOf(
  setup: Omit<RouteLimitSetup, "rule"> & {
    readonly rule: RouteLimitRule | undefined;
    readonly refuse: (reason: string) => Error;
  },
): WebSocketRoute["messageLimit"] {
  const { rule, refuse } = setup;
  if (rule === undefined) return undefined;
  const fault = routeBoundsFault({ rateLimit: rule });
  if (fault !== undefined) throw refuse(fault);
  return createMessageLimit({ ...setup, rule });
}

/**
 * Prepares the WebSocket routes at the start of a gateway. They inherit its middleware, except `require_client_cert`:
 * a certificate does not count for WebSocket, which says so in the log where no token is asked for either. Behind a
 * proxy, where anybody could come without one, `require_client_cert` then refuses every handshake.
 *
 * @param setup Of the gateway.
 * @returns What takes the upgrades; `undefined` without routes.
 * @throws AGENTRT_GATEWAY_ROUTE_INVALID, and as the middleware's own setup does.
 */
export async function setUpWebSockets(setup: WebSocketSetup): Promise<WebSocketServer | undefined> {
  const { node, clientCerts, log, resolveMiddleware } = setup;
  if (setup.routes.length === 0) return undefined;
  const routes: WebSocketRoute[] = [];
  const openPaths: string[] = [];
  for (const {
    path,
    middleware: own = [],
    notify = false,
    key,
    failIfSuspended = false,
    rateLimit: rule,
    ...config
  } of setup.routes) {
    const refuse = (reason: string): Error =>
      new gatewayErrors.ROUTE_INVALID({ method: "WebSocket", path, reason });
    const all = [...setup.middleware, ...own];
    const isBearer = all.includes(requireJwt);
    const isCertSkipped = isBearer || clientCerts !== "proxy_header";
    const refs = isCertSkipped ? all.filter((ref) => ref !== requireClientCert) : all;
    if (!isBearer && clientCerts !== undefined) openPaths.push(path);
    const hasOwnSecret = isBearer || all.includes(requireApiKey);
    routes.push({
      path,
      recipient: readRecipient(config, refuse),
      middleware: await resolveMiddleware(refs),
      hasOwnSecret,
      isNotified: notify,
      isKeyedBySession: key === "session",
      failIfSuspended,
      messageLimit: messageLimitOf({ ...setup, route: path, rule, refuse }),
    });
  }
  if (openPaths.length > 0) {
    const said =
      clientCerts === "direct"
        ? "WEBSOCKET ROUTES ARE UNAUTHENTICATED: client certificates do not count for them"
        : "WebSocket routes refuse every client: the certificates of a proxy do not count for them";
    log.warn(`${said}; set the middleware ${requireJwt}`, { node, paths: openPaths.join(", ") });
  }
  return new WebSocketServer({ ...setup, routes });
}
