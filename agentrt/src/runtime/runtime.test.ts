import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { test } from "node:test";
import { InProcessTransport } from "../bus/index.ts";
import { Agent, child, createTextLog, supervisor } from "../core/index.ts";
import type { ChildSpec, JsonObject, Message } from "../core/index.ts";
import { MemoryStateStore } from "../state/index.ts";
import { VirtualClock } from "../testing/virtual-clock.ts";
import { Runtime } from "./index.ts";

class Counter extends Agent {
  #count = 0;

  override async handle(message: Message): Promise<JsonObject> {
    if (message.payload["crash"] === true) throw new RangeError("out of range");
    this.#count += 1;
    const next = message.payload["next"];
    if (typeof next === "string") return await this.call(next, { from: this.name });
    return { count: this.#count, from: message.payload["from"] ?? null };
  }
}

function makeRuntime(...children: ChildSpec[]): Runtime {
  return new Runtime({
    supervision: supervisor("root", { backoffBaseMs: 0, children }),
    log: createTextLog({ write: () => undefined }),
  });
}

test("Runtime on the real clock: call, cast, call between agents, stop by `await using`", async () => {
  let kept: Runtime;
  {
    await using runtime = makeRuntime(child(Counter, "a"), child(Counter, "b"));
    kept = runtime;
    await runtime.start();
    assert.deepEqual(await runtime.call("a", {}), { count: 1, from: null });
    await runtime.cast("a", {});
    assert.deepEqual(await runtime.call("a", {}), { count: 3, from: null });
    assert.deepEqual(await runtime.call("a", { next: "b" }), { count: 1, from: "a" });
  }
  assert.equal(kept.status, "stopped");
  await assert.rejects(kept.call("a", {}), { code: "AGENTRT_AGENT_STOPPED" });
});

test("Runtime refuses calls before the start and a second start", async () => {
  await using runtime = makeRuntime(child(Counter, "a"));
  const expected = { code: "AGENTRT_SUPERVISION_NOT_STARTED" };
  await assert.rejects(runtime.call("a", {}), { ...expected, message: /it is new, want started/ });
  await assert.rejects(runtime.cast("a", {}), expected);
  await runtime.start();
  await assert.rejects(runtime.start(), expected);
});

test("a busy agent leaves turns to timers, with sequential calls and with a flood of casts", async () => {
  await using runtime = makeRuntime(child(Counter, "a"));
  await runtime.start();
  for (const send of [
    () => runtime.call("a", {}),
    () => runtime.cast("a", {}),
  ] as (() => Promise<unknown>)[]) {
    let sentCount = 0;
    let firedAtCount = Number.POSITIVE_INFINITY;
    setImmediate(() => {
      firedAtCount = sentCount;
    });
    for (; sentCount < 5000; sentCount += 1) await send();
    assert.ok(firedAtCount < 2500, `the event loop turned after ${firedAtCount} messages`);
  }
});

test("what a program keeps in async contexts is in handlers as at the start, not as at the first message", async () => {
  const context = new AsyncLocalStorage<string>();
  class Looker extends Agent {
    override async handle(message: Message): Promise<JsonObject> {
      if (message.payload["next"] === undefined) return { found: context.getStore() ?? null };
      const { found } = await this.call("b", {});
      return { found: [context.getStore() ?? null, found ?? null] };
    }
  }
  await using runtime = makeRuntime(child(Looker, "a"), child(Looker, "b"));
  await context.run("program", () => runtime.start());
  for (const request of ["first request", "second request"]) {
    const reply = await context.run(request, () => runtime.call("a", { next: true }));
    assert.deepEqual(reply, { found: ["program", "program"] });
  }
});

test("ten thousand concurrent calls to one agent are all answered, in order", async () => {
  await using runtime = makeRuntime(child(Counter, "a"));
  await runtime.start();
  const replies = await Promise.all(Array.from({ length: 10_000 }, () => runtime.call("a", {})));
  assert.deepEqual(
    replies.map((reply) => reply["count"]),
    Array.from({ length: 10_000 }, (_, index) => index + 1),
  );
});

test("registration and capabilities stay over a restart", async () => {
  const capabilities = ["translate", "summarize"];
  await using runtime = makeRuntime(
    child(Counter, "a", { capabilities, capabilityMetadata: { languages: ["cs"] } }),
    child(Counter, "b"),
  );
  await runtime.start();
  const before = runtime.registry.get("a");
  await assert.rejects(runtime.call("a", { crash: true }), { code: "AGENTRT_AGENT_CRASHED" });
  await runtime.call("a", {});
  assert.equal(runtime.registry.get("a"), before);
  assert.deepEqual(
    runtime.registry.withCapability("translate").map((entry) => entry.name),
    ["a"],
  );
  const [node] = runtime.tree().children;
  assert.ok(node?.kind === "agent");
  assert.deepEqual(node.capabilities, capabilities);
  assert.equal(node.restartCount, 1);
});

test("snapshot() counts messages, errors, restarts and what was dropped", async () => {
  await using runtime = makeRuntime(child(Counter, "a"), child(Counter, "b"));
  await runtime.start();
  await runtime.call("a", { next: "b" });
  await assert.rejects(runtime.call("a", { crash: true }));
  await runtime.call("a", {});
  await assert.rejects(runtime.call("nobody", {}));
  const { agents, totalMessages, restartHistory, dropped } = runtime.snapshot();
  const { avgLatencyMs, latencySumMs, handleTimes, ...counted } = agents["a"] ?? {
    avgLatencyMs: -1,
    latencySumMs: -1,
    handleTimes: null,
  };
  assert.deepEqual(counted, {
    messagesHandled: 2,
    messagesSent: 1,
    chunksSent: 0,
    messagesCancelled: 0,
    repliesUnwanted: 0,
    errors: 1,
    errorsByCode: { RangeError: 1 },
    restarts: 1,
    latencyCount: 2,
    firstChunkTimes: null,
    tokensIn: 0,
    tokensOut: 0,
    costUsd: 0,
    modelCalls: 0,
    modelErrors: 0,
    modelFallbacks: 0,
    lastModel: null,
    byModel: {},
    sessionTurnCount: 0,
    sessionDurationMs: 0,
  });
  assert.ok(avgLatencyMs >= 0);
  assert.equal(handleTimes?.count, 2);
  assert.equal(avgLatencyMs, latencySumMs / 2);
  assert.equal(totalMessages, 3);
  assert.deepEqual(
    restartHistory.map(({ agent, reason }) => ({ agent, reason })),
    [{ agent: "a", reason: "RangeError" }],
  );
  assert.equal(dropped.noRoute, 1);
  assert.equal(dropped.crashed, 1);
});

test("tree() gives plain values that say everything about the tree and share nothing with it", async () => {
  await using runtime = makeRuntime(
    child(Counter, "a", { process: "workers", capabilityMetadata: { k: [1] } }),
    supervisor("sub", { strategy: "REST_FOR_ONE", children: [] }),
  );
  await runtime.start();
  const tree = runtime.tree();
  assert.deepEqual(structuredClone(tree), tree);
  const { uptimeMs, ...agent } = tree.children[0] ?? { uptimeMs: -1 };
  assert.ok(uptimeMs >= 0);
  assert.deepEqual(agent, {
    kind: "agent",
    name: "a",
    status: "RUNNING",
    restartCount: 0,
    capabilities: [],
    capabilityMetadata: { k: [1] },
    suspension: null,
    processName: "workers",
    concurrency: 1,
    busyCount: 0,
    mailboxDepth: 0,
    waitingSenderCount: 0,
    sessionTurnCount: 0,
    sessionDurationMs: 0,
  });
  const sub = tree.children[1];
  assert.ok(sub?.kind === "supervisor");
  assert.deepEqual(
    [sub.strategy, sub.restartCountMax, sub.restartWindowMs, sub.backoff, sub.children],
    ["REST_FOR_ONE", 3, 60_000, "CONSTANT", []],
  );
});

test("a watcher that is an async function and fails is logged, and harms neither agent nor process", async () => {
  const lines: string[] = [];
  await using runtime = new Runtime({
    supervision: supervisor("root", { backoffBaseMs: 0, children: [child(Counter, "a")] }),
    log: createTextLog({ write: (line) => void lines.push(line) }),
  });
  // The mistake that this is about: the types ask for a function that returns nothing.
  const fail = (async () => {
    await Promise.resolve();
    throw new Error("the watcher is broken");
  }) as () => void;
  runtime.onEvent(fail);
  runtime.onCrash(fail);
  await runtime.start();
  await assert.rejects(runtime.call("a", { crash: true }), { code: "AGENTRT_AGENT_CRASHED" });
  await runtime.call("a", {});
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(runtime.snapshot().agents["a"]?.restarts, 1);
  assert.ok(lines.filter((line) => line.includes("the watcher is broken")).length >= 4);
});

test("stop() closes the store though the transport cannot be closed, and says why it failed", async () => {
  let isClosed = false;
  const transport = new InProcessTransport();
  transport.stop = () => Promise.reject(new Error("broker is gone"));
  const state = new MemoryStateStore();
  state.close = async () => {
    isClosed = true;
  };
  const runtime = new Runtime({
    supervision: supervisor("root", { children: [] }),
    log: createTextLog({ write: () => undefined }),
    transport,
    state,
  });
  await runtime.start();
  await assert.rejects(runtime.stop(), { message: "broker is gone" });
  assert.ok(isClosed);
  assert.equal(runtime.status, "stopped");
});

test("the states are closed to their end though the network has taken all of its time to close", async () => {
  const clock = new VirtualClock();
  const sleep = async (ms: number): Promise<void> =>
    await new Promise((resolve) => void clock.setTimer(ms, resolve));
  const closed: string[] = [];
  const state = new MemoryStateStore();
  state.close = async () => {
    await sleep(2000);
    closed.push("states");
  };
  const nothing = async (): Promise<void> => undefined;
  const runtime = new Runtime({
    system: clock,
    scheduler: clock.scheduler,
    supervision: supervisor("root", { children: [] }),
    log: createTextLog({ write: () => undefined }),
    state,
    network: () => ({
      transport: "slow",
      driverOf: () => undefined,
      open: nothing,
      begin: nothing,
      leave: () => undefined,
      close: async (untilMs) => {
        await sleep(untilMs - clock.monotonicMs());
        closed.push("network");
      },
    }),
  });
  await runtime.start();
  const stopped = runtime.stop().then(() => closed.push("runtime"));
  await clock.advance(20_000);
  await stopped;
  assert.deepEqual(closed, ["network", "states", "runtime"]);
});

for (const timeoutMs of [-1, Number.NaN, "5" as never]) {
  test(`stop() refuses a time-out of ${timeoutMs} and leaves the tree as it is`, async () => {
    await using runtime = makeRuntime(child(Counter, "a"));
    await runtime.start();
    await assert.rejects(runtime.stop({ timeoutMs }), {
      code: "AGENTRT_SUPERVISION_OPTION_INVALID",
      message: /timeoutMs is .*, want a number of 0 or more/,
    });
    assert.equal(runtime.status, "started");
  });
}

test("what a program does to the options it gave changes no later incarnation", async () => {
  class Configured extends Agent {
    override async handle(message: Message): Promise<JsonObject> {
      if (message.payload["crash"] === true) throw new Error("crash");
      return this.config;
    }
  }
  const config = { list: [1] };
  await using runtime = makeRuntime(child(Configured, "a", { config }));
  config.list.push(2);
  await runtime.start();
  assert.deepEqual(await runtime.call("a", {}), { list: [1] });
  config.list.push(3);
  await assert.rejects(runtime.call("a", { crash: true }));
  assert.deepEqual(await runtime.call("a", {}), { list: [1] });
});

test("a start that fails for ever without a backoff leaves turns to timers and sockets", async () => {
  let isMended = false;
  let startCount = 0;
  class Broken extends Counter {
    override onStart(): void {
      startCount += 1;
      if (startCount === 2) setImmediate(() => (isMended = true));
      if (startCount > 1 && !isMended) throw new Error("not yet");
    }
  }
  await using runtime = new Runtime({
    supervision: supervisor("root", {
      backoffBaseMs: 0,
      restartCountMax: 1000,
      children: [child(Broken, "a")],
    }),
    log: createTextLog({ write: () => undefined }),
  });
  await runtime.start();
  await assert.rejects(runtime.call("a", { crash: true }));
  assert.deepEqual(await runtime.call("a", {}), { count: 1, from: null });
  assert.ok(startCount < 100, `${startCount} starts before the event loop turned`);
});
