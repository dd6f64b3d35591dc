import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { createRealSystem } from "../../core/index.ts";
import { VirtualClock } from "../../testing/index.ts";
import { fetchJwks, readJwksFile } from "./load-jwks.ts";

const system = createRealSystem();

/** An issuer in clear text: that a URL is https is the business of the settings. */
async function withIssuer(
  listener: RequestListener,
  body: (url: string) => Promise<void>,
): Promise<void> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  try {
    await body(`http://127.0.0.1:${port}/keys`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test("fetchJwks() gives the body of a plain answer", async () => {
  await withIssuer(
    (_request, response) => response.end('{"keys":[]}'),
    async (url) => assert.equal(await fetchJwks(url, system), '{"keys":[]}'),
  );
});

test("fetchJwks() follows no redirect, and takes no error for keys", async () => {
  const asked: (string | undefined)[] = [];
  const answers: { readonly [path: string]: number } = { "/keys": 302, "/moved": 308, "/bad": 500 };
  await withIssuer(
    (request, response) => {
      asked.push(request.url);
      response.writeHead(answers[request.url ?? ""] ?? 200, { location: "/inside" });
      response.end('{"keys":[]}');
    },
    async (url) => {
      for (const path of ["/keys", "/moved", "/bad"]) {
        await assert.rejects(fetchJwks(url.replace("/keys", path), system), {
          code: "AGENTRT_GATEWAY_AUTH_JWKS_UNUSABLE",
        });
      }
    },
  );
  assert.deepEqual(asked, ["/keys", "/moved", "/bad"]);
});

test("fetchJwks() reads no more than a mebibyte, whatever the length says", async () => {
  let sentSizeBytes = 0;
  await withIssuer(
    (_request, response) => {
      const chunk = Buffer.alloc(65_536, " ");
      const send = (error?: Error | null): void => {
        if (error !== undefined && error !== null) return; // The reader has gone.
        sentSizeBytes += chunk.length;
        response.write(chunk, send);
      };
      send();
    },
    async (url) => {
      await assert.rejects(fetchJwks(url, system), { message: /more than 1048576 bytes$/ });
    },
  );
  assert.ok(sentSizeBytes < 32 * 1_048_576, `${sentSizeBytes}`);
});

test("fetchJwks() gives up after five seconds, also in the middle of a body", async () => {
  for (const isBegun of [false, true]) {
    const clock = new VirtualClock();
    const arrived = Promise.withResolvers<void>();
    await withIssuer(
      (_request, response) => {
        if (isBegun) response.write('{"keys":[');
        arrived.resolve();
      },
      async (url) => {
        const failing = assert.rejects(fetchJwks(url, clock), { message: /within 5000 ms$/ });
        await arrived.promise;
        await clock.advance(5_000);
        await failing;
      },
    );
  }
});

test("readJwksFile() reads a file of a bounded size", async () => {
  using folder = createTemporaryFolder({ "keys.json": "{}", "big.json": "x".repeat(1_048_577) });
  assert.equal(await readJwksFile(`${folder.path}/keys.json`), "{}");
  for (const [name, reason] of [
    ["big.json", /more than 1048576 bytes/],
    ["none.json", /ENOENT/],
    [".", /EISDIR/],
  ] as const) {
    await assert.rejects(readJwksFile(`${folder.path}/${name}`), {
      code: "AGENTRT_GATEWAY_AUTH_JWKS_UNUSABLE",
      message: reason,
    });
  }
});
