/** WebSocket routes from YAML, through `agentrt run`, with the client of Node itself, which is another implementation. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { request } from "node:https";
import { test } from "node:test";
import { createCertificates, freePort } from "testkit";
import { startTopology } from "./test-support/running-topology.ts";
import { signWith, writeToken } from "../auth/test-support/tokens.ts";
import { RawWebSocket } from "../websocket/test-support/raw-web-socket.ts";

const agents = `
import { Agent, type Message } from "agentrt";

export class Chat extends Agent {
  override async handle(message: Message) {
    const { payload } = message;
    if (payload["do"] === "nothing") return undefined;
    if (payload["do"] === "fail") throw new Error("secret of the agent");
    if (payload["do"] === "count") {
      for (let n = 1; n <= 3; n += 1) await this.emit(message, { n });
      return { isDone: true };
    }
    if (payload["do"] === "sleep") await new Promise((resolve) => setTimeout(resolve, 60_000));
    return { type: message.type, payload };
  }
}

/** Answers when another message says so. */
export class Patient extends Agent {
  readonly #gate = Promise.withResolvers<void>();
  constructor(name: string) {
    super(name, { concurrency: 3, mailboxLengthMax: 1 });
  }
  override async handle({ payload, signal }: Message) {
    if (payload["do"] === "open") this.#gate.resolve();
    if (payload["do"] === "hold") {
      console.log("holds;");
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      console.log("was let go;");
    } else await this.#gate.promise;
    return { n: payload["n"] ?? 0 };
  }
}
`;

const guards = `
import type { Middleware } from "agentrt";

export const members: Middleware = async (request, next) =>
  request.queryParams["member"] === "yes" ? await next(request) : { status: 403, body: { error: "members only" } };
`;

async function run(config: string, environment: { readonly [name: string]: string } = {}) {
  const port = await freePort();
  const running = await startTopology({
    files: { "agents.ts": agents, "guards.ts": guards },
    environment,
    topology: `supervision:
  name: root
  backoff: CONSTANT
  backoff_base: 0
  children:
    - agent: { name: chat, type: agents.Chat }
    - agent: { name: patient, type: agents.Patient }
    - name: gateway
      type: http_gateway
      config:
        port: ${port}
        routes:
          - { method: POST, path: /chat, agent: chat }
${config.replaceAll(/^/gm, "        ")}
`,
  });
  return {
    port,
    program: running.program,
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

/** Opens a connection with Node's own client. */
function connect(port: number, path: string, protocols: string[] = []) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, protocols);
  const received: unknown[] = [];
  let onMessage: (() => void) | undefined;
  socket.addEventListener("message", (event) => {
    received.push(JSON.parse(String(event.data)));
    onMessage?.();
  });
  const closed = new Promise<{ readonly code: number; readonly reason: string }>((resolve) => {
    socket.addEventListener("close", ({ code, reason }) => resolve({ code, reason }));
  });
  const opened = new Promise<string>((resolve) => {
    socket.addEventListener("open", () => resolve(socket.protocol));
  });
  return {
    closed,
    opened,
    send: (value: unknown) => socket.send(JSON.stringify(value)),
    close: () => socket.close(1000),
    async next(): Promise<unknown> {
      while (received.length === 0) {
        await new Promise<void>((resolve) => {
          onMessage = resolve;
        });
      }
      return received.shift();
    },
  };
}

test("a WebSocket route takes messages and gives replies, chunks and errors", async () => {
  await using running = await run(
    "host: 127.0.0.1\nrequest_timeout: 1\nws_routes:\n  - { path: '/ws/{room}', agent: chat }",
  );
  const client = connect(running.port, "/ws/red?tone=loud");
  await client.opened;
  client.send({ text: "hi" });
  assert.deepEqual(await client.next(), {
    type: "ws.message",
    payload: { tone: "loud", text: "hi", room: "red" },
  });
  client.send({ do: "nothing" });
  client.send({ do: "count" });
  client.send({ do: "fail" });
  for (let n = 1; n <= 3; n += 1) assert.deepEqual(await client.next(), { n });
  assert.deepEqual(await client.next(), { isDone: true });
  const failed = await client.next();
  assert.deepEqual(failed, { error: "agent 'chat' crashed" });
  client.send("text");
  assert.deepEqual(await client.next(), {
    type: "ws.message",
    payload: { tone: "loud", data: "text", room: "red" },
  });
  client.send({ id: "late", payload: { do: "sleep" } });
  assert.deepEqual(await client.next(), { id: "late", error: "upstream timeout" });
  client.close();
  assert.equal((await client.closed).code, 1000);
  const asked = await fetch(`http://127.0.0.1:${running.port}/ws/red`);
  assert.equal(asked.status, 426);
  assert.deepEqual(await asked.json(), { error: "this path speaks only WebSocket" });
  const none = connect(running.port, "/elsewhere");
  assert.equal((await none.closed).code, 1006);
});

