import { existsSync, readFileSync } from "node:fs";
import type { ClientHttp2Session } from "node:http2";
import { join } from "node:path";
import {
  askOver,
  type Certificates,
  createCertificates,
  freePort,
  openHttp2,
  testClients,
  type TestRequest,
  type TestResponse,
  type TestServer,
} from "testkit";
import { signWith, writeToken } from "../../gateway/auth/test-support/tokens.ts";
import {
  type RunningTopology,
  startTopology,
} from "../../gateway/e2e/test-support/running-topology.ts";
import { Http3Client } from "../../gateway/http3/test-support/http3-client.ts";
import { badgeGuards, deskAgents } from "./badge-project.ts";

const secret = "a secret of at least 32 bytes, please";

/** Ports by what listens there. */
const portNames = [
  "attached",
  "attachedQuic",
  "own",
  "ownTls",
  "tokens",
  "keys",
  "named",
  "strict",
  "strictQuic",
  "strictGrpc",
] as const;
type Ports = { readonly [name in (typeof portNames)[number]]: number };

function topology(ports: Ports, { ca, serverCertificate, serverKey }: Certificates): string {
  const tls = `tls_cert: "${serverCertificate}", tls_key: "${serverKey}"`;
  const scopes = `{ reader: [read], operator: [operate], approver: [approve], chief: [read, operate, approve], "*": [] }`;
  const badge = `auth: { middleware: [guards.badge], scopes: ${scopes} }`;
  const certificate = "agentrt.gateway.mtls.require_client_cert";
  return `audit: { sink: jsonl, path: audit.jsonl }
supervision:
  name: root
  max_restarts: 1000
  children:
    - agent: { name: desk, type: agents.Desk }
    - { name: inside, type: topology_server, config: { attach_to: attached, prefix: /ops, ${badge} } }
    - name: attached
      type: http_gateway
      config: { port: ${ports.attached}, ${tls}, enable_http3: true, port_quic: ${ports.attachedQuic}, topology_agent: inside }
    - { name: own, type: topology_server, config: { port: ${ports.own}, ${badge} } }
    - { name: own_tls, type: topology_server, config: { port: ${ports.ownTls}, prefix: /ops, ${tls}, ${badge} } }
    - name: tokens
      type: topology_server
      config:
        port: ${ports.tokens}
        auth: { middleware: [agentrt.gateway.jwt_auth.require_jwt], scopes: { listed: [read] } }
    - name: keys
      type: topology_server
      config:
        port: ${ports.keys}
        auth:
          middleware: [agentrt.gateway.auth.require_api_key]
          scopes: { "api_key:a7937b64b8caa58f": [operate], "*": [read] }
    - name: named
      type: topology_server
      config:
        port: ${ports.named}
        ${tls.replace(", ", "\n        ")}
        auth:
          middleware: [${certificate}]
          client_cert_mode: optional
          tls_ca_cert: "${ca}"
          scopes: { "cn=client, O = Test": [approve] }
    - name: strict
      type: http_gateway
      config:
        port: ${ports.strict}
        ${tls.replace(", ", "\n        ")}
        enable_http3: true
        port_quic: ${ports.strictQuic}
        grpc_enabled: true
        grpc_port: ${ports.strictGrpc}
        auth: { middleware: [${certificate}], client_cert_mode: required, tls_ca_cert: "${ca}" }
`;
}

/** A way to a control plane. */
export interface Surface {
  readonly name: string;
  readonly prefix: string;
  /** Name of the gateway behind it. */
  readonly gateway: string;
  ask(row: TestRequest): Promise<Pick<TestResponse, "status" | "body">>;
}

/** Control planes that are guarded in every way there is, in one process. */
export interface GuardedPlanes extends AsyncDisposable {
  readonly running: RunningTopology;
  readonly ports: Ports;
  readonly certificates: Certificates;
  /** The text of the topology that runs. */
  readonly topology: string;
  /** Every listener that has a control plane behind `guards.badge`: HTTP/1.1, HTTP/2 and HTTP/3; owned and attached. */
  readonly surfaces: readonly Surface[];
  /** A token that `tokens` takes, with these claims besides. */
  token(claims: object): string;
  /** Events and details of the records so far. */
  records(): { readonly event: string; readonly details: { readonly [key: string]: unknown } }[];
}

