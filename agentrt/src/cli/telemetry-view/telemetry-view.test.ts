/** What the viewer reads of a folder that a real exporter wrote, and what it shows of it. */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { createTextLog } from "../../core/index.ts";
import { SqliteExporter, type SpanRecord } from "../../telemetry/index.ts";
import { createTones } from "../../terminal/index.ts";
import { VirtualClock } from "../../testing/virtual-clock.ts";
import { plainPicture } from "./plain-picture.ts";
import { bucketOf } from "./picture.ts";
import { parseSince, type Since } from "./since.ts";
import { SpanFolder } from "./span-folder.ts";
import { TelemetryView } from "./telemetry-view.ts";
import { traceRows } from "./waterfall.ts";

const log = createTextLog({ write: () => undefined });
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const nowMs = Date.parse("2026-03-10T12:30:00Z");
const size = { columns: 100, rows: 30 };

let count = 0;

function span(name: string, startMs: number, more: Partial<SpanRecord> = {}): SpanRecord {
  count += 1;
  return {
    name,
    kind: "internal",
    traceId: "0af7651916cd43dd8448eb211c80319c",
    spanId: count.toString(16).padStart(16, "0"),
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
      "agentrt.llm.cost_usd": costUsd,
    },
  });

async function write(
  directory: string,
  records: readonly SpanRecord[],
  windowDays = 30,
): Promise<void> {
  const exporter = new SqliteExporter({ directory, windowDays });
  await exporter.open({ log, system: new VirtualClock({ startMs: nowMs }) });
  await exporter.export(records);
  await exporter.shutdown();
}

function range(text: string): Since {
  const since = parseSince(text);
  assert.ok(since !== undefined, text);
  return since;
}

test("of very many keys all are counted, and those that have most are told apart", async () => {
  using folder = createTemporaryFolder({});
  const keys = Array.from({ length: 1200 }, (_, key) => [
    handled(`ticket/${key}`, nowMs - (key % 20) * hourMs),
    asked(`ticket/${key}`, nowMs - (key % 20) * hourMs, 1 + key),
  ]).flat();
  await write(folder.path, [...keys, handled("desk", nowMs), handled("desk", nowMs - hourMs)]);
  using spans = new SpanFolder(folder.path, 30);
  for (const since of ["24h", "7d"]) {
    const { totals, costTable, costs, rates, notices } = spans.read(range(since), nowMs);
    const costUsd = (1200 * 1201) / 2;
    const wanted = { costUsd, messageCount: 1202, errorCount: 0, topAgent: "ticket/1199" };
    assert.deepEqual(totals, wanted);
    assert.deepEqual([costTable.length, costTable[0]?.costUsd], [1000, 1200]);
    assert.deepEqual([rates.length, rates[0]?.name, rates[0]?.total], [6, "desk", 2]);
    assert.deepEqual([costs.length, costs[0]?.name, costs[0]?.total], [6, "ticket/1199 m-1", 1200]);
    assert.deepEqual(notices, ["the costs are those of the 1000 agents and models that cost most"]);
  }
});

test("parseSince() takes durations and moments, and nothing else", () => {
  assert.deepEqual(parseSince("2w"), { kind: "sliding", text: "2w", lengthMs: 14 * 24 * hourMs });
  assert.deepEqual(parseSince("1m"), { kind: "sliding", text: "1m", lengthMs: 30 * 24 * hourMs });
  const utc = parseSince("2026-03-01T10:00:00Z");
  assert.equal(utc?.kind === "fixed" && utc.fromMs, Date.parse("2026-03-01T10:00:00Z"));
  const day = parseSince("2026-03-01");
  assert.equal(day?.kind === "fixed" && day.fromMs, new Date(2026, 2, 1).getTime());
  for (const bad of [
    "",
    "0h",
    "7x",
    "h",
    "-1d",
    "2026-13-01",
    "2026-03-01T25:00",
    "1e3",
    "yesterday",
  ])
    assert.equal(parseSince(bad), undefined, bad);
});

test("points of charts are as long as the range asks for", () => {
  const hours = [1, 1.5, 1.6, 6, 7, 36, 37, 240, 241];
  assert.deepEqual(
    hours.map((each) => bucketOf(each * hourMs) / minuteMs),
    [1, 1, 5, 5, 60, 60, 360, 360, 1440],
  );
});

