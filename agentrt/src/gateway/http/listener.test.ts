import assert from "node:assert/strict";
import { test } from "node:test";
import { RawHttpClient } from "testkit";
import type { System } from "../../core/ports/system.ts";
import { createRequestChain, type Route } from "../chain/request-chain.ts";
import type { GatewayRequest, GatewayResponse } from "../request.ts";
import type { HttpLimits } from "../listening/http-limits.ts";
import type { HttpListener } from "../listening/http-listener.ts";
import { createHttpListener } from "./listener.ts";
import { loneGateway } from "../test-support/lone-gateway.ts";
import { ManualTime } from "../test-support/manual-time.ts";

interface Setup extends AsyncDisposable {
  readonly port: number;
  readonly listener: HttpListener;
  readonly timers: ManualTime;
  /** Requests that reached a route, oldest first, each with the key to its response. */
  readonly held: { readonly request: GatewayRequest; answer(response: GatewayResponse): void }[];
  /** Settles when so many requests are held. */
  heldCount(count: number): Promise<void>;
  readonly handledPaths: string[];
}

const ok: GatewayResponse = { status: 200, body: { isOk: true } };

/** `GET /hold` waits for the test; `POST /` and `GET /ok` answer at once. */
async function serve(limits: Partial<HttpLimits> = {}): Promise<Setup> {
  const held: Setup["held"] = [];
  const handledPaths: string[] = [];
  let onHeld: (() => void) | undefined;
  const at = (method: string, path: string): Route => ({
    method,
    path,
    handle: async (request) => {
      handledPaths.push(request.path);
      return { status: 200, body: { body: request.body } };
    },
  });
  const hold: Route = {
    method: "GET",
    path: "/hold",
    handle: (request) =>
      new Promise((answer) => {
        held.push({ request, answer });
        onHeld?.();
      }),
  };
  const timers = new ManualTime();
  const log = {
    warn: (message: string): void => assert.fail(message),
    error: (message: string): void => assert.fail(message),
  };
  const listener = createHttpListener({
    node: "api",
    host: "127.0.0.1",
    port: 0,
    chain: createRequestChain({
      process: loneGateway,
      routes: [at("POST", "/"), at("GET", "/ok"), hold],
      log,
    }),
    log,
    limits,
    system: timers as unknown as System,
  });
  const { port } = await listener.start();
  return {
    port,
    listener,
    timers,
    held,
    handledPaths,
    async heldCount(count) {
      while (held.length < count) await new Promise<void>((resolve) => (onHeld = resolve));
    },
    async [Symbol.asyncDispose]() {
      const stopped = listener.stop({ timeoutMs: 0 });
      timers.pass(0);
      await stopped;
    },
  };
}

const get = (path: string, more = ""): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;