/** Starts them. */
export async function startGuardedPlanes(): Promise<GuardedPlanes> {
  const found = await Promise.all(portNames.map(async (name) => [name, await freePort()] as const));
  const ports = Object.fromEntries(found) as Ports;
  const certificates = createCertificates();
  const ca = readFileSync(certificates.ca);
  const text = topology(ports, certificates);
  const running = await startTopology({
    topology: text,
    files: { "agents.ts": deskAgents, "guards.ts": badgeGuards },
    environment: {
      AGENTRT_GATEWAY_API_KEYS: "first,second",
      AGENTRT_GATEWAY_MTLS_ALLOWED_DNS: "CN=client,O=Test",
      AGENTRT_JWT_SECRET: secret,
      AGENTRT_JWT_ALGORITHMS: "HS256",
      AGENTRT_JWT_ISSUER: "me",
      AGENTRT_JWT_AUDIENCE: "agents",
    },
  });
  const sessions: ClientHttp2Session[] = [];
  const [http1] = testClients;
  const overHttp2 = (server: TestServer): Surface["ask"] => {
    const session = openHttp2(server);
    sessions.push(session);
    return (row) => askOver(session, row);
  };
  const http3 = await Http3Client.connect({ port: ports.attachedQuic, ca });
  const attached = { port: ports.attached, tls: { ca } };
  const ownTls = { port: ports.ownTls, tls: { ca } };
  const own = { port: ports.own };
  const inside = { prefix: "/ops", gateway: "attached" };
  const outside = { prefix: "", gateway: "own_gateway" };
  const outsideTls = { prefix: "/ops", gateway: "own_tls_gateway" };
  return {
    running,
    ports,
    certificates,
    topology: text,
    surfaces: [
      { name: "HTTP/1.1, own", ...outside, ask: (row) => http1.ask(own, row) },
      { name: "HTTP/2, own", ...outside, ask: overHttp2(own) },
      { name: "HTTP/1.1 in TLS, own", ...outsideTls, ask: (row) => http1.ask(ownTls, row) },
      { name: "HTTP/2 in TLS, own", ...outsideTls, ask: overHttp2(ownTls) },
      { name: "HTTP/1.1 in TLS, attached", ...inside, ask: (row) => http1.ask(attached, row) },
      { name: "HTTP/2 in TLS, attached", ...inside, ask: overHttp2(attached) },
      { name: "HTTP/3, attached", ...inside, ask: (row) => askOverHttp3(http3, row) },
    ],
    token(claims) {
      const exp = Math.floor(Date.now() / 1000) + 600;
      const whole = { iss: "me", aud: "agents", exp, ...claims };
      return writeToken({ alg: "HS256" }, whole, signWith("HS256", secret));
    },
    records() {
      const path = join(running.folder.path, "audit.jsonl");
      // There is none before the first record.
      const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
      return lines.map((line) => JSON.parse(line) as ReturnType<GuardedPlanes["records"]>[number]);
    },
    async [Symbol.asyncDispose]() {
      for (const session of sessions) session.destroy();
      await http3.close();
      await running[Symbol.asyncDispose]();
      certificates[Symbol.dispose]();
    },
  };
}

async function askOverHttp3(
  client: Http3Client,
  { request, headers, body }: TestRequest,
): Promise<Pick<TestResponse, "status" | "body">> {
  const [method = "", target = ""] = request.split(/ (.*)/s, 2);
  const more = { method, ...(headers && { headers }), ...(body !== undefined && { body }) };
  const { status, outcome, text } = await client.request(target, more).done;
  if (status === undefined || outcome !== "end") throw new Error(`${request}: no response`);
  return { status, body: text };
}
