import { z } from "zod";
import type { ChildSpec } from "../core/index.ts";
import { rateLimitPath } from "../gateway-settings/index.ts";
import { fields, isOfKind, type KindNode, type TopologyNode } from "../topology/index.ts";
import {
  addressOf,
  authSchema,
  certSettings,
  checkAgent,
  checkCapability,
  checkCerts,
  checkDocsRoutes,
  checkEdge,
  checkGrpc,
  checkHttp3,
  checkKind,
  checkMiddleware,
  checkPort,
  checkPublish,
  checkRecipient,
  checkRoutes,
  checkUnused,
  checkWebSocketRoute,
  edgeFields,
  edgeKeys,
  edgeSettings,
  flatCertKeys,
  host,
  listenerKeys,
  middleware,
  origin,
  prefix,
  publishField,
  publishKeys,
  rateLimitField,
  routeBounds,
  routeBoundsFields,
  routeLimit,
  unusedKeys,
} from "./checks/index.ts";
import type { BuildableKind } from "./kind.ts";
import { loadMiddleware } from "./load-middleware.ts";
import type { TreeLoader } from "./tree-loader.ts";

const { anyMapping, flag, list, mapping, oneOf, port, seconds, text, textLike } = fields;
const { wholeMilliseconds, wholeNumber } = fields;

