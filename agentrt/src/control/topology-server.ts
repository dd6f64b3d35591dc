import { supervisor, type SupervisorSpec } from "../core/index.ts";
import {
  httpGatewaySpec,
  type HttpGatewayOptions,
  type HttpGatewayPorts,
  type MiddlewareRef,
} from "../gateway/index.ts";
import type { ScopeTable } from "./guard/index.ts";
import { controlRoutes } from "./routes.ts";
import type { RuntimeControl } from "./runtime-view.ts";
import type { Redact } from "./views/index.ts";
import { topologyAgentSpec } from "./topology-agent.ts";

/** Settings of a topology server with its own gateway. */
export interface TopologyServerOptions {
  /** Address or name to bind. Default `127.0.0.1`. */
  readonly host?: string | undefined;
  /** TCP port, 0 to 65 535; 0 lets the system choose. Default 6789. */
  readonly port?: number | undefined;
  /** Put before every path: empty, or `/admin` and the like. Default empty. */
  readonly prefix?: string | undefined;
  /** Certificate and key; without them the port speaks clear text. */
  readonly tls?: HttpGatewayOptions["tls"];
  /** Where clients' certificates come from, and which proxies are trusted. Default the connection, and none. */
  readonly mtls?: HttpGatewayOptions["mtls"];
  /** Takes out of the states of agents what must not be seen; default only keys that look like secrets. */
  readonly redact?: Redact | undefined;
  /** Messages that nobody handled whose payloads are kept, so that they can be sent again, 0 to 10 000; default 0. */
  readonly deadLetterPayloadCountMax?: number | undefined;
  /** In front of every route but `/health`, outermost first. Default none. */
  readonly middleware?: readonly MiddlewareRef[] | undefined;
  /** Who may what, by principal (`ada`, `api_key:…`, `CN=ada,O=Acme`); `*` is for the others. Default everybody all. */
  readonly scopes?: ScopeTable | undefined;
  /** Whether it serves the console at `/console`. Default true. */
  readonly hasConsole?: boolean | undefined;
}

/** What a topology server needs of the runtime it is part of. */
export interface TopologyServerPorts extends HttpGatewayPorts {
  /** The runtime it tells about and changes; asked when a request comes, not before. */
  readonly control: RuntimeControl;
}

/**
 * Describes a topology server with its own gateway: the supervisor `<name>_supervisor` with the agents `<name>`
 * and `<name>_gateway`. The gateway serves only the control plane and has no routes to agents.
 *
 * @param name Unique in the tree, as are the two names made from it.
 * @param options Where to listen and under which prefix.
 * @param ports What it needs of its runtime.
 * @returns The subtree.
 */
export function topologyServerSpec(
  name: string,
  options: TopologyServerOptions,
  ports: TopologyServerPorts,
): SupervisorSpec {
  const { host = "127.0.0.1", port = 6789, prefix = "" } = options;
  const { redact, deadLetterPayloadCountMax, scopes, hasConsole } = options;
  const { middleware: authMiddleware, tls, mtls } = options;
  const ownRoutes = controlRoutes({
    name,
    control: ports.control,
    prefix,
    boundHost: host,
    redact,
    deadLetterPayloadCountMax,
    scopes,
    guards: authMiddleware ?? [],
    isTls: tls !== undefined,
    hasConsole,
  });
  const gateway = { host, port, ownRoutes, authMiddleware, tls, mtls, hasDefaultRoutes: false };
  return supervisor(`${name}_supervisor`, {
    strategy: "ONE_FOR_ONE",
    children: [
      topologyAgentSpec(name, ports.control),
      httpGatewaySpec(`${name}_gateway`, gateway, ports),
    ],
  });
}
