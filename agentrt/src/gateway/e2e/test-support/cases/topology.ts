import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Certificates, freePort } from "testkit";
import { signWith, writeToken } from "../../../auth/test-support/tokens.ts";
import { indent, type RunningTopology, startTopology } from "../running-topology.ts";
import type { CaseGateway, CaseServer } from "./case.ts";

/** Agents that have a route of each mode on most gateways; each does one thing, see `agents`. */
const routedNames = [
  "echo",
  "silent",
  "refusing",
  "crashing",
  "ending",
  "sleeping",
  "full",
  "suspended",
  "counting",
  "breaking",
  "pausing",
  "endless",
  "ticket",
  "desk",
  "checked",
  "composing",
  "tired",
] as const;

/** What some of them declare, and what nobody does. */
const capabilities: { readonly [agent: string]: string } = { echo: "echoing", ending: "ended" };
const capableTags = ["echoing", "ended", "unheld"] as const;

/** Those with one object for each key, and the settings that are not the default. */
const keyedSettings: { readonly [name: string]: string } = {
  ticket: "key: id, max_restarts: 0, cool_down: 600",
  desk: "key: id, max_resident: 1, max_waiting: 1",
};

/** The classes of those that are no `Case`. */
const classNames: { readonly [name: string]: string } = {
  full: "Narrow",
  checked: "Checked",
  composing: "Composing",
};

const agents = `
import { Agent, httpReply, type Message } from "agentrt";

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
/** Longer than all cases together: who is busy at the first of them is busy at the last. */
const sleepThroughAllCases = () => sleep(3_600_000);

class Case extends Agent {
  override onError() {
    return this.name === "ending" ? "stop" as const : "escalate" as const;
  }
  override async handle(message: Message) {
    const { payload } = message;
    if (payload["data"] === "end of the reply before") return { end: true };
    switch (this.name) {
      case "silent":
        return undefined;
      case "refusing":
        return { error: "no such order", code: 7 };
      case "crashing":
      case "tired":
      case "ending":
        throw new Error("secret detail");
      case "suspended":
        await this.suspendForApproval("somebody has to look at it");
        return undefined;
      case "sleeping":
      case "full":
        await sleepThroughAllCases();
        return undefined;
      case "pausing":
        await this.emit(message, { n: 1 });
        await sleep(700);
        return undefined;
      case "endless":
        try {
          for (let n = 1; ; n += 1) {
            await this.emit(message, { n: 1 });
            await sleep(300);
          }
        } catch {
          return undefined; // Nobody reads it any more.
        }
      case "counting":
      case "breaking":
        for (let n = 1; n <= 2; n += 1) await this.emit(message, { n });
        if (this.name === "breaking") throw new Error("secret detail");
        return undefined;
      default:
        return {
          type: message.type,
          payload,
          ...(message.traceId?.startsWith("0af7") === true ? { traceId: message.traceId, parentSpanId: message.parentSpanId } : {}),
        };
    }
  }
}
export { Case };

export class Keyed extends Agent {
  override async handle(message: Message) {
    const { count, crash } = message.payload;
    if (crash === true) throw new Error("secret detail");
    if (this.name.startsWith("desk/")) await sleepThroughAllCases();
    const key = this.key ?? "";
    if (count === undefined) return { key };
    for (let n = 1; n <= Number(count); n += 1) await this.emit(message, { key, n });
    return undefined;
  }
}

const isText = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: (value: { text?: unknown; times?: unknown }) => {
      const { text, times = "1" } = value;
      if (typeof text === "string") return { value: { text, times: Number(times) } };
      return { issues: [{ message: "it is no text", path: ["text"] }, { message: "and so it is" }] };
    },
  },
} as const;

export class Checked extends Agent {
  static override schemas = { payload: isText };
  override async handle(message: Message) {
    const { text, times } = message.payload;
    return { text: String(text).repeat(Number(times)) };
  }
}

export class Composing extends Agent {
  override async handle(message: Message) {
    const { kind } = message.payload;
    switch (kind) {
      case "created":
        return httpReply({ status: 201, headers: { Location: "/orders/7", "x-total": ["1", "2"] }, body: { id: 7 } });
      case "deferred": {
        const reply = message.defer();
        setImmediate(() => reply.send(httpReply({ status: 201, body: { id: 8 } })));
        return undefined;
      }
      case "handed on":
        return await this.call("composer", { kind: "created" });
      case "made of another":
        return { ...(await this.call("composer", { kind: "created" })), more: true };
      case "text":
        return httpReply({ contentType: "text/html", body: "<h1>grüß dich</h1>" });
      case "bytes":
        return httpReply({ contentType: "image/gif", body: new Uint8Array([0x47, 0x49, 0x46]) });
      case "list":
        return httpReply({ body: [1, 2] });
      case "nothing":
        return httpReply({ status: 204 });
      case "cookies":
        return httpReply({ headers: { "set-cookie": ["a=1; Path=/", "b=2"] }, body: {} });
      case "redirect":
        return httpReply({ status: 303, headers: { location: "/orders/7" } });
      case "missing":
        return httpReply({ status: 404, body: { error: "no such order", code: 7 } });
      case "conflict":
        return httpReply({ status: 409, contentType: "application/json", body: '"somebody else was first"' });
      case "fine error":
        return httpReply({ status: 200, body: { error: "none" } });
      case "plain error":
        return httpReply({ headers: { "x-reason": "wrong" }, body: { error: "no" } });
      case "line break":
        return httpReply({ headers: { "x-a": "b\\r\\nset-cookie: c=d" }, body: {} });
      case "framing":
        return httpReply({ headers: { "Transfer-Encoding": "chunked" }, body: {} });
      case "bad name":
        return httpReply({ headers: { "a b": "c" }, body: {} });
      case "bad status":
        return httpReply({ status: 101, body: {} });
      case "full nothing":
        return httpReply({ status: 204, body: {} });
      default:
        return {};
    }
  }
}

export class Narrow extends Case {
  constructor(name: string) {
    super(name, { mailboxLengthMax: 1 });
  }
}
`;

