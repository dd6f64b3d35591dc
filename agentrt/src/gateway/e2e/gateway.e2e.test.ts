/** The keys of `http_gateway` and `topology_server` from YAML, through `agentrt run` and real sockets. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Script } from "node:vm";
import { commandPath, createCertificates, freePort, runProgram, testClients } from "testkit";
import { refuseTopology } from "./test-support/refused-topology.ts";
import { indent, type RunningTopology, startTopology } from "./test-support/running-topology.ts";

const agents = `
import { Agent, type Message } from "agentrt";

export class Echo extends Agent {
  override async handle(message: Message) {
    return { type: message.type, payload: message.payload };
  }
}
`;

const middleware = `
import type { Middleware } from "agentrt";

const mark = (name: string): Middleware => async (request, next) => {
  const response = await next(request);
  return { ...response, headers: { ...response.headers, "x-seen": name + (response.headers?.["x-seen"] ?? "") } };
};
export const outer = mark("outer>");
export const inner = mark("inner>");
export const ofRoute = mark("route");
export const gate: Middleware = async (request, next) => {
  if (request.headers["x-password"] !== "open") return { status: 403, body: { error: "closed" } };
  request.auth = { id: "ada" };
  return await next(request);
};
export const silent = async () => undefined;
export const throwing = async () => {
  throw new Error("secret detail");
};
export const fromAgent: Middleware = async (request) => ({
  status: 200,
  body: await request.gateway.call("echo", { from: request.gateway.name, ip: request.clientIp }),
});
export const number = 5;
`;

/** A tree with the agent `echo` and the nodes that are given. */
function topology(nodes: string): string {
  return `supervision:
  name: root
  children:
    - agent: { name: echo, type: agents.Echo }
${indent(nodes, 4)}
`;
}

async function run(
  yaml: string,
  files: { readonly [path: string]: string } = {},
): Promise<RunningTopology> {
  return await startTopology({
    topology: yaml,
    files: { "agents.ts": agents, "guards.ts": middleware, ...files },
  });
}

/** Runs a topology that must not start, and looks at the one line it says. */
async function refuse(yaml: string, expected: RegExp): Promise<void> {
  const files = { "agents.ts": agents, "guards.ts": middleware };
  await refuseTopology({ topology: yaml, files }, expected);
}

test("middleware from YAML stands around every route, and a route's own inside of it", async () => {
  const port = await freePort();
  await using _running = await run(
    topology(`
- name: gateway
  type: http_gateway
  config:
    host: 127.0.0.1
    port: ${port}
    middleware: [guards.outer, "./guards.ts#inner"]
    routes:
      - { method: POST, path: /plain, agent: echo }
      - { method: POST, path: /own, agent: echo, middleware: [guards.ofRoute] }
      - { method: POST, path: /gated, agent: echo, middleware: [guards.gate] }
      - { method: POST, path: /silent, agent: echo, middleware: [guards.silent] }
      - { method: POST, path: /throwing, agent: echo, middleware: [guards.throwing] }
      - { method: POST, path: /agent, agent: echo, middleware: [guards.fromAgent] }
`),
  );
  const post = async (path: string, headers: { readonly [name: string]: string } = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers });
    return [response.status, response.headers.get("x-seen"), await response.json()];
  };
  const echoed = { type: "http.request", payload: {} };
  assert.deepEqual(await post("/plain"), [200, "outer>inner>", echoed]);
  assert.deepEqual(await post("/own"), [200, "outer>inner>route", echoed]);
  assert.deepEqual(await post("/gated"), [403, "outer>inner>", { error: "closed" }]);
  assert.deepEqual(await post("/gated", { "x-password": "open" }), [200, "outer>inner>", echoed]);
  assert.deepEqual(await post("/silent"), [500, null, { error: "internal error" }]);
  assert.deepEqual(await post("/throwing"), [500, null, { error: "internal error" }]);
  const [, , body] = await post("/agent");
  assert.deepEqual(body, {
    type: "message",
    payload: { from: "gateway", ip: "127.0.0.1" },
  });
});

