import assert from "node:assert/strict";
import { test } from "node:test";
import { createCrossSiteGuard } from "./origins.ts";

test("createCrossSiteGuard() looks at each host that it has not just accepted, and at the origin of each request", () => {
  const guard = createCrossSiteGuard({ allowed: ["https://app.example"], boundHost: "127.0.0.1" });
  const statusOf = (authority: string | undefined, headers = {}): number =>
    guard({ method: "POST", authority, headers })?.status ?? 200;
  assert.equal(statusOf("localhost:8080"), 200);
  assert.equal(statusOf("evil.example"), 403);
  assert.equal(statusOf("evil.example"), 403);
  assert.equal(statusOf("localhost:8080"), 200);
  assert.equal(statusOf("localhost:8080", { origin: "https://evil.example" }), 403);
  assert.equal(statusOf("localhost:8080", { "sec-fetch-site": "cross-site" }), 403);
  assert.equal(statusOf("APP.example"), 200);
  assert.equal(statusOf(undefined), 200);
  assert.equal(statusOf("localhost:8080.evil.example"), 403);
});
