/** SIGHUP to a run without a terminal: certificates and keys from files are read again, and connections stay. */
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { connect as connectHttp2 } from "node:http2";
import { join } from "node:path";
import { after, test } from "node:test";
import { connect as connectTls } from "node:tls";
import {
  type Certificates,
  createCertificates,
  createTemporaryFolder,
  freePort,
  openTerminal,
  skipUnless,
} from "testkit";
import { WebSocket } from "ws";
import { signWith, writeToken } from "../auth/test-support/tokens.ts";
import { Http3Client } from "../http3/test-support/http3-client.ts";
import { agentrtBinary, startTopology } from "./test-support/running-topology.ts";

const agents = `
import { Agent, type Message } from "agentrt";

export class Echo extends Agent {
  override handle({ payload }: Message) {
    return payload;
  }
  override onStop() {
    console.log("echo stopped");
  }
}
`;

const first = createCertificates();
const second = createCertificates();
after(() => {
  first[Symbol.dispose]();
  second[Symbol.dispose]();
});

/** Puts certificates where the gateway reads its own. */
function install(folder: string, from: Certificates): void {
  copyFileSync(from.serverCertificate, join(folder, "server.pem"));
  copyFileSync(from.serverKey, join(folder, "server.key"));
  copyFileSync(from.ca, join(folder, "ca.pem"));
}

/** What a client of some certificates trusts and shows. */
function clientOf(from: Certificates) {
  return {
    ca: readFileSync(from.ca),
    cert: readFileSync(from.clientCertificate),
    key: readFileSync(from.clientKey),
  };
}