test("auth.middleware of a topology server stands in front of every route but /health", async () => {
  const port = await freePort();
  const attachedPort = await freePort();
  await using _running = await run(
    topology(`
- name: topo
  type: topology_server
  config: { port: ${port}, auth: { middleware: [guards.gate] } }
- name: inside
  type: topology_server
  config: { attach_to: gateway, prefix: /admin }
- name: gateway
  type: http_gateway
  config:
    host: 127.0.0.1
    port: ${attachedPort}
    topology_agent: inside
    topology_middleware: [guards.gate]
    routes: [{ method: POST, path: /plain, agent: echo }]
`),
  );
  const status = async (url: string, init: RequestInit = {}): Promise<number> =>
    (await fetch(`http://127.0.0.1:${url}`, init)).status;
  const open = { headers: { "x-password": "open" } };
  for (const base of [`${port}`, `${attachedPort}/admin`]) {
    assert.equal(await status(`${base}/health`), 200);
    for (const path of ["/topology", "/agents", "/agents/echo", "/snapshot", "/dead-letters"]) {
      assert.equal(await status(base + path), 403, base + path);
      assert.equal(await status(base + path, open), 200, base + path);
    }
  }
  assert.equal(await status(`${attachedPort}/plain`, { method: "POST" }), 200);
});

test("a gateway bound to the network says loudly which write routes nothing guards", async () => {
  const route = (method: string, more = ""): string =>
    `routes: [{ method: ${method}, path: /a, agent: echo${more} }]`;
  const byKey = ", middleware: [agentrt.gateway.auth.require_api_key]";
  // What a function does nobody knows: where it is declared as authentication it counts, and nowhere else.
  const configs = {
    everything: "host: 0.0.0.0",
    reading: route("GET"),
    loopback: `host: 127.0.0.1, ${route("POST")}`,
    function: `middleware: [guards.gate], ${route("POST")}`,
    authentication: `auth: { middleware: [guards.gate] }, ${route("POST")}`,
    key: route("POST", byKey),
  };
  const nodes = Object.entries(configs).map(
    async ([name, config]) =>
      `- { name: ${name}, type: http_gateway, config: { port: ${await freePort()}, ${config} } }`,
  );
  await using running = await run(topology((await Promise.all(nodes)).join("\n")));
  const warned = [...running.program.output.matchAll(/WRITE ROUTES ARE OPEN.* agent=(\w+)/g)];
  assert.deepEqual(
    warned.map(([, name]) => name),
    ["everything", "function"],
  );
});

test("a gateway refuses to start with middleware that cannot be loaded", async () => {
  const gateway = (config: string): string =>
    topology(`- { name: gateway, type: http_gateway, config: { port: 0, ${config} } }`);
  await refuse(
    gateway("middleware: [guards.missing]"),
    /topology\.yaml:5:.*guards\.missing.*no export "missing"/,
  );
  await refuse(
    gateway("auth: { middleware: [guards.missing] }"),
    /topology\.yaml:5:.*guards\.missing.*no export "missing"/,
  );
  await refuse(gateway("middleware: [guards.number]"), /guards\.number.*a value of type number/);
  await refuse(
    gateway("middleware: [agentrt.gateway.nothing]"),
    /middleware\[0\]: there is no built-in middleware "agentrt\.gateway\.nothing"/,
  );
  await refuse(
    gateway("routes: [{ method: GET, path: /a, agent: echo, middleware: [../x.y] }]"),
    /\.\.\/x\.y/,
  );
});

test("tls_cert and tls_key serve HTTP/2 and HTTP/1.1 on one port, as curl sees it", async () => {
  using certificates = createCertificates();
  const { ca, serverCertificate, serverKey } = certificates;
  const port = await freePort();
  const topoPort = await freePort();
  await using running = await run(
    topology(`
- name: gateway
  type: http_gateway
  config:
    port: ${port}
    host: 127.0.0.1
    tls_cert: ${serverCertificate}
    tls_key: ${serverKey}
- name: topo
  type: topology_server
  config: { port: ${topoPort}, tls_cert: "${serverCertificate}", tls_key: "${serverKey}" }
`),
  );
  assert.match(running.program.output, new RegExp(`https://127\\.0\\.0\\.1:${port}`));
  const tls = { ca: readFileSync(ca) };
  for (const client of testClients) {
    const { status, body } = await client.ask(
      { port, tls },
      { request: "POST /agents/echo?a=1", body: '{"b":2}' },
    );
    assert.equal(status, 200, client.name);
    assert.deepEqual(JSON.parse(body), { type: "http.request", payload: { a: "1", b: 2 } });
    assert.equal(
      (await client.ask({ port: topoPort, tls }, { request: "GET /health" })).status,
      200,
    );
  }
  await assert.rejects(fetch(`http://127.0.0.1:${port}/`), "clear text on a TLS port");
  if (commandPath("curl") === undefined) return;
  const curl = async (...args: string[]): Promise<string> => {
    const format = "%{http_version} %{http_code}";
    const base = ["-s", "--cacert", ca, "-o", "/dev/null", "-w", format, "--json", "{}"];
    return (await runProgram("curl", [...base, ...args])).stdout;
  };
  const url = `https://localhost:${port}/agents/echo`;
  assert.equal(await curl("--http2", url), "2 200");
  assert.equal(await curl("--http1.1", url), "1.1 200");
  assert.equal(await curl("--tls-max", "1.1", url), "0 000");
});

