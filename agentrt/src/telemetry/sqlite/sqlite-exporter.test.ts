import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { createTextLog } from "../../core/index.ts";
import { VirtualClock } from "../../testing/virtual-clock.ts";
import type { SpanRecord } from "../span-record.ts";
import { keptSpans } from "../span-keeper.ts";
import { SpanReader } from "./span-reader.ts";
import { SqliteExporter } from "./sqlite-exporter.ts";
import { fileNameOf, windowOf } from "./window-names.ts";

const log = createTextLog({ write: () => undefined });
const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** The begin of a window of 30 days. */
const beginMs = Math.ceil(Date.parse("2026-01-01T00:00:00Z") / (30 * dayMs)) * 30 * dayMs;

let spanCount = 0;

function span(name: string, startMs: number, more: Partial<SpanRecord> = {}): SpanRecord {
  spanCount += 1;
  return {
    name,
    kind: "internal",
    traceId: "0af7651916cd43dd8448eb211c80319c",
    spanId: spanCount.toString(16).padStart(16, "0"),
    parentSpanId: null,
    startMs,
    endMs: startMs + 20,
    attributes: {},
    status: "ok",
    errorMessage: null,
    ...more,
  };
}

const handled = (agent: string, startMs: number, more: Partial<SpanRecord> = {}): SpanRecord =>
  span("agentrt.agent.handle", startMs, { attributes: { "agentrt.agent.name": agent }, ...more });

const asked = (agent: string, startMs: number, costUsd: number): SpanRecord =>
  span("agentrt.llm.chat", startMs, {
    attributes: {
      "agentrt.agent.name": agent,
      "agentrt.llm.model": "m-1",
      "agentrt.llm.tokens_in": 10,
      "agentrt.llm.tokens_out": 2,
      "agentrt.llm.cost_usd": costUsd,
    },
  });

async function store(directory: string, clock: VirtualClock, more: object = {}) {
  const exporter = new SqliteExporter({ directory, ...more });
  await exporter.open({ log, system: clock });
  return exporter;
}

test("spans are read back with all they carry, while the writer still runs", async () => {
  using folder = createTemporaryFolder({});
  const directory = join(folder.path, "deep", "telemetry");
  const exporter = await store(directory, new VirtualClock({ startMs: beginMs }));
  const failed = handled("b", beginMs + hourMs, { status: "error", errorMessage: "no disk" });
  await exporter.export([
    handled("a", beginMs),
    handled("a", beginMs + 1),
    failed,
    asked("a", beginMs + hourMs, 0.25),
    asked("a", beginMs + hourMs + 5, 0.5),
    span("send ask", beginMs, { attributes: { "agentrt.sender": "a" } }),
  ]);
  using reader = new SpanReader(directory);
  const day = { fromMs: beginMs, toMs: beginMs + dayMs };
  const point = { model: "", errorCount: 0, costUsd: 0 };
  assert.deepEqual(reader.messagesByHour(day), [
    { ...point, hourMs: beginMs, agent: "a", spanCount: 2 },
    { ...point, hourMs: beginMs + hourMs, agent: "b", spanCount: 1, errorCount: 1 },
  ]);
  assert.deepEqual(reader.costByHour(day), [
    { ...point, hourMs: beginMs + hourMs, agent: "a", model: "m-1", spanCount: 2, costUsd: 0.75 },
  ]);
  assert.equal(reader.costByHour({ fromMs: beginMs, toMs: beginMs + hourMs }).length, 0);
  assert.equal(
    reader.spansByHour(day).reduce((sum, each) => sum + each.spanCount, 0),
    6,
  );
  // Sums go on over batches.
  await exporter.export([asked("a", beginMs + hourMs + 9, 1)]);
  assert.equal(reader.costByHour(day)[0]?.costUsd, 1.75);
  assert.equal(reader.count(), 7);
  assert.deepEqual(
    (await exporter.spansOf(failed.traceId, 10)).find(({ spanId }) => spanId === failed.spanId),
    failed,
  );
  assert.deepEqual(
    reader.recentSpans(2).map(({ startMs }) => startMs - beginMs - hourMs),
    [9, 5],
  );
  await exporter.shutdown();

  const [file = "", ...others] = readdirSync(directory);
  assert.match(file, /^agentrt_spans_\d{4}-\d\d-\d\d\.db$/);
  assert.deepEqual(
    others,
    ["-shm", "-wal"].map((suffix) => `${file}${suffix}`).slice(0, others.length),
  );
  assert.equal(statSync(join(directory, file)).mode & 0o777, 0o600);
  assert.equal(statSync(directory).mode & 0o777, 0o700);
  using database = new DatabaseSync(join(directory, file), { readOnly: true });
  const row = database.prepare("SELECT * FROM spans WHERE status = 'error'").get() ?? {};
  assert.equal(row["agent_name"], "b");
  assert.equal(row["start_time"], (beginMs + hourMs) / 1000);
  assert.equal(row["error_message"], "no disk");
});

