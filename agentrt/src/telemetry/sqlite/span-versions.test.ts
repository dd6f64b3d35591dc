import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { createTextLog } from "../../core/index.ts";
import { VirtualClock } from "../../testing/virtual-clock.ts";
import type { SpanRecord } from "../span-record.ts";
import { SpanReader } from "./span-reader.ts";
import { SqliteExporter } from "./sqlite-exporter.ts";
import { fileNameOf, windowOf } from "./window-names.ts";

const log = createTextLog({ write: () => undefined });
const startMs = Date.parse("2026-03-01T00:00:00Z");
const traceId = "0af7651916cd43dd8448eb211c80319c";

/** As releases up to 0.2.0 made it. */
const schemaBefore = `
CREATE TABLE spans(
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, trace_id TEXT NOT NULL, span_id TEXT NOT NULL,
  parent_span_id TEXT, kind TEXT NOT NULL, start_time REAL NOT NULL, end_time REAL NOT NULL, status TEXT NOT NULL,
  error_message TEXT, agent_name TEXT, llm_model TEXT, llm_tokens_in INTEGER, llm_tokens_out INTEGER,
  llm_cost_usd REAL, attributes_json TEXT NOT NULL);
CREATE INDEX spans_by_start ON spans(start_time);
CREATE INDEX spans_by_trace ON spans(trace_id);
CREATE INDEX spans_by_agent ON spans(agent_name, start_time);
CREATE TABLE span_hours(
  hour INTEGER NOT NULL, agent_name TEXT NOT NULL, name TEXT NOT NULL, llm_model TEXT NOT NULL,
  span_count INTEGER NOT NULL, error_count INTEGER NOT NULL, duration_seconds REAL NOT NULL,
  llm_tokens_in INTEGER NOT NULL, llm_tokens_out INTEGER NOT NULL, llm_cost_usd REAL NOT NULL,
  PRIMARY KEY(hour, agent_name, name, llm_model)) WITHOUT ROWID;
INSERT INTO spans(name, trace_id, span_id, kind, start_time, end_time, status, agent_name, attributes_json) VALUES
  ('agentrt.agent.handle', '${traceId}', '00000000000000aa', 'consumer', ${startMs / 1000}, ${startMs / 1000 + 1},
   'ok', 'a', '{"agentrt.agent.name":"a"}'),
  ('agentrt.agent.handle', '${"1".repeat(32)}', '00000000000000ab', 'consumer', ${startMs / 1000 + 5},
   ${startMs / 1000 + 6}, 'ok', 'a', '{"agentrt.agent.name":"a"}');
INSERT INTO span_hours VALUES(${startMs / 1000}, 'a', 'agentrt.agent.handle', '', 2, 0, 2, 0, 0, 0);`;

function spanOf(more: Partial<SpanRecord>): SpanRecord {
  return {
    name: "agentrt.agent.handle",
    kind: "consumer",
    traceId,
    spanId: "00000000000000ac",
    parentSpanId: "00000000000000aa",
    startMs: startMs + 2000,
    endMs: startMs + 3000,
    attributes: { "agentrt.agent.name": "a" },
    status: "ok",
    errorMessage: null,
    ...more,
  };
}

async function storeIn(directory: string): Promise<SqliteExporter> {
  const exporter = new SqliteExporter({ directory });
  await exporter.open({ log, system: new VirtualClock({ startMs }) });
  return exporter;
}

const idsOf = (spans: readonly SpanRecord[]): string[] => spans.map(({ spanId }) => spanId);

