/** Lists of traces, as they come from files of spans. */
import assert from "node:assert/strict";
import { openSync, readdirSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { createTextLog } from "../../core/index.ts";
import { VirtualClock } from "../../testing/virtual-clock.ts";
import { keptSpans } from "../span-keeper.ts";
import type { SpanRecord } from "../span-record.ts";
import type { TraceQuery, TraceSummary } from "../trace-list.ts";
import { SpanReader } from "./span-reader.ts";
import { SqliteExporter } from "./sqlite-exporter.ts";
import { fileNameOf, windowOf } from "./window-names.ts";

const log = createTextLog({ write: () => undefined });
const windowMs = 30 * 86_400_000;
/** The begin of a window. */
const beginMs = windowOf(Date.parse("2026-03-01T00:00:00Z"), 30) * windowMs;

const idOf = (number: number, length: number): string => number.toString(16).padStart(length, "0");
let spanCount = 0;

function span(trace: number, startMs: number, more: Partial<SpanRecord> = {}): SpanRecord {
  spanCount += 1;
  return {
    name: "agentrt.agent.handle",
    kind: "consumer",
    traceId: idOf(trace, 32),
    spanId: idOf(spanCount, 16),
    parentSpanId: "0000000000000fff",
    startMs,
    endMs: startMs + 1,
    attributes: {},
    status: "ok",
    errorMessage: null,
    ...more,
  };
}

const root = (trace: number, startMs: number, more: Partial<SpanRecord> = {}): SpanRecord =>
  span(trace, startMs, { name: `ask ${trace}`, kind: "producer", parentSpanId: null, ...more });

const by = (agent: string): Partial<SpanRecord> => ({
  attributes: { "agentrt.agent.name": agent },
});

async function store(directory: string, nowMs = beginMs): Promise<SqliteExporter> {
  const exporter = new SqliteExporter({ directory });
  await exporter.open({ log, system: new VirtualClock({ startMs: nowMs }) });
  return exporter;
}

const numbersOf = (traces: readonly TraceSummary[]): number[] =>
  traces.map(({ traceId }) => Number.parseInt(traceId, 16));

test("traces are listed by their roots, newest first, with what all of their spans say, and filtered by it", async () => {
  using folder = createTemporaryFolder({});
  const exporter = await store(folder.path);
  await exporter.export([
    root(1, beginMs, { endMs: beginMs + 500 }),
    span(1, beginMs + 10, { ...by("desk"), status: "error", endMs: beginMs + 700 }),
    span(1, beginMs + 20, by("ticket/4711")),
    // A request goes on with the trace of its client.
    span(2, beginMs + 100, { name: "POST /ask", kind: "server", endMs: beginMs + 101 }),
    span(2, beginMs + 100, by("desk")),
    root(3, beginMs + windowMs),
    // Its root has not ended yet.
    span(4, beginMs + windowMs + 5, by("desk")),
  ]);
  using reader = new SpanReader(folder.path);
  const list = (more: Partial<TraceQuery> = {}): readonly TraceSummary[] =>
    reader.traces({ limit: 10, ...more }).traces;
  assert.deepEqual(numbersOf(list()), [3, 2, 1]);
  assert.deepEqual(list()[2], {
    traceId: idOf(1, 32),
    name: "ask 1",
    startMs: beginMs,
    endMs: beginMs + 700,
    status: "error",
    spanCount: 3,
    agents: ["desk", "ticket/4711"],
  });
  assert.deepEqual(numbersOf(list({ agent: "desk" })), [2, 1]);
  assert.deepEqual(numbersOf(list({ agent: "ticket" })), [1]);
  assert.deepEqual(numbersOf(list({ agent: "*" })), [2, 1]);
  assert.deepEqual(numbersOf(list({ agent: "ticket/4711", status: "error" })), [1]);
  assert.deepEqual(numbersOf(list({ status: "ok" })), [3, 2]);
  assert.deepEqual(numbersOf(list({ durationMinMs: 700 })), [1]);
  await exporter.shutdown();
});

test("lists that go on where the one before ended have each trace once, also of those that begin together", async () => {
  using folder = createTemporaryFolder({});
  const exporter = await store(folder.path);
  const traceCount = 4000;
  const spans = Array.from({ length: traceCount }, (_, trace) => {
    // Of ten, each begins in the same instant; times have fractions that no decimal has.
    const startMs = beginMs + Math.floor(trace / 10) / 3;
    return [root(trace + 1, startMs), span(trace + 1, startMs + 0.1, by("desk"))];
  }).flat();
  for (let at = 0; at < spans.length; at += 2000) await exporter.export(spans.slice(at, at + 2000));
  const found: number[] = [];
  let before: TraceQuery["before"];
  let askCount = 0;
  for (;;) {
    const { traces, next } = await exporter[keptSpans].traces({ limit: 97, before });
    assert.ok(traces.every(({ spanCount: count }) => count === 2));
    found.push(...numbersOf(traces));
    askCount += 1;
    if (next === null) break;
    before = JSON.parse(JSON.stringify(next)) as TraceQuery["before"];
  }
  assert.equal(found.length, traceCount);
  assert.equal(new Set(found).size, traceCount);
  assert.ok(askCount >= traceCount / 97, `${askCount} lists`);
  await exporter.shutdown();
});

test("a list that finds nothing looks at a bounded number of spans, and says where to go on", async () => {
  using folder = createTemporaryFolder({});
  const exporter = await store(folder.path);
  const spans = Array.from({ length: 45_000 }, (_, trace) => root(trace + 1, beginMs + trace));
  for (let at = 0; at < spans.length; at += 2000) await exporter.export(spans.slice(at, at + 2000));
  await exporter.export([root(50_000, beginMs - 1, { status: "error" })]);
  const places: (number | undefined)[] = [];
  let before: TraceQuery["before"];
  for (;;) {
    const { traces, next } = await exporter[keptSpans].traces({
      limit: 5,
      status: "error",
      before,
    });
    if (traces.length > 0) {
      assert.deepEqual([numbersOf(traces), next], [[50_000], null]);
      break;
    }
    places.push(next === null ? undefined : next.startMs - beginMs);
    before = next ?? undefined;
  }
  // The first one reads 20 000, about; those that follow read 5 000 again, for traces that began before and went on.
  const [first = 0, second = 0, ...others] = places;
  assert.ok(first > 22_000 && first < 26_000, places.join(" "));
  assert.ok(first - second > 15_000 && first - second < 18_000, places.join(" "));
  assert.deepEqual(others, []);
  await exporter.shutdown();
});

test("lists go on over files that have few spans each", async () => {
  using folder = createTemporaryFolder({});
  const windowCount = 8;
  const each = 4000;
  const exporter = await store(folder.path, beginMs + windowCount * windowMs);
  for (let window = 0; window < windowCount; window += 1) {
    const spans = Array.from({ length: each }, (_, at) =>
      root(window * each + at + 1, beginMs + window * windowMs + at),
    );
    for (let at = 0; at < each; at += 2000) await exporter.export(spans.slice(at, at + 2000));
  }
  await exporter.export([root(50_000, beginMs - 1, { status: "error" })]);
  let before: TraceQuery["before"];
  for (;;) {
    const list = await exporter[keptSpans].traces({ limit: 5, status: "error", before });
    if (list.next === null) {
      assert.deepEqual(numbersOf(list.traces), [50_000]);
      break;
    }
    assert.ok(list.next.startMs < (before?.startMs ?? Number.POSITIVE_INFINITY));
    before = list.next;
  }
  await exporter.shutdown();
});

test("a file that is damaged is named, and the others are read", async () => {
  using folder = createTemporaryFolder({});
  const exporter = await store(folder.path, beginMs + 2 * windowMs);
  await exporter.export([
    root(1, beginMs),
    ...Array.from({ length: 500 }, (_, number) => span(1, beginMs + number, by("desk"))),
    span(1, beginMs + 2 * windowMs, by("desk")),
    root(2, beginMs + 2 * windowMs),
  ]);
  const shelf = exporter[keptSpans];
  assert.deepEqual((await shelf.spansOf(idOf(1, 32), 1000)).unread, []);
  const noFile = fileNameOf(windowOf(beginMs + windowMs, 30), 30);
  writeFileSync(join(folder.path, noFile), "no database, whatever its name says");
  const [{ spans, unread }, list] = [
    await shelf.spansOf(idOf(1, 32), 1000),
    await shelf.traces({ limit: 10 }),
  ];
  assert.equal(spans.length, 502);
  assert.deepEqual(numbersOf(list.traces), [2, 1]);
  assert.deepEqual(unread, [{ source: noFile, reason: "file is not a database" }]);
  assert.deepEqual(list.unread, unread);
  await exporter.shutdown();

  // One whose first page is whole, and whose others are not.
  const oldest = fileNameOf(windowOf(beginMs, 30), 30);
  const file = openSync(join(folder.path, oldest), "r+");
  writeSync(file, Buffer.alloc(40_000, 0xff), 0, 40_000, 4096);
  const again = await store(folder.path, beginMs + 2 * windowMs);
  const partly = await again[keptSpans].spansOf(idOf(1, 32), 1000);
  assert.equal(partly.spans.length, 1);
  assert.deepEqual(partly.unread.map(({ source }) => source).sort(), [oldest, noFile].sort());
  const listed = await again[keptSpans].traces({ limit: 10 });
  assert.deepEqual(numbersOf(listed.traces), [2]);
  assert.equal(listed.unread.length, 2, JSON.stringify(listed.unread));
  await again.shutdown();
  assert.equal(readdirSync(folder.path).filter((name) => name.endsWith(".db")).length, 3);
});