test("a folder is read to totals, six series at most, costs and the newest spans", async () => {
  using folder = createTemporaryFolder({});
  const busy = Array.from({ length: 8 }, (_, agent) =>
    Array.from({ length: agent + 1 }, (__, at) => handled(`a${agent}`, nowMs - at * minuteMs)),
  ).flat();
  await write(folder.path, [
    ...busy,
    handled("a7", nowMs - 2 * hourMs, { status: "error", errorMessage: "no" }),
    handled("a7", nowMs - 60 * hourMs),
    asked("a1", nowMs - 3 * minuteMs, 0.5),
    asked("a2", nowMs - 4 * minuteMs, 0.25),
    asked("a1", nowMs - 3 * hourMs, 1),
  ]);
  using spans = new SpanFolder(folder.path, 30);
  const day = spans.read(range("24h"), nowMs);
  assert.deepEqual(day.totals, {
    costUsd: 1.75,
    messageCount: 37,
    errorCount: 1,
    topAgent: "a1",
  });
  assert.deepEqual(
    day.rates.map(({ name, total }) => [name, total]),
    [
      ["a7", 9],
      ["a6", 7],
      ["a5", 6],
      ["a4", 5],
      ["a3", 4],
      ["a2", 3],
    ],
  );
  assert.deepEqual(
    day.costTable.map(({ agent, callCount, costUsd }) => [agent, callCount, costUsd]),
    [
      ["a1", 2, 1.5],
      ["a2", 1, 0.25],
    ],
  );
  assert.equal(day.spans.length, 40, "the one of 60 hours ago is not in the range");
  assert.equal(day.notices.length, 0);
  const hour = spans.read(range("1h"), nowMs);
  assert.equal(hour.bucketMs, minuteMs);
  assert.equal(hour.totals.messageCount, 36);
  assert.equal(hour.totals.costUsd, 0.75);
  assert.equal(hour.costs[0]?.values.length, 61);
  assert.equal(hour.costs[0]?.values.at(-4), 0.5);
  assert.equal(spans.read(range("7d"), nowMs).totals.messageCount, 38);
});

test("an hour of very many spans has charts of hours, which need no look at each of them", async () => {
  using folder = createTemporaryFolder({});
  const exporter = new SqliteExporter({ directory: folder.path });
  await exporter.open({ log, system: new VirtualClock({ startMs: nowMs }) });
  for (let batch = 0; batch < 51; batch += 1)
    await exporter.export(
      Array.from({ length: 2000 }, (_, at) => handled("a", nowMs - batch * 2000 - at)),
    );
  await exporter.shutdown();
  using spans = new SpanFolder(folder.path, 30);
  const picture = spans.read(range("1h"), nowMs);
  assert.equal(picture.bucketMs, hourMs);
  assert.equal(picture.totals.messageCount, 102_000);
  assert.match(picture.notices.join(), /^more than 100000 spans in 1 h: the charts are by hour$/);
});

