/** Lists of traces of two processes that keep their spans apart, or together. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { join } from "node:path";
import { createTemporaryFolder } from "testkit";
import { createTextLog, type JsonObject } from "../../core/index.ts";
import type { SpanRecord, TraceList, TraceQuery } from "../../runtime/index.ts";
import { SqliteExporter, telemetryErrors } from "../../telemetry/index.ts";
import { keptSpans } from "../../telemetry/span-keeper.ts";
import { VirtualClock } from "../../testing/virtual-clock.ts";
import { agentRoutes } from "../agent-routes.ts";
import { answerElsewhere, askElsewhere } from "../elsewhere/index.ts";
import type { RuntimeControl } from "../runtime-view.ts";
import type { TracesBody, TraceSummaryBody } from "../wire.ts";

const log = createTextLog({ write: () => undefined });
const beginMs = Date.parse("2026-03-01T00:00:00Z");
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
    startMs: beginMs + startMs,
    endMs: beginMs + startMs + 1,
    attributes: {},
    status: "ok",
    errorMessage: null,
    ...more,
  };
}

const root = (trace: number, startMs: number): SpanRecord =>
  span(trace, startMs, { name: `ask ${trace}`, kind: "producer", parentSpanId: null });

const by = (agent: string, more: Partial<SpanRecord> = {}): Partial<SpanRecord> => ({
  ...more,
  attributes: { "agentrt.agent.name": agent },
});

const emptyRequest = { pathParams: {}, body: {}, auth: undefined, requestId: "r" };
const none: TracesBody = { recorded: false, traces: [], next: null };

/** One process of a topology, as far as lists of traces know it. */
function processOf(exporter: SqliteExporter): {
  readonly control: RuntimeControl;
  readonly queries: TraceQuery[];
  readonly lists: TraceList[];
} {
  const [queries, lists]: [TraceQuery[], TraceList[]] = [[], []];
  const traces = async (query: TraceQuery): Promise<TraceList> => {
    const list = await exporter[keptSpans].traces(query);
    queries.push(query);
    lists.push(list);
    return list;
  };
  return { control: { traces, observer: {} } as unknown as RuntimeControl, queries, lists };
}

type Process = ReturnType<typeof processOf>;

/** @returns What the first process answers to `GET /traces`, with what the others say. */
function planeOf(own: Process, others: { readonly [process: string]: Process | Error }) {
  const elsewhere = {
    processOf: () => undefined,
    groups: () => Object.keys(others),
    present: () => Object.keys(others),
    awayGroups: () => [],
    processIdOf: () => "p1",
    onPresent: () => undefined,
    ask: async (process: string, question: JsonObject) => {
      const other = others[process];
      if (other === undefined || other instanceof Error)
        return { status: 503, body: { error: other?.message ?? "" } };
      const routes = agentRoutes(other.control, { processId: process });
      return await answerElsewhere(routes)(question);
    },
  };
  const route = agentRoutes(own.control, { processId: "main" }).find(
    ({ path }) => path === "/traces",
  );
  assert.ok(route !== undefined);
  const ask = askElsewhere(route, () => elsewhere);
  return async (queryParams: { readonly [name: string]: string }): Promise<TracesBody> => {
    const { status, body, headers } = await ask({ ...emptyRequest, queryParams });
    if (status === 503) return { ...none, next: headers?.["retry-after"] ?? null };
    assert.equal(status, 200, JSON.stringify(body));
    return body as unknown as TracesBody;
  };
}

async function store(directory: string): Promise<SqliteExporter> {
  const exporter = new SqliteExporter({ directory });
  await exporter.open({ log, system: new VirtualClock({ startMs: beginMs }) });
  return exporter;
}

const numbersOf = (traces: readonly TraceSummaryBody[]): number[] =>
  traces.map(({ trace_id: id }) => Number.parseInt(id, 16));

