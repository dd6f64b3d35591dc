/** The control plane over HTTP/3 of another implementation: gtlsclient of ngtcp2, with certificates in place of headers. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import {
  type Certificates,
  createCertificates,
  createTemporaryFolder,
  freePort,
  runProgram,
  skipUnless,
} from "testkit";
import {
  type RunningTopology,
  startTopology,
} from "../gateway/e2e/test-support/running-topology.ts";
import { deskAgents } from "./test-support/badge-project.ts";

const skip = skipUnless("gtlsclient");
const certificate = "agentrt.gateway.mtls.require_client_cert";
const names = ["reader", "operator", "approver", "client"] as const;
type Name = (typeof names)[number];

let running: RunningTopology;
let certificates: Certificates;
const people = new Map<Name, Certificates>();
const ports = { open: 0, openQuic: 0, guarded: 0, guardedQuic: 0 };

function topology(): string {
  const { ca, serverCertificate, serverKey } = certificates;
  const tls = `tls_cert: "${serverCertificate}", tls_key: "${serverKey}", enable_http3: true`;
  const scopes = `{ "CN=reader,O=Test": [read], "CN=operator,O=Test": [operate], "CN=approver,O=Test": [approve], "CN=client,O=Test": [read, operate, approve] }`;
  return `audit: { sink: jsonl, path: audit.jsonl }
supervision:
  name: root
  max_restarts: 1000
  children:
    - agent: { name: desk, type: agents.Desk }
    - { name: inside, type: topology_server, config: { attach_to: open } }
    - name: open
      type: http_gateway
      config: { port: ${ports.open}, port_quic: ${ports.openQuic}, ${tls}, topology_agent: inside }
    - name: behind
      type: topology_server
      config: { attach_to: guarded, prefix: /ops, auth: { middleware: [${certificate}], scopes: ${scopes} } }
    - name: guarded
      type: http_gateway
      config:
        port: ${ports.guarded}
        port_quic: ${ports.guardedQuic}
        ${tls.replaceAll(", ", "\n        ")}
        topology_agent: behind
        auth: { client_cert_mode: optional, tls_ca_cert: "${ca}" }
`;
}

before(async () => {
  if (skip !== false) return;
  for (const name of ["open", "openQuic", "guarded", "guardedQuic"] as const)
    ports[name] = await freePort();
  certificates = createCertificates();
  for (const name of names)
    people.set(
      name,
      createCertificates({ clientSubject: `/O=Test/CN=${name}`, signer: certificates }),
    );
  running = await startTopology({
    topology: topology(),
    files: { "agents.ts": deskAgents },
    environment: {
      AGENTRT_GATEWAY_MTLS_ALLOWED_DNS: names.map((name) => `CN=${name},O=Test`).join(";"),
    },
  });
});
after(async () => {
  if (skip !== false) return;
  await running[Symbol.asyncDispose]();
  for (const each of people.values()) each[Symbol.dispose]();
  certificates[Symbol.dispose]();
});

interface Question {
  readonly port: number;
  /** Method and target. */
  readonly request: string;
  readonly body?: object;
  /** Whose certificate is shown; none is without it. */
  readonly as?: Name;
}

/** Asks by a connection of its own. @returns Status and body. */
async function ask({ port, request, body, as }: Question): Promise<readonly [number, unknown]> {
  const [method = "", target = ""] = request.split(" ");
  using folder = createTemporaryFolder({ body: JSON.stringify(body ?? {}) });
  const own = as === undefined ? undefined : people.get(as);
  const { stdout, stderr } = await runProgram("gtlsclient", [
    "--exit-on-all-streams-close",
    "--no-quic-dump",
    `--download=${folder.path}`,
    `--http-method=${method}`,
    ...(body === undefined ? [] : [`--data=${join(folder.path, "body")}`]),
    ...(own === undefined ? [] : [`--cert=${own.clientCertificate}`, `--key=${own.clientKey}`]),
    "127.0.0.1",
    String(port),
    `https://localhost${target}`,
  ]);
  const status = /\[:status: (\d+)\]/.exec(stdout + stderr)?.[1];
  assert.ok(status !== undefined, stdout + stderr);
  const path = join(folder.path, target.replace(/\?.*/, "").split("/").at(-1) ?? "");
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  return [Number(status), text.startsWith("{") ? (JSON.parse(text) as unknown) : text];
}

/** A pair of columns: what is asked, and the whole answer. */
type Row = readonly [request: string, body: object | undefined, answer: readonly [number, unknown]];

const suspended = (by: string) => ({
  status: "suspend_requested",
  agent: "desk",
  initiated_by: by,
});
const resumed = (by: string) => ({ status: "resume_requested", agent: "desk", approver: by });
const unknown = { error: "agent 'nobody' not found" };

