import type { MessageSchemas } from "../../core/index.ts";
import { type AddressRanges, routeBoundsFault } from "../../gateway-settings/index.ts";
import { type Handler, isOriginAllowed, type Middleware, type Route } from "../chain/index.ts";
import { gatewayErrors } from "../errors.ts";
import type { MiddlewareResolver } from "../middleware/index.ts";
import { createRouteLimit } from "../rate-limit/index.ts";
import { errorResponse } from "../request.ts";
import { A2aServer } from "./a2a/index.ts";
import type { AskPorts } from "./ask-agent.ts";
import { AgentTools, loadSdk, McpSessions } from "./mcp/index.ts";
import {
  a2aPathDefault,
  mcpPathDefault,
  type PublishLimits,
  publishLimitDefaults,
  type PublishOptions,
} from "./publish-options.ts";
import { publishedAgents } from "./published-agent.ts";
import type { SuspensionPorts } from "./suspension-ports.ts";

/** What the routes of published agents are made of. */
export interface PublishSetup extends AskPorts {
  readonly publish: PublishOptions;
  /** Name of the gateway. */
  readonly node: string;
  /** What the classes of agents declare, by name of the agent. */
  readonly schemas: ReadonlyMap<string, MessageSchemas>;
  readonly resolveMiddleware: MiddlewareResolver;
  /** Paths of the middleware of this package that is in front of it all, for the cards. */
  readonly guards: readonly string[];
  readonly trustedProxies: AddressRanges | undefined;
  readonly requestTimeoutMs: number;
  /** Where the gateway is bound, whose pages may ask, and whether it speaks TLS. */
  readonly boundHost: string;
  readonly allowedOrigins: readonly string[];
  readonly isTls: boolean;
  /** Which agents wait for a person; `undefined` where nobody knows. */
  readonly suspensions: SuspensionPorts | undefined;
}

/** What a gateway serves for the clients of published agents. */
export interface Published {
  readonly routes: readonly Route[];
  /** Ends sessions and tasks. */
  close(): void;
}

/** How much longer than an agent its route may take, so that the agent's own time-out is what clients hear of. */
const graceMs = 1_000;

/**
 * Makes the routes by which other agents use those of this gateway.
 *
 * @param setup Which, and over what.
 * @returns The routes.
 * @throws AGENTRT_GATEWAY_SETTING_INVALID, AGENTRT_GATEWAY_PUBLISH_PACKAGE_MISSING.
 */
export async function publishRoutes(setup: PublishSetup): Promise<Published> {
  const { publish, node, schemas } = setup;
  const agents = publishedAgents(publish.agents, { node, schemas });
  const limits: PublishLimits = { ...publishLimitDefaults, ...publish.limits };
  const { mcpPath = mcpPathDefault, a2aPath = a2aPathDefault } = publish;
  const route = await routeMaker(setup);
  const info = { name: publish.name ?? node, version: publish.version ?? "1.0.0" };
  const { requestTimeoutMs, system } = setup;
  const routes: Route[] = [];
  const closers: (() => void)[] = [];
  if (mcpPath !== false) {
    const sdk = await loadSdk(node);
    const tools = new AgentTools(agents, setup);
    const sessions = new McpSessions({ sdk, tools, system, limits, requestTimeoutMs, info });
    closers.push(() => sessions.close());
    routes.push(route("POST", mcpPath, (request) => sessions.post(request)));
    routes.push(route("DELETE", mcpPath, async (request) => sessions.delete(request)));
  }
  if (a2aPath !== false) {
    const server = new A2aServer({ ...setup, agents, limits, info, a2aPath });
    closers.push(() => server.close());
    for (const { method, path, handle } of server.routes())
      routes.push(route(method, path, handle));
  }
  return {
    routes,
    close: () => {
      for (const close of closers) close();
    },
  };
}

type RouteMaker = (method: string, path: string, handle: Handler) => Route;

/** All routes are guarded by the same middleware, and count together against one limit. */
async function routeMaker(setup: PublishSetup): Promise<RouteMaker> {
  const { publish, node, system, trustedProxies, requestTimeoutMs } = setup;
  const { rateLimit: rule, middleware: refs = [] } = publish;
  const fault = routeBoundsFault({ rateLimit: rule });
  if (fault !== undefined)
    throw new gatewayErrors.SETTING_INVALID({ node, key: "publish", reason: fault });
  const own = await setup.resolveMiddleware(refs);
  const limit: Middleware[] =
    rule === undefined
      ? []
      : [createRouteLimit({ rule, route: "publish", system, trustedProxies })];
  const middleware = [refuseForeignPages(setup), ...own, ...limit];
  return (method, path, handle) => ({
    method,
    path,
    handle,
    middleware,
    requestTimeoutMs: requestTimeoutMs + graceMs,
  });
}

/**
 * Both protocols ask for this on every address: a page elsewhere, or one under a name that was made to point here, must not
 * use what its reader can reach.
 */
function refuseForeignPages({ allowedOrigins: allowed, boundHost }: PublishSetup): Middleware {
  return async (request, next) => {
    const { authority: host } = request;
    const { origin } = request.headers;
    return isOriginAllowed({ origin, host }, { allowed, boundHost })
      ? await next(request)
      : errorResponse(403, "origin is not allowed: list it in allowed_origins");
  };
}