test("window_days of another length are said, whichever way they differ", async () => {
  using folder = createTemporaryFolder({});
  await write(folder.path, [handled("a", nowMs), handled("a", nowMs - 8 * 24 * hourMs)], 7);
  const noticesFor = (windowDays: number): readonly string[] => {
    using spans = new SpanFolder(folder.path, windowDays);
    return spans.read(range("24h"), nowMs).notices;
  };
  assert.deepEqual(noticesFor(7), []);
  assert.match(noticesFor(30).join("\n"), /^--window-days 30 is not the exporter's window_days/);
  assert.match(noticesFor(1).join("\n"), /^--window-days 1 is not the exporter's window_days/);
});

test("what is missing, empty or damaged is said, and the rest is read", async () => {
  using folder = createTemporaryFolder({ file: "text" });
  const noticesOf = (name: string): readonly string[] => {
    using spans = new SpanFolder(join(folder.path, name), 30);
    return spans.read(range("7d"), nowMs).notices;
  };
  assert.match(noticesOf("none").join(), /is not there yet/);
  assert.match(noticesOf("file").join(), /is not a directory/);
  mkdirSync(join(folder.path, "empty"));
  assert.match(noticesOf("empty").join(), /has no spans yet/);

  const directory = join(folder.path, "spans");
  await write(directory, [handled("a", nowMs), handled("a", nowMs - 40 * 24 * hourMs)]);
  const [old] = readdirSync(directory).sort();
  writeFileSync(
    join(directory, old ?? ""),
    "this is no database, but it is long enough to be one".repeat(20),
  );
  using spans = new SpanFolder(directory, 30);
  const picture = spans.read(range("90d"), nowMs);
  assert.match(
    picture.notices.join("\n"),
    /^agentrt_spans_.*\.db cannot be read: file is not a database$/,
  );
  assert.equal(picture.totals.messageCount, 1);
});

test("a file that is cut off while it is open does not end the viewer", async () => {
  using folder = createTemporaryFolder({});
  await write(
    folder.path,
    Array.from({ length: 3000 }, (_, at) => handled(`a${at}`, nowMs - at)),
  );
  using spans = new SpanFolder(folder.path, 30);
  assert.equal(spans.read(range("1h"), nowMs).totals.messageCount, 3000);
  const [name] = readdirSync(folder.path);
  truncateSync(join(folder.path, name ?? ""), 8192);
  using others = new SpanFolder(folder.path, 30);
  assert.match(
    others.read(range("1h"), nowMs).notices.join("\n"),
    /cannot be read: database disk image is malformed/,
  );
});

test("a span whose attributes are damaged does not end the viewer", async () => {
  using folder = createTemporaryFolder({});
  await write(folder.path, [handled("a", nowMs - 5)]);
  const [name] = readdirSync(folder.path);
  using database = new DatabaseSync(join(folder.path, name ?? ""));
  database.exec("UPDATE span_shapes SET attributes = '\"half'");
  using spans = new SpanFolder(folder.path, 30);
  const picture = spans.read(range("1h"), nowMs);
  assert.match(picture.notices.join("\n"), /^agentrt_spans_.* cannot be read: .*JSON/);
  assert.equal(picture.totals.messageCount, 1);
  assert.deepEqual(spans.trace("0af7651916cd43dd8448eb211c80319c"), []);
});

test("a writer that goes on is seen, and so is its first file", async () => {
  using folder = createTemporaryFolder({});
  using spans = new SpanFolder(folder.path, 30);
  assert.equal(spans.read(range("1h"), nowMs).spans.length, 0);
  const exporter = new SqliteExporter({ directory: folder.path });
  await exporter.open({ log, system: new VirtualClock({ startMs: nowMs }) });
  await exporter.export([handled("a", nowMs - 5)]);
  assert.equal(spans.read(range("1h"), nowMs).totals.messageCount, 1);
  await exporter.export([handled("a", nowMs - 4)]);
  assert.equal(spans.read(range("1h"), nowMs).totals.messageCount, 2);
  await exporter.shutdown();
  assert.equal(spans.read(range("1h"), nowMs).totals.messageCount, 2);
});

test("a trace is its tree: each span below its parent, and none is lost", () => {
  const id = (index: number): string => index.toString(16).padStart(16, "0");
  const each = (index: number, parent: number | null): SpanRecord =>
    span(`s${index}`, nowMs + index, {
      spanId: id(index),
      parentSpanId: parent === null ? null : id(parent),
    });
  const rows = traceRows([
    each(100, null),
    each(101, 100),
    each(102, 100),
    each(103, 101),
    each(104, 999),
    each(105, 106),
    each(106, 105),
  ]);
  assert.deepEqual(
    rows.map((row) => `${row.span.name} ${row.depth}`),
    ["s100 0", "s101 1", "s103 2", "s102 1", "s104 0", "s105 0", "s106 1"],
  );
});

test("keys: ranges, moving, a trace and back; a new span does not move who looks at an older one", async () => {
  using folder = createTemporaryFolder({});
  await write(folder.path, [handled("desk", nowMs - 1000), handled("clerk", nowMs - 2000)]);
  using spans = new SpanFolder(folder.path, 30);
  const view = new TelemetryView({
    since: range("24h"),
    tones: createTones(false),
    trace: (id) => spans.trace(id),
  });
  view.update(spans.read(view.since, nowMs));
  const shown = (): string => {
    const { top, panes, bottom } = view.frame(size);
    return [...top, ...panes.flatMap(({ title, lines }) => [title, ...lines]), ...bottom].join(
      "\n",
    );
  };
  assert.match(shown(), /›.*agent\.handle +desk/);
  view.press({ kind: "key", key: "down" }, size);
  assert.match(shown(), /›.*agent\.handle +clerk/);
  await write(folder.path, [handled("porter", nowMs - 10)]);
  view.update(spans.read(view.since, nowMs));
  assert.match(shown(), /›.*agent\.handle +clerk/);
  view.press({ kind: "key", key: "enter" }, size);
  assert.match(shown(), /Trace 0af7651916cd43dd8448eb211c80319c \(3 spans\)/);
  view.press({ kind: "key", key: "escape" }, size);
  assert.match(shown(), /Spans, the newest first \(3\)/);
  for (const [key, text] of [
    ["h", "1h"],
    ["d", "24h"],
    ["w", "7d"],
    ["m", "30d"],
  ] as const) {
    assert.deepEqual(view.press({ kind: "text", text: key }, size), [{ kind: "refresh" }]);
    assert.equal(view.since.text, text);
  }
  assert.deepEqual(view.press({ kind: "text", text: "r" }, size), [{ kind: "refresh" }]);
  assert.deepEqual(view.press({ kind: "text", text: "q" }, size), [{ kind: "quit" }]);
});

test("names and attributes cannot command the terminal", async () => {
  using folder = createTemporaryFolder({});
  const evil = "\u001B[2Jdesk\u001B]0;x\u0007";
  await write(folder.path, [
    handled(evil, nowMs - 1, { name: evil, errorMessage: evil, status: "error" }),
    handled(evil, nowMs - 1),
    span("agentrt.llm.chat", nowMs - 2, {
      attributes: {
        "agentrt.agent.name": evil,
        "agentrt.llm.model": evil,
        "agentrt.llm.cost_usd": 1,
        [evil]: evil,
      },
    }),
  ]);
  using spans = new SpanFolder(folder.path, 30);
  const view = new TelemetryView({
    since: range("24h"),
    tones: createTones(false),
    trace: (id) => spans.trace(id),
  });
  const picture = spans.read(view.since, nowMs);
  view.update(picture);
  const frames = [view.frame(size)];
  view.press({ kind: "key", key: "enter" }, size);
  frames.push(view.frame(size));
  const texts = frames.flatMap(({ top, panes }) => [
    ...top,
    ...panes.flatMap(({ title, lines }) => [title, ...lines]),
  ]);
  for (const text of [...texts, ...plainPicture(picture).split("\n")])
    assert.doesNotMatch(text, /\p{Cc}/u);
});