const guards = `
import type { Middleware } from "agentrt";

export const deny: Middleware = async () => ({ status: 403, body: { error: "members only" } });
export const hang: Middleware = (request) =>
  new Promise((_, reject) => request.signal.addEventListener("abort", () => {
    console.error("hanging middleware was aborted");
    reject(new Error("late secret"));
  }));
export const bare: Middleware = async () => ({ body: { isBare: true } });
export const fail: Middleware = async () => {
  throw new Error("secret detail");
};
`;

/** What each gateway has beside its address and its routes. */
const configs: { readonly [gateway in CaseGateway]: string } = {
  open: "",
  impatient: "stream_idle_timeout: 0.5",
  brief: "max_stream_duration: 1",
  default: "",
  listed: 'allowed_origins: ["https://app.example.com"]',
  edged: `cors: { origins: ["https://app.example.com"], credentials: true, headers: [x-api-key, content-type], exposed_headers: [x-request-id, retry-after], max_age: 60 }
security_headers: { Strict-Transport-Security: max-age=600, X-Frame-Options: DENY }
request_id: { trust: all }
access_log: { path: access.log }
middleware: [agentrt.gateway.auth.require_api_key]`,
  picked: "grpc_agents: [private]",
  bounded: "max_body_size: 1000",
  key: "middleware: [agentrt.gateway.auth.require_api_key]",
  jwt: "middleware: [agentrt.gateway.jwt_auth.require_jwt]",
  denying: "middleware: [guards.deny]",
  hanging: "middleware: [guards.hang]",
  bare: "middleware: [guards.bare]",
  throwing: "middleware: [guards.fail]",
  required: "client_cert_mode: required\nmiddleware: [agentrt.gateway.mtls.require_client_cert]",
  optional: "client_cert_mode: optional\nmiddleware: [agentrt.gateway.mtls.require_client_cert]",
  proxied:
    "mtls_source: proxy_header\ntrusted_proxy_cidrs: [127.0.0.0/8, '::1/128']\nmiddleware: [agentrt.gateway.mtls.require_client_cert]",
  distrusting:
    "mtls_source: proxy_header\ntrusted_proxy_cidrs: [10.0.0.0/8]\nmiddleware: [agentrt.gateway.mtls.require_client_cert]",
  limited:
    "middleware: [agentrt.gateway.auth.require_api_key, agentrt.gateway.ratelimit.rate_limit]",
  keyless: "middleware: [agentrt.gateway.auth.require_api_key]",
  nameless: "client_cert_mode: required\nmiddleware: [agentrt.gateway.mtls.require_client_cert]",
};

