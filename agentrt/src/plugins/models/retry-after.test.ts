import assert from "node:assert/strict";
import { test } from "node:test";
import { retryAfterMs } from "./retry-after.ts";

const nowMs = Date.UTC(2030, 0, 1);
const inTenSeconds = "Tue, 01 Jan 2030 00:00:10 GMT";

for (const { headers, waitMs } of [
  { headers: {}, waitMs: undefined },
  { headers: { "retry-after": "3" }, waitMs: 3000 },
  { headers: { "retry-after": " 0 " }, waitMs: 0 },
  { headers: { "retry-after": "1.5" }, waitMs: 1500 },
  { headers: { "retry-after-ms": "250", "retry-after": "3" }, waitMs: 250 },
  { headers: { "retry-after": inTenSeconds }, waitMs: 10_000 },
  { headers: { "retry-after": "Mon, 31 Dec 2029 23:59:00 GMT" }, waitMs: 0 },
  { headers: { "retry-after": inTenSeconds, date: "Tue, 01 Jan 2030 00:00:08 GMT" }, waitMs: 2000 },
  { headers: { "retry-after": "-1" }, waitMs: undefined },
  { headers: { "retry-after": "soon" }, waitMs: undefined },
  { headers: { "retry-after": "" }, waitMs: undefined },
] as { headers: { [name: string]: string }; waitMs: number | undefined }[]) {
  test(`${JSON.stringify(headers)} asks for ${waitMs} ms`, () => {
    assert.equal(retryAfterMs(new Headers(headers), nowMs), waitMs);
  });
}

test("without headers nothing is asked for", () => {
  assert.equal(retryAfterMs(undefined, nowMs), undefined);
});
