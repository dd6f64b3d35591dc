import type { Log } from "../../core/index.ts";
import { type AddressRanges, isLoopbackHost } from "../../gateway-settings/index.ts";
import { eventStreamLimitDefaults } from "../dispatch/index.ts";
import { authenticates, type MiddlewareResolver } from "../middleware/index.ts";
import type { AgentBus } from "../ports.ts";
import type { Published, PublishOptions } from "../publish/index.ts";
import type { HttpGatewayOptions, HttpGatewayPorts } from "./gateway-options.ts";

/** What one start of a gateway publishes from. */
export interface PublishedSetup {
  readonly node: string;
  /** Address or name that is bound. */
  readonly host: string;
  readonly options: HttpGatewayOptions;
  readonly ports: HttpGatewayPorts;
  readonly bus: AgentBus;
  readonly log: Log;
  readonly resolveMiddleware: MiddlewareResolver;
  readonly trustedProxies: AddressRanges | undefined;
  readonly requestTimeoutMs: number;
}

/**
 * Prepares what a gateway serves for agents elsewhere; what it takes is loaded only where something is published.
 *
 * @param setup Of one start of the gateway.
 * @returns Undefined where nothing is published.
 * @throws AGENTRT_GATEWAY_SETTING_INVALID, AGENTRT_GATEWAY_PUBLISH_PACKAGE_MISSING.
 */
export async function setUpPublished(setup: PublishedSetup): Promise<Published | undefined> {
  const { options, ports, host, ...shared } = setup;
  const { publish, middleware = [], allowedOrigins = [], cors, tls, streams } = options;
  if (publish === undefined) return undefined;
  const { publishRoutes } = await import("../publish/index.ts");
  const { queueLengthMax, idleTimeoutMs, durationMsMax } = {
    ...eventStreamLimitDefaults,
    ...streams,
  };
  const guards = [...middleware, ...(publish.middleware ?? [])];
  return await publishRoutes({
    ...shared,
    publish,
    system: ports.system,
    schemas: ports.agentSchemas?.() ?? new Map(),
    suspensions: ports.suspensions,
    streamLimits: { queueLengthMax, idleTimeoutMs, durationMsMax },
    guards: guards.filter((guard) => typeof guard === "string"),
    boundHost: host,
    allowedOrigins: [...allowedOrigins, ...(cors?.origins ?? [])],
    isTls: tls !== undefined,
  });
}

/**
 * Finds the paths through which anybody on the network can use published agents.
 *
 * @param publish What is published.
 * @param host Where the gateway is bound.
 * @returns None where the paths have middleware that authenticates, or only this machine reaches them.
 */
export function openPublishPaths(publish: PublishOptions | undefined, host: string): string[] {
  if (publish === undefined || isLoopbackHost(host)) return [];
  if (authenticates(publish.middleware ?? [])) return [];
  const { mcpPath = "/mcp", a2aPath = "/a2a" } = publish;
  return [mcpPath, a2aPath].flatMap((path) => (path === false ? [] : [`POST ${path}`]));
}