test("a loopback gateway that asks for no credentials serves only names of this machine, as curl sees it", async () => {
  const [open, guarded, listed] = [await freePort(), await freePort(), await freePort()];
  const node = (name: string, port: number, more: string): string =>
    `- { name: ${name}, type: http_gateway, config: { host: 127.0.0.1, port: ${port}, ${more} } }`;
  await using _running = await run(
    topology(`
${node("open", open, "middleware: [guards.outer]")}
${node("guarded", guarded, "middleware: [agentrt.gateway.auth.require_api_key]")}
${node("listed", listed, 'allowed_origins: ["https://app.example.com"]')}
`),
  );
  const ask = async (port: number, host: string, ...args: string[]): Promise<string> => {
    const url = `http://${host}:${port}/agents/echo/state`;
    const base = [
      "-s",
      "-o",
      "/dev/null",
      "-w",
      "%{http_code}",
      "--resolve",
      `*:${port}:127.0.0.1`,
    ];
    return (await runProgram("curl", [...base, ...args, url])).stdout;
  };
  for (const version of ["--http1.1", "--http2-prior-knowledge"]) {
    assert.equal(await ask(open, "evil.example", version), "403");
    assert.equal(await ask(open, "localhost.evil.example", version), "403");
    assert.equal(await ask(open, "localhost", version), "200");
    assert.equal(await ask(guarded, "evil.example", version), "500"); // No key is set: asked for one all the same.
    assert.equal(await ask(listed, "app.example.com", version), "200");
    assert.equal(await ask(listed, "evil.example", version), "403");
  }
});

test("a gateway refuses to start with TLS files that cannot serve", async () => {
  using certificates = createCertificates();
  const { serverCertificate: cert, serverKey: key, clientKey } = certificates;
  const gateway = (config: string): string =>
    topology(`- { name: gateway, type: http_gateway, config: { port: 0, ${config} } }`);
  const pair = (tlsCert: string, tlsKey: string): string =>
    gateway(`tls_cert: "${tlsCert}", tls_key: "${tlsKey}"`);
  await refuse(gateway(`tls_cert: "${cert}"`), /topology\.yaml:5:.*tls_cert needs tls_key too/);
  await refuse(gateway(`tls_key: "${key}"`), /tls_key needs tls_cert too/);
  await refuse(
    pair("missing.pem", key),
    /"gateway": tls_cert "missing\.pem": there is no such file/,
  );
  const other = import.meta.filename;
  await refuse(pair(other, key), /tls_cert "[^"]*\.ts": it holds no certificate/);
  await refuse(pair(cert, other), /tls_key "[^"]*\.ts": it holds no private key/);
  await refuse(pair(cert, clientKey), /it is not the key of tls_cert/);
});

test("clear text speaks HTTP/2 by prior knowledge, as curl sees it", async () => {
  const port = await freePort();
  await using _running = await run(
    topology(`- { name: gateway, type: http_gateway, config: { host: 127.0.0.1, port: ${port} } }`),
  );
  for (const client of testClients) {
    const { status } = await client.ask({ port }, { request: "POST /agents/echo" });
    assert.equal(status, 200, client.name);
  }
  if (commandPath("curl") === undefined) return;
  const url = `http://127.0.0.1:${port}/agents/echo`;
  const { stdout } = await runProgram("curl", [
    "-si",
    "--http2-prior-knowledge",
    "--json",
    "{}",
    url,
  ]);
  assert.match(stdout, /^HTTP\/2 200/);
  // An offer to change over to HTTP/2 may be left alone.
  const upgrade = await runProgram("curl", ["-si", "--http2", "--json", "{}", url]);
  assert.match(upgrade.stdout, /^HTTP\/1\.1 200/);
});