test("the parts of a trace in several folders are one trace before it is filtered", async () => {
  using folder = createTemporaryFolder({});
  const [main, worker] = [await store(join(folder.path, "a")), await store(join(folder.path, "b"))];
  await main.export([
    root(1, 0),
    root(2, 10),
    span(2, 11, by("front")),
    root(3, 20),
    ...Array.from({ length: 30 }, (_, number) => span(3, 21 + number, by(`front${number}`))),
  ]);
  await worker.export([
    span(1, 5, by("desk", { status: "error" })),
    span(1, 6, by("ticket/4711", { endMs: beginMs + 900 })),
    ...Array.from({ length: 30 }, (_, number) => span(3, 22 + number, by(`late${number}`))),
    span(3, 22, by("ticket/12")),
    // Nobody knows where it begins.
    span(4, 30, by("desk")),
  ]);
  const [own, back] = [processOf(main), processOf(worker)];
  const list = planeOf(own, { back });
  const [third, , first] = (await list({})).traces;
  assert.deepEqual(first, {
    trace_id: idOf(1, 32),
    name: "ask 1",
    start_time: beginMs / 1000,
    end_time: (beginMs + 900) / 1000,
    status: "error",
    span_count: 3,
    agents: ["desk", "ticket/4711"],
  });
  assert.deepEqual([third?.span_count, third?.agents.length], [62, 20]);
  for (const [query, wanted] of [
    [{}, [3, 2, 1]],
    [{ agent: "desk" }, [1]],
    [{ agent: "ticket" }, [3, 1]],
    [{ agent: "ticket/12" }, [3]],
    [{ agent: "front" }, [2]],
    [{ agent: "*" }, [3, 2, 1]],
    [{ status: "error" }, [1]],
    [{ status: "ok" }, [3, 2]],
    [{ agent: "desk", status: "ok" }, []],
    [{ min_duration: "0.5" }, [1]],
  ] as const) {
    const { traces, next, unread } = await list(query);
    assert.deepEqual([numbersOf(traces), next, unread], [wanted, null, undefined]);
  }

  // One that does not answer is named: what is listed is what the others know.
  const partly = await planeOf(own, { back, gone: new Error("it is away") })({});
  assert.deepEqual(numbersOf(partly.traces), [3, 2, 1]);
  assert.deepEqual(partly.unread, [{ source: "gone", reason: "it is away" }]);
  await main.shutdown();
  await worker.shutdown();
});

test("spans in a folder that processes share are counted once", async () => {
  using folder = createTemporaryFolder({});
  const [main, worker] = [await store(folder.path), await store(folder.path)];
  await main.export([root(1, 0)]);
  await worker.export([span(1, 1, by("desk"))]);
  const { traces } = await planeOf(processOf(main), { back: processOf(worker) })({});
  assert.deepEqual(
    traces.map(({ span_count: count }) => count),
    [2],
  );
  await main.shutdown();
  await worker.shutdown();
});

test("lists that go on have each trace once and whole, and look at a bounded number", async () => {
  using folder = createTemporaryFolder({});
  const [main, worker] = [await store(join(folder.path, "a")), await store(join(folder.path, "b"))];
  const traceCount = 3000;
  const numbers = Array.from({ length: traceCount }, (_, at) => at + 1);
  for (let at = 0; at < traceCount; at += 1000) {
    const some = numbers.slice(at, at + 1000);
    await main.export(some.map((number) => root(number, Math.floor(number / 10) / 3)));
    // Of every seventh trace the worker has much, of others nothing.
    const parts = some.filter((number) => number % 7 === 0);
    for (const count of [1, 2, 3])
      await worker.export(parts.map((number) => span(number, number / 30 + count, by("desk"))));
  }
  const [own, back] = [processOf(main), processOf(worker)];
  const list = planeOf(own, { back });
  for (const [query, wanted] of [
    [{ limit: "97" }, numbers],
    [{ limit: "50", agent: "desk" }, numbers.filter((number) => number % 7 === 0)],
  ] as const) {
    const found: TraceSummaryBody[] = [];
    let before: { readonly before?: string } = {};
    for (;;) {
      const { traces, next } = await list({ ...query, ...before });
      found.push(...traces);
      if (next === null) break;
      assert.notEqual(next, before.before);
      before = { before: next };
    }
    assert.deepEqual(
      numbersOf(found).toSorted((one, other) => one - other),
      wanted,
    );
    for (const { trace_id: id, span_count: count } of found)
      assert.equal(count, Number.parseInt(id, 16) % 7 === 0 ? 4 : 1, id);
  }
  // Pieces of 2000 spans, and 5000 spans that began later.
  for (const { traces } of [...own.lists, ...back.lists]) assert.ok(traces.length <= 9000);
  await main.shutdown();
  await worker.shutdown();
});

test("a process that has too many readers refuses for now; another one is named", async () => {
  using folder = createTemporaryFolder({});
  const main = await store(folder.path);
  await main.export([root(1, 0)]);
  const own = processOf(main);
  const traces = async (): Promise<TraceList> => {
    throw new telemetryErrors.BUSY({ path: "spans", count: 32 });
  };
  const busy = { ...own, control: { traces, observer: {} } as unknown as RuntimeControl };
  assert.deepEqual(await planeOf(busy, { back: own })({}), { ...none, next: "1" });
  const { traces: found, unread } = await planeOf(own, { back: busy })({});
  assert.deepEqual(numbersOf(found), [1]);
  assert.deepEqual(unread, [
    {
      source: "back",
      reason: 'Cannot read telemetry store "spans" now: 32 questions wait already',
    },
  ]);
  await main.shutdown();
});
