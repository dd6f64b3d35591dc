/** How `agentrt run` stops while clients use its gateway: what was accepted is answered, over every protocol. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import * as grpc from "@grpc/grpc-js";
import {
  askOver,
  frame,
  frameType,
  freePort,
  getBlock,
  literalHeader,
  openHttp2,
  RawHttpClient,
  word,
} from "testkit";
import { clientFrame, RawWebSocket } from "../websocket/test-support/raw-web-socket.ts";
import { writeStruct } from "../grpc/struct.ts";
import { WireWriter } from "../grpc/wire-writer.ts";
import { type RunningTopology, startTopology } from "./test-support/running-topology.ts";

/**
 * `Slow` handles one message after the other, each in `ms`, `held` until SIGUSR2 comes, or as the `last` one, until fewer
 * wait behind it; `Endless` never ends what it begins.
 */
const agents = `
import { Agent, type Message } from "agentrt";

export class Slow extends Agent {
  #count = 0;
  override async handle(message: Message) {
    const ms = message.payload["ms"] ?? 0;
    const done = new Promise((resolve) => {
      if (ms === "held") process.once("SIGUSR2", resolve);
      else if (ms === "last") this.#onceEmptied(resolve);
      else setTimeout(resolve, Number(ms));
    });
    if (this.#count === 0) console.log("at work");
    await done;
    this.#count += 1;
    return { count: this.#count };
  }
  #onceEmptied(resolve: (value?: unknown) => void, lengthMax = 0) {
    const length = this.mailboxDepthOf(this.name) ?? 0;
    if (length < lengthMax) return resolve();
    setImmediate(() => this.#onceEmptied(resolve, length));
  }
  override onStop() {
    console.log("handled " + this.#count);
  }
}

export class Endless extends Agent {
  override async *handle(message: Message) {
    console.log("begun " + this.name);
    try {
      if (message.payload["mode"] === "reply") await new Promise(() => undefined);
      for (let n = 1; ; n += 1) {
        yield { n };
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    } finally {
      console.log("left " + this.name);
    }
  }
}
export class Stuck extends Agent {
  override async handle() {
    console.log("begun " + this.name);
    await new Promise(() => undefined);
  }
}
`;

interface Running extends RunningTopology {
  readonly port: number;
  readonly grpcPort: number;
  readonly controlPort: number;
}

