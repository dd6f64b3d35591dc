import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createCertificates } from "testkit";
import { VirtualClock } from "../../testing/index.ts";
import type { InboundRequest } from "../request.ts";
import { readAddressRanges } from "../../gateway-settings/address-ranges.ts";
import { createClientCertReader } from "./client-cert-reader.ts";

using files = createCertificates();
const pem = readFileSync(files.clientCertificate, "utf8");
const certificate = new X509Certificate(pem);
const startMs = certificate.validFromDate.getTime() + 60_000;
const dn = "CN=client,O=Test";

function inbound(parts: Partial<InboundRequest>): InboundRequest {
  return {
    method: "GET",
    target: "/",
    headers: {},
    clientIp: "127.0.0.1",
    clientCertificate: undefined,
    signal: new AbortController().signal,
    readBody: async () => new Uint8Array(0),
    ...parts,
  };
}

test("a certificate of a connection that outlives it counts no more", async () => {
  const clock = new VirtualClock({ startMs });
  const read = createClientCertReader({
    source: "direct",
    trustedProxies: readAddressRanges([]).ranges,
    authorities: [],
    system: clock,
  });
  const request = inbound({ clientCertificate: certificate.raw });
  assert.deepEqual(read(request), { dn, leafPem: certificate.toString() });
  await clock.advance(certificate.validToDate.getTime() - startMs);
  assert.equal(read(request)?.dn, dn);
  await clock.advance(1000);
  assert.equal(read(request), undefined);
});

test("a forwarded certificate counts from trusted peers, however their address is written", () => {
  const read = createClientCertReader({
    source: "proxy_header",
    trustedProxies: readAddressRanges(["10.0.0.0/31", "fd00::/127"]).ranges,
    authorities: [],
    system: new VirtualClock({ startMs }),
  });
  const headers = { "client-cert": `:${certificate.raw.toString("base64")}:` };
  for (const clientIp of ["10.0.0.0", "10.0.0.1", "::ffff:10.0.0.1", "fd00::1", "FD00:0::0"]) {
    const leafPem = certificate.toString();
    assert.deepEqual(read(inbound({ headers, clientIp })), { dn, leafPem }, clientIp);
  }
  for (const clientIp of ["10.0.0.2", "9.255.255.255", "::ffff:10.0.0.2", "fd00::2", "::1", ""]) {
    assert.equal(read(inbound({ headers, clientIp })), undefined, clientIp);
  }
  // What the proxy itself shows on its connection is not its client's.
  const own = inbound({ clientIp: "10.0.0.1", clientCertificate: certificate.raw });
  assert.equal(read(own), undefined);
});