const docsPath = () =>
  textLike(/^\/[^\s?#{}]*$/, "a path that begins with /, without placeholders");
const pathWanted =
  "a path that begins with /, whose placeholders are whole segments such as {id}, each name once, the last one perhaps {rest*}";

const routePathPattern =
  /^(?:\/|(?:\/(?:[^\s?#{}/]*|\{[A-Za-z_]\w*\}))*(?:\/\{[A-Za-z_]\w*\*\})?)$/;

const routePath = () =>
  z
    .string({ error: pathWanted })
    .regex(routePathPattern, { error: pathWanted, abort: true })
    .refine(hasEachNameOnce, { error: pathWanted });

function hasEachNameOnce(path: string): boolean {
  const names = path.match(/(?<=\{)\w+/g) ?? [];
  return new Set(names).size === names.length;
}

/** For the JSON Schema; the parser's own check says what is wrong. */
const oneRecipient = { oneOf: [{ required: ["agent"] }, { required: ["capability"] }] };

const routeSchema = mapping({
  method: oneOf(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"], "upper"),
  path: routePath(),
  agent: text("the name of an agent").optional(),
  capability: text("a capability").optional(),
  mode: oneOf(["call", "cast", "stream"], "lower").default("call"),
  middleware: middleware().nullish(),
  request: anyMapping().optional(),
  response: anyMapping().optional(),
  fail_if_suspended: flag().optional(),
  ...routeBoundsFields,
}).meta(oneRecipient);

const httpGatewaySettings = mapping({
  host: host().default("0.0.0.0"),
  port: port().default(8080),
  port_quic: port().nullish(),
  tls_cert: text().nullish(),
  tls_key: text().nullish(),
  request_timeout: seconds({ isZeroAllowed: false }).default(30),
  cast_timeout: seconds({ isZeroAllowed: false }).default(1),
  max_body_size: wholeNumber({ min: 1, max: 1_073_741_824 }).optional(),
  enable_http3: flag().default(false),
  routes: list(routeSchema, "a list of routes").nullish(),
  middleware: middleware().nullish(),
  docs: mapping({ enabled: flag().nullish(), path: docsPath().optional() }).nullish(),
  docs_enabled: flag().nullish(),
  docs_path: docsPath().optional(),
  auth: authSchema.nullish(),
  ...flatCertKeys,
  ...edgeFields,
  grpc_enabled: flag().default(false),
  grpc_port: port().nullish(),
  grpc_reflection: flag().default(true),
  grpc_agents: list(text("the name of an agent"), "a list of agents").nullish(),
  grpc_capabilities: list(text("a capability"), "a list of capabilities").nullish(),
  ws_routes: list(
    mapping({
      path: routePath(),
      agent: text("the name of an agent").optional(),
      capability: text("a capability").optional(),
      notify: flag().default(false),
      key: oneOf(["session"], "lower").optional(),
      fail_if_suspended: flag().optional(),
      rate_limit: rateLimitField().optional(),
      middleware: middleware().nullish(),
    }).meta(oneRecipient),
    "a list of WebSocket routes",
  ).nullish(),
  publish: publishField().nullish(),
  allowed_origins: list(origin(), "a list of origins").nullish(),
  ws_origins: list(origin(), "a list of origins").nullish(),
  stream_queue_maxsize: wholeNumber({ min: 1, max: 65_536 }).default(256),
  stream_idle_timeout: seconds({ isZeroAllowed: false }).default(300),
  max_stream_duration: seconds({ isZeroAllowed: false }).default(3600),
  resume_window: seconds({ isZeroAllowed: true }).default(0),
  topology_agent: text("the name of a topology_server node").nullish(),
  topology_prefix: prefix().nullish(),
  topology_middleware: middleware().nullish(),
}).transform((given) => ({
  host: given.host,
  port: given.port,
  certs: certSettings(given),
  ...edgeSettings(given),
  requestTimeoutMs: wholeMilliseconds(given.request_timeout),
  castTimeoutMs: wholeMilliseconds(given.cast_timeout),
  bodySizeBytesMax: given.max_body_size,
  /** Empty means the default routes. */
  routes: (given.routes ?? []).map(
    ({ request_timeout, max_body_size, rate_limit, middleware: own, ...rest }) => {
      const { fail_if_suspended: failIfSuspended, ...route } = rest;
      return {
        ...route,
        ...(failIfSuspended ? { failIfSuspended } : {}),
        ...routeBounds({ request_timeout, max_body_size, rate_limit }),
        middleware: own ?? [],
      };
    },
  ),
  /** Paths of middleware, outermost first: those of `auth` are outside of the node's. */
  authMiddleware: given.auth?.middleware ?? [],
  middleware: given.middleware ?? [],
  topologyMiddleware: given.topology_middleware ?? [],
  docs: {
    isEnabled: given.docs?.enabled ?? given.docs_enabled ?? undefined,
    path: given.docs?.path ?? given.docs_path,
  },
  streams: {
    queueLengthMax: given.stream_queue_maxsize,
    idleTimeoutMs: wholeMilliseconds(given.stream_idle_timeout),
    durationMsMax: wholeMilliseconds(given.max_stream_duration),
    resumeTimeoutMs: given.resume_window === 0 ? 0 : wholeMilliseconds(given.resume_window),
  },
  grpc: given.grpc_enabled
    ? {
        port: given.grpc_port ?? undefined,
        hasReflection: given.grpc_reflection,
        agents: given.grpc_agents ?? undefined,
        capabilities: given.grpc_capabilities ?? undefined,
      }
    : undefined,
  http3: given.enable_http3 ? { port: given.port_quic ?? undefined } : undefined,
  webSocketRoutes: (given.ws_routes ?? []).map(
    ({ rate_limit: limit, fail_if_suspended: failIfSuspended, ...route }) => ({
      ...route,
      ...(failIfSuspended ? { failIfSuspended } : {}),
      rateLimit: limit === undefined ? undefined : routeLimit(limit),
      middleware: route.middleware ?? [],
    }),
  ),
  publish: given.publish ?? undefined,
  allowedOrigins: given.allowed_origins ?? [],
  webSocketOrigins: given.ws_origins ?? [],
  topologyAgent: given.topology_agent ?? undefined,
  topologyPrefix: given.topology_prefix || undefined,
  /** Keys that have no effect. */
  unused: unusedKeys(given),
}));

/** Settings of an `http_gateway` node. */
export type HttpGatewaySettings = z.output<typeof httpGatewaySettings>;

/** An HTTP gateway: its own listener and routes. */
export const httpGatewayKind: BuildableKind<HttpGatewaySettings> = {
  name: "http_gateway",
  form: "settings",
  settings: httpGatewaySettings,
  isServed: true,
  itemKeys: { routes: ["method", "path"], ws_routes: ["path"] },
  *check({ name, settings }, tree) {
    yield* checkPort(name, settings, tree);
    const around = [...settings.authMiddleware, ...settings.middleware];
    yield* checkCerts(settings.certs, around);
    yield* checkUnused(settings, around);
    yield* checkEdge(settings);
    yield* checkGrpc(settings, around);
    yield* checkHttp3({ name, ...settings }, tree, settingsOfGateway);
    yield* checkRoutes(settings.routes, "routes");
    yield* checkRoutes(
      settings.webSocketRoutes.map((route) => ({ ...route, method: "" })),
      "ws_routes",
    );
    yield* checkDocsRoutes(settings.routes, describedBy(settings));
    for (const [index, route] of settings.routes.entries())
      yield* checkRecipient(route, ["routes", index], tree);
    for (const [index, route] of settings.webSocketRoutes.entries())
      yield* checkWebSocketRoute(route, ["ws_routes", index], tree);
    for (const [index, agent] of (settings.grpc?.agents ?? []).entries())
      yield* checkAgent(agent, ["grpc_agents", index], tree);
    for (const [index, tag] of (settings.grpc?.capabilities ?? []).entries())
      yield* checkCapability(tag, ["grpc_capabilities", index], tree);
    yield* checkPublish(settings.publish, tree);
    yield* checkMiddleware(settings.publish?.middleware ?? [], ["publish", "middleware"], tree);
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
  isServer: true,
  keys: {
    ...listenerKeys,
    ...edgeKeys,
    port_quic: "UDP port of HTTP/3.",
    request_timeout: "Seconds that a request may take.",
    cast_timeout:
      "Seconds that a cast waits for room in the agent's mailbox, at most request_timeout.",
    max_body_size:
      "Longest request body and message of a client, in bytes; by default 1 MiB, over gRPC 4 MiB.",
    enable_http3: "Whether HTTP/3 is served; needs TLS and port_quic.",
    routes: "Routes; without any, every agent has the default ones.",
    "routes.*.method": "HTTP method.",
    "routes.*.path":
      "Path; a segment {name} stands for any one segment, a last {name*} for the rest of the path.",
    "routes.*.agent": "Agent that gets the message; this or capability.",
    "routes.*.capability":
      "What the agent must declare: each message goes to one that does, chosen at random.",
    "routes.*.mode": "call waits for the reply, cast does not, stream hands on each part.",
    "routes.*.fail_if_suspended":
      "Whether a call or a stream answers 503 at once while its agent is suspended; default false.",
    "routes.*.request": "JSON Schema of the body, for the API's description.",
    "routes.*.response": "JSON Schema of the reply, for the API's description.",
    "routes.*.middleware": "Middleware of this route.",
    "routes.*.request_timeout":
      "Seconds that a request of this route may take, in place of request_timeout.",
    "routes.*.max_body_size": "Longest body of this route in bytes, in place of max_body_size.",
    "routes.*.rate_limit": "How many requests of a client this route takes; more get 429.",
    "routes.*.rate_limit.requests": "Requests in any stretch of that time.",
    "routes.*.rate_limit.per": "The time: seconds, or second, minute, hour or day.",
    "routes.*.rate_limit.key":
      "Whose requests are counted together: address, api_key, principal or claim:<name>.",
    middleware: "Middleware of every route.",
    docs: "The API's description.",
    "docs.enabled": "Whether the API's description is served.",
    "docs.path": "Path of the API's description.",
    docs_enabled: "The same as docs.enabled.",
    docs_path: "The same as docs.path.",
    tls_ca_cert: "File of the authority that signs clients' certificates.",
    client_cert_mode: "Whether clients show a certificate.",
    mtls_source: "direct: of the connection. proxy_header: in a header of a proxy.",
    trusted_proxy_cidrs: "Ranges of proxies whose word about clients is taken.",
    grpc_enabled: "Whether gRPC is served.",
    grpc_port: "Port of gRPC.",
    grpc_reflection: "Whether gRPC clients may ask for the services.",
    grpc_agents:
      "Agents that gRPC calls reach; by default those of routes without own middleware, and without routes all.",
    grpc_capabilities:
      "Capabilities that gRPC calls reach; by default those of routes without own middleware, and without routes all.",
    ws_routes: "WebSocket routes.",
    "ws_routes.*.path":
      "Path; a segment {name} stands for any one segment, a last {name*} for the rest of the path.",
    "ws_routes.*.agent": "Agent that the connection talks to; this or capability.",
    "ws_routes.*.capability":
      "What the agent must declare: each message goes to one that does, chosen at random.",
    "ws_routes.*.notify":
      "Whether the agent is sent ws.open when a client has connected, and ws.close when it has gone.",
    "ws_routes.*.key": "session: each connection is a key of the keyed agent.",
    "ws_routes.*.fail_if_suspended":
      "Whether a message is answered with an error at once while its agent is suspended; default false.",
    "ws_routes.*.middleware": "Middleware of this route's handshake.",
    "ws_routes.*.rate_limit": "How many messages of a client this route takes; more get an error.",
    "ws_routes.*.rate_limit.requests": "Messages in any stretch of that time.",
    "ws_routes.*.rate_limit.per": "The time: seconds, or second, minute, hour or day.",
    "ws_routes.*.rate_limit.key": "Whose messages are counted together, as for a route.",
    ...publishKeys,
    allowed_origins:
      "Origins whose pages may send requests to a loopback address, in addition to pages of this machine; * for all.",
    ws_origins: "Origins whose pages may connect, in addition to the gateway's own; * for all.",
    stream_queue_maxsize: "Parts that wait for a slow client at most.",
    stream_idle_timeout: "Seconds without a part after which a stream ends.",
    max_stream_duration: "Seconds after which a stream ends.",
    resume_window:
      "Seconds that a stream of events waits for a client that was cut off; 0 cancels it at once.",
    topology_agent: "A topology_server whose routes this gateway serves.",
    topology_prefix: "Prefix of the topology server's paths.",
    topology_middleware: "Middleware of the topology server's paths.",
  },
  build: buildHttpGateway,
};

/** Where something authenticates, the description is served only when the file asks for it. */
function describedBy({
  docs,
  routes,
  middleware,
  authMiddleware,
  publish,
}: HttpGatewaySettings): HttpGatewaySettings["docs"] {
  const ofRoutes = routes.flatMap((route) => route.middleware);
  const paths = [...middleware, ...ofRoutes, ...(publish?.middleware ?? [])];
  const isOpen = authMiddleware.length === 0 && !paths.some((path) => isAuthentication(path));
  return { ...docs, isEnabled: docs.isEnabled ?? (isOpen ? undefined : false) };
}

/** True for middleware of this package that refuses clients without credentials. */
function isAuthentication(path: string): boolean {
  return path.startsWith("agentrt.") && path !== rateLimitPath;
}

function settingsOfGateway(node: TopologyNode): HttpGatewaySettings | undefined {
  return isOfKind(httpGatewayKind, node) ? node.settings : undefined;
}

async function buildHttpGateway(
  node: KindNode<HttpGatewaySettings>,
  loader: TreeLoader,
): Promise<ChildSpec> {
  const { httpGateway } = await import("../node-specs/index.ts");
  const { routes, webSocketRoutes, certs, publish, unused: _, ...settings } = node.settings;
  const { authMiddleware, middleware, topologyMiddleware, ...options } = settings;
  const load = loadMiddleware(node, loader);
  const builtRoutes = [];
  for (const { middleware: paths, ...route } of routes) {
    builtRoutes.push({ ...route, middleware: await load(paths) });
  }
  const builtWebSocketRoutes = [];
  for (const { middleware: paths, ...route } of webSocketRoutes) {
    builtWebSocketRoutes.push({ ...route, middleware: await load(paths) });
  }
  return httpGateway(node.name, {
    ...options,
    tls: certs.tls,
    mtls: certs.mtls,
    routes: builtRoutes,
    webSocketRoutes: builtWebSocketRoutes,
    publish: publish && { ...publish, middleware: await load(publish.middleware) },
    authMiddleware: await load(authMiddleware),
    middleware: await load(middleware),
    topologyMiddleware: await load(topologyMiddleware),
  });
}