async function run() {
  const [port, grpcPort, tokenPort] = [await freePort(), await freePort(), await freePort()];
  const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const others = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const setOf = (key: typeof keys.publicKey) =>
    JSON.stringify({ keys: [{ ...key.export({ format: "jwk" }), kid: "only" }] });
  const exp = Math.floor(Date.now() / 1000) + 600;
  const tokenOf = (key: typeof keys.privateKey) =>
    writeToken(
      { alg: "ES256", kid: "only" },
      { iss: "issuer", aud: "agents", sub: "ada", exp },
      signWith("ES256", key),
    );
  const texts = [first.serverCertificate, first.serverKey, first.ca].map((path) =>
    readFileSync(path, "utf8"),
  );
  const [cert = "", key = "", ca = ""] = texts;
  const running = await startTopology({
    files: {
      "agents.ts": agents,
      "server.pem": cert,
      "server.key": key,
      "ca.pem": ca,
      "keys.json": setOf(keys.publicKey),
    },
    environment: {
      AGENTRT_GATEWAY_MTLS_ALLOWED_DNS: "CN=client,O=Test",
      AGENTRT_JWT_ISSUER: "issuer",
      AGENTRT_JWT_AUDIENCE: "agents",
      AGENTRT_JWT_ALGORITHMS: "ES256",
      AGENTRT_JWT_JWKS_FILE: "keys.json",
    },
    topology: `supervision:
  name: root
  children:
    - agent: { name: echo, type: agents.Echo }
    - name: tokens
      type: http_gateway
      config:
        host: localhost
        port: ${tokenPort}
        middleware: [agentrt.gateway.jwt_auth.require_jwt]
        routes: [{ method: POST, path: /echo, agent: echo }]
    - name: api
      type: http_gateway
      config:
        host: localhost
        port: ${port}
        enable_http3: true
        port_quic: ${port}
        grpc_enabled: true
        grpc_port: ${grpcPort}
        tls_cert: server.pem
        tls_key: server.key
        tls_ca_cert: ca.pem
        client_cert_mode: required
        routes: [{ method: GET, path: "/echo/{word}", agent: echo }]
        ws_routes: [{ path: /ws, agent: echo }]
`,
  });
  const { folder, program } = running;
  return {
    port,
    grpcPort,
    program,
    folder: folder.path,
    exchangeKeys: () => writeFileSync(join(folder.path, "keys.json"), setOf(others.publicKey)),
    async hangUp(said: RegExp) {
      program.kill("SIGHUP");
      await program.waitFor(said);
    },
    async statusOf(which: "first" | "second"): Promise<number> {
      const token = tokenOf(which === "first" ? keys.privateKey : others.privateKey);
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const body = "{}";
      return (await fetch(`http://localhost:${tokenPort}/echo`, { method: "POST", headers, body }))
        .status;
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

/** True when a TLS client gets an answer. Under TLS 1.3 a server refuses behind the handshake. */
function isServed(port: number, from: Certificates): Promise<boolean> {
  const options = { port, host: "localhost", ALPNProtocols: ["h2"], ...clientOf(from) };
  const socket = connectTls(options);
  return new Promise<boolean>((resolve) => {
    socket.on("secureConnect", () =>
      socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0", "latin1"),
    );
    socket.on("data", () => resolve(true));
    socket.on("error", () => resolve(false));
    socket.on("close", () => resolve(false));
  }).finally(() => socket.destroy());
}

async function askHttp3(port: number, from: Certificates): Promise<number | undefined> {
  const { address: host } = await lookup("localhost");
  const client = await Http3Client.connect({ host, port, ...clientOf(from) }).catch(
    () => undefined,
  );
  if (client === undefined) return undefined;
  const { status } = await client.request("/echo/a", { method: "GET" }).done;
  await client.close();
  return status;
}

test("SIGHUP reads certificates, authorities and keys of tokens anew, and no connection ends", async () => {
  await using running = await run();
  const { port, grpcPort } = running;
  const session = connectHttp2(`https://localhost:${port}`, clientOf(first));
  const ask = async (): Promise<unknown> => {
    const stream = session.request({ ":path": "/echo/ada" });
    const [headers] = (await once(stream, "response")) as [{ ":status": number }];
    stream.resume();
    return headers[":status"];
  };
  const socket = new WebSocket(`wss://localhost:${port}/ws`, [], clientOf(first));
  await new Promise<void>((resolve) => socket.on("open", resolve));
  const say = async (n: number): Promise<unknown> => {
    const answer = new Promise((resolve) => socket.on("message", resolve));
    socket.send(JSON.stringify({ n }));
    return JSON.parse(String(await answer));
  };
  const reach = async (from: Certificates): Promise<boolean[]> => [
    await isServed(port, from),
    await isServed(grpcPort, from),
    (await askHttp3(port, from)) === 200,
  ];
  assert.equal(await ask(), 200);
  assert.deepEqual(await reach(first), [true, true, true]);
  assert.deepEqual(await reach(second), [false, false, false]);
  assert.equal(await running.statusOf("first"), 200);

  writeFileSync(join(running.folder, "server.pem"), "nothing\n");
  await running.hangUp(/the old ones stay .*tls_cert .*server\.pem.*it holds no certificate/);
  assert.deepEqual(await reach(first), [true, true, true]);

  install(running.folder, second);
  running.exchangeKeys();
  await running.hangUp(/certificates were read again .*server\.pem.*expires=/);
  assert.deepEqual(await reach(second), [true, true, true]);
  assert.deepEqual(await reach(first), [false, false, false]);
  assert.deepEqual([await running.statusOf("first"), await running.statusOf("second")], [401, 200]);
  assert.equal(await ask(), 200);
  assert.deepEqual(await say(1), { n: 1 });

  session.destroy();
  socket.terminate();
  running.program.kill("SIGTERM");
  assert.equal((await running.program.exited()).code, 0);
});

test(
  "SIGHUP in a terminal stops a run, as SIGTERM does",
  { skip: skipUnless("tmux") },
  async () => {
    using folder = createTemporaryFolder({
      "agents.ts": agents,
      "topology.yaml":
        "supervision: { name: root, children: [ { agent: { name: echo, type: agents.Echo } } ] }\n",
    });
    using terminal = openTerminal(`cd ${folder.path}; ${process.execPath} ${agentrtBinary} run &`);
    await terminal.waitFor(/started; Ctrl\+C stops/);
    terminal.type("kill -HUP $!", "Enter");
    const screen = await terminal.waitFor(/^(?:\$ )?stopped/m);
    assert.match(screen, /SIGHUP: stopping/);
    assert.match(screen, /echo stopped/);
  },
);

test(
  "a second SIGHUP in a terminal ends a run whose stop hangs, with exit code 129",
  { skip: skipUnless("tmux") },
  async () => {
    using folder = createTemporaryFolder({
      "agents.ts": `${agents}
export class Stubborn extends Echo {
  override async onStop() {
    await new Promise(() => undefined);
  }
}
`,
      "topology.yaml":
        "supervision: { name: root, children: [ { agent: { name: stubborn, type: agents.Stubborn } } ] }\n",
    });
    using terminal = openTerminal(`cd ${folder.path}; ${process.execPath} ${agentrtBinary} run &`);
    await terminal.waitFor(/started; Ctrl\+C stops/);
    terminal.type("kill -HUP $!", "Enter");
    await terminal.waitFor(/SIGHUP: stopping/);
    terminal.type('kill -HUP $!; wait $!; echo "ended with $?"', "Enter");
    await terminal.waitFor(/^ended with 129$/m);
  },
);
