import type { JsonObject, JsonValue } from "../core/index.ts";
import { httpGatewayKind, type HttpGatewaySettings } from "../composition/node-kinds-gateway.ts";
import { isSupervisorNode, settingsOf, type Topology, walkTree } from "../topology/index.ts";
import { cliErrors } from "./errors.ts";

/** One HTTP request that asks an agent. */
export interface AgentRequest {
  readonly method: string;
  readonly url: string;
  /** JSON text; undefined for methods without a body. */
  readonly body: string | undefined;
}

type Route = HttpGatewaySettings["routes"][number];

const methodsWithoutBody = new Set(["GET", "HEAD", "DELETE", "OPTIONS"]);

/**
 * Finds how an agent can be asked from outside: the first declared call route to it, or the default route of a
 * gateway that declares none. Keys of the payload that the path names fill it; the others go into the body, or into
 * the query string of a method without one.
 *
 * @param topology The topology that runs.
 * @param agent Name of the agent.
 * @param payload What to ask.
 * @returns The request.
 * @throws AGENTRT_CLI_AGENT_UNREACHABLE when no gateway leads to the agent, or the payload lacks a part of the path.
 */
export function requestFor(topology: Topology, agent: string, payload: JsonObject): AgentRequest {
  const gateways = [...walkTree(topology.supervision)]
    .filter((node) => !isSupervisorNode(node) && node.kind === httpGatewayKind.name)
    .map((node) => settingsOf(httpGatewayKind, node as never));
  for (const gateway of gateways) {
    const route = gateway.routes.find(
      (candidate) => candidate.agent === agent && candidate.mode === "call",
    );
    if (route !== undefined) return requestOver(baseUrl(gateway), route, payload);
  }
  const open = gateways.find((gateway) => gateway.routes.length === 0);
  const isInTree = [...walkTree(topology.supervision)].some(
    (node) => node.name === agent && !isSupervisorNode(node),
  );
  if (!isInTree)
    throw new cliErrors.AGENT_UNREACHABLE({
      agent,
      reason: "the topology has no agent of that name",
    });
  if (open === undefined) {
    const reason =
      gateways.length === 0
        ? "the topology has no http_gateway"
        : "no gateway has a call route to it";
    throw new cliErrors.AGENT_UNREACHABLE({ agent, reason });
  }
  const path = `/agents/${encodeURIComponent(agent)}`;
  return requestOver(baseUrl(open), { method: "POST", path, agent, mode: "call" }, payload);
}

function requestOver(base: string, route: Route, payload: JsonObject): AgentRequest {
  const rest = new Map(Object.entries(payload));
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    if (value === undefined || value === null || typeof value === "object") {
      const reason = `its route ${route.method} ${route.path} needs "${name}" in the payload, as text or number`;
      throw new cliErrors.AGENT_UNREACHABLE({ agent: route.agent, reason });
    }
    rest.delete(name);
    return encodeURIComponent(String(value));
  });
  if (!methodsWithoutBody.has(route.method)) {
    return {
      method: route.method,
      url: `${base}${path}`,
      body: JSON.stringify(Object.fromEntries(rest)),
    };
  }
  const query = new URLSearchParams(
    [...rest].map(([name, value]) => [name, queryText(value)]),
  ).toString();
  return {
    method: route.method,
    url: `${base}${path}${query === "" ? "" : `?${query}`}`,
    body: undefined,
  };
}

function queryText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A gateway bound to every address is reached over loopback. */
function baseUrl({ host, port }: { readonly host: string; readonly port: number }): string {
  if (host === "0.0.0.0") return `http://127.0.0.1:${port}`;
  if (host === "::") return `http://[::1]:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
