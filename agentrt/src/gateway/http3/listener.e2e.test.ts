/** HTTP/3 on a real UDP socket, by a client over the same OpenSSL that can also say what no client should. */
import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { createCertificates } from "testkit";
import { createRealSystem } from "../../core/ports/system.ts";
import { createRequestChain, type Route } from "../chain/request-chain.ts";
import type { HttpLimits } from "../listening/http-limits.ts";
import type { HttpListener } from "../listening/http-listener.ts";
import type { ClientCertMode } from "../../gateway-settings/client-cert-faults.ts";
import { readTlsMaterial } from "../listening/tls-material.ts";
import type { GatewayRequest, GatewayResponse } from "../request.ts";
import { loneGateway } from "../test-support/lone-gateway.ts";
import { http3Codes } from "./fault.ts";
import { frameTypes } from "./framing/frame-reader.ts";
import { createHttp3Listener } from "./listener.ts";
import { Http3Client, type Http3ClientOptions, numberIn } from "./test-support/http3-client.ts";
import { frame, headersFrame, plainGet } from "./test-support/request-bytes.ts";

const files = createCertificates();
after(() => files[Symbol.dispose]());
const ca = readFileSync(files.ca);
const good = { cert: readFileSync(files.clientCertificate), key: readFileSync(files.clientKey) };
const foreign = {
  cert: readFileSync(files.foreignCertificate),
  key: readFileSync(files.foreignKey),
};

interface Served extends AsyncDisposable {
  readonly port: number;
  readonly listener: HttpListener;
  /** Requests of `GET /hold`, oldest first, each with the key to its response. */
  readonly held: { readonly request: GatewayRequest; answer(response: GatewayResponse): void }[];
  /** Pieces of `GET /flood` that were asked for. */
  readonly flood: { count: number; isLeft: boolean };
  connect(options?: Partial<Http3ClientOptions>): Promise<Http3Client>;
}

const ok: GatewayResponse = { status: 200, body: { isOk: true } };
const pieceOf64Kilobytes = "x".repeat(65_536);
const floodPieceCount = 400;

function routes(held: Served["held"], flood: Served["flood"]): Route[] {
  async function* pieces(): AsyncGenerator<string> {
    try {
      for (; flood.count < floodPieceCount; flood.count += 1) yield pieceOf64Kilobytes;
    } finally {
      flood.isLeft = true;
    }
  }
  const headers = { "content-type": "text/plain" };
  return [
    {
      method: "GET",
      path: "/who",
      handle: async ({ clientIp, clientCert, headers: { host } }) => ({
        status: 200,
        body: { clientIp, der: clientCert?.dn ?? null, host: host ?? null },
      }),
    },
    { method: "POST", path: "/echo", handle: async ({ body }) => ({ status: 200, body }) },
    {
      method: "GET",
      path: "/hold",
      handle: (request) => new Promise((answer) => held.push({ request, answer })),
    },
    {
      method: "GET",
      path: "/flood",
      handle: async () => ({ status: 200, body: undefined, headers, stream: pieces() }),
    },
  ];
}

async function serve(
  options: {
    readonly limits?: Partial<HttpLimits>;
    readonly clientCertMode?: ClientCertMode;
    readonly host?: string;
  } = {},
): Promise<Served> {
  const held: Served["held"] = [];
  const flood = { count: 0, isLeft: false };
  const log = {
    warn: (message: string): void => assert.fail(message),
    error: (message: string): void => assert.fail(message),
  };
  const { clientCertMode = "none", limits = {}, host = "127.0.0.1" } = options;
  const listener = createHttp3Listener({
    node: "api",
    host,
    port: 0,
    chain: createRequestChain({
      process: loneGateway,
      routes: routes(held, flood),
      log,
      readClientCert: ({ clientCertificate: der }) =>
        der && { dn: `${der.byteLength} bytes`, leafPem: "" },
    }),
    system: createRealSystem(),
    log,
    limits,
    tls: readTlsMaterial("api", {
      tlsCert: files.serverCertificate,
      tlsKey: files.serverKey,
      tlsCaCert: files.ca,
      clientCertMode,
    }),
  });
  const { port } = await listener.start();
  const clients: Http3Client[] = [];
  return {
    port,
    listener,
    held,
    flood,
    async connect(more) {
      const client = await Http3Client.connect({ port, host, ca, ...more });
      clients.push(client);
      return client;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map((client) => client.close()));
      await listener.stop({ timeoutMs: 0 });
    },
  };
}

