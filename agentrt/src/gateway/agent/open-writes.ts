import type { RouteConfig } from "../dispatch/index.ts";
import type { Route } from "../chain/index.ts";
import { isLoopbackHost } from "../../gateway-settings/index.ts";
import { authenticates } from "../middleware/index.ts";
import type { WebSocketRouteConfig } from "../websocket/index.ts";

/** What a gateway serves, and what is in front of it. */
export interface ServedRoutes {
  /** Where it is bound. */
  readonly host: string;
  /** True when something in front of every route authenticates. */
  readonly isAuthenticated: boolean;
  readonly ownRoutes: readonly Route[];
  /** True when something in front of those authenticates. */
  readonly isOwnAuthenticated: boolean;
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
 * and nothing in front that authenticates.
 *
 * @param served What a gateway serves.
 * @returns Method and path of each, as they were declared.
 */
export function openWriteRoutes(served: ServedRoutes): string[] {
  const { host, isAuthenticated, ownRoutes, isOwnAuthenticated, routes, hasDefaultRoutes } = served;
  const { webSocketRoutes, hasGrpc } = served;
  if (isLoopbackHost(host) || isAuthenticated) return [];
  const open: { readonly method: string; readonly path: string }[] = [];
  if (!isOwnAuthenticated) open.push(...ownRoutes);
  open.push(...routes.filter((route) => !authenticates(route.middleware ?? [])));
  if (routes.length === 0 && hasDefaultRoutes && !isOwnAuthenticated) {
    open.push({ method: "POST", path: "/agents/{name}" });
    open.push({ method: "POST", path: "/agents/{name}/cast" });
  }
  for (const { path, middleware: own = [] } of webSocketRoutes) {
    if (!authenticates(own)) open.push({ method: webSocket, path });
  }
  if (hasGrpc) open.push({ method: grpc, path: "/agentrt.Agent" });
  return open
    .filter((route) => !readingMethods.has(route.method.toUpperCase()))
    .map(
      ({ method, path }) =>
        `${method === webSocket || method === grpc ? method : method.toUpperCase()} ${path}`,
    );
}
