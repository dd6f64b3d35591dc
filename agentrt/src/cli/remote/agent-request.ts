import { type JsonObject, type JsonValue, didYouMean } from "../../core/index.ts";
import { httpGatewayKind, type HttpGatewaySettings } from "../../node-kinds/index.ts";
import { listeningUrl } from "../../gateway-settings/index.ts";
import { isSupervisorNode, settingsOf, type Topology, walkTree } from "../../topology/index.ts";
import { cliErrors } from "../errors.ts";

/** One HTTP request that asks an agent. */
export interface AgentRequest {
  readonly method: string;
  readonly url: string;
  /** JSON text; undefined for methods without a body. */
  readonly body: string | undefined;
}

const placeholderPattern = /\{(\w+)\}/g;

type Route = Pick<HttpGatewaySettings["routes"][number], "method" | "path" | "agent" | "mode">;

/** One way in: a route and the gateway it belongs to. */
interface Way {
  readonly gateway: HttpGatewaySettings;
  readonly route: Route;
}

// A reply to HEAD has no body, and OPTIONS is answered by the gateway itself.
const bodilessMethods = new Set(["GET", "DELETE"]);
const silentMethods = new Set(["HEAD", "OPTIONS"]);

/**
 * Finds how an agent can be asked from outside: a declared call route to it, or the default route of a gateway that
 * declares none. Of several routes it takes the first whose path the payload can fill, one with a body before one
 * without, because a query string turns every value into text. Keys that the path names fill it; the others go into
 * the body, or into the query string.
 *
 * @param topology The topology that runs.
 * @param agent Name of the agent.
 * @param payload What to ask.
 * @returns The request.
 * @throws AGENTRT_CLI_AGENT_UNREACHABLE when no gateway leads to the agent, or the payload lacks a part of the path.
 */
export function requestFor(topology: Topology, agent: string, payload: JsonObject): AgentRequest {
  const ways = waysTo(topology, agent);
  const fitting = ways.filter(({ route }) => missingPart(route, payload) === undefined);
  const way =
    fitting.find(({ route }) => !bodilessMethods.has(route.method)) ?? fitting[0] ?? ways[0];
  if (way === undefined) throw refuse(agent, reasonForNoWay(topology, agent));
  const { gateway, route } = way;
  const missing = missingPart(route, payload);
  if (missing !== undefined) {
    const wanted = `its route ${route.method} ${route.path} needs "${missing}" in the payload, as text or number`;
    throw refuse(agent, wanted);
  }
  if (gateway.port === 0) {
    throw refuse(
      agent,
      "its gateway lets the system choose the port (port: 0): use the URL that `agentrt run` printed",
    );
  }
  return requestOver(listeningUrl(gateway), route, payload);
}

function waysTo(topology: Topology, agent: string): Way[] {
  const gateways = gatewaysOf(topology);
  const declared = gateways.flatMap((gateway) =>
    gateway.routes
      .filter((route) => route.agent === agent && route.mode === "call")
      .filter((route) => !silentMethods.has(route.method))
      .map((route) => ({ gateway, route })),
  );
  if (declared.length > 0 || !isAgentOf(topology, agent)) return declared;
  const path = `/agents/${encodeURIComponent(agent.toWellFormed())}`;
  return gateways
    .filter((gateway) => gateway.routes.length === 0)
    .map((gateway) => ({ gateway, route: { method: "POST", path, agent, mode: "call" } }));
}

function gatewaysOf(topology: Topology): HttpGatewaySettings[] {
  return [...walkTree(topology.supervision)].flatMap((node) =>
    !isSupervisorNode(node) && node.kind === httpGatewayKind.name
      ? [settingsOf(httpGatewayKind, node)]
      : [],
  );
}

function agentNames(topology: Topology): string[] {
  return [...walkTree(topology.supervision)]
    .filter((node) => !isSupervisorNode(node))
    .map((node) => node.name);
}

function isAgentOf(topology: Topology, name: string): boolean {
  return agentNames(topology).includes(name);
}

function reasonForNoWay(topology: Topology, agent: string): string {
  const names = agentNames(topology);
  if (!names.includes(agent))
    return `the topology has no agent of that name${didYouMean(agent, names)}`;
  return gatewaysOf(topology).length === 0
    ? "the topology has no http_gateway"
    : "no gateway has a call route to it";
}

function refuse(agent: string, reason: string): Error {
  return new cliErrors.AGENT_UNREACHABLE({ agent, reason });
}

/** The first placeholder of a route's path that the payload has no plain value for. */
function missingPart(route: Route, payload: JsonObject): string | undefined {
  return [...route.path.matchAll(placeholderPattern)]
    .map((match) => match[1] ?? "")
    .find((name) => {
      const value = Object.hasOwn(payload, name) ? payload[name] : undefined;
      // A segment that is empty or dots alone would make another path.
      return typeof value === "object" || /^\.{0,2}$/.test(String(value ?? ""));
    });
}

function requestOver(base: string, route: Route, payload: JsonObject): AgentRequest {
  const rest = new Map(Object.entries(payload));
  const path = route.path.replaceAll(placeholderPattern, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return encodeURIComponent(plainText(value ?? "").toWellFormed());
  });
  if (!bodilessMethods.has(route.method)) {
    return {
      method: route.method,
      url: `${base}${path}`,
      body: JSON.stringify(Object.fromEntries(rest)),
    };
  }
  const query = new URLSearchParams(
    [...rest].map(([name, value]) => [name, plainText(value)]),
  ).toString();
  return {
    method: route.method,
    url: `${base}${path}${query === "" ? "" : `?${query}`}`,
    body: undefined,
  };
}

function plainText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