/** Waits until something that this test cannot be told of is so. */
async function until(isSo: () => boolean, what: string): Promise<void> {
  const endMs = performance.now() + 10_000;
  while (!isSo()) {
    assert.ok(performance.now() < endMs, `not within ten seconds: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test("HTTP/3: requests with and without body are answered, many on one connection", async () => {
  await using served = await serve();
  const client = await served.connect();
  const who = await client.request("/who").done;
  assert.equal(who.status, 200);
  assert.equal(who.headers["content-type"], "application/json");
  assert.deepEqual(JSON.parse(who.text), { clientIp: "127.0.0.1", der: null, host: "localhost" });
  const small = await client.request("/echo", { method: "POST", body: '{"a":1}' }).done;
  assert.equal(small.text, '{"a":1}');
  const body = JSON.stringify({ text: "é".repeat(300_000) });
  const echo = await client.request("/echo", { method: "POST", body }).done;
  assert.equal(echo.sizeBytes, Buffer.byteLength(body));
  const head = await client.request("/who", { method: "HEAD" }).done;
  assert.deepEqual(
    [head.status, head.text, Number(head.headers["content-length"]) > 0],
    [200, "", true],
  );
  assert.equal((await client.request("/nowhere").done).status, 404);
  const many = await Promise.all(Array.from({ length: 90 }, () => client.request("/who").done));
  assert.ok(many.every(({ status }) => status === 200));
  for (let turn = 0; turn < 200; turn += 1) {
    assert.equal((await client.request("/who").done).status, 200);
  }
  const settings = client.controlFrames.find(([type]) => type === frameTypes.SETTINGS);
  // No dynamic table, twice our header limit, no blocked streams.
  assert.equal(Buffer.from(settings![1]).toString("hex"), "010006800080000700");
});

test("HTTP/3: IPv6", async () => {
  await using served = await serve({ host: "::1" });
  const client = await served.connect();
  assert.match((await client.request("/who").done).text, /"clientIp":"::1"/);
});

test("HTTP/3: the client's address is its own, however many connect at once", async () => {
  await using served = await serve();
  for (let round = 0; round < 3; round += 1) {
    const addresses = Array.from({ length: 20 }, (_, index) => `127.0.0.${index + 2}`);
    const answers = await Promise.all(
      addresses.map(async (localAddress) => {
        const client = await served.connect({ localAddress });
        const { text } = await client.request("/who").done;
        return (JSON.parse(text) as { clientIp: string }).clientIp;
      }),
    );
    assert.deepEqual(answers, addresses);
  }
});

test("HTTP/3: client certificates, and above all those that are not there or not ours", async () => {
  const outcome = async (mode: ClientCertMode, own: object): Promise<unknown> => {
    await using served = await serve({ clientCertMode: mode });
    try {
      const client = await served.connect(own);
      const { status, text } = await client.request("/who").done;
      return status === undefined
        ? `closed with ${(await client.closed).code}`
        : (JSON.parse(text) as { der: unknown }).der;
    } catch (error) {
      return (error as Error).message.replace(/(0x\w+).*/, "$1");
    }
  };
  const certificate = /^\d+ bytes$/;
  assert.equal(await outcome("none", good), null);
  assert.match(String(await outcome("optional", good)), certificate);
  assert.equal(await outcome("optional", {}), null);
  assert.match(String(await outcome("required", good)), certificate);
  // TLS alerts: certificate required, unknown certificate authority.
  const refused = (alert: number): RegExp =>
    new RegExp(`closed with (?:0x)?(?:${(0x100 + alert).toString(16)}|${0x100 + alert})$`);
  assert.match(String(await outcome("required", {})), refused(116));
  assert.match(String(await outcome("required", foreign)), refused(48));
  assert.match(String(await outcome("optional", foreign)), refused(48));
});

test("HTTP/3: a client that speaks another protocol, or distrusts the server, does not get in", async () => {
  await using served = await serve();
  await assert.rejects(served.connect({ alpn: "hq" }), /0x178/);
  await assert.rejects(served.connect({ ca: foreign.cert }), /closed/);
  assert.equal((await (await served.connect()).request("/who").done).status, 200);
});

test("HTTP/3: headers above the limits are answered with 431, an unclear authority with 400", async () => {
  await using served = await serve({ limits: { headerCountMax: 10, headerSizeBytesMax: 2_000 } });
  const client = await served.connect();
  const statusOf = async (headers: { readonly [name: string]: string }): Promise<unknown> =>
    (await client.request("/who", { headers }).done).status;
  const many = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`x-${index}`, "1"]));
  assert.equal(await statusOf(many), 431);
  assert.equal(await statusOf({ "x-long": "a".repeat(2_000) }), 431);
  assert.equal(await statusOf({ "x-long": "a".repeat(100_000) }), 431);
  assert.equal(await statusOf({ host: "elsewhere" }), 400);
  assert.equal(await statusOf({ ":authority": "" }), 400);
  assert.equal(await statusOf({ expect: "a miracle" }), 417);
  assert.equal(await statusOf({}), 200);
});

test("HTTP/3: malformed requests lose their stream, and the connection lives", async () => {
  await using served = await serve();
  const client = await served.connect();
  const { ":path": _path, ...noPath } = plainGet;
  for (const fields of [
    noPath,
    { ...plainGet, connection: "close" },
    { ...plainGet, "X-Y": "1" },
  ]) {
    const stream = await client.open().send(headersFrame(fields), true).done;
    assert.deepEqual([stream.outcome, stream.status], ["broken", undefined]);
  }
  assert.equal((await client.request("/who").done).status, 200);
});

test("HTTP/3: what breaks the protocol ends the connection with its code, and nobody else's", async () => {
  await using served = await serve();
  const bystander = await served.connect();
  const check = async (code: keyof typeof http3Codes, say: (client: Http3Client) => void) => {
    const client = await served.connect();
    say(client);
    assert.equal((await client.closed).code, http3Codes[code], code);
  };
  const data = frame(frameTypes.DATA, Buffer.from("x"));
  await check("FRAME_UNEXPECTED", (client) => void client.open().send(data));
  await check("FRAME_ERROR", (client) => void client.open().send(Uint8Array.of(1, 9, 0), true));
  const dynamic = frame(frameTypes.HEADERS, Uint8Array.of(1, 0, 0x80));
  await check("QPACK_DECOMPRESSION_FAILED", (client) => void client.open().send(dynamic));
  await check("MISSING_SETTINGS", (client) => client.openUni(Uint8Array.of(0, 0, 0)));
  await check("CLOSED_CRITICAL_STREAM", (client) => client.openUni(Uint8Array.of(0, 4, 0), true));
  await check("STREAM_CREATION_ERROR", (client) => client.openUni(Uint8Array.of(1, 0)));
  await check("EXCESSIVE_LOAD", (client) => {
    // The first byte of a type of two: what the stream is for is not said yet.
    for (let count = 0; count < 40; count += 1) client.openUni(Uint8Array.of(0x40));
  });
  assert.equal((await bystander.request("/who").done).status, 200);
});

test("HTTP/3: a client that gives up is noticed while nothing is sent, by either way of giving up", async () => {
  await using served = await serve();
  const client = await served.connect();
  for (const giveUp of ["release", "reset"] as const) {
    const stream = client.open().send(headersFrame(plainGetOf("/hold")), giveUp === "release");
    if (giveUp === "reset") stream.send(frame(frameTypes.DATA, Buffer.from("{")));
    else {
      await until(() => served.held.length === 1, "the request is there");
      const [{ request }] = served.held as [Served["held"][0]];
      stream.release();
      await until(() => request.signal.aborted, "the handler is told");
      continue;
    }
    stream.reset();
    assert.equal((await client.request("/who").done).status, 200);
  }
});

function plainGetOf(path: string): { readonly [name: string]: string } {
  return { ...plainGet, ":path": path };
}

test("HTTP/3: a client that takes nothing holds the stream back, one that goes away ends it", async () => {
  await using served = await serve();
  const client = await served.connect();
  const stream = client.request("/flood");
  stream.isReading = false;
  await until(() => served.flood.count > 0, "it has begun");
  const seen: number[] = [];
  while (seen.length < 3 || seen.at(-1) !== seen.at(-3)) {
    seen.push(served.flood.count);
    // A round trip on the same connection: the server has had its turn.
    await client.request("/who").done;
  }
  assert.ok(served.flood.count < floodPieceCount / 4, `${served.flood.count} pieces were taken`);
  stream.release();
  await until(() => served.flood.isLeft, "the generator is left");
  const whole = client.request("/flood");
  served.flood.count = 0;
  await whole.done;
  assert.equal(whole.sizeBytes, floodPieceCount * 65_536);
});

test("HTTP/3: a body that is too long or has no reader is not taken in", async () => {
  await using served = await serve();
  const client = await served.connect();
  const head = headersFrame({ ...plainGetOf("/echo"), ":method": "POST" });
  const long = client.open().send(head);
  long.send(frame(frameTypes.DATA, Buffer.alloc(8_000_000)));
  await until(() => long.status !== undefined, "it is answered");
  assert.equal(long.status, 413);
  assert.ok(long.unsentSizeBytes > 1_000_000, `${long.unsentSizeBytes} bytes were not sent`);
  const nobody = client.open().send(headersFrame({ ...plainGetOf("/none"), ":method": "POST" }));
  nobody.send(frame(frameTypes.DATA, Buffer.alloc(8_000_000)));
  await until(() => nobody.status !== undefined, "it is answered");
  assert.equal(nobody.status, 404);
  assert.equal((await client.request("/who").done).status, 200);
});

test("HTTP/3: requests that are taken back in a flood end their connection", async () => {
  await using served = await serve({ limits: { wastedFrameCountMax: 20 } });
  const client = await served.connect();
  for (let turn = 0; turn < 60; turn += 1) {
    client
      .open()
      .send(headersFrame(plainGetOf("/hold")))
      .release();
  }
  assert.equal((await client.closed).code, http3Codes.EXCESSIVE_LOAD);
  assert.equal((await (await served.connect()).request("/who").done).status, 200);
});

test("HTTP/3: times of a request and of an idle connection are held", async () => {
  await using served = await serve({
    limits: {
      checkIntervalMs: 20,
      headersTimeoutMs: 100,
      receiveTimeoutMs: 200,
      idleTimeoutMs: 300,
    },
  });
  const client = await served.connect();
  const noHead = client.open().send(Uint8Array.of(1));
  const noEnd = client.open().send(headersFrame({ ...plainGetOf("/echo"), ":method": "POST" }));
  await until(() => noHead.status === 408 && noEnd.status === 408, "both are refused");
  assert.equal((await client.closed).code, http3Codes.NO_ERROR);
});

test("HTTP/3: connections above the limit are closed", async () => {
  await using served = await serve({ limits: { http3ConnectionCountMax: 2 } });
  const first = await served.connect();
  const second = await served.connect();
  await assert.rejects(served.connect());
  assert.equal((await first.request("/who").done).status, 200);
  await second.close();
  await first.close();
});

test("HTTP/3: a handshake that stands still gives its place back", async () => {
  const limits = { http3ConnectionCountMax: 1, headersTimeoutMs: 300, checkIntervalMs: 20 };
  await using served = await serve({ limits });
  const silence = new AbortController();
  // A first message of two datagrams, and the half of it again, with the token that proves the address.
  const { promise: fallenSilent, resolve: onSilent } = Promise.withResolvers<void>();
  const silent = served.connect({ datagramCountMax: 3, onSilent, signal: silence.signal });
  silent.catch(() => undefined); // It is looked at below.
  await fallenSilent;
  await assert.rejects(served.connect());
  silence.abort();
  await assert.rejects(silent, /fell silent/);
  const isServed = async (): Promise<boolean> => {
    try {
      return (await (await served.connect()).request("/who").done).status === 200;
    } catch {
      return false; // Its place is not free yet.
    }
  };
  const endMs = performance.now() + 5_000;
  while (!(await isServed())) {
    assert.ok(performance.now() < endMs, "its place was never given back");
  }
});

test("HTTP/3: a stop finishes what is in work, refuses what comes, and tells how much it cut", async () => {
  await using served = await serve();
  const client = await served.connect();
  const idle = await served.connect();
  const slow = client.request("/hold");
  await until(() => served.held.length === 1, "the request is there");
  const stopped = served.listener.stop({ timeoutMs: 10_000 });
  assert.equal((await idle.closed).code, http3Codes.NO_ERROR);
  await until(() => client.controlFrames.some(([type]) => type === frameTypes.GOAWAY), "GOAWAY");
  const [, goAway] = client.controlFrames.find(([type]) => type === frameTypes.GOAWAY)!;
  assert.equal(numberIn(goAway), slow.id + 4);
  const refused = await client.request("/who").done;
  assert.deepEqual([refused.outcome, refused.status], ["broken", undefined]);
  served.held[0]!.answer(ok);
  assert.equal((await slow.done).text, '{"isOk":true}');
  assert.equal((await client.closed).code, http3Codes.NO_ERROR);
  assert.deepEqual(await stopped, { cutCount: 0 });
});

test("HTTP/3: the control streams stay whole until a stop has closed their connection", async () => {
  await using served = await serve();
  const client = await served.connect();
  const [control, encoder] = [0x00, 0x02];
  client.openUni(Buffer.from([control, frameTypes.SETTINGS, 0]));
  client.openUni(Buffer.from([encoder]));
  const slow = client.request("/hold");
  await until(() => served.held.length === 1, "the request is there");
  const stopped = served.listener.stop({ timeoutMs: 10_000 });
  await until(() => client.controlFrames.some(([type]) => type === frameTypes.GOAWAY), "GOAWAY");
  served.held[0]!.answer(ok);
  assert.equal((await slow.done).status, 200);
  await stopped;
  assert.equal((await client.closed).code, http3Codes.NO_ERROR);
  // RFC 9114 section 6.2.1: a client would have to end the connection with an error.
  assert.equal(client.hasLostControl, false);
});

test("HTTP/3: a stop cuts off at its deadline, and handlers are told", async () => {
  await using served = await serve();
  const client = await served.connect();
  const slow = client.request("/hold");
  await until(() => served.held.length === 1, "the request is there");
  const { signal } = served.held[0]!.request;
  assert.deepEqual(await served.listener.stop({ timeoutMs: 50 }), { cutCount: 1 });
  assert.ok(signal.aborted);
  assert.equal((await slow.done).status, 503);
});

test("HTTP/3: random datagrams reach nobody and hurt nobody", async () => {
  await using served = await serve();
  const socket = createSocket("udp4");
  let seed = 1;
  const next = (): number => (seed = (seed * 48_271) % 2_147_483_647);
  for (let count = 0; count < 2_000; count += 1) {
    const bytes = Uint8Array.from({ length: 5 + (next() % 1_300) }, () => next() % 256);
    if (count % 2 === 0) bytes.set([0xc0 | (next() % 16), 0, 0, 0, 1]);
    await new Promise<void>((resolve) =>
      socket.send(bytes, served.port, "127.0.0.1", () => resolve()),
    );
  }
  const client = await served.connect();
  assert.equal((await client.request("/who").done).status, 200);
  socket.close();
});