/** Those whose environment says nothing of who may come: they run in a program of their own. */
const unconfigured: readonly CaseGateway[] = ["keyless", "nameless"];

/** Signs the tokens of the cases. */
const secret = "s".repeat(32);

/** A token that the gateways of the cases accept, or one that is wrong in one claim. */
export function caseToken(changed: object = {}): string {
  const exp = Math.floor(Date.now() / 1000) + 600;
  const claims = { iss: "issuer", aud: "agents", sub: "ada", exp, ...changed };
  return writeToken({ alg: "HS256" }, claims, signWith("HS256", secret));
}

const environments = {
  configured: {
    AGENTRT_GATEWAY_API_KEYS: "key,key-HTTP/1.1,key-HTTP/2,key-HTTP/3,key-WebSocket,key-gRPC",
    AGENTRT_JWT_ISSUER: "issuer",
    AGENTRT_JWT_AUDIENCE: "agents",
    AGENTRT_JWT_SECRET: secret,
    AGENTRT_JWT_ALGORITHMS: "HS256",
    AGENTRT_GATEWAY_MTLS_ALLOWED_DNS: "CN=client,O=Test",
  },
  unconfigured: { AGENTRT_GATEWAY_MTLS_ALLOWED_DNS: "", AGENTRT_GATEWAY_API_KEYS: "" },
};

/** The gateways of the cases, running. */
export interface RunningCases extends AsyncDisposable {
  readonly server: CaseServer;
  /** All the programs wrote. */
  readonly output: () => string;
  /** Where the gateway `edged` writes its access log. */
  readonly accessLogPath: string;
}

/**
 * Starts every gateway of the cases, each with TLS, all surfaces and the same agents.
 *
 * @param certificates Of the server, and those that clients show.
 * @param unlisted Certificate of a client whose name is not on the list, and its key.
 */
export async function startCases(
  certificates: Certificates,
  unlisted: { readonly certificate: string; readonly key: string },
): Promise<RunningCases> {
  const ports = Object.fromEntries(
    await Promise.all(
      Object.keys(configs).map(
        async (name) => [name, { http: await freePort(), grpc: await freePort() }] as const,
      ),
    ),
  ) as CaseServer["ports"];
  const start = async (isConfigured: boolean): Promise<RunningTopology> => {
    const names = (Object.keys(configs) as CaseGateway[]).filter(
      (name) => unconfigured.includes(name) !== isConfigured,
    );
    return await startTopology({
      topology: topology(
        names.map((name) => gatewayNode(name, ports[name], certificates)),
        { isConfigured, controlPort: await freePort() },
      ),
      files: { "agents.ts": agents, "guards.ts": guards },
      environment: isConfigured ? environments.configured : environments.unconfigured,
    });
  };
  const [configured, bare] = await Promise.all([start(true), start(false)]);
  const pair = (certificate: string, key: string) => ({
    cert: readFileSync(certificate),
    key: readFileSync(key),
  });
  return {
    server: {
      ports,
      ca: readFileSync(certificates.ca),
      certificates: {
        own: pair(certificates.clientCertificate, certificates.clientKey),
        foreign: pair(certificates.foreignCertificate, certificates.foreignKey),
        unlisted: pair(unlisted.certificate, unlisted.key),
      },
    },
    output: () => configured.output() + bare.output(),
    accessLogPath: join(configured.folder.path, "access.log"),
    async [Symbol.asyncDispose]() {
      await Promise.all([configured[Symbol.asyncDispose](), bare[Symbol.asyncDispose]()]);
    },
  };
}

const limiter = `- name: rate_limiter
  type: gen_server
  module: agentrt.gateway.ratelimit
  class: RateLimiter
  config: { max_requests: 2, window_seconds: 600, key: api_key }`;

