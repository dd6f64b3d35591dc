/** HTTP/3 from YAML, through `agentrt run`. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { connect as connectHttp2 } from "node:http2";
import { request } from "node:https";
import { after, test } from "node:test";
import { connect as connectTls } from "node:tls";
import {
  agentrtLauncher,
  createCertificates,
  createTemporaryFolder,
  freePort,
  runProgram,
  skipUnless,
  startProgram,
} from "testkit";
import { Http3Client } from "../http3/test-support/http3-client.ts";
import { echoGateway } from "./test-support/running-topology.ts";

const binary = agentrtLauncher();
const files = createCertificates();
after(() => files[Symbol.dispose]());
const ca = readFileSync(files.ca);
const own = { cert: readFileSync(files.clientCertificate), key: readFileSync(files.clientKey) };
const tls = `tls_cert: ${files.serverCertificate}\ntls_key: ${files.serverKey}`;

const agents = `
import { Agent, type Message } from "agentrt";

export class Echo extends Agent {
  override async handle(message: Message) {
    if (message.payload["do"] === "count") {
      for (let n = 1; n <= 3; n += 1) await this.emit(message, { n });
      return undefined;
    }
    return { echoed: message.payload };
  }
}
`;

function topology(port: number, config: string): string {
  return echoGateway(
    port,
    `
routes:
  - { method: POST, path: /echo, agent: echo }
  - { method: GET, path: /count, agent: echo, mode: stream }
${config}
`,
  );
}

interface Running extends AsyncDisposable {
  readonly port: number;
  readonly portQuic: number;
  readonly output: () => string;
  stop(): Promise<{ readonly exitCode: number | null }>;
}

async function run(
  config: string,
  environment: { readonly [name: string]: string } = {},
): Promise<Running> {
  const port = await freePort();
  const portQuic = await freePort();
  const folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": topology(port, `enable_http3: true\nport_quic: ${portQuic}\n${config}`),
  });
  const program = startProgram(process.execPath, [binary, "run"], {
    workingDirectory: folder.path,
    environment,
  });
  await program.waitFor(/started/);
  return {
    port,
    portQuic,
    output: () => program.output,
    stop: async () => {
      program.kill("SIGTERM");
      return { exitCode: (await program.exited()).code };
    },
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** The header `alt-svc` of a response over HTTP/1.1. */
function altSvcOverHttp1(port: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "localhost", port, ca, agent: false }, (response) => {
      response.resume();
      resolve(response.headers["alt-svc"]);
    });
    sent.on("error", reject);
    sent.end();
  });
}

/** The header `alt-svc` of a response over HTTP/2. */
function altSvcOverHttp2(port: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const session = connectHttp2(`https://localhost:${port}`, { ca });
    session.on("error", reject);
    const stream = session.request({ ":path": "/nowhere" });
    stream.on("response", (headers) => resolve(headers["alt-svc"]));
    stream.on("close", () => session.close());
    stream.resume().end();
  });
}

/** What is answered to bytes that are no HTTP. */
function answerToNoHttp(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ host: "localhost", port, ca }, () => socket.write("what\r\n\r\n"));
    let text = "";
    socket.on("data", (bytes: Buffer) => (text += bytes.toString()));
    socket.on("close", () => resolve(text));
    socket.on("error", reject);
  });
}

test("agentrt run serves HTTP/3 beside the other versions, which tell of it", async () => {
  await using running = await run(tls);
  const { port, portQuic } = running;
  assert.equal(await altSvcOverHttp1(port), `h3=":${portQuic}"`);
  assert.equal(await altSvcOverHttp2(port), `h3=":${portQuic}"`);
  assert.ok((await answerToNoHttp(port)).includes(`\r\nalt-svc: h3=":${portQuic}"\r\n`));
  const client = await Http3Client.connect({ port: portQuic, ca });
  const { status, text, headers } = await client.request("/echo", {
    method: "POST",
    body: '{"a":1}',
  }).done;
  assert.equal(status, 200);
  assert.match(text, /"a":1/);
  assert.equal(headers["alt-svc"], undefined);
  const counted = await client.request("/count?do=count").done;
  assert.deepEqual(counted.text.match(/"n":\d/g), ['"n":1', '"n":2', '"n":3']);
  assert.equal(counted.headers["content-type"], "text/event-stream");
  await client.close();
  assert.doesNotMatch(running.output(), /warning/i);
  assert.deepEqual(await running.stop(), { exitCode: 0 });
});