test("listener refuses what could be read as two requests with 400, closes, and serves no part of it", async () => {
  await using setup = await serve();
  const post = "POST / HTTP/1.1\r\nHost: localhost\r\n";
  const smuggled = get("/ok");
  const rows: { readonly [what: string]: string } = {
    "content-length and transfer-encoding": `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    "transfer-encoding and content-length": `${post}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${smuggled}`,
    "two content-lengths": `${post}Content-Length: 2\r\nContent-Length: 0\r\n\r\n{}${smuggled}`,
    "two equal content-lengths": `${post}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}${smuggled}`,
    "a list of content-lengths": `${post}Content-Length: 2, 2\r\n\r\n{}${smuggled}`,
    "a signed content-length": `${post}Content-Length: +2\r\n\r\n{}${smuggled}`,
    "a hexadecimal content-length": `${post}Content-Length: 0x2\r\n\r\n{}${smuggled}`,
    "obfuscated transfer-encoding": `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`,
    "chunked that is not last": `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`,
    "a space before the colon": `${post}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    "bare LF after the request line": `GET /ok HTTP/1.1\nHost: localhost\r\n\r\n`,
    "bare LF after a header": `GET /ok HTTP/1.1\r\nHost: h\nX: y\r\n\r\n`,
    "bare LF at the end of the headers": `GET /ok HTTP/1.1\r\nHost: localhost\r\n\n`,
    "bare CR in a header": `GET /ok HTTP/1.1\r\nHost: localhost\rX: y\r\n\r\n`,
    "NUL in a header": `GET /ok HTTP/1.1\r\nHost: localhost\r\nX: a\0b\r\n\r\n`,
    "a folded header": `GET /ok HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b\r\n\r\n`,
    "a chunk size that is no number": `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    "bare LF after a chunk size": `${post}Transfer-Encoding: chunked\r\n\r\n2\n{}\r\n0\r\n\r\n${smuggled}`,
    "a chunk longer than its size": `${post}Transfer-Encoding: chunked\r\n\r\n2\r\n{}xx\r\n0\r\n\r\n`,
    "no host": "GET /ok HTTP/1.1\r\n\r\n",
    "two hosts": "GET /ok HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n",
    "no HTTP at all": "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "a space in the target": "GET /o k HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "HTTP/9": "GET /ok HTTP/9.9\r\nHost: localhost\r\n\r\n",
  };
  for (const [what, bytes] of Object.entries(rows)) {
    await using client = await RawHttpClient.open(setup.port);
    client.send(bytes);
    const response = await client.response();
    assert.equal(response?.status, 400, what);
    assert.equal(await client.closed(), "", what);
  }
  assert.deepEqual(setup.handledPaths, []);
});

test("listener reads chunked bodies and answers pipelined requests in order", async () => {
  await using setup = await serve();
  await using client = await RawHttpClient.open(setup.port);
  const chunked =
    'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n4;x=y\r\n{"a"\r\n3\r\n:1}\r\n0\r\n\r\n';
  client.send(`${get("/hold")}${chunked}${get("/ok")}`);
  await setup.heldCount(1);
  setup.held[0]?.answer(ok);
  assert.equal((await client.response())?.body, '{"isOk":true}');
  assert.equal((await client.response())?.body, '{"body":{"a":1}}');
  assert.equal((await client.response())?.body, '{"body":{}}');
});

test("listener finishes whole requests before it closes over bytes that are no HTTP", async () => {
  await using setup = await serve();
  await using client = await RawHttpClient.open(setup.port);
  client.send(`${get("/hold")}\x00\x01\x02rubbish\r\n\r\n`);
  await setup.heldCount(1);
  assert.equal(setup.held[0]?.request.signal.aborted, false);
  setup.held[0]?.answer(ok);
  assert.equal((await client.response())?.status, 200);
  assert.equal(await client.closed(), "");
});

test("listener bounds headers, pipelining and expectations", async () => {
  await using setup = await serve({ headerCountMax: 10, pipelinedCountMax: 2 });
  const status = async (bytes: string): Promise<number | undefined> => {
    await using client = await RawHttpClient.open(setup.port);
    client.send(bytes);
    const response = await client.response();
    assert.equal(await client.closed(), "");
    return response?.status;
  };
  assert.equal(await status(get("/ok", "A: b\r\n".repeat(10))), 431);
  assert.equal(await status(get("/ok", `A: ${"b".repeat(17_000)}\r\n`)), 431);
  assert.equal(await status(get(`/${"b".repeat(17_000)}`)), 431);
  assert.equal(await status(get("/ok", "Expect: the-unexpected\r\n")), 417);
  assert.equal(await status("CONNECT h:1 HTTP/1.1\r\nHost: h:1\r\n\r\n"), 501);
  await using client = await RawHttpClient.open(setup.port);
  client.send(get("/hold").repeat(3));
  await setup.heldCount(2);
  for (const held of setup.held) held.answer(ok);
  const statuses = [await client.response(), await client.response(), await client.response()];
  assert.deepEqual(
    statuses.map((response) => response?.status),
    [200, 200, 503],
  );
});

test("listener takes an upgrade as an ordinary request", async () => {
  await using setup = await serve();
  await using client = await RawHttpClient.open(setup.port);
  client.send(get("/ok", "Connection: Upgrade\r\nUpgrade: websocket\r\n"));
  assert.equal((await client.response())?.status, 200);
});

test("listener serves an HTTP/1.0 client without a host and closes", async () => {
  await using setup = await serve();
  await using client = await RawHttpClient.open(setup.port);
  client.send("GET /ok HTTP/1.0\r\n\r\n");
  assert.equal((await client.response())?.status, 200);
  assert.equal(await client.closed(), "");
});

test("listener tells a client that asks first whether to send its body", async () => {
  await using setup = await serve();
  const expecting = (path: string, sizeBytes: number): string =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: ${sizeBytes}\r\n\r\n`;
  await using client = await RawHttpClient.open(setup.port);
  client.send(expecting("/", 2));
  client.send("{}");
  assert.equal((await client.response())?.status, 200);
  client.send(expecting("/", 2_000_000));
  assert.equal((await client.response())?.status, 413);
  assert.equal(await client.closed(), "");
});

