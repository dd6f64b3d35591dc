import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Agent,
  type AgentOptions,
  child,
  createTextLog,
  dynamicSupervisor,
  GenServer,
  type Message,
  supervisor,
} from "../core/index.ts";
import { Runtime } from "../runtime/index.ts";
import { VirtualClock } from "../testing/virtual-clock.ts";
import type { SpanExporter, SpanRecord } from "./index.ts";

/** Asks the next one, as its configuration says; fails when it is told to. */
class Link extends Agent {
  override onError() {
    return "retry" as const;
  }
  override async handle(message: Message): Promise<object> {
    const { next } = this.config;
    if (message.payload["fail"] === true && message.attempt === 0) throw new RangeError("as told");
    if (typeof next === "string") await this.call(next, {}, { type: "ask" });
    return {};
  }
}

interface Setup extends AsyncDisposable {
  readonly clock: VirtualClock;
  readonly runtime: Runtime;
  readonly logLines: string[];
}

async function start(...exporters: readonly SpanExporter[]): Promise<Setup> {
  const clock = new VirtualClock();
  const logLines: string[] = [];
  const link = (name: string, next?: string) =>
    child(Link, name, next === undefined ? {} : { config: { next } });
  const runtime = new Runtime({
    system: clock,
    scheduler: clock.scheduler,
    exporters,
    log: createTextLog({ write: (line) => void logLines.push(line), level: "warn" }),
    supervision: supervisor("root", {
      backoffBaseMs: 0,
      children: [link("a", "b"), link("b", "c"), link("c"), dynamicSupervisor("pool")],
    }),
  });
  await settle(clock, runtime.start());
  return {
    clock,
    runtime,
    logLines,
    async [Symbol.asyncDispose]() {
      await settle(clock, runtime.stop());
    },
  };
}

async function settle<Result>(clock: VirtualClock, pending: Promise<Result>): Promise<Result> {
  let isSettled = false;
  void pending.finally(() => (isSettled = true)).catch(() => undefined);
  for (;;) {
    await clock.runUntilIdle();
    if (isSettled) return await pending;
    await clock.advanceToNextTimer();
  }
}

class Keeper implements SpanExporter {
  readonly records: SpanRecord[] = [];
  readonly batchLengths: number[] = [];
  isShutDown = false;

  async export(records: readonly SpanRecord[]): Promise<void> {
    this.batchLengths.push(records.length);
    this.records.push(...records);
  }
  shutdown(): void {
    this.isShutDown = true;
  }
}

test("a chain of calls is one trace: each send below the one whose handling made it", async () => {
  const keeper = new Keeper();
  await using setup = await start(keeper);
  const trace = { traceId: "0af7651916cd43dd8448eb211c80319c", parentSpanId: "b7ad6b7169203331" };
  await setup.runtime.call("a", {}, { type: "ask", trace });
  await setup.clock.advance(1000);
  const own = keeper.records.filter(({ traceId }) => traceId === trace.traceId);
  const sends = own.filter(({ name }) => name === "send ask");
  const byRecipient = new Map(sends.map((span) => [span.attributes["agentrt.recipient"], span]));
  const [a, b, c] = ["a", "b", "c"].map((name) => byRecipient.get(name));
  assert.ok(a !== undefined && b !== undefined && c !== undefined);
  assert.deepEqual(
    [a.parentSpanId, b.parentSpanId, c.parentSpanId],
    [trace.parentSpanId, a.spanId, b.spanId],
  );
  for (const [name, parent] of [
    ["a", a],
    ["b", b],
    ["c", c],
  ] as const) {
    const below = own.filter(({ parentSpanId }) => parentSpanId === parent.spanId);
    const names = below.map((span) => span.name).filter((each) => each !== "send ask");
    assert.deepEqual(names.toSorted(), ["agentrt.agent.handle", "recv ask"], name);
    const handled = below.find((span) => span.name === "agentrt.agent.handle");
    assert.equal(handled?.attributes["agentrt.agent.name"], name);
    assert.equal(handled?.attributes["agentrt.handle.result"], "success");
  }
});

test("a failed attempt and its retry are spans of the same message, with what failed", async () => {
  const keeper = new Keeper();
  await using setup = await start(keeper);
  await setup.runtime.call("c", { fail: true });
  await setup.clock.advance(1000);
  const spans = keeper.records.filter(({ name }) => /handle|retry/.test(name));
  assert.deepEqual(
    spans.map(({ name, status, errorMessage, attributes }) => [
      name,
      status,
      errorMessage,
      attributes["agentrt.handle.attempt"],
      attributes["error.type"],
    ]),
    [
      ["agentrt.agent.handle", "error", "as told", 0, "RangeError"],
      ["agentrt.agent.retry", "ok", null, 1, undefined],
    ],
  );
  assert.equal(spans[0]?.parentSpanId, spans[1]?.parentSpanId);
});

/** Of three kinds of messages, the call never ends. */
class Server extends GenServer {
  constructor(name: string, options?: AgentOptions) {
    super(name, { ...options, handleTimeoutMs: 50 });
  }
  override onError() {
    return "skip" as const;
  }
  override handleCall(): Promise<never> {
    return new Promise(() => undefined);
  }
}

