/** The cases of authentication over HTTP/1.1 and HTTP/2, and real sockets. */
import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type IncomingHttpHeaders } from "node:http2";
import { after, test } from "node:test";
import { createCertificates, createTemporaryFolder, RawHttpClient } from "testkit";
import { createRealSystem } from "../../core/index.ts";
import { VirtualClock } from "../../testing/index.ts";
import type { RequestChain } from "../chain/request-chain.ts";
import { createHttpListener } from "../http/listener.ts";
import { gatewayOfGroup, whoAmIPath } from "./test-support/auth-case.ts";
import {
  authCaseGroups,
  type CaseListener,
  type CaseResponse,
  checkCases,
} from "./test-support/check-cases.ts";

using files = createCertificates();
const folder = createTemporaryFolder();
after(() => folder[Symbol.dispose]());
const read = (path: string): string => readFileSync(path, "utf8");
const certificates = {
  ca: read(files.ca),
  client: read(files.clientCertificate),
  foreign: read(files.foreignCertificate),
  server: read(files.serverCertificate),
};
const nowMs = new X509Certificate(certificates.client).validFromDate.getTime() + 3_600_000;

const log = {
  warn: (message: string): void => assert.fail(message),
  error: (message: string): void => assert.fail(message),
};

async function startListener(
  chain: RequestChain,
): Promise<AsyncDisposable & { readonly port: number }> {
  const listener = createHttpListener({
    node: "api",
    host: "127.0.0.1",
    port: 0,
    chain,
    system: createRealSystem(),
    log,
  });
  const { port } = await listener.start();
  return {
    port,
    async [Symbol.asyncDispose]() {
      await listener.stop({ timeoutMs: 0 });
    },
  };
}

async function overHttp1(chain: RequestChain): Promise<CaseListener> {
  const listener = await startListener(chain);
  return {
    async ask(headers) {
      const url = `http://127.0.0.1:${listener.port}${whoAmIPath}`;
      const response = await fetch(url, { headers });
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: await response.json(),
      };
    },
    [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose](),
  };
}

/** Over one connection for all requests, as HTTP/2 is used. */
async function overHttp2(chain: RequestChain): Promise<CaseListener> {
  const listener = await startListener(chain);
  const session = connect(`http://127.0.0.1:${listener.port}`);
  return {
    async ask(headers) {
      const stream = session.request({ ":path": whoAmIPath, ...headers });
      stream.end();
      const [found] = (await once(stream, "response")) as [IncomingHttpHeaders];
      let text = "";
      for await (const chunk of stream as AsyncIterable<Buffer>) text += chunk.toString();
      return {
        status: Number(found[":status"]),
        headers: found as CaseResponse["headers"],
        body: JSON.parse(text) as unknown,
      };
    },
    async [Symbol.asyncDispose]() {
      session.destroy();
      await listener[Symbol.asyncDispose]();
    },
  };
}

const writeFile = (text: string): string => {
  folder.write({ "keys.json": text });
  return `${folder.path}/keys.json`;
};

for (const group of authCaseGroups({ nowMs, certificates, writeFile })) {
  for (const [protocol, listen] of [
    ["HTTP/1.1", overHttp1],
    ["HTTP/2", overHttp2],
  ] as const) {
    test(`${group.name} over ${protocol}`, async () => {
      const system = new VirtualClock({ startMs: group.nowMs });
      await checkCases(group, { system, listen, deepEqual: assert.deepEqual });
    });
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
  const chain = await gatewayOfGroup(both, new VirtualClock({ startMs: nowMs }));
  await using listener = await startListener(chain);
  const { port } = listener;
  const status = async (...lines: readonly string[]): Promise<number | undefined> => {
    await using client = await RawHttpClient.open(port);
    client.send([`GET ${whoAmIPath} HTTP/1.1`, "Host: localhost", ...lines, "", ""].join("\r\n"));
    return (await client.response())?.status;
  };
  const key = "X-API-Key: key";
  assert.equal(await status(key, cert), 200);
  assert.equal(await status(key, key, cert), 401);
  assert.equal(await status(key, cert, cert), 401);
  assert.equal(await status(key, cert, "Client-Cert: :AAAA:"), 401);
  assert.equal(await status(key, cert.replace("Client-Cert:", "Client-Cert :")), 400);
  assert.equal(await status(key, `${cert}\r\n folded`), 400);
});
