import type { RouteConfig } from "../dispatch/index.ts";
import type { Route, MiddlewareRef } from "../chain/index.ts";
import { isLoopbackHost } from "../../gateway-settings/index.ts";
import { mayAuthenticate } from "../middleware/index.ts";
import type { WebSocketRouteConfig } from "../websocket/index.ts";

/** What a gateway serves, and what is in front of it. */
export interface ServedRoutes {
  /** Where it is bound. */
  readonly host: string;
  readonly middleware: readonly MiddlewareRef[];
  readonly ownRoutes: readonly Route[];
  readonly ownMiddleware: readonly MiddlewareRef[];
  /** Routes to agents; empty for the default ones, where there are any. */
  readonly routes: readonly RouteConfig[];
  readonly hasDefaultRoutes: boolean;
  /** Each may carry anything to its agent. */
  readonly webSocketRoutes: readonly WebSocketRouteConfig[];
  /** True when gRPC leads to every agent. */
  readonly hasGrpc: boolean;
}

const webSocket = "WebSocket";
const grpc = "gRPC";
const readingMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Finds the routes through which anybody on the network can change something: no loopback bind, a method that writes,
 * and nothing in front that may authenticate.
 *
 * @param served What a gateway serves.
 * @returns Method and path of each, as they were declared.
 */
export function openWriteRoutes(served: ServedRoutes): string[] {
  const { host, middleware, ownRoutes, ownMiddleware, routes, hasDefaultRoutes } = served;
  const { webSocketRoutes, hasGrpc } = served;
  if (isLoopbackHost(host) || mayAuthenticate(middleware)) return [];
  const open: { readonly method: string; readonly path: string }[] = [];
  if (!mayAuthenticate(ownMiddleware)) open.push(...ownRoutes);
  open.push(...routes.filter((route) => !mayAuthenticate(route.middleware ?? [])));
  if (routes.length === 0 && hasDefaultRoutes) {
    open.push({ method: "POST", path: "/agents/{name}" });
    open.push({ method: "POST", path: "/agents/{name}/cast" });
  }
  for (const { path, middleware: own = [] } of webSocketRoutes) {
    if (!mayAuthenticate(own)) open.push({ method: webSocket, path });
  }
  if (hasGrpc) open.push({ method: grpc, path: "/agentrt.Agent" });
  return open
    .filter((route) => !readingMethods.has(route.method.toUpperCase()))
    .map(
      ({ method, path }) =>
        `${method === webSocket || method === grpc ? method : method.toUpperCase()} ${path}`,
    );
}