test("a WebSocket message without an id is a cast: no request_timeout ends it, and replies keep their order", async () => {
  await using running = await run(
    "host: 127.0.0.1\nrequest_timeout: 0.2\nws_routes: [{ path: /ws, agent: patient }]",
  );
  const client = connect(running.port, "/ws");
  await client.opened;
  client.send({ n: 1 });
  client.send({ id: "call", payload: { n: 2 } });
  assert.deepEqual(await client.next(), { id: "call", error: "upstream timeout" });
  client.send({ do: "open", n: 3 });
  assert.deepEqual(await client.next(), { n: 1 });
  assert.deepEqual(await client.next(), { n: 3 });
  client.send({ do: "hold" });
  await running.program.waitFor(/holds;/);
  client.close();
  await running.program.waitFor(/was let go;/);
});

test("a WebSocket message for a full mailbox waits for cast_timeout, and is refused then", async () => {
  await using running = await run(
    "host: 127.0.0.1\nrequest_timeout: 3600\ncast_timeout: 0.1\nws_routes: [{ path: /ws, agent: patient }]",
  );
  const clients = ["a", "b", "c", "d", "e"].map(() => connect(running.port, "/ws"));
  for (const [n, client] of clients.entries()) {
    await client.opened;
    client.send({ do: "hold", n });
    // Three are handled at once, and one waits.
    if (n < 3) await running.program.waitFor(new RegExp(`(holds;[^]*){${n + 1}}`));
  }
  const refused = { error: "agent 'patient' has no room for more messages" };
  assert.deepEqual(await Promise.race(clients.map((client) => client.next())), refused);
  for (const client of clients) client.close();
});

test("ws_routes inherit the gateway's middleware and have their own; ws_origins names pages that may connect", async () => {
  await using running = await run(
    `host: 127.0.0.1
ws_origins: ["https://app.example.com"]
ws_routes:
  - { path: /members, agent: chat, middleware: [guards.members] }
  - { path: /all, agent: chat }`,
  );
  await using refused = await RawWebSocket.connect(running.port);
  const refusal = await refused.handshake({ path: "/members" });
  assert.match(refusal, /^HTTP\/1.1 403 /);
  assert.equal(await refused.body(refusal), '{"error":"members only"}');
  const member = connect(running.port, "/members?member=yes");
  await member.opened;
  member.close();
  for (const [origin, status] of [
    ["https://app.example.com", 101],
    ["https://evil.example", 403],
  ] as const) {
    await using raw = await RawWebSocket.connect(running.port);
    const head = await raw.handshake({ path: "/all", headers: { Origin: origin } });
    assert.match(head, new RegExp(`^HTTP/1.1 ${status} `));
  }
});

test("a token travels as a subprotocol, which is echoed; without a valid one the handshake is refused with 401", async () => {
  const secret = "s".repeat(32);
  await using running = await run(
    "host: 127.0.0.1\nmiddleware: [agentrt.gateway.jwt_auth.require_jwt]\nws_routes:\n  - { path: /ws, agent: chat }",
    {
      AGENTRT_JWT_ISSUER: "issuer",
      AGENTRT_JWT_AUDIENCE: "agents",
      AGENTRT_JWT_SECRET: secret,
      AGENTRT_JWT_ALGORITHMS: "HS256",
    },
  );
  const exp = Math.floor(Date.now() / 1000) + 600;
  const claims = { iss: "issuer", aud: "agents", sub: "ada", exp };
  const token = writeToken({ alg: "HS256" }, claims, signWith("HS256", secret));
  const good = connect(running.port, "/ws", [`agentrt.bearer.${token}`]);
  assert.equal(await good.opened, `agentrt.bearer.${token}`);
  good.send({ n: 1 });
  assert.deepEqual(await good.next(), { type: "ws.message", payload: { n: 1 } });
  good.close();
  const rows: readonly (readonly [string[], string])[] = [
    [[], "missing bearer token"],
    [["chat"], "missing bearer token"],
    [["agentrt.bearer.x.y.z"], "invalid token"],
    [[`agentrt.bearer.${token.slice(0, -4)}AAAA`], "invalid token"],
    [["agentrt.bearer.x", `agentrt.bearer.${token}`], "invalid token"],
  ];
  for (const [protocols, reason] of rows) {
    await using bad = await RawWebSocket.connect(running.port);
    const offered = protocols.length === 0 ? undefined : protocols.join(", ");
    const headers = { "Sec-WebSocket-Protocol": offered };
    const head = await bad.handshake({ path: "/ws", headers });
    assert.match(head, /^HTTP\/1.1 401 .*\r\nwww-authenticate: Bearer/is);
    assert.doesNotMatch(head, /agentrt\.bearer/);
    assert.equal(await bad.body(head), JSON.stringify({ error: reason }));
  }
  assert.ok(!running.program.output.includes(token));
});

