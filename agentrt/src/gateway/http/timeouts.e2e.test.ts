import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { RawHttpClient } from "testkit";
import { createRealSystem } from "../../core/index.ts";
import { createRequestChain } from "../chain/request-chain.ts";
import type { HttpListener } from "../listening/http-listener.ts";
import { createHttpListener } from "./listener.ts";
import { loneGateway } from "../test-support/lone-gateway.ts";

const system = createRealSystem();

interface Setup extends AsyncDisposable {
  readonly listener: HttpListener;
  readonly port: number;
  /** Settles when a client of `/large` is gone. */
  gone(): Promise<void>;
}

async function serve(): Promise<Setup> {
  const gone = Promise.withResolvers<void>();
  const log = {
    warn: (message: string): void => assert.fail(message),
    error: (message: string): void => assert.fail(message),
  };
  const listener = createHttpListener({
    node: "api",
    host: "127.0.0.1",
    port: 0,
    system,
    log,
    limits: {
      headersTimeoutMs: 300,
      receiveTimeoutMs: 600,
      idleTimeoutMs: 200,
      checkIntervalMs: 50,
      stallTimeoutMs: 500,
      connectionCountMax: 20,
    },
    chain: createRequestChain({
      process: loneGateway,
      routes: [
        {
          method: "POST",
          path: "/",
          handle: async () => ({ status: 200, body: { isOk: true } }),
        },
        {
          method: "POST",
          path: "/large",
          handle: async ({ signal }) => {
            signal.addEventListener("abort", () => gone.resolve());
            return { status: 200, body: { text: "x".repeat(10_000_000) } };
          },
        },
        { method: "GET", path: "/never", handle: () => new Promise(() => undefined) },
      ],
      log,
    }),
  });
  const { port } = await listener.start();
  return {
    listener,
    port,
    gone: () => gone.promise,
    async [Symbol.asyncDispose]() {
      await listener.stop({ timeoutMs: 100 });
    },
  };
}

/** Sends a byte every 20 ms until the connection ends, and returns what came back. */
async function drip(port: number, first: string, byte: string): Promise<string> {
  await using client = await RawHttpClient.open(port);
  client.send(first);
  const timer = setInterval(() => client.send(byte), 20);
  try {
    return await client.closed();
  } finally {
    clearInterval(timer);
  }
}

test("clients that send slowly are told 408 and closed, and others are served meanwhile", async () => {
  await using setup = await serve();
  const { port } = setup;
  const post = "POST / HTTP/1.1\r\nHost: localhost\r\n";
  const slow = Promise.all([
    drip(port, "POST /", "x"),
    drip(port, post, "x"),
    drip(port, `${post}Content-Length: 1000\r\n\r\n`, "x"),
  ]);
  await using quick = await RawHttpClient.open(port);
  quick.send(`${post}\r\n`);
  assert.equal((await quick.response())?.status, 200);
  for (const text of await slow) {
    assert.match(text, /^HTTP\/1\.1 408 /);
    assert.match(text, /\{"error":"request did not arrive in time"\}$/);
  }
});

test("connections that do not say which version they speak are closed after the time for headers", async () => {
  await using setup = await serve();
  for (const first of ["", "P", "PR"]) {
    await using client = await RawHttpClient.open(setup.port);
    if (first !== "") client.send(first);
    assert.equal(await client.closed(), "", first);
  }
  // Said in pieces it is understood all the same.
  await using slow = await RawHttpClient.open(setup.port);
  for (const piece of ["P", "O", "ST / HTTP/1.1\r\nHost: localhost\r\n\r\n"]) {
    slow.send(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal((await slow.response())?.status, 200);
});

test("idle connections are closed after the idle time", async () => {
  await using setup = await serve();
  const { port } = setup;
  await using client = await RawHttpClient.open(port);
  client.send("POST / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  assert.equal((await client.response())?.status, 200);
  assert.equal(await client.closed(), "");
});

test("a client that does not take its response is cut off after the stall time", async () => {
  await using setup = await serve();
  const socket = connect({ port: setup.port, host: "127.0.0.1" });
  socket.write("POST /large HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(5));
  // Never read: the kernel's buffers fill up, and the server's writes stand still.
  await setup.gone();
  socket.destroy();
});

test("connections beyond the limit are closed at once and those within it are served", async () => {
  await using setup = await serve();
  const { port } = setup;
  const clients = await Promise.all(Array.from({ length: 20 }, () => RawHttpClient.open(port)));
  await using extra = await RawHttpClient.open(port);
  assert.equal(await extra.closed(), "");
  for (const client of clients) client.send("POST / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  for (const client of clients) {
    assert.equal((await client.response())?.status, 200);
    await client[Symbol.asyncDispose]();
  }
});

test("stop() ends at its deadline though a request never ends", { timeout: 20_000 }, async () => {
  await using setup = await serve();
  const { listener, port } = setup;
  await using stuck = await RawHttpClient.open(port);
  stuck.send("GET /never HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await using other = await RawHttpClient.open(port);
  other.send("POST / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  assert.equal((await other.response())?.status, 200);
  assert.deepEqual(await listener.stop({ timeoutMs: 200 }), { cutCount: 1 });
});

test("stop() under load answers every request it took, and breaks none in the middle", async () => {
  await using setup = await serve();
  const { listener, port } = setup;
  const outcomes = { answered: 0, refused: 0, unanswered: 0 };
  let isStopping = false;
  const load = async (): Promise<void> => {
    for (;;) {
      const client = await RawHttpClient.open(port).catch(() => undefined);
      if (client === undefined) return;
      for (let sentCount = 0; sentCount < 20; sentCount += 1) {
        client.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}");
        const response = await client.response();
        if (response?.status === 200) outcomes.answered += 1;
        else if (response?.status === 503) outcomes.refused += 1;
        else if (response === undefined) {
          assert.ok(isStopping, "a connection was closed before the stop");
          assert.equal(await client.closed(), "", "half a response");
          outcomes.unanswered += 1;
        } else assert.fail(`status ${response.status}`);
        if (response === undefined || response.headers["connection"] === "close") break;
      }
      await client[Symbol.asyncDispose]();
    }
  };
  const loads = Array.from({ length: 10 }, load);
  while (outcomes.answered < 500) await new Promise((resolve) => setImmediate(resolve));
  isStopping = true;
  assert.deepEqual(await listener.stop({ timeoutMs: 5_000 }), { cutCount: 0 });
  await Promise.all(loads);
  assert.ok(outcomes.answered >= 500);
});
