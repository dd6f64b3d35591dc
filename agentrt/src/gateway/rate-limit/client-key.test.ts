import assert from "node:assert/strict";
import { test } from "node:test";
import { loneGateway } from "../test-support/lone-gateway.ts";
import type { GatewayRequest, RequestAuth } from "../request.ts";
import { readAddressRanges } from "../../gateway-settings/index.ts";
import type { ClientKeyKind } from "../../gateway-settings/index.ts";
import { addressKey } from "../../gateway-settings/address-key.ts";
import { clientKeyOf } from "./client-key.ts";

/** The key of a request from 192.0.2.1, unless told otherwise. */
function keyOf(
  kind: ClientKeyKind,
  { auth, clientIp = "192.0.2.1", forwardedFor = "10.0.0.1" }: KeyOptions = {},
): string {
  const request: GatewayRequest = {
    method: "GET",
    path: "/",
    authority: undefined,
    pathParams: {},
    queryParams: {},
    headers: { "x-api-key": "mine", "x-forwarded-for": forwardedFor },
    body: {},
    clientIp,
    requestId: "",
    gateway: loneGateway,
    clientCert: undefined,
    auth,
    signal: new AbortController().signal,
  };
  return clientKeyOf(request, kind, readAddressRanges(["10.0.0.0/8", "fd00::/8"]).ranges);
}

interface KeyOptions {
  readonly auth?: RequestAuth;
  readonly clientIp?: string;
  readonly forwardedFor?: string;
}

test("clientKeyOf() believes trusted proxies alone, from the near end to the first who is none", () => {
  const rows: readonly (readonly [clientIp: string, forwardedFor: string, key: string])[] = [
    ["192.0.2.1", "203.0.113.7", "192.0.2.1"], // The peer is nobody's proxy.
    ["10.0.0.1", "203.0.113.7", "203.0.113.7"],
    ["::ffff:10.0.0.1", "203.0.113.7", "203.0.113.7"],
    ["10.0.0.1", "1.1.1.1, 203.0.113.7", "203.0.113.7"], // The client's own claim stands first.
    ["10.0.0.1", "1.1.1.1,203.0.113.7 , 10.0.0.2", "203.0.113.7"],
    ["10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"], // A client inside.
    ["10.0.0.1", "203.0.113.7:4711", "203.0.113.7"],
    ["fd00::1", "[2001:db8::7]:4711", "2001:db8:0:0::/64"],
    ["10.0.0.1", "2001:db8::7", "2001:db8:0:0::/64"],
    ["10.0.0.1", "", "10.0.0.1"],
    ["10.0.0.1", "unknown", "10.0.0.1"],
    ["10.0.0.1", "203.0.113.7, garbage, 10.0.0.2", "10.0.0.2"],
  ];
  for (const [clientIp, forwardedFor, key] of rows) {
    assert.equal(keyOf("forwarded_address", { clientIp, forwardedFor }), `address:${key}`);
    assert.equal(keyOf("address", { clientIp, forwardedFor }), `address:${addressKey(clientIp)}`);
  }
});

test("clientKeyOf() takes what was verified, and the address where nothing was", () => {
  const key = (kind: ClientKeyKind, auth?: RequestAuth): string =>
    keyOf(kind, auth === undefined ? {} : { auth });
  const auth = { id: "a", principal: { id: "p" }, claims: { tenant: "t", size: 7, list: [] } };
  assert.equal(key("address", auth), "address:192.0.2.1");
  assert.equal(key("principal", auth), "principal:p");
  assert.equal(key("principal", { id: "a" }), "principal:a");
  assert.equal(key("claim:tenant", auth), "claim:tenant:t");
  assert.equal(key("claim:size", auth), "claim:size:7");
  assert.equal(key("api_key", { apiKey: { fingerprint: "f0" } }), "api_key:f0");
  for (const kind of ["claim:list", "claim:constructor", "claim:none", "api_key"] as const) {
    assert.equal(key(kind, auth), "address:192.0.2.1", kind);
  }
  assert.equal(key("principal"), "address:192.0.2.1");
  assert.equal(key("principal", { id: "x".repeat(10_000) }).length, "principal:".length + 64);
});