test("gtlsclient reads and operates an attached control plane that is open", { skip }, async () => {
  const by = "unauthenticated";
  const rows: readonly Row[] = [
    ["GET /health", undefined, [200, { status: "ok" }]],
    ["GET /ready", undefined, [200, { status: "ready" }]],
    ["GET /agents/nobody", undefined, [404, unknown]],
    ["POST /agents/nobody/suspend", {}, [404, unknown]],
    ["POST /agents/desk/suspend", { reason: "lunch" }, [200, suspended(by)]],
    ["POST /agents/desk/resume", {}, [200, resumed(by)]],
  ];
  for (const [request, body, answer] of rows) {
    assert.deepEqual(await ask({ port: ports.openQuic, request, ...(body && { body }) }), answer);
    if (!request.endsWith("suspend") || answer[0] !== 200) continue;
    const [, detail] = await ask({ port: ports.openQuic, request: "GET /agents/desk" });
    assert.equal((detail as { suspension: { reason: string } }).suspension.reason, "lunch");
  }
  const [status, list] = await ask({ port: ports.openQuic, request: "GET /agents" });
  const agents = JSON.parse(String(list)) as readonly { readonly name: string }[];
  const found = [status, agents.map(({ name }) => name)];
  assert.deepEqual(found, [200, ["desk", "inside", "open", "behind", "guarded"]]);
});

test(
  "gtlsclient is whom its certificate names: in what it may do, in the answer and in the audit log",
  { skip },
  async () => {
    const port = ports.guardedQuic;
    const request = "POST /ops/agents/desk/suspend";
    const body = { reason: "over QUIC", initiated_by: "CN=client,O=Test" };
    const missing = { error: "client certificate required" };
    assert.deepEqual(await ask({ port, request, body }), [401, missing]);
    const lacks = (who: string, scope: string) => ({
      error: `'${who}' lacks the scope '${scope}'`,
    });
    const [reader, operator] = ["CN=reader,O=Test", "CN=operator,O=Test"];
    assert.deepEqual(await ask({ port, request, as: "reader", body }), [
      403,
      lacks(reader, "operate"),
    ]);
    assert.equal((await ask({ port, request, as: "operator", body }))[0], 400);
    const rows: readonly Row[] = [
      [request, { reason: "over QUIC" }, [200, suspended(operator)]],
      ["POST /ops/agents/desk/resume", {}, [200, resumed(operator)]],
      ["GET /ops/agents", undefined, [403, lacks(operator, "read")]],
      ["POST /ops/approvals/none/approve", {}, [403, lacks(operator, "approve")]],
    ];
    for (const [each, sent, answer] of rows)
      assert.deepEqual(
        await ask({ port, request: each, as: "operator", ...(sent && { body: sent }) }),
        answer,
      );
    const records = readFileSync(join(running.folder.path, "audit.jsonl"), "utf8");
    const record = records
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { event: string; details: { [key: string]: unknown } })
      .find(({ event, details }) => event === "agent.suspend" && details["reason"] === "over QUIC");
    assert.equal(record?.details["initiated_by"], operator);
  },
);

interface Described {
  readonly paths: {
    readonly [path: string]: {
      readonly [method: string]: { readonly responses: { readonly [status: string]: object } };
    };
  };
}

test("gtlsclient is let in by no route without the scope of that route", { skip }, async () => {
  const port = ports.guardedQuic;
  const [, description] = await ask({
    port,
    request: "GET /ops/topology/openapi.json",
    as: "client",
  });
  const routes = Object.entries((description as Described).paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { responses }]) => ({ path, method, responses })),
  );
  assert.ok(routes.length > 30);
  for (const { path, method, responses } of routes) {
    if (/\/(?:health|ready)$/.test(path)) continue;
    // Of the console, the page and whether somebody is signed in are for everybody; the rest of it asks these routes.
    if (path.startsWith("/ops/console")) continue;
    const filled = path.replace("{name}", "desk").replace("{id}", "none");
    // A stream that is refused ends.
    const target = path.endsWith("/events") ? `${filled}?recent=many` : filled;
    const request = `${method.toUpperCase()} ${target}`;
    const sent = method === "post" ? { body: { typo: 1 } } : {};
    assert.equal((await ask({ port, request, ...sent }))[0], 401, request);
    const wrong = method === "post" && !path.endsWith("/plan") ? "reader" : "operator";
    assert.equal((await ask({ port, request, as: wrong, ...sent }))[0], 403, request);
    const [status] = await ask({ port, request, as: "client", ...sent });
    assert.ok(status !== 401 && status !== 403, `${request}: ${status}`);
    assert.ok(Object.hasOwn(responses, status), `${request}: ${status} is not described`);
  }
});
