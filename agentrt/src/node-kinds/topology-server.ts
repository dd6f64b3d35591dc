import { z } from "zod";
import type { ChildSpec } from "../core/index.ts";
import type { TopologyServerNodeOptions } from "../node-specs/index.ts";
import { isLoopbackHost, rateLimitPath } from "../gateway-settings/index.ts";
import { fields, isOfKind, type KindNode, type NodeFinding } from "../topology/index.ts";
import {
  addressOf,
  authSchema,
  certSettings,
  checkCerts,
  checkKind,
  checkMiddleware,
  checkPort,
  host,
  listenerKeys,
  prefix,
} from "./checks/index.ts";
import { httpGatewayKind } from "./http-gateway.ts";
import type { BuildableKind } from "./kind.ts";
import { loadMiddleware } from "./load-middleware.ts";
import type { TreeLoader } from "./tree-loader.ts";

const { list, mapping, oneOf, port, text } = fields;

/** Names as records have them: `ada`, `api_key:3f…`, `CN=ada,O=Acme`. */
const scopesField = z.record(
  z.string(),
  list(oneOf(["read", "operate", "approve"]), "a list of scopes"),
  { error: "a mapping from principals to lists of scopes" },
);

const topologyServerSettings = mapping({
  host: host().default("127.0.0.1"),
  port: port().default(6789),
  prefix: prefix().nullish(),
  attach_to: text("the name of an http_gateway node").nullish(),
  auth: authSchema.extend({ scopes: scopesField.nullish() }).nullish(),
  tls_cert: text().nullish(),
  tls_key: text().nullish(),
  redact: fields.textOrList("the path of a function, or a list of keys").nullish(),
  dead_letter_payloads: fields.wholeNumber({ min: 0, max: 10_000 }).nullish(),
  console: fields.flag().nullish(),
}).transform((given) => ({
  redact: given.redact ?? undefined,
  deadLetterPayloadCountMax: given.dead_letter_payloads ?? undefined,
  hasConsole: given.console ?? undefined,
  host: given.host,
  port: given.port,
  certs: certSettings(given),
  prefix: given.prefix ?? "",
  attachTo: given.attach_to ?? undefined,
  /** Paths of functions in front of every route but /health, outermost first. */
  middleware: given.auth?.middleware ?? [],
  scopes: given.auth?.scopes ?? undefined,
}));

/** Settings of a `topology_server` node. */
export type TopologyServerSettings = z.output<typeof topologyServerSettings>;

/** The control plane: an agent that answers about the tree, and the gateway it owns or is attached to. */
export const topologyServerKind: BuildableKind<TopologyServerSettings> = {
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
      yield* noteOpen(settings);
      return;
    }
    yield* refuseOwnCerts(settings);
    const path = ["attach_to"];
    yield* checkKind(settings.attachTo, { path, kind: "http_gateway", tree });
    const gateway = tree.find(settings.attachTo);
    if (gateway === undefined || !isOfKind(httpGatewayKind, gateway)) return;
    const answering = gateway.settings.topologyAgent;
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
  isServer: true,
  keys: {
    ...listenerKeys,
    prefix: "Prefix of every path.",
    redact:
      "Takes out of GET /agents/{name}/state what must not be seen: the path of a function (state, agent) => state, or a list of keys. Keys that look like secrets are never shown.",
    dead_letter_payloads:
      "Messages that nobody handled whose payloads are kept in memory, so that they can be replayed; default 0.",
    console: "Whether it serves the console for browsers at /console; default true.",
    "auth.scopes":
      "Who may what, by principal: read, operate, approve; * is for those that are not named. Who has none may do all.",
    attach_to:
      "An http_gateway that serves the routes instead; its topology_agent must name this node.",
  },
  build: buildTopologyServer,
};

/** What an attached server says of certificates nobody would follow: the gateway's own settings count. */
function* refuseOwnCerts({ certs, attachTo }: TopologyServerSettings): Generator<NodeFinding> {
  if (certs.tls === undefined && certs.isInAuth.size === 0) return;
  yield {
    path: ["attach_to"],
    message: `connections and certificates are those of gateway "${attachTo}": set tls and client certificate keys there`,
  };
}

/** A control plane beyond this machine that asks nobody who they are. */
function* noteOpen({ host, certs, middleware }: TopologyServerSettings): Generator<NodeFinding> {
  const isGuarded = middleware.some((path) => path !== rateLimitPath);
  if (isLoopbackHost(host) || isGuarded || certs.clientCertMode === "required") return;
  yield {
    path: ["host"],
    isNote: true,
    message: `anybody who reaches ${host} sees and steers the tree: bind to 127.0.0.1, or set auth.middleware`,
  };
}

async function buildTopologyServer(
  node: KindNode<TopologyServerSettings>,
  loader: TreeLoader,
): Promise<ChildSpec> {
  const { topologyServer } = await import("../node-specs/index.ts");
  const { middleware, certs, redact, ...settings } = node.settings;
  return topologyServer(node.name, {
    ...settings,
    redact:
      typeof redact === "string"
        ? ((await loader.loadFunction(node, redact)) as TopologyServerNodeOptions["redact"])
        : redact,
    tls: certs.tls,
    mtls: certs.mtls,
    middleware: await loadMiddleware(node, loader)(middleware),
  });
}