test("a file of an older release is read as it is, and written on in the same window", async () => {
  using folder = createTemporaryFolder({});
  const path = join(folder.path, fileNameOf(windowOf(startMs, 30), 30));
  {
    using database = new DatabaseSync(path);
    database.exec(`PRAGMA journal_mode = WAL; ${schemaBefore}`);
  }
  using reader = new SpanReader(folder.path);
  assert.deepEqual(idsOf(reader.spansOf(traceId, 10)), ["00000000000000aa"]);
  assert.deepEqual(idsOf(reader.recentSpans(10)), ["00000000000000ab", "00000000000000aa"]);

  const exporter = await storeIn(folder.path);
  await exporter.export([spanOf({})]);
  await exporter.export([spanOf({ spanId: "00000000000000ad", startMs: startMs + 9000 })]);
  // Also by one that was open before.
  const ofTrace = ["00000000000000aa", "00000000000000ac", "00000000000000ad"];
  assert.deepEqual(idsOf(reader.spansOf(traceId, 10)), ofTrace);
  assert.deepEqual(idsOf(await exporter.spansOf(traceId, 2)), ofTrace.slice(0, 2));
  assert.deepEqual(idsOf(reader.recentSpans(3)), [
    "00000000000000ad",
    "00000000000000ab",
    "00000000000000ac",
  ]);
  assert.equal(reader.count(), 4);
  const span = { fromMs: startMs, toMs: startMs + 3_600_000 };
  assert.deepEqual(
    reader.messagesByHour(span).map(({ spanCount }) => spanCount),
    [4],
  );
  await exporter.shutdown();
  using database = new DatabaseSync(path, { readOnly: true });
  const ids = database.prepare("SELECT id FROM spans ORDER BY id").all();
  assert.deepEqual(
    ids.map(({ id }) => id),
    [1, 2, 3, 4],
  );
});

test("a trace is found among many, over several blocks of rows, whatever its ids look like", async () => {
  using folder = createTemporaryFolder({});
  const exporter = await storeIn(folder.path);
  const odd = spanOf({ traceId: "not hexadecimal", spanId: "x", parentSpanId: null });
  const whole = spanOf({
    spanId: "00000000000000ff",
    parentSpanId: null,
    startMs: startMs + 1,
    attributes: {
      "agentrt.agent.name": 'a "quoted"\nname',
      "shop.items": ["one", 'two "2"'],
      "shop.price": 1.5,
      "shop.gift": false,
      "agentrt.llm.model": "m",
      "agentrt.llm.tokens_in": 3,
    },
    status: "error",
    errorMessage: "no disk",
  });
  const others = Array.from({ length: 5000 }, (_, index) =>
    spanOf({
      traceId: (index + 1).toString(16).padStart(32, "5"),
      spanId: index.toString(16).padStart(16, "6"),
    }),
  );
  await exporter.export([whole, ...others, odd]);
  await exporter.export([spanOf({})]);
  using reader = new SpanReader(folder.path);
  assert.deepEqual(reader.spansOf(traceId, 10), [whole, spanOf({})]);
  assert.deepEqual(reader.spansOf("not hexadecimal", 10), [odd]);
  assert.deepEqual(reader.spansOf("f".repeat(32), 10), []);
  assert.deepEqual(reader.spansOf(others[4500]?.traceId ?? "", 10), [others[4500]]);
  assert.equal(reader.count(), 5003);
  await exporter.shutdown();
});

test("a file of a later release is refused and stays as it is", async () => {
  using folder = createTemporaryFolder({});
  const path = join(folder.path, fileNameOf(windowOf(startMs, 30), 30));
  {
    using database = new DatabaseSync(path);
    database.exec("PRAGMA user_version = 9; CREATE TABLE spans(id INTEGER PRIMARY KEY)");
  }
  const exporter = await storeIn(folder.path);
  await assert.rejects(async () => await exporter.export([spanOf({})]), {
    code: "AGENTRT_TELEMETRY_STORE_FAILED",
    message: /has version 9; this program writes version 2/,
  });
  await exporter.shutdown();
  assert.deepEqual(
    readdirSync(folder.path).filter((name) => name.endsWith(".db")),
    [fileNameOf(windowOf(startMs, 30), 30)],
  );
});
