import assert from "node:assert/strict";
import { test } from "node:test";
import { IdSequence } from "./id-sequence.ts";
import { createRealSystem } from "../ports/system.ts";

const sequence = new IdSequence(new Uint32Array([0xdeadbeef, 0, 0xffffffff, 7]));

test("IdSequence renders the time, version and variant of a UUIDv7", () => {
  const timestampMs = Date.UTC(2025, 5, 1, 12, 30, 15, 250);
  const id = sequence.messageId(123_456_789_012, timestampMs);
  assert.equal(Number.parseInt(id.replace("-", "").slice(0, 12), 16), timestampMs);
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test("IdSequence: message ids of one millisecond sort in the order in which they were taken", () => {
  const ids = [1, 2, 255, 256, 2 ** 30 - 1, 2 ** 30, 2 ** 31, 2 ** 41].map((n) =>
    sequence.messageId(n, 1_750_000_000_000),
  );
  assert.deepEqual(ids, [...ids].sort());
  assert.equal(new Set(ids).size, ids.length);
});

test("IdSequence: trace and span ids have their form, differ, and are never all zero", () => {
  const spans = new Set<string>();
  const traces = new Set<string>();
  for (let n = 1; n <= 20_000; n += 1) {
    const span = sequence.spanId(n);
    const trace = sequence.traceId(n);
    assert.match(span, /^(?!0{16})[0-9a-f]{16}$/);
    assert.match(trace, /^(?!0{32})[0-9a-f]{32}$/);
    spans.add(span);
    traces.add(trace);
  }
  assert.equal(spans.size, 20_000);
  assert.equal(traces.size, 20_000);
});

test("IdSequence: every bit of trace and span ids differs from one id to the next in half of the cases", () => {
  const count = 4_096;
  for (const [bits, idOf] of [
    [128, (n: number) => sequence.traceId(n)],
    [64, (n: number) => sequence.spanId(n)],
  ] as const) {
    const set = Array.from({ length: bits }, () => 0);
    const flips = Array.from({ length: bits }, () => 0);
    let before = 0n;
    for (let n = 1; n <= count; n += 1) {
      const id = BigInt(`0x${idOf(n)}`);
      for (let bit = 0; bit < bits; bit += 1) {
        if (((id >> BigInt(bit)) & 1n) === 1n) set[bit]! += 1;
        if ((((id ^ before) >> BigInt(bit)) & 1n) === 1n) flips[bit]! += 1;
      }
      before = id;
    }
    const isFair = (hits: number): boolean => Math.abs(hits / count - 0.5) < 0.06;
    assert.ok(set.every(isFair), `set bits: ${set.join(" ")}`);
    assert.ok(flips.every(isFair), `changed bits: ${flips.join(" ")}`);
  }
});

test("two real systems make different ids", () => {
  const [one, other] = [createRealSystem(), createRealSystem()];
  assert.notEqual(one.nextId(), other.nextId());
  assert.notEqual(one.nextTraceId(), other.nextTraceId());
  assert.notEqual(one.nextSpanId(), other.nextSpanId());
});

test("IdSequence: bytes are those that the texts show", () => {
  const ids = new IdSequence(Uint32Array.of(1, 0x9abcdef0, 3, 0xffffffff));
  const atMs = Date.parse("2026-11-13T10:00:00.123Z");
  for (const sequence of [1, 65_535, 65_536, 2 ** 31, 2 ** 32 + 7, 2 ** 41 + 12_345]) {
    const view = new DataView(new ArrayBuffer(40));
    ids.putMessageId(sequence, atMs + 0.7, view, 0);
    ids.putTraceId(sequence, view, 16);
    ids.putSpanId(sequence, view, 32);
    const hex = Buffer.from(view.buffer).toString("hex");
    assert.equal(hex.slice(0, 32), ids.messageId(sequence, atMs + 0.7).replaceAll("-", ""));
    assert.equal(hex.slice(32, 64), ids.traceId(sequence));
    assert.equal(hex.slice(64), ids.spanId(sequence));
  }
});
