import assert from "node:assert/strict";
import { test } from "node:test";
import { Agent, child, type Message, supervisor } from "../core/index.ts";
import { Runtime } from "../runtime/index.ts";
import type { SamplingOptions, SpanExporter, SpanRecord } from "./index.ts";

class Worker extends Agent {
  override async handle(message: Message) {
    const { payload } = message;
    if (payload["next"] !== undefined) return {};
    return await this.span(
      "look up",
      async (span) => {
        await this.span("inner", async () => await this.call("other", { next: 1 }));
        await this.send("other", { next: 2 });
        span.set({ rows: 3 });
        if (payload["fail"] === true) throw new RangeError("no rows");
        await this.checkpoint();
        return { traceparent: span.traceparent ?? "none" };
      },
      { table: "users" },
    );
  }
  override onError() {
    return "skip" as const;
  }
}

async function run(
  work: (runtime: Runtime) => Promise<void>,
  options: { readonly sampling?: SamplingOptions; readonly isSilent?: boolean } = {},
): Promise<SpanRecord[]> {
  const records: SpanRecord[] = [];
  const keeper: SpanExporter = { export: (batch) => void records.push(...batch) };
  {
    await using runtime = new Runtime({
      exporters: options.isSilent === true ? [] : [keeper],
      sampling: options.sampling,
      supervision: supervisor("root", {
        children: [child(Worker, "worker"), child(Worker, "other")],
      }),
      log: { debug() {}, info() {}, warn() {}, error() {}, with: () => quiet },
    });
    await runtime.start();
    await work(runtime);
  }
  return records;
}

const quiet = { debug() {}, info() {}, warn() {}, error() {}, with: () => quiet };
const trace = { traceId: "0af7651916cd43dd8448eb211c80319c", parentSpanId: "b7ad6b7169203331" };

test("an agent's own spans are below its message, and what they send is below them", async () => {
  let traceparent = "";
  const records = await run(async (runtime) => {
    ({ traceparent } = (await runtime.call("worker", {}, { trace })) as { traceparent: string });
    await assert.rejects(runtime.call("worker", { fail: true }));
  });
  const ofTrace = records.filter(({ traceId }) => traceId === trace.traceId);
  const named = (name: string): SpanRecord => {
    const found = ofTrace.find((each) => each.name === name);
    assert.ok(found, name);
    return found;
  };
  const sent = ofTrace.find((each) => each.attributes["agentrt.recipient"] === "worker");
  const own = named("look up");
  assert.equal(own.parentSpanId, sent?.spanId);
  assert.deepEqual(own.attributes, { "agentrt.agent.name": "worker", table: "users", rows: 3 });
  assert.equal(traceparent, `00-${trace.traceId}-${own.spanId}-01`);
  assert.equal(named("inner").parentSpanId, own.spanId);
  assert.equal(named("agentrt.state.save").parentSpanId, own.spanId);
  const toOther = ofTrace.filter(
    ({ name, attributes }) =>
      name === "send message" && attributes["agentrt.recipient"] === "other",
  );
  assert.deepEqual(
    toOther.map(({ parentSpanId }) => parentSpanId),
    [named("inner").spanId, own.spanId],
  );
  const failed = records.find(({ name, status }) => name === "look up" && status === "error");
  assert.equal(failed?.errorMessage, "no rows");
  assert.equal(failed?.attributes["error.type"], "RangeError");
});

test("without exporters an agent's own spans just run their work", async () => {
  await run(
    async (runtime) => assert.deepEqual(await runtime.call("worker", {}), { traceparent: "none" }),
    { isSilent: true },
  );
});

test("sampling keeps whole traces, by their ids or as their callers say", async () => {
  const count = 400;
  const sendMany = async (runtime: Runtime): Promise<void> => {
    for (let index = 0; index < count; index += 1) await runtime.call("worker", {});
  };
  const some = await run(sendMany, { sampling: { ratio: 0.25 } });
  const traces = Map.groupBy(
    some.filter(({ attributes }) => attributes["agentrt.message_id"] !== undefined),
    ({ traceId }) => traceId,
  );
  assert.ok(traces.size > count * 0.15 && traces.size < count * 0.35, String(traces.size));
  // Two spans of the way of each of three messages.
  for (const spans of traces.values()) assert.equal(spans.length, 6);

  const called = async (
    sampling: SamplingOptions,
    isSampled: boolean | undefined,
  ): Promise<[isKept: boolean, flags: string]> => {
    let flags = "";
    const records = await run(
      async (runtime) => {
        const reply = await runtime.call("worker", {}, { trace: { ...trace, isSampled } });
        flags = (reply as { traceparent: string }).traceparent.slice(-2);
      },
      { sampling },
    );
    return [records.some(({ traceId }) => traceId === trace.traceId), flags];
  };
  assert.deepEqual(await called({ ratio: 0 }, true), [true, "01"]);
  assert.deepEqual(await called({ ratio: 1 }, false), [false, "00"]);
  assert.deepEqual(await called({ ratio: 0 }, undefined), [false, "00"]);
  assert.deepEqual(await called({ ratio: 1, isParentBased: false }, false), [true, "01"]);
});
