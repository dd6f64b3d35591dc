import assert from "node:assert/strict";
import { test } from "node:test";
import { parseTraceparent } from "./trace-context.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const parentSpanId = "b7ad6b7169203331";

test("parseTraceparent() reads what W3C Trace Context allows and nothing else", () => {
  const good = (header: string, isSampled = true): void =>
    assert.deepEqual(parseTraceparent(header), { traceId, parentSpanId, isSampled }, header);
  const bad = (header: string | undefined): void =>
    assert.equal(parseTraceparent(header), undefined, String(header));
  good(`00-${traceId}-${parentSpanId}-01`);
  good(`00-${traceId}-${parentSpanId}-00`, false);
  good(`00-${traceId}-${parentSpanId}-02`, false);
  good(`00-${traceId}-${parentSpanId}-03`);
  good(`cc-${traceId}-${parentSpanId}-01-what-comes-later`);
  bad(undefined);
  bad("");
  bad(`00-${traceId}-${parentSpanId}`);
  bad(`00-${traceId}-${parentSpanId}-01-more`);
  bad(`00-${traceId}-${parentSpanId}-01x`);
  bad(`ff-${traceId}-${parentSpanId}-01`);
  bad(`00-${traceId.toUpperCase()}-${parentSpanId}-01`);
  bad(`00-${"0".repeat(32)}-${parentSpanId}-01`);
  bad(`00-${traceId}-${"0".repeat(16)}-01`);
  bad(`00-${traceId}-${parentSpanId}-01, 00-${traceId}-${parentSpanId}-01`);
  bad(` 00-${traceId}-${parentSpanId}-01`);
});
