import type { MiddlewareRef } from "../chain/index.ts";
import type { RouteConfig } from "../dispatch/index.ts";

/** What decides which agents calls of gRPC reach. */
export interface GrpcRecipients {
  /** The setting; default none. */
  readonly agents: readonly string[] | undefined;
  /** The setting; default none. */
  readonly capabilities: readonly string[] | undefined;
  /** The gateway's routes; empty for the default ones. */
  readonly routes: readonly RouteConfig[];
  /** Of agents that are reached only where settings name them. */
  readonly isInfrastructure: (name: string) => boolean;
  /** What guards the default routes in addition to the gateway's own middleware. */
  readonly defaultMiddleware: readonly MiddlewareRef[];
}

/** Which agents calls reach, and what runs before them in addition to the gateway's own middleware. */
export interface ServedAgents {
  /** True for an agent that calls reach. */
  readonly isServed: (name: string) => boolean;
  /** True for a capability that calls reach. */
  readonly isCapabilityServed: (tag: string) => boolean;
  readonly middleware: readonly MiddlewareRef[];
}

/**
 * Decides which agents and capabilities calls of gRPC reach: those of the settings. Without them the gateway's routes
 * say so, as they do over HTTP. What a route guards with its own middleware is left out, because calls do not run that
 * one.
 *
 * @param recipients Settings of one gateway.
 */
export function servedAgents(recipients: GrpcRecipients): ServedAgents {
  const { agents, capabilities, routes, defaultMiddleware, isInfrastructure } = recipients;
  const isListed = agents !== undefined || capabilities !== undefined;
  if (!isListed && routes.length === 0) {
    const all = (): boolean => true;
    const isServed = (name: string): boolean => !isInfrastructure(name);
    return { isServed, isCapabilityServed: all, middleware: defaultMiddleware };
  }
  const names = new Set(isListed ? agents : unguarded(routes, "agent"));
  const tags = new Set(isListed ? capabilities : unguarded(routes, "capability"));
  return {
    isServed: (name) => names.has(name),
    isCapabilityServed: (tag) => tags.has(tag),
    middleware: [],
  };
}

function unguarded(routes: readonly RouteConfig[], key: "agent" | "capability"): string[] {
  const isGuarded = ({ middleware = [], rateLimit }: RouteConfig): boolean =>
    middleware.length > 0 || rateLimit !== undefined;
  const guarded = new Set(routes.filter(isGuarded).map((route) => route[key]));
  return routes.flatMap(({ [key]: value }) =>
    value === undefined || guarded.has(value) ? [] : [value],
  );
}
