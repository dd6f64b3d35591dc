/** Counters of workers in the figures of the whole: they only grow, whatever process of a group counts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentCounters, JsonObject } from "../../core/index.ts";
import { FigureBook, readFigures } from "./index.ts";

const usage = { nowMs: 0, cpuSeconds: 0, rssBytes: 0, heapUsedBytes: 0, startTimeSeconds: 0 };

/** What a worker says that has handled so many messages. */
function figures(epoch: string, handled: number, uptimeMs = 0) {
  const times = { bucketCounts: [handled, 0, 2], sumSeconds: handled / 4, count: handled + 2 };
  const use = { calls: handled, unpricedCalls: 0, tokensIn: 3, tokensOut: 2, costUsd: 0.5 };
  const counters = {
    messagesHandled: handled,
    latencySumMs: handled * 2,
    latencyCount: handled,
    avgLatencyMs: 2,
    errorsByCode: { Broken: handled },
    handleTimes: times,
    byModel: { m: use },
  };
  const body: JsonObject = {
    epoch,
    usage: { ...usage },
    uptime_ms: uptimeMs,
    total_messages: handled,
    total_cost_usd: 0,
    models: { m: use },
    dropped: { crashed: handled },
    budgets: [],
    exporters: [],
    link_losses: null,
    link_refused: null,
    link_duplicates: null,
    answered_ms: {},
    circuits: [],
    agents: { desk: { counters, node: {}, activity: {} } },
  };
  const read = readFigures(JSON.parse(JSON.stringify(body)) as JsonObject);
  assert.ok(read !== undefined);
  return read;
}

function deskOf(book: FigureBook): AgentCounters {
  const desk = book.grown("back").agents.get("desk");
  assert.ok(desk !== undefined);
  return desk;
}

test("the next process of a group goes on where the last one has ended, in every counter", () => {
  const book = new FigureBook();
  const seen: number[] = [];
  for (const [epoch, handled] of [
    ["a", 5],
    ["a", 9],
    ["b", 1],
    ["b", 4],
    ["c", 0],
  ] as const) {
    book.accept("back", figures(epoch, handled), 1000);
    const desk = deskOf(book);
    assert.deepEqual(
      [desk.latencyCount, desk.errorsByCode["Broken"], desk.byModel["m"]?.calls],
      Array.from({ length: 3 }, () => desk.messagesHandled),
    );
    assert.equal(desk.handleTimes?.bucketCounts[0], desk.messagesHandled);
    assert.equal(desk.avgLatencyMs, 2);
    const { totalMessages, models, dropped } = book.grown("back");
    assert.deepEqual(
      [totalMessages, models["m"]?.calls, dropped.crashed],
      Array.from({ length: 3 }, () => desk.messagesHandled),
    );
    seen.push(desk.messagesHandled);
  }
  assert.deepEqual(seen, [5, 9, 10, 13, 13]);
  assert.equal(deskOf(book).handleTimes?.count, 9 + 2 + 4 + 2 + 0 + 2);
});

test("of a worker that is older than its supervisor only what it counts from then on is counted", () => {
  const book = new FigureBook();
  book.accept("back", figures("a", 500, 60_000), 1000);
  assert.equal(deskOf(book).messagesHandled, 0);
  assert.deepEqual(deskOf(book).handleTimes?.bucketCounts.slice(0, 3), [0, 0, 0]);
  assert.equal(deskOf(book).byModel["m"]?.calls, 0);
  book.accept("back", figures("a", 503, 61_000), 2000);
  assert.equal(deskOf(book).messagesHandled, 3);
  // The next one is younger, though it may run longer than this process does: all of it counts.
  book.accept("back", figures("b", 4, 90_000), 3000);
  assert.equal(deskOf(book).messagesHandled, 7);
});

test("those who ask at the same time share one question", async () => {
  const book = new FigureBook();
  let count = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const ask = async (): Promise<void> => {
    count += 1;
    await promise;
  };
  const all = Promise.all([book.refresh("back", ask), book.refresh("back", ask)]);
  const other = book.refresh("store", ask);
  assert.equal(count, 2);
  resolve();
  await all;
  await other;
  await book.refresh("back", ask);
  assert.equal(count, 3);
});

test("what is no answer of this release is none", () => {
  for (const body of [null, "x", {}, { epoch: "a" }, { epoch: "a", agents: 5 }])
    assert.equal(readFigures(body as JsonObject), undefined);
});