test("a connection ends with its token, and takes no message after that", async () => {
  const secret = "s".repeat(32);
  await using running = await run(
    "host: 127.0.0.1\nmiddleware: [agentrt.gateway.jwt_auth.require_jwt]\nws_routes:\n  - { path: /ws, agent: chat }",
    {
      AGENTRT_JWT_ISSUER: "issuer",
      AGENTRT_JWT_AUDIENCE: "agents",
      AGENTRT_JWT_SECRET: secret,
      AGENTRT_JWT_ALGORITHMS: "HS256",
    },
  );
  // Clocks may differ by a minute, so that this one still counts for two seconds.
  const exp = Math.floor(Date.now() / 1000) - 58;
  const claims = { iss: "issuer", aud: "agents", sub: "ada", exp };
  const token = writeToken({ alg: "HS256" }, claims, signWith("HS256", secret));
  const client = connect(running.port, "/ws", [`agentrt.bearer.${token}`]);
  await client.opened;
  client.send({ n: 1 });
  assert.deepEqual(await client.next(), { type: "ws.message", payload: { n: 1 } });
  assert.deepEqual(await client.closed, { code: 4401, reason: "token has expired" });
});

test("an API key travels as a subprotocol too, for pages, which can set no header", async () => {
  await using running = await run(
    "host: 127.0.0.1\nmiddleware: [agentrt.gateway.auth.require_api_key]\nws_routes:\n  - { path: /ws, agent: chat }",
    { AGENTRT_GATEWAY_API_KEYS: "first,second" },
  );
  const good = connect(running.port, "/ws", ["agentrt.bearer.second"]);
  assert.equal(await good.opened, "agentrt.bearer.second");
  good.close();
  for (const protocol of ["agentrt.bearer.third", undefined]) {
    await using bad = await RawWebSocket.connect(running.port);
    const headers = { "Sec-WebSocket-Protocol": protocol };
    assert.match(await bad.handshake({ path: "/ws", headers }), /^HTTP\/1.1 401 /);
  }
});

test("an open WebSocket route on the network is warned of, and a stop says 1001 to its clients", async () => {
  await using running = await run("ws_routes:\n  - { path: /ws, agent: chat }");
  assert.match(running.program.output, /WRITE ROUTES ARE OPEN TO THE NETWORK.*WebSocket \/ws/);
  const client = connect(running.port, "/ws");
  await client.opened;
  running.program.kill("SIGTERM");
  assert.deepEqual(await client.closed, { code: 1001, reason: "gateway is stopping" });
});

test("a gateway that asks for certificates and no token warns that its WebSocket routes are open", async () => {
  using files = createCertificates();
  const tls = `host: 127.0.0.1
tls_cert: "${files.serverCertificate}"
tls_key: "${files.serverKey}"
tls_ca_cert: "${files.ca}"
client_cert_mode: optional
middleware: [agentrt.gateway.mtls.require_client_cert]
ws_routes: [{ path: /ws, agent: chat }]`;
  const names = { AGENTRT_GATEWAY_MTLS_ALLOWED_DNS: "CN=client" };
  await using direct = await run(tls, names);
  assert.match(direct.program.output, /WEBSOCKET ROUTES ARE UNAUTHENTICATED.*require_jwt/);
  const status = await new Promise((resolve, reject) => {
    const asked = request({
      host: "localhost",
      port: direct.port,
      path: "/ws",
      ca: readFileSync(files.ca),
      headers: {
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
      },
    });
    asked.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve([response.statusCode, response.headers["sec-websocket-accept"]]);
    });
    asked.on("response", (response) => resolve([response.statusCode]));
    asked.on("error", reject);
    asked.end();
  });
  assert.deepEqual(status, [101, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="], "over TLS, without certificate");
  const proxy = `host: 127.0.0.1
mtls_source: proxy_header
trusted_proxy_cidrs: [127.0.0.0/8]
middleware: [agentrt.gateway.mtls.require_client_cert]
ws_routes: [{ path: /ws, agent: chat }]`;
  await using forwarded = await run(proxy, names);
  assert.match(forwarded.program.output, /WebSocket routes refuse every client/);
  await using refused = await RawWebSocket.connect(forwarded.port);
  assert.match(await refused.handshake({ path: "/ws" }), /^HTTP\/1.1 401 /);
});
