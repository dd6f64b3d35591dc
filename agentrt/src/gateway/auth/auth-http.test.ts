/** The cases of authentication over HTTP/1.1 and HTTP/2, and real sockets. */
import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from "node:http2";
import { test } from "node:test";
import { createCertificates, RawHttpClient } from "testkit";
import { createRealSystem } from "../../core/index.ts";
import { VirtualClock } from "../../testing/index.ts";
import { createHttpListener } from "../http/listener.ts";
import {
  type AuthCase,
  type AuthCaseGroup,
  gatewayOfGroup,
  whoAmIPath,
} from "./test-support/auth-case.ts";
import { forwardedCertCaseGroups } from "./test-support/client-cert-cases.ts";
import { apiKeyCaseGroups, jwtCaseGroups } from "./test-support/jwt-cases.ts";

using files = createCertificates();
const read = (path: string): string => readFileSync(path, "utf8");
const certificates = {
  ca: read(files.ca),
  client: read(files.clientCertificate),
  foreign: read(files.foreignCertificate),
  server: read(files.serverCertificate),
};
const nowMs = new X509Certificate(certificates.client).validFromDate.getTime() + 3_600_000;

/** What a listener must do for the cases: send one request, and give back what came. */
type Ask = (
  port: number,
  headers: AuthCase["headers"],
) => Promise<{
  readonly status: number;
  readonly headers: { readonly [name: string]: string | undefined };
  readonly body: unknown;
}>;

const overHttp1: Ask = async (port, headers) => {
  const response = await fetch(`http://127.0.0.1:${port}${whoAmIPath}`, { headers });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.json(),
  };
};

/** Over one connection for all requests, as HTTP/2 is used. */
function overHttp2(): { readonly ask: Ask; readonly close: () => void } {
  let session: ClientHttp2Session | undefined;
  return {
    ask: async (port, headers) => {
      session ??= connect(`http://127.0.0.1:${port}`);
      const stream = session.request({ ":path": whoAmIPath, ...headers });
      stream.end();
      const [found] = (await once(stream, "response")) as [IncomingHttpHeaders];
      let text = "";
      for await (const chunk of stream as AsyncIterable<Buffer>) text += chunk.toString();
      return {
        status: Number(found[":status"]),
        headers: found as { readonly [name: string]: string },
        body: JSON.parse(text) as unknown,
      };
    },
    close: () => session?.destroy(),
  };
}

for (const group of [
  ...apiKeyCaseGroups(nowMs),
  ...jwtCaseGroups(nowMs),
  ...forwardedCertCaseGroups(nowMs, certificates),
]) {
  test(`${group.name} over HTTP/1.1`, async () => await checkGroup(group, overHttp1));
  test(`${group.name} over HTTP/2`, async () => {
    const { ask, close } = overHttp2();
    try {
      await checkGroup(group, ask);
    } finally {
      close();
    }
  });
}

async function checkGroup(group: AuthCaseGroup, ask: Ask): Promise<void> {
  const listener = createHttpListener({
    node: "api",
    host: "127.0.0.1",
    port: 0,
    gateway: await gatewayOfGroup(group, new VirtualClock({ startMs: group.nowMs })),
    system: createRealSystem(),
    log: { warn: (message) => assert.fail(message), error: (message) => assert.fail(message) },
  });
  const { port } = await listener.start();
  try {
    for (const { name, headers, status, body, responseHeaders = {} } of group.cases) {
      // Twice: what was refused or let through once is so again.
      for (const attempt of ["first", "second"]) {
        const response = await ask(port, headers);
        const found = { status: response.status, body: response.body };
        assert.deepEqual(found, { status, body: body ?? found.body }, `${name}, ${attempt} time`);
        for (const [header, value] of Object.entries(responseHeaders)) {
          assert.equal(response.headers[header], value, `${name}: ${header}`);
        }
      }
    }
  } finally {
    await listener.stop({ timeoutMs: 0 });
  }
}

test("a header that stands twice on the wire is no certificate and no key", async () => {
  const { raw } = new X509Certificate(certificates.client);
  const cert = `Client-Cert: :${raw.toString("base64")}:`;
  const both = {
    middleware: [
      "agentrt.gateway.auth.require_api_key",
      "agentrt.gateway.mtls.require_client_cert",
    ],
    environment: {
      AGENTRT_GATEWAY_API_KEY: "key",
      AGENTRT_GATEWAY_MTLS_ALLOWED_DNS: "CN=client,O=Test",
    },
    trustedProxyCidrs: ["127.0.0.0/8"],
  };
  const listener = createHttpListener({
    node: "api",
    host: "127.0.0.1",
    port: 0,
    gateway: await gatewayOfGroup(both, new VirtualClock({ startMs: nowMs })),
    system: createRealSystem(),
    log: { warn: (message) => assert.fail(message), error: (message) => assert.fail(message) },
  });
  const { port } = await listener.start();
  try {
    const status = async (...lines: readonly string[]): Promise<number | undefined> => {
      await using client = await RawHttpClient.open(port);
      client.send([`GET ${whoAmIPath} HTTP/1.1`, "Host: h", ...lines, "", ""].join("\r\n"));
      return (await client.response())?.status;
    };
    const key = "X-API-Key: key";
    assert.equal(await status(key, cert), 200);
    assert.equal(await status(key, key, cert), 401);
    assert.equal(await status(key, cert, cert), 401);
    assert.equal(await status(key, cert, "Client-Cert: :AAAA:"), 401);
    assert.equal(await status(key, cert.replace("Client-Cert:", "Client-Cert :")), 400);
    assert.equal(await status(key, `${cert}\r\n folded`), 400);
  } finally {
    await listener.stop({ timeoutMs: 0 });
  }
});