test("a handler out of its time leaves a span that says so, and a GenServer's say the kind of message", async () => {
  const keeper = new Keeper();
  await using setup = await start(keeper);
  const { runtime, clock } = setup;
  await settle(clock, runtime.spawnInto("pool", Server, "late"));
  const call = settle(clock, runtime.call("late", {}));
  await assert.rejects(call);
  await settle(clock, runtime.cast("late", {}));
  await clock.advance(1000);
  const spans = keeper.records.filter(({ name }) => /genserver|agent.handle/.test(name));
  assert.deepEqual(
    spans.map(({ name, status, attributes }) => [
      name,
      status,
      attributes["agentrt.handle.timeout"],
    ]),
    [
      ["agentrt.genserver.call", "error", undefined],
      ["agentrt.agent.handle", "error", true],
      ["agentrt.genserver.cast", "ok", undefined],
      ["agentrt.agent.handle", "ok", undefined],
    ],
  );
  const [timed] = spans;
  assert.equal(Math.round((timed?.endMs ?? 0) - (timed?.startMs ?? 0)), 50);
});

test("starts, crashes, restarts and stops are spans", async () => {
  const keeper = new Keeper();
  {
    await using setup = await start(keeper);
    await setup.runtime.restart("a");
    await setup.clock.runUntilIdle();
  }
  const ofA = keeper.records.filter(
    ({ attributes }) => attributes["agentrt.agent.name"] === "a" || attributes["child"] === "a",
  );
  assert.deepEqual(
    ofA.map(
      ({ name, attributes }) => `${name} ${String(attributes["agentrt.agent.final_status"])}`,
    ),
    [
      "agentrt.agent.start undefined",
      "agentrt.agent.stop CRASHED",
      "supervisor.restart undefined",
      "agentrt.agent.start undefined",
      "agentrt.agent.stop STOPPED",
    ],
  );
  assert.equal(keeper.isShutDown, true);
});

test("spans go in batches: fifty at once, the rest within a second", async () => {
  const keeper = new Keeper();
  await using setup = await start(keeper);
  for (let count = 0; count < 40; count += 1) await setup.runtime.call("c", {});
  await setup.clock.runUntilIdle();
  const atOnce = keeper.records.length;
  assert.ok(atOnce >= 100, String(atOnce));
  await setup.clock.advance(1000);
  // Three starts, and send, recv and handle for each call.
  assert.equal(keeper.records.length, 3 + 3 * 40);
  assert.ok(keeper.batchLengths.every((length) => length <= 50));
});

test("an exporter that fails is logged, and the others get every span", async () => {
  const keeper = new Keeper();
  const failing: SpanExporter = {
    export: () => {
      throw new Error("no disk");
    },
    shutdown: () => Promise.reject(new Error("no end")),
  };
  {
    await using setup = await start(failing, keeper);
    await setup.runtime.call("c", {});
    await setup.clock.advance(1000);
    assert.ok(setup.logLines.some((line) => line.includes("no disk")));
  }
  assert.ok(keeper.records.some(({ name }) => name === "agentrt.agent.handle"));
});

test("an exporter that hangs holds up neither calls nor, for more than two seconds, the stop", async () => {
  const hanging: SpanExporter = { export: () => new Promise(() => undefined) };
  const setup = await start(hanging);
  for (let count = 0; count < 6000; count += 1) await setup.runtime.call("c", {});
  const beginMs = setup.clock.monotonicMs();
  await settle(setup.clock, setup.runtime.stop());
  assert.ok(setup.clock.monotonicMs() - beginMs <= 2000);
  assert.ok(setup.logLines.some((line) => line.includes("exporter did not end in time")));
  assert.ok(
    setup.logLines.some((line) => /spans were dropped exporter=exporter count=\d+/.test(line)),
  );
});

test("no secret gets into a span", async () => {
  const keeper = new Keeper();
  await using setup = await start(keeper);
  await setup.runtime.call("c", {}, { type: "Bearer hidden-4711-hidden" });
  await setup.clock.advance(1000);
  assert.ok(!JSON.stringify(keeper.records).includes("hidden-4711"));
});

test("a spawned child leaves the spans that one from the start leaves", async () => {
  const keeper = new Keeper();
  {
    await using setup = await start(keeper);
    await settle(setup.clock, setup.runtime.spawn(Link, "spawned"));
    for (const name of ["c", "spawned"])
      await settle(setup.clock, setup.runtime.call(name, { fail: true }, { type: "ask" }));
  }
  const spansOf = (agent: string): string[] =>
    keeper.records
      .filter(({ attributes }) =>
        [attributes["agentrt.agent.name"], attributes["agentrt.recipient"]].includes(agent),
      )
      .map(({ name, status }) => `${name} ${status}`)
      .toSorted();
  assert.deepEqual(spansOf("spawned"), spansOf("c"));
  assert.deepEqual(spansOf("c"), [
    "agentrt.agent.handle error",
    "agentrt.agent.retry ok",
    "agentrt.agent.start ok",
    "agentrt.agent.stop ok",
    "recv ask ok",
    "send ask ok",
  ]);
});