function topology(
  gateways: readonly string[],
  { isConfigured, controlPort }: { readonly isConfigured: boolean; readonly controlPort: number },
): string {
  const nodes = [
    ...routedNames.map((name) => {
      const settings = keyedSettings[name];
      if (settings !== undefined)
        return `- { type: keyed, name: ${name}, class: agents.Keyed, ${settings} }`;
      const type = classNames[name] ?? "Case";
      const tags = capabilities[name] ?? "";
      return `- agent: { name: ${name}, type: agents.${type}, capabilities: [${tags}] }`;
    }),
    "- agent: { name: composer, type: agents.Composing }",
    "- agent: { name: private, type: agents.Case }",
    "- agent: { name: guarded, type: agents.Case }",
    "- { name: judge, type: eval_agent }",
    "- { name: eval_agent, type: eval_agent }",
    // Agents may be spawned here, so a route may name one that is not there.
    "- { name: spawner, type: dynamic_supervisor, config: {} }",
    ...(isConfigured ? [limiter] : []),
    `- { name: control, type: topology_server, config: { port: ${controlPort} } }`,
    ...gateways,
  ];
  return `resilience:
  agents:
    tired: { circuit_breaker: { min_calls: 1, open_for: 3600 } }
supervision:
  name: root
  max_restarts: 1000
  backoff: CONSTANT
  backoff_base: 0
  children:
${nodes.map((node) => indent(node, 4)).join("\n")}
`;
}

function gatewayNode(
  name: CaseGateway,
  ports: { readonly http: number; readonly grpc: number },
  certificates: Certificates,
): string {
  const { serverCertificate, serverKey, ca } = certificates;
  const hasGrpc = name !== "optional";
  return `- name: ${name}
  type: http_gateway
  config:
    host: localhost
    port: ${ports.http}
    enable_http3: true
    port_quic: ${ports.http}
    tls_cert: "${serverCertificate}"
    tls_key: "${serverKey}"
    tls_ca_cert: "${ca}"
    request_timeout: 1
    grpc_enabled: ${hasGrpc}
${hasGrpc ? `    grpc_port: ${ports.grpc}\n` : ""}${indent(configs[name], 4)}
${name === "default" ? "" : indent(routes(name), 4)}
    ws_routes:
${[...routedNames, "nobody", "judge"].map((agent) => `      - { path: /ws/${agent}, agent: ${agent} }`).join("\n")}
${capableTags.map((tag) => `      - { path: /ws/${tag}, capability: ${tag} }`).join("\n")}
${name === "bounded" ? boundedWebSocketRoutes : ""}
`;
}

const boundedWebSocketRoutes = `      - { path: /ws/counted, agent: echo, rate_limit: { requests: 1, per: hour } }
      - { path: /ws/prompt, agent: suspended, fail_if_suspended: true }`;

function routes(name: CaseGateway): string {
  const modes = ["call", "cast", "stream"];
  const each = modes.flatMap((mode) => [
    ...[...routedNames, "nobody", "judge"].map(
      (agent) => `  - { method: POST, path: /${mode}/${agent}, agent: ${agent}, mode: ${mode} }`,
    ),
    ...capableTags.map(
      (tag) => `  - { method: POST, path: /${mode}/${tag}, capability: ${tag}, mode: ${mode} }`,
    ),
  ]);
  return [
    "routes:",
    ...each,
    "  - { method: POST, path: '/tickets/{id}', agent: ticket }",
    "  - { method: PUT, path: '/orders/{id}', agent: echo }",
    "  - { method: GET, path: '/orders/{id}', agent: echo }",
    "  - { method: GET, path: '/composed/{kind}', agent: composing }",
    "  - { method: GET, path: '/files/{path*}', agent: echo }",
    "  - { method: GET, path: '/files/{id}/meta', agent: echo }",
    ...(name === "bounded"
      ? [
          "  - { method: POST, path: /prompt, agent: suspended, fail_if_suspended: true }",
          "  - { method: POST, path: /guarded, agent: guarded, middleware: [guards.deny] }",
          "  - { method: POST, path: /tight, agent: echo, max_body_size: 10 }",
          "  - { method: POST, path: /brief, agent: sleeping, request_timeout: 0.05 }",
          "  - { method: POST, path: /counted, agent: echo, rate_limit: { requests: 1, per: hour } }",
        ]
      : []),
  ].join("\n");
}
