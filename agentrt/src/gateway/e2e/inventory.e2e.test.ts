/** Every route of a guarded gateway and control plane, asked by nobody: what answers is on one list. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { request } from "node:https";
import { after, test } from "node:test";
import { createCertificates, freePort } from "testkit";
import { indent, type RunningTopology, startTopology } from "./test-support/running-topology.ts";

const files = createCertificates();
after(() => files[Symbol.dispose]());
const read = (path: string): string => readFileSync(path, "utf8");

const agents = `import { Agent } from "agentrt"; export class Echo extends Agent { override handle() { return {}; } }`;

async function run(
  nodes: string,
  environment: { readonly [name: string]: string },
): Promise<RunningTopology> {
  return await startTopology({
    files: { "agents.ts": agents },
    environment,
    topology: `supervision:
  name: root
  children:
    - agent: { name: echo, type: agents.Echo }
${indent(nodes, 4)}
`,
  });
}

/** What may be known without a key. */
const open = ["GET /health", "GET /ready"];
const guarded = [
  "GET /topology",
  "GET /agents",
  "GET /agents/echo",
  "GET /agents/nobody",
  "GET /snapshot",
  "GET /dead-letters",
  "POST /dead-letters/x/replay",
  "GET /overview",
  "GET /crashes",
  "GET /crashes/x",
  "GET /logs",
  "GET /agents/echo/history",
  "GET /agents/echo/logs",
  "GET /agents/echo/state",
  "HEAD /topology",
];
const toAgents = [
  "POST /agents/echo",
  "POST /agents/nobody",
  "POST /agents/echo/cast",
  "GET /agents/echo/state",
  "POST /agents//echo/state",
];
/** What there is not, whoever asks. */
const absent = ["GET /docs", "GET /docs/openapi.json", "GET /openapi.json", "GET /"];

test("without a key only the health of a guarded gateway is told, and agents are not told apart", async () => {
  const [port, controlPort] = [await freePort(), await freePort()];
  await using _program = await run(
    `
- { name: topo, type: topology_server, config: { attach_to: gateway, auth: { middleware: [agentrt.gateway.auth.require_api_key] } } }
- name: gateway
  type: http_gateway
  config: { host: 127.0.0.1, port: ${port}, topology_agent: topo }
- name: control
  type: topology_server
  config: { port: ${controlPort}, auth: { middleware: [agentrt.gateway.auth.require_api_key] } }`,
    { AGENTRT_GATEWAY_API_KEY: "key" },
  );
  const ask = async (where: number, route: string, key?: string) => {
    const [method = "", path = ""] = route.split(" ");
    const headers: { [name: string]: string } = key === undefined ? {} : { "x-api-key": key };
    const response = await fetch(`http://127.0.0.1:${where}${path}`, { method, headers });
    return { status: response.status, text: await response.text() };
  };
  const refusal = '{"error":"invalid or missing API key"}';
  for (const where of [port, controlPort]) {
    for (const route of open) assert.equal((await ask(where, route)).status, 200, route);
    for (const route of [...guarded, ...(where === port ? toAgents.slice(0, 4) : [])]) {
      const text = route.startsWith("HEAD") ? "" : refusal;
      assert.deepEqual(await ask(where, route), { status: 401, text }, route);
      assert.deepEqual(await ask(where, route, "wrong"), { status: 401, text }, route);
      assert.notEqual((await ask(where, route, "key")).status, 401, route);
    }
    for (const route of absent) assert.equal((await ask(where, route, "key")).status, 404, route);
  }
  // A control plane's own port has no way to agents, with a key or without. It shows states itself.
  for (const route of toAgents.filter((each) => each !== "GET /agents/echo/state")) {
    assert.ok([404, 405].includes((await ask(controlPort, route, "key")).status), route);
  }
});

test("a topology server of its own asks for certificates, its health check for no subject", async () => {
  const port = await freePort();
  await using program = await run(
    `
- name: control
  type: topology_server
  config:
    port: ${port}
    tls_cert: "${files.serverCertificate}"
    tls_key: "${files.serverKey}"
    auth:
      middleware: [agentrt.gateway.mtls.require_client_cert]
      client_cert_mode: optional
      tls_ca_cert: "${files.ca}"`,
    { AGENTRT_GATEWAY_MTLS_ALLOWED_DNS: "CN=client,O=Test" },
  );
  const ca = read(files.ca);
  const client = { ca, cert: read(files.clientCertificate), key: read(files.clientKey) };
  const foreign = { ca, cert: read(files.foreignCertificate), key: read(files.foreignKey) };
  const status = (path: string, options: object): Promise<unknown> =>
    new Promise((resolve) => {
      const sent = request(
        { host: "localhost", port, path, agent: false, ...options },
        (response) => resolve(response.resume().statusCode),
      );
      sent.on("error", () => resolve("refused"));
      sent.end();
    });
  assert.equal(await status("/topology", client), 200, program.output());
  assert.equal(await status("/topology", { ca }), 401);
  assert.equal(await status("/health", { ca }), 200);
  assert.equal(await status("/health", foreign), "refused");
});
