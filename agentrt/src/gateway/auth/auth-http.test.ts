/** The cases of authentication over HTTP/1.1 and real sockets. */
import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createCertificates } from "testkit";
import { createRealSystem } from "../../core/index.ts";
import { VirtualClock } from "../../testing/index.ts";
import { createHttpListener } from "../http/listener.ts";
import { type AuthCaseGroup, gatewayOfGroup, whoAmIPath } from "./test-support/auth-case.ts";
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

for (const group of [
  ...apiKeyCaseGroups(nowMs),
  ...jwtCaseGroups(nowMs),
  ...forwardedCertCaseGroups(nowMs, certificates),
]) {
  test(`${group.name} over HTTP/1.1`, async () => await checkGroup(group));
}

async function checkGroup(group: AuthCaseGroup): Promise<void> {
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
      const url = `http://127.0.0.1:${port}${whoAmIPath}`;
      // Twice: what was refused or let through once is so again.
      for (const attempt of ["first", "second"]) {
        const response = await fetch(url, { headers });
        const found = { status: response.status, body: await response.json() };
        const wanted = { status, body: body ?? found.body };
        assert.deepEqual(found, wanted, `${name}, ${attempt} time`);
        for (const [header, value] of Object.entries(responseHeaders)) {
          assert.equal(response.headers.get(header), value, `${name}: ${header}`);
        }
      }
    }
  } finally {
    await listener.stop({ timeoutMs: 0 });
  }
}