test("each window has a file, spans go by their own start, and old files go", async () => {
  using folder = createTemporaryFolder({});
  const clock = new VirtualClock({ startMs: beginMs });
  const exporter = await store(folder.path, clock, { windowDays: 1, retentionWindowCount: 2 });
  writeFileSync(join(folder.path, "notes.db"), "mine");
  const dayOf = (day: number): string => new Date(beginMs + day * dayMs).toISOString().slice(0, 10);
  const kept = (): string[] =>
    readdirSync(folder.path)
      .filter((name) => name.endsWith(".db"))
      .map((name) => name.replace(/^agentrt_spans_|\.db$/g, ""));
  for (let day = 0; day < 5; day += 1) {
    // The first one began before midnight.
    await exporter.export([handled("a", clock.nowMs() - 1), handled("a", clock.nowMs())]);
    await clock.advance(dayMs);
  }
  assert.deepEqual(kept(), [dayOf(2), dayOf(3), dayOf(4), "notes"]);
  using reader = new SpanReader(folder.path);
  // Of the last day one span, of the days before two.
  assert.equal(reader.count(), 5);
  await exporter.export([handled("a", clock.nowMs())]);
  assert.deepEqual(kept(), [dayOf(3), dayOf(4), dayOf(5), "notes"]);
  reader.refresh();
  assert.equal(reader.count(), 4);
  // A year later nothing of it is left but what comes now.
  await clock.advance(365 * dayMs);
  await exporter.export([handled("a", clock.nowMs())]);
  assert.deepEqual(kept(), [dayOf(370), "notes"]);
  await exporter.shutdown();
});

test("a folder that cannot be written refuses the start; a file that goes in between costs one batch", async () => {
  using folder = createTemporaryFolder({ "a-file": "" });
  const clock = new VirtualClock({ startMs: beginMs });
  await assert.rejects(store(join(folder.path, "a-file"), clock), {
    code: "AGENTRT_TELEMETRY_STORE_FAILED",
    message: /a-file": EEXIST|ENOTDIR/,
  });
  const directory = join(folder.path, "spans");
  const exporter = await store(directory, clock);
  await exporter.export([handled("a", beginMs)]);
  const [name = ""] = readdirSync(directory);
  const path = join(directory, name);
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
  writeFileSync(path, "this is no database, whatever its name says: ".repeat(100));
  chmodSync(path, 0o600);
  await exporter.shutdown();
  const again = await store(directory, clock);
  await assert.rejects(async () => await again.export([handled("a", beginMs)]), {
    code: "AGENTRT_TELEMETRY_STORE_FAILED",
    message: /not a database/,
  });
  rmSync(path);
  await again.export([handled("a", beginMs)]);
  using reader = new SpanReader(directory);
  assert.equal(reader.count(), 1);
  await again.shutdown();
});

test("lists that wait hold up no write, and more than 32 of them are refused for now", async () => {
  using folder = createTemporaryFolder({});
  const exporter = await store(folder.path, new VirtualClock({ startMs: beginMs }));
  await exporter.export([handled("a", beginMs)]);
  // Who opens a pipe waits until somebody writes to it.
  const name = fileNameOf(windowOf(beginMs, 30) - 1, 30);
  execFileSync("mkfifo", [join(folder.path, name)]);
  const lists = Array.from({ length: 100 }, () => exporter[keptSpans].traces({ limit: 10 }));
  const refused = await Promise.allSettled(lists.slice(32));
  for (const { reason } of refused as PromiseRejectedResult[])
    assert.deepEqual([reason?.code, reason?.httpStatus], ["AGENTRT_TELEMETRY_BUSY", 503]);
  await exporter.export([handled("a", beginMs + 1)]);
  const pipe = openSync(join(folder.path, name), "r+");
  for (const { traces, unread } of await Promise.all(lists.slice(0, 32)))
    assert.deepEqual([traces[0]?.spanCount, unread.map(({ source }) => source)], [2, [name]]);
  closeSync(pipe);
  await exporter.shutdown();
});