/** The gateway is the first child: it stops last, unless somebody sees to it. */
async function run(shutdown: string): Promise<Running> {
  const [port, grpcPort, controlPort] = [await freePort(), await freePort(), await freePort()];
  const topology = `shutdown: ${shutdown}
supervision:
  name: root
  children:
    - name: gateway
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${port}
        grpc_enabled: true
        grpc_port: ${grpcPort}
        routes:
          - { method: GET, path: "/slow/{ms}", agent: slow }
          - { method: POST, path: /cast, agent: slow, mode: cast }
          - { method: GET, path: /stuck, agent: stuck }
          - { method: GET, path: /stuck-too, agent: stuck_too }
          - { method: GET, path: /stuck-as-well, agent: stuck_as_well }
          - { method: GET, path: /events, agent: events, mode: stream }
        ws_routes:
          - { path: /chat, agent: chat }
          - { path: /slow, agent: slow }
    - { name: topo, type: topology_server, config: { port: ${controlPort} } }
    - agent: { name: slow, type: agents.Slow }
    - agent: { name: stuck, type: agents.Stuck }
    - agent: { name: stuck_too, type: agents.Stuck }
    - agent: { name: stuck_as_well, type: agents.Stuck }
    - agent: { name: events, type: agents.Endless }
    - agent: { name: chat, type: agents.Endless }
`;
  const running = await startTopology({
    topology,
    files: { "agents.ts": agents },
    timeoutMs: 45_000,
  });
  return { ...running, port, grpcPort, controlPort };
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
const post = (path: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

function message(recipient: string, payload: { [key: string]: number }): Buffer {
  return new WireWriter()
    .text(1, recipient)
    .nested(3, (struct) => writeStruct(struct, payload))
    .finish();
}

async function openGrpc(port: number): Promise<grpc.Client> {
  const client = new grpc.Client(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  await new Promise<unknown>((resolve) => client.waitForReady(Date.now() + 20_000, resolve));
  return client;
}

function invoke(
  client: grpc.Client,
  recipient: string,
  payload: { [key: string]: number },
): Promise<unknown> {
  return new Promise((resolve) => {
    client.makeUnaryRequest(
      "/agentrt.Agent/Invoke",
      (body: Buffer) => body,
      (body: Buffer) => body,
      message(recipient, payload),
      (error: grpc.ServiceError | null, reply?: Buffer) => resolve(error?.code ?? reply),
    );
  });
}

/** Settles when nobody listens on the port any more. */
async function portClosed(port: number): Promise<void> {
  for (;;) {
    const socket = connect({ port, host: "127.0.0.1" });
    const isOpen = once(socket, "connect").then(
      () => true,
      () => false,
    );
    if (!(await isOpen)) return;
    socket.destroy();
  }
}

test("a stop answers what is in work over every protocol and handles what is queued, with the gateway declared first", async () => {
  await using running = await run("{ grace: 30 }");
  const { port, grpcPort, program } = running;
  await using client = await RawHttpClient.open(port);
  client.send(get("/slow/held"));
  await program.waitFor(/at work/);
  await using casting = await RawHttpClient.open(port);
  for (let count = 0; count < 20; count += 1) {
    casting.send(post("/cast", '{"ms":10}'));
    assert.equal((await casting.response())?.status, 202);
  }
  const session = openHttp2({ port });
  await once(session, "remoteSettings");
  const overHttp2 = askOver(session, { request: "GET /slow/10" });
  const grpcClient = await openGrpc(grpcPort);
  const overGrpc = invoke(grpcClient, "slow", { ms: 10 });
  await using socket = await RawWebSocket.open(port, "/slow");
  socket.write(clientFrame('{"ms":10}'));
  await using sentLast = await RawHttpClient.open(port);
  sentLast.send(get("/slow/10"));
  program.kill("SIGTERM");
  await portClosed(port);
  program.kill("SIGUSR2");
  const first = await client.response();
  assert.deepEqual([first?.status, first?.headers["connection"]], [200, "close"]);
  assert.equal(await client.closed(), "");
  assert.equal((await overHttp2).status, 200);
  assert.ok((await overGrpc) instanceof Buffer);
  assert.match((await socket.frame())?.payload.toString() ?? "", /^\{"count":\d+\}$/);
  assert.equal(await socket.closeCode(), 1001);
  assert.equal((await sentLast.response())?.status, 200);
  session.close();
  grpcClient.close();
  await socket[Symbol.asyncDispose]();
  const exit = await program.exited();
  assert.equal(exit.code, 0, exit.stderr);
  assert.match(exit.stdout, /handled 25\n/);
  assert.doesNotMatch(exit.stderr, /warn|error/);
});

test("at the end of the grace streams end as their protocol says, calls get 503, and the log names who was late", async () => {
  await using running = await run("{ grace: 0.5 }");
  const { port, grpcPort, program } = running;
  await using events = await RawHttpClient.open(port);
  events.send(get("/events"));
  await using chat = await RawWebSocket.open(port, "/chat");
  chat.write(clientFrame("{}"));
  await using stuck = await RawHttpClient.open(port);
  stuck.send(get("/stuck"));
  await program.waitFor(/begun events/);
  await program.waitFor(/begun chat/);
  await program.waitFor(/begun stuck\n/);
  const session = openHttp2({ port });
  await once(session, "remoteSettings");
  const overHttp2 = askOver(session, { request: "GET /stuck-too" });
  const grpcClient = await openGrpc(grpcPort);
  const overGrpc = invoke(grpcClient, "stuck_as_well", {});
  await program.waitFor(/begun stuck_too/);
  await program.waitFor(/begun stuck_as_well/);
  program.kill("SIGTERM");
  assert.match(
    (await events.response())?.body ?? "",
    /event: error\ndata: \{"error":"gateway is stopping"\}\n\n$/,
  );
  assert.equal(await chat.closeCode(), 1001);
  await chat[Symbol.asyncDispose]();
  const cut = await stuck.response();
  assert.deepEqual([cut?.status, cut?.headers["connection"]], [503, "close"]);
  assert.equal((await overHttp2).status, 503);
  assert.equal(await overGrpc, grpc.status.UNAVAILABLE);
  session.close();
  grpcClient.close();
  const exit = await program.exited();
  assert.equal(exit.code, 0, exit.stderr);
  assert.match(exit.stdout, /left events/);
  assert.match(exit.stdout, /left chat/);
  assert.match(exit.stderr, /warn .*requests were cut off.* gateway=gateway count=5 graceMs=500/);
  assert.match(
    exit.stderr,
    /warn .*still at work.* agent=stuck .* agent=stuck_too .* agent=stuck_as_well /s,
  );
});

test("in the lame duck /ready says 503 and the gateway serves on", async () => {
  await using running = await run("{ lame_duck: 3 }");
  const { port, controlPort, program } = running;
  const ready = async () => await fetch(`http://127.0.0.1:${controlPort}/ready`);
  assert.equal((await ready()).status, 200);
  program.kill("SIGTERM");
  await program.waitFor(/SIGTERM: stopping/);
  let answer = await ready();
  while (answer.status === 200) answer = await ready();
  assert.deepEqual([answer.status, await answer.json()], [503, { status: "not_ready" }]);
  const served = await fetch(`http://127.0.0.1:${port}/slow/1`);
  assert.deepEqual([served.status, served.headers.get("connection")], [200, "close"]);
  assert.equal((await program.exited()).code, 0);
});

test("what is queued at the end of the grace is counted in one line an agent", async () => {
  await using running = await run("{ grace: 0 }");
  const { port, program } = running;
  await using client = await RawHttpClient.open(port);
  for (let count = 0; count < 10; count += 1) {
    client.send(post("/cast", '{"ms":"last"}'));
    assert.equal((await client.response())?.status, 202);
  }
  await program.waitFor(/at work/);
  program.kill("SIGTERM");
  const exit = await program.exited();
  assert.equal(exit.code, 0, exit.stderr);
  const lines = exit.stderr.split("\n").filter((line) => line.includes("unhandled by the stop"));
  assert.equal(lines.length, 1, exit.stderr);
  assert.match(lines[0] ?? "", / agent=slow count=9 types=http.request$/);
  assert.match(exit.stdout, /handled 1\n/);
  assert.doesNotMatch(exit.stderr, /message not handled/);
});

/** A call of `Slow`, whose reply comes as a text that holds its count. */
const rawRequests: { readonly [port in "port" | "grpcPort"]: readonly Buffer[] } = {
  port: [frame(frameType.headers, { flags: 0x05, stream: 1, payload: getBlock("/slow/100") })],
  grpcPort: [
    frame(frameType.headers, {
      flags: 0x04,
      stream: 1,
      payload: Buffer.concat([
        Buffer.from([0x83, 0x86]), // Indexed: method POST, scheme http.
        literalHeader(":path", "/agentrt.Agent/Invoke"),
        literalHeader(":authority", "localhost"),
        literalHeader("content-type", "application/grpc"),
        literalHeader("te", "trailers"),
      ]),
    }),
    frame(frameType.data, {
      flags: 0x01,
      stream: 1,
      payload: prefixed(message("slow", { ms: 100 })),
    }),
  ],
};

/** As gRPC sends a message: not compressed, its length, its bytes. */
function prefixed(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0]), word(bytes.length), bytes]);
}

