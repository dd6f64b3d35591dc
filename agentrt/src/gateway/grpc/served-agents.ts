import type { MiddlewareRef } from "../chain/index.ts";
import type { RouteConfig } from "../dispatch/index.ts";

/** What decides which agents calls of gRPC reach. */
export interface GrpcRecipients {
  /** The setting; default none. */
  readonly agents: readonly string[] | undefined;
  /** The gateway's routes; empty for the default ones. */
  readonly routes: readonly RouteConfig[];
  /** What guards the default routes in addition to the gateway's own middleware. */
  readonly defaultMiddleware: readonly MiddlewareRef[];
}

/** Which agents calls reach, and what runs before them in addition to the gateway's own middleware. */
export interface ServedAgents {
  /** True for an agent that calls reach. */
  readonly isServed: (name: string) => boolean;
  readonly middleware: readonly MiddlewareRef[];
}

/**
 * Decides which agents calls of gRPC reach: those of the setting. Without it the gateway's routes say so, as they do
 * over HTTP. An agent that a route guards with its own middleware is left out, because calls do not run that one.
 *
 * @param recipients Settings of one gateway.
 */
export function servedAgents({ agents, routes, defaultMiddleware }: GrpcRecipients): ServedAgents {
  if (agents === undefined && routes.length === 0)
    return { isServed: () => true, middleware: defaultMiddleware };
  const names = new Set(agents ?? routes.map(({ agent }) => agent));
  if (agents === undefined) {
    for (const { agent, middleware = [] } of routes) if (middleware.length > 0) names.delete(agent);
  }
  return { isServed: (name) => names.has(name), middleware: [] };
}