test("the API is described at /docs unless something authenticates, and where the file says so", async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const statuses = async (config: string, paths: readonly string[]): Promise<number[]> => {
    await using _running = await run(
      topology(
        `- { name: gateway, type: http_gateway, config: { host: 127.0.0.1, port: ${port}, ${config} } }`,
      ),
    );
    const found: number[] = [];
    for (const path of paths) found.push((await fetch(url + path)).status);
    return found;
  };
  const places = ["/docs", "/docs/openapi.json", "/openapi.json"];
  const route = "{ method: GET, path: /a, agent: echo }";
  assert.deepEqual(await statuses(`routes: [${route}]`, places), [200, 200, 200]);
  assert.deepEqual(await statuses("docs: { enabled: false }", places), [404, 404, 404]);
  assert.deepEqual(await statuses("middleware: [guards.gate]", places), [200, 200, 200]);
  const own = "auth: { middleware: [guards.gate] }";
  assert.deepEqual(await statuses(own, places), [404, 404, 404]);
  const guarded = (path: string) =>
    `routes: [{ method: GET, path: /a, agent: echo, middleware: [${path}] }]`;
  assert.deepEqual(await statuses(guarded("guards.gate"), places), [200, 200, 200]);
  const byKey = guarded("agentrt.gateway.auth.require_api_key");
  assert.deepEqual(await statuses(byKey, places), [404, 404, 404]);
  const forced = "middleware: [guards.gate], docs_enabled: true, docs_path: /api";
  assert.deepEqual(
    await statuses(forced, ["/api", "/api/openapi.json", "/docs", "/agents/echo/state"]),
    [200, 200, 404, 403],
  );
});

test("the API's description shows every route with its schemas, and its page loads nothing from elsewhere", async () => {
  const port = await freePort();
  await using _running = await run(
    topology(`
- name: gateway
  type: http_gateway
  config:
    host: 127.0.0.1
    port: ${port}
    routes:
      - method: POST
        path: "/orders/{id}"
        agent: echo
        request: { type: object, properties: { item: { type: string } }, required: [item] }
        response: { type: object, properties: { total: { type: number } } }
      - { method: PUT, path: "/orders/{id}", agent: echo, mode: cast }
      - { method: GET, path: "/orders/{id}/events", agent: echo, mode: stream }
`),
  );
  const url = `http://127.0.0.1:${port}`;
  const document = (await (await fetch(`${url}/docs/openapi.json`)).json()) as {
    openapi: string;
    info: object;
    paths: { [path: string]: { [method: string]: { [key: string]: never } } };
  };
  assert.equal(document.openapi, "3.1.0");
  assert.deepEqual(document.info, { title: "gateway", version: "1.0.0" });
  const post = document.paths["/orders/{id}"]?.["post"];
  const { requestBody, responses, parameters, ...rest } = post as unknown as {
    requestBody: { content: { "application/json": { schema: { required: string[] } } } };
    responses: { [status: string]: { content: { "application/json": { schema: object } } } };
    parameters: { name: string; in: string; required: boolean }[];
  };
  assert.deepEqual(rest, {
    tags: ["echo"],
    summary: "CALL → echo",
    operationId: "echo__post__orders_id",
  });
  assert.deepEqual(requestBody.content["application/json"].schema.required, ["item"]);
  assert.deepEqual(responses["200"]?.content["application/json"].schema, {
    type: "object",
    properties: { total: { type: "number" } },
  });
  assert.deepEqual(
    [parameters[0]?.name, parameters[0]?.in, parameters[0]?.required],
    ["id", "path", true],
  );
  assert.ok(Object.hasOwn(responses, "404") && Object.hasOwn(responses, "504"));
  const put = document.paths["/orders/{id}"]?.["put"] as unknown as { responses: object };
  assert.ok(Object.hasOwn(put.responses, "202"));
  const get = document.paths["/orders/{id}/events"]?.["get"];
  assert.match(JSON.stringify(get), /"text\/event-stream"/);
  assert.doesNotMatch(JSON.stringify(get), /requestBody/);

  // A schema is for the reader: what does not fit it reaches the agent.
  const body = JSON.stringify({ anything: 1 });
  const headers = { "content-type": "application/json" };
  const reply = await fetch(`${url}/orders/7`, { method: "POST", body, headers });
  assert.deepEqual(
    [reply.status, await reply.json()],
    [200, { type: "http.request", payload: { anything: 1, id: "7" } }],
  );

  const page = await fetch(`${url}/docs`);
  const html = await page.text();
  assert.equal(page.headers.get("content-type"), "text/html; charset=utf-8");
  assert.match(
    page.headers.get("content-security-policy") ?? "",
    /^default-src 'none'; script-src 'sha256-/,
  );
  assert.doesNotMatch(html, /https?:\/\//);
  const script = /<script>([^]*)<\/script>/.exec(html)?.[1] ?? "";
  assert.doesNotThrow(() => new Script(script));
});

test("GET /ready is 200 once the tree has started", async () => {
  const port = await freePort();
  await using running = await run(
    topology(`- { name: topo, type: topology_server, config: { port: ${port} } }`),
  );
  const ready = await fetch(`http://127.0.0.1:${port}/ready`);
  assert.deepEqual([ready.status, await ready.json()], [200, { status: "ready" }]);
  assert.ok(running);
});
