/** Built-in authentication from YAML and the environment, through `agentrt run` and real sockets. */
import assert from "node:assert/strict";
import { createServer } from "node:https";
import { readFileSync } from "node:fs";
import { once } from "node:events";
import { test } from "node:test";
import { createCertificates, freePort } from "testkit";
import { refuseTopology } from "./test-support/refused-topology.ts";
import { startTopology } from "./test-support/running-topology.ts";
import { newSigningKey, signWith, writeToken } from "../auth/test-support/tokens.ts";

const agents = `
import { Agent, type Message } from "agentrt";

export class Echo extends Agent {
  override async handle(message: Message) {
    return { payload: message.payload };
  }
}
`;

const whoAmI = `
import type { Middleware } from "agentrt";

export const tell: Middleware = async ({ auth }) => ({ status: 200, body: { auth } });
`;

function topology(port: number, config: string, nodes = ""): string {
  return `supervision:
  name: root
  children:
    - agent: { name: echo, type: agents.Echo }
${nodes}    - name: gateway
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${port}
        routes:
          - { method: POST, path: /echo, agent: echo }
          - { method: POST, path: /who-am-i, agent: echo, middleware: [guards.tell] }
${config.replaceAll(/^/gm, "        ")}
`;
}

interface Environment {
  readonly [name: string]: string;
}

interface Running extends AsyncDisposable {
  readonly output: () => string;
  post(path: string, headers: Environment): Promise<readonly [number, unknown]>;
}

async function run(config: string, environment: Environment, nodes = ""): Promise<Running> {
  const port = await freePort();
  const running = await startTopology({
    topology: topology(port, config, nodes),
    files: { "agents.ts": agents, "guards.ts": whoAmI },
    environment,
  });
  return {
    output: running.output,
    async post(path, headers) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers });
      return [response.status, await response.json()];
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

async function refuse(config: string, environment: Environment, expected: string): Promise<void> {
  const files = { "agents.ts": agents, "guards.ts": whoAmI };
  await refuseTopology({ topology: topology(0, config), files, environment }, expected);
}

const apiKey = "middleware: [agentrt.gateway.auth.require_api_key]";
const jwt = "auth: { middleware: [agentrt.gateway.jwt_auth.require_jwt] }";
const names = { AGENTRT_JWT_ISSUER: "issuer", AGENTRT_JWT_AUDIENCE: "agents" };

function claims(): object {
  return { iss: "issuer", aud: "agents", sub: "ada", exp: Math.floor(Date.now() / 1000) + 600 };
}

test("require_api_key from YAML lets the keys of the environment pass, and says when there is none", async () => {
  await using running = await run(apiKey, { AGENTRT_GATEWAY_API_KEYS: "old,new" });
  assert.deepEqual(await running.post("/echo", { "x-api-key": "new" }), [200, { payload: {} }]);
  assert.deepEqual(await running.post("/echo", { "x-api-key": "nex" }), [
    401,
    { error: "invalid or missing API key" },
  ]);
  assert.doesNotMatch(running.output(), /nex|"new"/);
  await using open = await run(apiKey, { AGENTRT_GATEWAY_API_KEY: "" });
  assert.match(open.output(), /refuses every request: neither AGENTRT_GATEWAY_API_KEY nor/);
  assert.deepEqual(await open.post("/echo", { "x-api-key": "" }), [
    500,
    { error: "server auth is not configured" },
  ]);
});

test("require_jwt from YAML knows the caller, whom no part of the request can name", async () => {
  const secret = "s".repeat(32);
  await using running = await run(jwt, {
    ...names,
    AGENTRT_JWT_SECRET: secret,
    AGENTRT_JWT_ALGORITHMS: "HS256",
  });
  const token = writeToken({ alg: "HS256" }, claims(), signWith("HS256", secret));
  const headers = { authorization: `Bearer ${token}`, "x-principal": "eve" };
  const path = "?__principal__=eve&auth=eve";
  assert.deepEqual(await running.post(`/echo${path}`, headers), [
    200,
    { payload: { auth: "eve" } },
  ]);
  const [status, body] = await running.post(`/who-am-i${path}`, headers);
  assert.equal(status, 200);
  const { auth } = body as { readonly auth: { readonly id: string; readonly claims: object } };
  assert.deepEqual([auth.id, Object.keys(auth.claims)], ["ada", ["iss", "aud", "sub", "exp"]]);
  assert.deepEqual(await running.post("/echo", {}), [401, { error: "missing bearer token" }]);
  assert.ok(!running.output().includes(token), "the token was logged");
});