for (const which of ["port", "grpcPort"] as const)
  test(`a reply over ${which === "port" ? "HTTP/2" : "gRPC"} is not reset by what its client still sends`, async () => {
    await using running = await run("{ grace: 30 }");
    const { program } = running;
    const socket = connect({ port: running[which], host: "127.0.0.1", allowHalfOpen: true });
    const errors: unknown[] = [];
    socket.on("error", (error) => errors.push(error));
    let received = "";
    socket.on("data", (bytes: Buffer) => {
      received += bytes.toString("latin1");
    });
    socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    socket.write(frame(frameType.settings, {}));
    for (const bytes of rawRequests[which]) socket.write(bytes);
    await program.waitFor(/at work/);
    program.kill("SIGTERM");
    await once(socket, "end");
    assert.match(received, /count/);
    // What a client sends once it has read a reply. The server has ended its side by now.
    for (let count = 0; count < 3; count += 1) {
      socket.write(frame(frameType.ping, { payload: Buffer.alloc(8) }));
      await new Promise(setImmediate);
    }
    socket.end();
    await once(socket, "close");
    assert.deepEqual(errors, []);
    assert.equal((await program.exited()).code, 0);
  });

test("a client that leaves a stream of events ends its agent's work at once", async () => {
  await using running = await run("{ grace: 0 }");
  const { port, program } = running;
  {
    await using client = await RawHttpClient.open(port);
    client.send(get("/events"));
    await program.waitFor(/begun events/);
  }
  do {
    const headers = { "last-event-id": "1" };
    const back = await fetch(`http://127.0.0.1:${port}/events`, { headers });
    assert.equal(back.status, 410);
  } while (!program.output.includes("left events"));
});