test("client certificates count over HTTP/3 as over the other versions", async () => {
  const config = `${tls}
tls_ca_cert: ${files.ca}
client_cert_mode: optional
middleware: [agentrt.gateway.mtls.require_client_cert]`;
  await using running = await run(config, { AGENTRT_GATEWAY_MTLS_ALLOWED_DNS: "CN=client,O=Test" });
  const ask = async (more: object): Promise<number | undefined> => {
    const client = await Http3Client.connect({ port: running.portQuic, ca, ...more });
    const { status } = await client.request("/echo", { method: "POST", body: "{}" }).done;
    await client.close();
    return status;
  };
  assert.equal(await ask(own), 200);
  assert.equal(await ask({}), 401);
  const foreign = {
    cert: readFileSync(files.foreignCertificate),
    key: readFileSync(files.foreignKey),
  };
  await assert.rejects(async () => {
    const status = await ask(foreign);
    if (status === undefined) throw new Error("refused");
  });
});

test("HTTP/3 without TLS or without a port is refused, before and at the start", async () => {
  const check = async (config: string, reason: RegExp): Promise<void> => {
    const text = topology(await freePort(), config);
    using folder = createTemporaryFolder({ "agents.ts": agents, "topology.yaml": text });
    for (const command of [["run"], ["topology", "validate", "topology.yaml"]]) {
      const options = { workingDirectory: folder.path };
      const { code, stdout, stderr } = await runProgram(
        process.execPath,
        [binary, ...command],
        options,
      );
      assert.equal(code, 1, command.join(" "));
      assert.match(stdout + stderr, reason);
    }
  };
  await check("enable_http3: true\nport_quic: 4433", /enable_http3: HTTP\/3 is always encrypted/);
  await check(
    `enable_http3: true\n${tls}`,
    /enable_http3: HTTP\/3 needs a UDP port: set port_quic/,
  );
});

test("two gateways on one UDP port are told before the start", async () => {
  const node = (name: string, port: number): string => `    - name: ${name}
      type: http_gateway
      config: { port: ${port}, enable_http3: true, port_quic: 4433, tls_cert: a.pem, tls_key: a.key }
`;
  const text = `supervision:\n  name: root\n  children:\n${node("one", 8001)}${node("two", 8002)}`;
  using folder = createTemporaryFolder({ "topology.yaml": text });
  const args = [binary, "topology", "validate", "topology.yaml"];
  const options = { workingDirectory: folder.path };
  const { code, stdout, stderr } = await runProgram(process.execPath, args, options);
  assert.equal(code, 1);
  assert.match(stdout + stderr, /port_quic: "one" listens on UDP port 4433 of 0\.0\.0\.0 already/);
});

test("HTTP/3 on a Node that cannot give it is one line, and no start", async () => {
  const config = `enable_http3: true\nport_quic: 0\n${tls}`;
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": topology(await freePort(), config),
  });
  const { code, stderr } = await runProgram(process.execPath, [binary, "run"], {
    workingDirectory: folder.path,
    environment: { NODE_OPTIONS: "--no-experimental-ffi" },
  });
  assert.equal(code, 1);
  assert.match(stderr, /Cannot start gateway "gateway": enable_http3: this Node has no node:ffi/);
  assert.doesNotMatch(stderr, /\n\s+at /);
});

test(
  "HTTP/3 answers another implementation: gtlsclient of ngtcp2",
  { skip: skipUnless("gtlsclient") },
  async () => {
    await using running = await run(tls);
    const url = "https://localhost/count?do=count";
    const options = ["--exit-on-all-streams-close", "127.0.0.1", String(running.portQuic), url];
    const { stdout, stderr } = await runProgram("gtlsclient", options);
    assert.match(stdout + stderr, /\[:status: 200\]/);
    assert.match(stdout + stderr, /\[content-type: text\/event-stream\]/);
  },
);
