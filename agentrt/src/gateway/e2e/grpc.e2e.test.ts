/** gRPC from YAML, through `agentrt run`, with the client of @grpc/grpc-js, which is another implementation. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as grpc from "@grpc/grpc-js";
import { createCertificates, freePort } from "testkit";
import { refuseTopology } from "./test-support/refused-topology.ts";
import { startTopology } from "./test-support/running-topology.ts";
import { signWith, writeToken } from "../auth/test-support/tokens.ts";
import { readStruct, writeStruct } from "../grpc/struct.ts";
import { readFields, readNested } from "../grpc/wire-reader.ts";
import { WireWriter } from "../grpc/wire-writer.ts";

const agents = `
import { Agent, type Message } from "agentrt";

export class Chat extends Agent {
  override async handle(message: Message) {
    const { payload } = message;
    if (payload["do"] === "fail") throw new Error("secret of the agent");
    if (payload["do"] === "correlate") return { correlationId: message.correlationId, isOwn: message.correlationId === message.id };
    if (payload["do"] === "refuse") return { error: "no stock" };
    if (payload["do"] === "sleep") await new Promise((resolve) => setTimeout(resolve, 60_000));
    if (payload["do"] === "count") {
      for (let n = 1; n <= 3; n += 1) await this.emit(message, { n });
      return undefined;
    }
    return { type: message.type, payload };
  }
}
`;

interface Environment {
  readonly [name: string]: string;
}

interface Running extends AsyncDisposable {
  readonly address: string;
  readonly httpPort: number;
  readonly output: () => string;
}

function topology(httpPort: number, grpcPort: number, config: string): string {
  return `supervision:
  name: root
  children:
    - agent: { name: chat, type: agents.Chat }
    - name: gateway
      type: http_gateway
      config:
        port: ${httpPort}
        grpc_enabled: true
        grpc_port: ${grpcPort}
${config.replaceAll(/^/gm, "        ")}
`;
}

async function run(config: string, environment: Environment = {}): Promise<Running> {
  const httpPort = await freePort();
  const grpcPort = await freePort();
  const running = await startTopology({
    topology: topology(httpPort, grpcPort, config),
    files: { "agents.ts": agents },
    environment,
  });
  return {
    address: `localhost:${grpcPort}`,
    httpPort,
    output: running.output,
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

const same = (bytes: Buffer): Buffer => bytes;

function encode(payload: { readonly [name: string]: string | number }, recipient = "chat"): Buffer {
  return new WireWriter()
    .text(1, recipient)
    .nested(3, (struct) => writeStruct(struct, payload))
    .finish();
}

function decode(bytes: Buffer): unknown {
  for (const field of readFields(bytes)) {
    if (field.number === 1 && field.wireType === 2)
      return JSON.parse(JSON.stringify(readStruct(readNested(field))));
  }
  return undefined;
}

interface Called {
  readonly code: number;
  readonly details: string;
  readonly reply: unknown;
}

function call(
  client: grpc.Client,
  body: Buffer,
  {
    method = "/agentrt.Agent/Invoke",
    metadata = new grpc.Metadata(),
    deadlineMs = 10_000,
  }: { method?: string; metadata?: grpc.Metadata; deadlineMs?: number } = {},
): Promise<Called> {
  return new Promise((resolve) => {
    client.makeUnaryRequest(
      method,
      same,
      same,
      body,
      metadata,
      { deadline: Date.now() + deadlineMs },
      (error, reply) =>
        resolve({
          code: error?.code ?? 0,
          details: error?.details ?? "",
          reply: reply === undefined ? undefined : decode(reply),
        }),
    );
  });
}

function bearer(token: string): grpc.Metadata {
  const metadata = new grpc.Metadata();
  metadata.set("authorization", `Bearer ${token}`);
  return metadata;
}

test("gRPC from YAML: Invoke, Cast, Stream, health and reflection, and the statuses of what fails", async () => {
  await using running = await run("host: 127.0.0.1\nrequest_timeout: 1");
  const client = new grpc.Client(running.address, grpc.credentials.createInsecure());
  const greeted = await call(client, encode({ n: 1 }));
  assert.deepEqual(greeted.reply, { type: "grpc.request", payload: { n: 1 } });
  const correlated = (id: string): Buffer =>
    new WireWriter()
      .text(1, "chat")
      .nested(3, (struct) => writeStruct(struct, { do: "correlate" }))
      .text(4, id)
      .finish();
  const given = { correlationId: "order-7", isOwn: false };
  assert.deepEqual((await call(client, correlated("order-7"))).reply, given);
  const own = (await call(client, correlated(""))).reply as typeof given;
  // That of the request.
  assert.equal(own.isOwn, false);
  assert.match(own.correlationId, /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  const long = await call(client, correlated("x".repeat(257)));
  assert.equal(long.code, grpc.status.INVALID_ARGUMENT);
  const cast = await call(client, encode({}), { method: "/agentrt.Agent/Cast" });
  assert.equal(cast.code, 0);
  const rows: readonly [Buffer, number, string][] = [
    [encode({}, "nobody"), grpc.status.NOT_FOUND, "agent 'nobody' not found"],
    [encode({ do: "fail" }), grpc.status.INTERNAL, "agent 'chat' crashed"],
    [encode({ do: "sleep" }), grpc.status.DEADLINE_EXCEEDED, "upstream timeout"],
  ];
  assert.deepEqual((await call(client, encode({ do: "refuse" }))).reply, { error: "no stock" });
  const chunks: unknown[] = [];
  const stream = client.makeServerStreamRequest(
    "/agentrt.Agent/Stream",
    same,
    same,
    encode({ do: "count" }),
  );
  for await (const chunk of stream) chunks.push(decode(chunk as Buffer));
  assert.deepEqual(chunks, [{ n: 1 }, { n: 2 }, { n: 3 }]);
  const health = { method: "/grpc.health.v1.Health/Check" };
  assert.equal((await call(client, Buffer.alloc(0), health)).code, 0);
  for (const [body, code, details] of rows) {
    const failed = await call(client, body);
    assert.deepEqual([failed.code, failed.details], [code, details]);
  }
  client.close();
});

test("behind a proxy's header without tokens gRPC refuses every call, and says so at the start", async () => {
  await using running = await run(
    `host: 127.0.0.1
mtls_source: proxy_header
trusted_proxy_cidrs: [127.0.0.0/8]
middleware: [agentrt.gateway.mtls.require_client_cert]`,
    {
      AGENTRT_GATEWAY_MTLS_ALLOWED_DNS: "CN=client",
    },
  );
  const said = /gRPC refuses every call: the certificates of a proxy do not count for it/g;
  assert.equal(running.output().match(said)?.length, 2, running.output());
  const client = new grpc.Client(running.address, grpc.credentials.createInsecure());
  assert.equal((await call(client, encode({}))).code, grpc.status.UNAUTHENTICATED);
  client.close();
});

test("a client that compresses with gzip gets compressed replies, one by one in a stream", async () => {
  await using running = await run("host: 127.0.0.1");
  const client = new grpc.Client(running.address, grpc.credentials.createInsecure(), {
    "grpc.default_compression_algorithm": 2,
  });
  const text = "x".repeat(100_000);
  const { reply } = await call(client, encode({ text }));
  assert.deepEqual(reply, { type: "grpc.request", payload: { text } });
  const stream = client.makeServerStreamRequest(
    "/agentrt.Agent/Stream",
    same,
    same,
    encode({ text }),
  );
  const chunks: unknown[] = [];
  for await (const chunk of stream) chunks.push(decode(chunk as Buffer));
  assert.deepEqual(chunks, [{ type: "grpc.request", payload: { text } }]);
  client.close();
});

test("grpc_reflection: false leaves reflection out, and an open port on the network is warned of", async () => {
  await using running = await run("grpc_reflection: false");
  assert.match(running.output(), /WRITE ROUTES ARE OPEN TO THE NETWORK.*gRPC \/agentrt\.Agent/);
  const client = new grpc.Client(running.address, grpc.credentials.createInsecure());
  const method = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
  assert.equal((await call(client, Buffer.alloc(0), { method })).code, grpc.status.UNIMPLEMENTED);
  client.close();
});

test("gRPC inherits tokens and required client certificates; health stays open", async () => {
  using files = createCertificates();
  const secret = "s".repeat(32);
  const jwt = {
    AGENTRT_JWT_ISSUER: "issuer",
    AGENTRT_JWT_AUDIENCE: "agents",
    AGENTRT_JWT_SECRET: secret,
    AGENTRT_JWT_ALGORITHMS: "HS256",
  };
  const start = (names: string): Promise<Running> =>
    run(
      `host: 127.0.0.1
tls_cert: "${files.serverCertificate}"
tls_key: "${files.serverKey}"
tls_ca_cert: "${files.ca}"
client_cert_mode: required
middleware: [agentrt.gateway.mtls.require_client_cert, agentrt.gateway.jwt_auth.require_jwt]`,
      { ...jwt, AGENTRT_GATEWAY_MTLS_ALLOWED_DNS: names },
    );
  await using running = await start("CN=client,O=Test");
  await using closed = await start("CN=somebody,O=Test");
  const ca = readFileSync(files.ca);
  const own = [readFileSync(files.clientKey), readFileSync(files.clientCertificate)] as const;
  const foreign = [readFileSync(files.foreignKey), readFileSync(files.foreignCertificate)] as const;
  const exp = Math.floor(Date.now() / 1000) + 600;
  const claims = { iss: "issuer", aud: "agents", sub: "ada", exp };
  const token = writeToken({ alg: "HS256" }, claims, signWith("HS256", secret));
  const good = { metadata: bearer(token) };
  const check = { method: "/grpc.health.v1.Health/Check" };
  const twice = bearer(`x, Bearer ${token}`);
  const { OK, UNAUTHENTICATED, PERMISSION_DENIED, UNAVAILABLE } = grpc.status;
  type How = Parameters<typeof call>[2];
  const rows: readonly [string, Running, readonly Buffer[], How, number][] = [
    ["all", running, own, good, OK],
    ["no token", running, own, {}, UNAUTHENTICATED],
    ["bad token", running, own, { metadata: bearer("x.y.z") }, UNAUTHENTICATED],
    ["two tokens", running, own, { metadata: twice }, UNAUTHENTICATED],
    ["name that is not listed", closed, own, good, PERMISSION_DENIED],
    ["foreign authority", running, foreign, good, UNAVAILABLE],
    ["no certificate", running, [], good, UNAVAILABLE],
    ["health without token", closed, own, check, OK],
  ];
  for (const [name, { address }, [key, cert], how, code] of rows) {
    const credentials = grpc.credentials.createSsl(ca, key ?? null, cert ?? null);
    const client = new grpc.Client(address, credentials);
    const body = how?.method === undefined ? encode({}) : Buffer.alloc(0);
    const called = await call(client, body, { ...how, deadlineMs: 5_000 });
    assert.equal(called.code, code, `${name}: ${called.details}`);
    client.close();
  }
  assert.ok(!running.output().includes(token), "the token was logged");
});

test("what guards the default routes beside a control plane guards gRPC calls to the same agents", async () => {
  const [httpPort, grpcPort] = [await freePort(), await freePort()];
  await using running = await startTopology({
    files: { "agents.ts": agents },
    environment: { AGENTRT_GATEWAY_API_KEY: "key" },
    topology: `supervision:
  name: root
  children:
    - agent: { name: chat, type: agents.Chat }
    - { name: topo, type: topology_server, config: { attach_to: gateway, auth: { middleware: [agentrt.gateway.auth.require_api_key] } } }
    - name: gateway
      type: http_gateway
      config: { host: 127.0.0.1, port: ${httpPort}, topology_agent: topo, grpc_enabled: true, grpc_port: ${grpcPort} }
`,
  });
  const client = new grpc.Client(`localhost:${grpcPort}`, grpc.credentials.createInsecure());
  const metadata = new grpc.Metadata();
  metadata.set("x-api-key", "key");
  const refused = await call(client, encode({}));
  assert.equal(refused.code, grpc.status.UNAUTHENTICATED, running.output());
  assert.equal((await call(client, encode({}), { metadata })).code, grpc.status.OK);
  client.close();
});

test("settings of gRPC that contradict each other keep the runtime from starting", async () => {
  using files = createCertificates();
  const { serverCertificate, serverKey, ca } = files;
  const tls = `tls_cert: "${serverCertificate}"\ntls_key: "${serverKey}"\ntls_ca_cert: "${ca}"`;
  const names = "[agentrt.gateway.mtls.require_client_cert]";
  const rows: readonly [string, RegExp][] = [
    [
      `${tls}\nclient_cert_mode: optional\nmiddleware: ${names}`,
      /gRPC cannot ask for optional certificates/,
    ],
    ["middleware: [agentrt.gateway.jwt_auth.require_jwt]", /gRPC would send tokens in clear text/],
    ["grpc_port: null", /gRPC needs a separate port: set grpc_port/],
    ["grpc_port: 18099", /port 18099 is that of HTTP/],
  ];
  for (const [config, expected] of rows) {
    const text = topology(18_099, 18_098, config);
    const yaml = config.startsWith("grpc_port") ? text.replace(/ +grpc_port: 18098\n/, "") : text;
    await refuseTopology({ topology: yaml, files: { "agents.ts": agents } }, expected);
  }
});