test("listener answers before the body is there, throws the rest away and closes", async () => {
  await using setup = await serve({ discardSizeBytesMax: 100_000 });
  const head = (path: string): string =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n{`;
  await using patient = await RawHttpClient.open(setup.port);
  patient.send(head("/nowhere"));
  assert.equal((await patient.response())?.status, 404);
  for (let sentCount = 0; sentCount < 11; sentCount += 1) patient.send("x".repeat(10_000));
  assert.equal(await patient.closed(), "");
  await using whole = await RawHttpClient.open(setup.port);
  whole.send(`POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{`);
  const response = await whole.response();
  assert.deepEqual([response?.status, response?.headers["connection"]], [404, "close"]);
  whole.send("}");
  assert.equal(await whole.closed(), "");
});

test("a chunked body that grows past the limit gets 413", async () => {
  await using setup = await serve();
  await using client = await RawHttpClient.open(setup.port);
  client.send("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
  client.send(`100001\r\n${"x".repeat(0x100001)}\r\n`);
  assert.equal((await client.response())?.status, 413);
  client.send("0\r\n\r\n");
  assert.equal(await client.closed(), "");
});

test("a client that goes away aborts the signal of its request", async () => {
  await using setup = await serve();
  const client = await RawHttpClient.open(setup.port);
  client.send(get("/hold"));
  await setup.heldCount(1);
  const signal = setup.held[0]!.request.signal;
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve());
  });
  await client[Symbol.asyncDispose]();
  await aborted;
  setup.held[0]?.answer(ok);
});

test("a client that goes away in the middle of its body reaches no route", async () => {
  await using setup = await serve();
  const client = await RawHttpClient.open(setup.port);
  client.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{");
  await client[Symbol.asyncDispose]();
  const { cutCount } = await setup.listener.stop({ timeoutMs: 1 });
  assert.equal(cutCount, 0);
  assert.deepEqual(setup.handledPaths, []);
});

test("one connection that waits does not keep the others waiting", async () => {
  await using setup = await serve();
  const clients = await Promise.all(
    Array.from({ length: 50 }, () => RawHttpClient.open(setup.port)),
  );
  for (const client of clients) client.send(get("/hold"));
  await setup.heldCount(50);
  await using other = await RawHttpClient.open(setup.port);
  other.send(get("/ok"));
  assert.equal((await other.response())?.status, 200);
  for (const held of setup.held) held.answer(ok);
  for (const client of clients) {
    assert.equal((await client.response())?.status, 200);
    await client[Symbol.asyncDispose]();
  }
});

/** Settles when nobody listens on the port any more. */
async function portClosed(port: number): Promise<void> {
  for (;;) {
    try {
      await using _ = await RawHttpClient.open(port);
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, "ECONNREFUSED");
      return;
    }
  }
}

test("stop() finishes requests in work, serves what was sent before the port closed, refuses what comes later with 503", async () => {
  await using setup = await serve();
  await using early = await RawHttpClient.open(setup.port);
  await using tardy = await RawHttpClient.open(setup.port);
  await using idle = await RawHttpClient.open(setup.port);
  for (const client of [early, tardy, idle]) {
    client.send(get("/ok"));
    await client.response();
  }
  await using silent = await RawHttpClient.open(setup.port);
  await using busy = await RawHttpClient.open(setup.port);
  busy.send(get("/hold"));
  await using late = await RawHttpClient.open(setup.port);
  late.send(get("/hold"));
  await setup.heldCount(2);
  const stopped = setup.listener.stop({ timeoutMs: 60_000 });
  early.send(get("/ok"));
  silent.send(get("/ok"));
  await portClosed(setup.port);
  for (const client of [early, silent]) {
    const served = await client.response();
    assert.deepEqual([served?.status, served?.headers["connection"]], [200, "close"]);
    assert.equal(await client.closed(), "");
  }
  await setup.timers.fire(200);
  // What has come by then is read first.
  for (let turn = 0; turn < 8; turn += 1) await new Promise(setImmediate);
  tardy.send(get("/ok"));
  const refused = await tardy.response();
  assert.deepEqual([refused?.status, refused?.headers["connection"]], [503, "close"]);
  late.send(get("/ok"));
  for (const held of setup.held) held.answer(ok);
  const last = await busy.response();
  assert.deepEqual([last?.status, last?.headers["connection"]], [200, "close"]);
  assert.equal(await busy.closed(), "");
  assert.equal((await late.response())?.status, 200);
  assert.equal(await idle.closed(), "");
  assert.deepEqual(await stopped, { cutCount: 0 });
  assert.deepEqual(
    setup.handledPaths,
    Array.from({ length: 5 }, () => "/ok"),
  );
  assert.equal(setup.timers.pending.size, 0);
  assert.deepEqual(await setup.listener.stop({ timeoutMs: 1 }), { cutCount: 0 });
});

test("stop() answers what is left at its deadline with 503, cancels it and counts it", async () => {
  await using setup = await serve();
  await using client = await RawHttpClient.open(setup.port);
  client.send(get("/hold"));
  await setup.heldCount(1);
  const stopped = setup.listener.stop({ timeoutMs: 60_000 });
  await setup.timers.fire(60_000);
  const last = await client.response();
  assert.deepEqual([last?.status, last?.headers["connection"]], [503, "close"]);
  assert.equal(await client.closed(), "");
  assert.deepEqual(await stopped, { cutCount: 1 });
  assert.equal(setup.held[0]?.request.signal.aborted, true);
});

test("a port that is taken is a typed error with node, host and port", async () => {
  await using setup = await serve();
  const second = createHttpListener({
    node: "edge",
    host: "127.0.0.1",
    port: setup.port,
    chain: async () => ok,
    log: { warn: () => undefined, error: () => undefined },
    system: setup.timers as unknown as System,
  });
  await assert.rejects(second.start(), {
    code: "AGENTRT_GATEWAY_BIND_FAILED",
    message: `Cannot start gateway "edge" on 127.0.0.1 port ${setup.port}: another program listens there`,
  });
});

test("what HTTP/1.1 asks of a server: codings, versions, hosts and CONNECT that are not served are refused by their status", async () => {
  const host = "Host: localhost";
  const rows: readonly (readonly [name: string, lines: readonly string[], status: number])[] = [
    ["coding", ["POST / HTTP/1.1", host, "Transfer-Encoding: gzip, chunked"], 501],
    ["chunked in capitals", ["POST / HTTP/1.1", host, "Transfer-Encoding: Chunked"], 200],
    ["host with a blank", ["GET /ok HTTP/1.1", "Host: a b/c"], 400],
    ["host with a user", ["GET /ok HTTP/1.1", "Host: me@localhost"], 400],
    ["host with a path", ["GET /ok HTTP/1.1", "Host: localhost/x"], 400],
    ["host in brackets that is no address", ["GET /ok HTTP/1.1", "Host: [x]"], 400],
    ["address and port", ["GET /ok HTTP/1.1", "Host: [::1]:8080"], 200],
    ["host that is known by now", ["GET /ok HTTP/1.1", "Host: [::1]:8080"], 200],
    ["known host twice", ["GET /ok HTTP/1.1", "Host: [::1]:8080", "host: [::1]:8080"], 400],
    ["known host and another", ["GET /ok HTTP/1.1", "Host: [::1]:8080", "Host: b"], 400],
    ["no host after a known one", ["GET /ok HTTP/1.1", "X: y"], 400],
    ["2.0 in a line of 1.1", ["GET /ok HTTP/2.0", host], 505],
    ["0.9", ["GET /ok HTTP/0.9", host], 505],
    ["CONNECT", ["CONNECT localhost:80 HTTP/1.1", "Host: localhost:80"], 501],
  ];
  await using setup = await serve();
  for (const [name, lines, status] of rows) {
    await using client = await RawHttpClient.open(setup.port);
    const body = lines.some((line) => line.startsWith("Transfer-Encoding"))
      ? "2\r\n{}\r\n0\r\n\r\n"
      : "";
    client.send(`${lines.join("\r\n")}\r\n\r\n${body}`);
    const response = await client.response();
    assert.equal(response?.status, status, name);
    if (status >= 400) assert.match(response.body, /^\{"error":"[^"]+"\}$/, name);
  }
});