test("require_jwt reads the keys of an issuer over https, and follows none that a token names", async () => {
  using certificates = createCertificates();
  const first = newSigningKey("ES256");
  const second = newSigningKey("ES256");
  const jwk = (key: typeof first, kid: string): object => ({
    ...key.publicKey.export({ format: "jwk" }),
    kid,
  });
  let published = [jwk(first, "first")];
  const asked: string[] = [];
  const issuer = createServer(
    {
      cert: readFileSync(certificates.serverCertificate),
      key: readFileSync(certificates.serverKey),
    },
    (request, response) => {
      asked.push(request.url ?? "");
      response.end(JSON.stringify({ keys: published }));
    },
  );
  issuer.listen(0, "127.0.0.1");
  await once(issuer, "listening");
  const { port } = issuer.address() as { port: number };
  try {
    await using running = await run(jwt, {
      ...names,
      NODE_EXTRA_CA_CERTS: certificates.ca,
      AGENTRT_JWT_JWKS_URL: `https://localhost:${port}/keys`,
      AGENTRT_JWT_ALGORITHMS: "ES256,RS256",
    });
    const ask = async (header: object, { privateKey }: typeof first): Promise<number> => {
      const token = writeToken(
        { alg: "ES256", ...header },
        claims(),
        signWith("ES256", privateKey),
      );
      const [status] = await running.post("/echo", { authorization: `Bearer ${token}` });
      return status;
    };
    const many = Array.from({ length: 20 }, () => ask({ kid: "first" }, first));
    assert.deepEqual(new Set(await Promise.all(many)), new Set([200]));
    assert.equal(await ask({ kid: "first" }, second), 401);
    assert.equal(await ask({ kid: "second" }, second), 401);
    const evil = `https://localhost:${port}/evil`;
    assert.equal(await ask({ kid: "first", jku: evil, x5u: evil }, second), 401);
    published = [jwk(second, "second")];
    assert.equal(await ask({ kid: "first" }, first), 200);
    assert.deepEqual(asked, ["/keys"]);
  } finally {
    issuer.close();
    issuer.closeAllConnections();
  }
});

test("an issuer that cannot be reached lets nobody in", async () => {
  const key = newSigningKey("RS256");
  const port = await freePort();
  await using running = await run(jwt, {
    ...names,
    AGENTRT_JWT_JWKS_URL: `https://localhost:${port}/keys`,
  });
  const token = writeToken({ alg: "RS256" }, claims(), signWith("RS256", key.privateKey));
  assert.deepEqual(await running.post("/echo", { authorization: `Bearer ${token}` }), [
    503,
    { error: "keys of tokens are not available" },
  ]);
  assert.match(running.output(), /Keys of tokens could not be read: .*ECONNREFUSED/);
});

test("a gateway refuses to start when the environment does not say how tokens are verified", async () => {
  await refuse(
    jwt,
    names,
    'gateway "gateway" with require_jwt: no key is set: set one of AGENTRT_JWT',
  );
  await refuse(
    jwt,
    { ...names, AGENTRT_JWT_JWKS_FILE: "missing.json" },
    "Cannot use the key set missing.json: ENOENT",
  );
});

const limiterNode = `    - name: rate_limiter
      type: gen_server
      module: agentrt.gateway.ratelimit
      class: RateLimiter
      config: { max_requests: 2, window_seconds: 60, key: api_key }
`;

test("rate_limit and RateLimiter from YAML allow each API key its own requests", async () => {
  const middleware =
    "middleware: [agentrt.gateway.auth.require_api_key, agentrt.gateway.ratelimit.rate_limit]";
  const environment = { AGENTRT_GATEWAY_API_KEYS: "ada,bob" };
  await using running = await run(middleware, environment, limiterNode);
  const statuses = [];
  for (const key of ["ada", "ada", "ada", "bob", "eve"]) {
    statuses.push((await running.post("/echo", { "x-api-key": key }))[0]);
  }
  assert.deepEqual(statuses, [200, 200, 429, 200, 401]);
});

test("a topology is refused whose middleware is misspelt or lacks its limiter, with the place", async () => {
  const at = "topology.yaml:13:22: supervision.children[1].config.middleware[0]: ";
  await refuse(
    "middleware: [agentrt.gateway.jwt_auth.requirejwt]",
    {},
    `${at}there is no built-in middleware "agentrt.gateway.jwt_auth.requirejwt"; did you mean`,
  );
  await refuse(
    "middleware: [agentrt.gateway.ratelimit.rate_limit]",
    {},
    `${at}rate_limit needs an agent "rate_limiter" in the tree`,
  );
});

test("auth.middleware of an attached topology server guards its routes, and agents beside them", async () => {
  const port = await freePort();
  await using _running = await startTopology({
    files: { "agents.ts": agents },
    environment: { AGENTRT_GATEWAY_API_KEY: "key" },
    topology: `supervision:
  name: root
  children:
    - agent: { name: echo, type: agents.Echo }
    - name: topo
      type: topology_server
      config: { attach_to: gateway, auth: { middleware: [agentrt.gateway.auth.require_api_key] } }
    - name: gateway
      type: http_gateway
      config: { host: 127.0.0.1, port: ${port}, topology_agent: topo }
`,
  });
  const status = async (method: string, path: string, key = ""): Promise<number> => {
    const headers = { "x-api-key": key };
    return (await fetch(`http://127.0.0.1:${port}${path}`, { method, headers })).status;
  };
  assert.equal(await status("GET", "/health"), 200);
  for (const [method, path] of [
    ["GET", "/topology"],
    ["GET", "/agents/echo"],
    ["POST", "/agents/echo"],
    ["POST", "/agents/echo/cast"],
    ["GET", "/agents/echo/state"],
  ] as const) {
    assert.equal(await status(method, path), 401, `${method} ${path}`);
    assert.ok((await status(method, path, "key")) < 300, `${method} ${path}`);
  }
});
