import { z } from "zod";
import { didYouMean, nearestName } from "../core/values/nearest-name.ts";
import { authSchema, certSettings, checkCerts, flatCertKeys } from "./checks/client-cert-fields.ts";
import { checkGrpc } from "./checks/check-grpc.ts";
import { checkHttp3 } from "./checks/check-http3.ts";
import { checkMiddleware } from "./checks/check-middleware.ts";
import {
  anyMapping,
  flag,
  list,
  mapping,
  oneOf,
  port,
  seconds,
  text,
  textLike,
  wholeMilliseconds,
  wholeNumber,
} from "../topology/schema/fields.ts";
import {
  isSupervisorNode,
  type NodeFinding,
  type NodeKind,
  type TopologyNode,
  type TreeView,
} from "../topology/index.ts";

const host = () => textLike(/^[^\s/\p{Cc}]+$/u, "a host name or an IP address");
const prefix = () =>
  textLike(
    /^(?:|\/[^\s?#]*[^\s?#/])$/,
    "a path that begins with / and does not end with it, or nothing",
  );
const docsPath = () =>
  textLike(/^\/[^\s?#{}]*$/, "a path that begins with /, without placeholders");
const origin = () =>
  textLike(/^(?:\*|https?:\/\/[^\s/?#]+)$/i, "* or an origin such as https://app.example.com");
const middleware = () => list(text(), "a list of middleware paths");
const pathWanted =
  "a path that begins with /, whose placeholders are whole segments such as {id}, each name once";

const routePathPattern = /^(?:\/(?:[^\s?#{}/]*|\{[A-Za-z_]\w*\}))+$/;

const routePath = () =>
  z
    .string({ error: pathWanted })
    .regex(routePathPattern, { error: pathWanted, abort: true })
    .refine(hasEachNameOnce, { error: pathWanted });

function hasEachNameOnce(path: string): boolean {
  const names = path.match(/\{\w+\}/g) ?? [];
  return new Set(names).size === names.length;
}

const routeSchema = mapping({
  method: oneOf(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"], "upper"),
  path: routePath(),
  agent: text("the name of an agent"),
  mode: oneOf(["call", "cast", "stream"], "lower").default("call"),
  middleware: middleware().nullish(),
  request: anyMapping().optional(),
  response: anyMapping().optional(),
});

const httpGatewaySettings = mapping({
  host: host().default("0.0.0.0"),
  port: port().default(8080),
  port_quic: port().nullish(),
  tls_cert: text().nullish(),
  tls_key: text().nullish(),
  request_timeout: seconds({ isZeroAllowed: false }).default(30),
  max_body_size: wholeNumber({ min: 1, max: 1_073_741_824 }).optional(),
  enable_http3: flag().default(false),
  routes: list(routeSchema, "a list of routes").nullish(),
  middleware: middleware().nullish(),
  docs: mapping({ enabled: flag().nullish(), path: docsPath().optional() }).nullish(),
  docs_enabled: flag().nullish(),
  docs_path: docsPath().optional(),
  auth: authSchema.nullish(),
  ...flatCertKeys,
  grpc_enabled: flag().default(false),
  grpc_port: port().nullish(),
  grpc_reflection: flag().default(true),
  ws_routes: list(
    mapping({
      path: routePath(),
      agent: text("the name of an agent"),
      middleware: middleware().nullish(),
    }),
    "a list of WebSocket routes",
  ).nullish(),
  ws_origins: list(origin(), "a list of origins").nullish(),
  stream_queue_maxsize: wholeNumber({ min: 1, max: 65_536 }).default(256),
  stream_idle_timeout: seconds({ isZeroAllowed: false }).default(300),
  max_stream_duration: seconds({ isZeroAllowed: false }).default(3600),
  topology_agent: text("the name of a topology_server node").nullish(),
  topology_prefix: prefix().nullish(),
  topology_middleware: middleware().nullish(),
}).transform((fields) => ({
  host: fields.host,
  port: fields.port,
  certs: certSettings(fields),
  requestTimeoutMs: wholeMilliseconds(fields.request_timeout),
  bodySizeBytesMax: fields.max_body_size,
  /** Empty means the default routes. */
  routes: (fields.routes ?? []).map((route) => ({ ...route, middleware: route.middleware ?? [] })),
  /** Paths of middleware, outermost first: those of `auth` stand outside of the node's. */
  authMiddleware: fields.auth?.middleware ?? [],
  middleware: fields.middleware ?? [],
  topologyMiddleware: fields.topology_middleware ?? [],
  docs: {
    isEnabled: fields.docs?.enabled ?? fields.docs_enabled ?? undefined,
    path: fields.docs?.path ?? fields.docs_path,
  },
  streams: {
    queueLengthMax: fields.stream_queue_maxsize,
    idleTimeoutMs: wholeMilliseconds(fields.stream_idle_timeout),
    durationMsMax: wholeMilliseconds(fields.max_stream_duration),
  },
  grpc: fields.grpc_enabled
    ? { port: fields.grpc_port ?? undefined, hasReflection: fields.grpc_reflection }
    : undefined,
  http3: fields.enable_http3 ? { port: fields.port_quic ?? undefined } : undefined,
  webSocketRoutes: (fields.ws_routes ?? []).map((route) => ({
    ...route,
    middleware: route.middleware ?? [],
  })),
  webSocketOrigins: fields.ws_origins ?? [],
  topologyAgent: fields.topology_agent ?? undefined,
  topologyPrefix: fields.topology_prefix || undefined,
}));

/** Settings of an `http_gateway` node. */
export type HttpGatewaySettings = z.output<typeof httpGatewaySettings>;

/** An HTTP gateway: its own listener and routes. */
export const httpGatewayKind: NodeKind<HttpGatewaySettings> = {
  name: "http_gateway",
  form: "settings",
  settings: httpGatewaySettings,
  isServed: true,
  itemKeys: { routes: ["method", "path"], ws_routes: ["path"] },
  *check({ name, settings }, tree) {
    yield* checkPort(name, settings, tree);
    const around = [...settings.authMiddleware, ...settings.middleware];
    yield* checkCerts(settings.certs, around);
    yield* checkGrpc(settings, around);
    yield* checkHttp3(name, settings, tree);
    for (const [index, route] of settings.routes.entries())
      yield* checkAgent(route.agent, ["routes", index, "agent"], tree);
    for (const [index, route] of settings.webSocketRoutes.entries())
      yield* checkAgent(route.agent, ["ws_routes", index, "agent"], tree);
    yield* checkMiddleware(settings.authMiddleware, ["auth", "middleware"], tree);
    yield* checkMiddleware(settings.middleware, ["middleware"], tree);
    yield* checkMiddleware(settings.topologyMiddleware, ["topology_middleware"], tree);
    for (const [index, route] of settings.webSocketRoutes.entries())
      yield* checkMiddleware(route.middleware, ["ws_routes", index, "middleware"], tree);
    for (const [index, route] of settings.routes.entries())
      yield* checkMiddleware(route.middleware, ["routes", index, "middleware"], tree);
    if (settings.topologyAgent !== undefined)
      yield* checkKind(settings.topologyAgent, {
        path: ["topology_agent"],
        kind: "topology_server",
        tree,
      });
  },
  draw: (_node, settings) => ({ label: `http_gateway  ${addressOf(settings)}` }),
};

const topologyServerSettings = mapping({
  host: host().default("127.0.0.1"),
  port: port().default(6789),
  prefix: prefix().nullish(),
  attach_to: text("the name of an http_gateway node").nullish(),
  auth: authSchema.nullish(),
  tls_cert: text().nullish(),
  tls_key: text().nullish(),
}).transform((fields) => ({
  host: fields.host,
  port: fields.port,
  certs: certSettings(fields),
  prefix: fields.prefix ?? "",
  attachTo: fields.attach_to ?? undefined,
  /** Paths of functions in front of every route but /health, outermost first. */
  middleware: fields.auth?.middleware ?? [],
}));

/** Settings of a `topology_server` node. */
export type TopologyServerSettings = z.output<typeof topologyServerSettings>;

/** The control plane: an agent that answers about the tree, and the gateway it owns or is attached to. */
export const topologyServerKind: NodeKind<TopologyServerSettings> = {
  name: "topology_server",
  form: "settings",
  settings: topologyServerSettings,
  defaultName: "topology_server",
  isServed: true,
  impliedNames: (name, settings) =>
    settings.attachTo === undefined ? [`${name}_supervisor`, `${name}_gateway`] : [],
  *check({ name, settings }, tree) {
    yield* checkMiddleware(settings.middleware, ["auth", "middleware"], tree);
    if (settings.attachTo === undefined) {
      yield* checkPort(name, settings, tree);
      yield* checkCerts(settings.certs, settings.middleware);
      return;
    }
    yield* refuseOwnCerts(settings);
    const path = ["attach_to"];
    const faults = [...checkKind(settings.attachTo, { path, kind: "http_gateway", tree })];
    yield* faults;
    const gateway = tree.find(settings.attachTo);
    if (faults.length > 0 || gateway === undefined || isSupervisorNode(gateway)) return;
    const answering = (gateway.settings as HttpGatewaySettings).topologyAgent;
    if (answering === name) return;
    const found =
      answering === undefined ? "sets no topology_agent" : `sets topology_agent to "${answering}"`;
    yield {
      path,
      message: `gateway "${settings.attachTo}" ${found}: it must set topology_agent to "${name}"`,
    };
  },
  draw: (_node, settings) => ({
    label: settings.attachTo === undefined ? addressOf(settings) : "",
    marker: "topo",
  }),
};

/** What an attached server says of certificates nobody would follow: the gateway's own settings count. */
function* refuseOwnCerts({ certs, attachTo }: TopologyServerSettings): Generator<NodeFinding> {
  if (certs.tls === undefined && certs.isInAuth.size === 0) return;
  yield {
    path: ["attach_to"],
    message: `connections and certificates are those of gateway "${attachTo}": set tls and client certificate keys there`,
  };
}

function addressOf({
  host,
  port,
  certs,
}: Pick<HttpGatewaySettings, "host" | "port" | "certs">): string {
  return `${certs.tls === undefined ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

interface Listener {
  readonly host: string;
  readonly port: number;
}

const everyHost = new Set(["0.0.0.0", "::"]);

/** Two nodes that listen on one port cannot both start; the later one in the file is told. */
function* checkPort(name: string, settings: Listener, tree: TreeView): Generator<NodeFinding> {
  const { host, port } = settings;
  if (port === 0) return;
  for (const otherName of tree.names.slice(0, tree.names.indexOf(name))) {
    const other = listenerOf(tree.find(otherName));
    if (other?.port !== port) continue;
    if (other.host !== host && !everyHost.has(other.host) && !everyHost.has(host)) continue;
    yield {
      path: ["port"],
      refersTo: otherName,
      message: `"${otherName}" listens on port ${port} of ${other.host} already`,
    };
    return;
  }
}

function listenerOf(node: TopologyNode | undefined): Listener | undefined {
  if (node === undefined || isSupervisorNode(node)) return undefined;
  if (node.kind === httpGatewayKind.name) return node.settings as HttpGatewaySettings;
  if (node.kind !== topologyServerKind.name) return undefined;
  const settings = node.settings as TopologyServerSettings;
  return settings.attachTo === undefined ? settings : undefined;
}

function* checkAgent(
  name: string,
  path: (string | number)[],
  tree: TreeView,
): Generator<NodeFinding> {
  const node = tree.find(name);
  if (node !== undefined && !isSupervisorNode(node)) return;
  if (node !== undefined) {
    yield { path, message: `"${name}" is a supervisor, and a route needs an agent` };
    return;
  }
  const nearest = nearestName(name, tree.names);
  const message = `there is no agent "${name}" in the tree`;
  if (tree.isDynamic && nearest === undefined)
    yield {
      path,
      refersTo: name,
      message: `${message}: it must have been spawned before a request comes`,
      isNote: true,
    };
  else
    yield {
      path,
      refersTo: name,
      message: `${message}${didYouMean(name, tree.names)}`,
      ...(nearest === undefined ? {} : { nearest }),
      isNote: tree.isDynamic,
    };
}

function* checkKind(
  name: string,
  { path, kind, tree }: { path: (string | number)[]; kind: string; tree: TreeView },
): Generator<NodeFinding> {
  const node = tree.find(name);
  if (node?.kind === kind) return;
  if (node !== undefined) {
    yield { path, message: `"${name}" is of kind ${node.kind}, wanted ${kind}` };
    return;
  }
  const names = tree.names.filter((other) => tree.find(other)?.kind === kind);
  const nearest = nearestName(name, names);
  yield {
    path,
    refersTo: name,
    message: `there is no ${kind} "${name}" in the tree${didYouMean(name, names)}`,
    ...(nearest === undefined ? {} : { nearest }),
  };
}
