/** Agents that handle several messages at once. */
import { test } from "node:test";
import assert from "node:assert/strict";
import { Agent, child, type JsonObject, type Message, supervisor } from "../index.ts";
import { Simulation } from "../../testing/index.ts";

/** Takes as long as it is told; remembers how many it handled at once. */
class Worker extends Agent {
  busyCount = 0;
  static busyCountMax = 0;
  static order: string[] = [];
  override async handle({ payload, type }: Message): Promise<JsonObject> {
    Worker.order.push(`begin ${JSON.stringify(payload["n"])}`);
    this.busyCount += 1;
    Worker.busyCountMax = Math.max(Worker.busyCountMax, this.busyCount);
    if (type === "ask") return await this.call("worker", { n: "asked", ms: 1 });
    await held.sleep(Number(payload["ms"]));
    this.busyCount -= 1;
    Worker.order.push(`end ${JSON.stringify(payload["n"])}`);
    if (payload["crash"] === true) throw new Error("crash");
    return { n: payload["n"] ?? 0 };
  }
}

let held: Simulation;

async function simulate(concurrency: number): Promise<Simulation> {
  Worker.busyCountMax = 0;
  Worker.order = [];
  held = new Simulation({
    supervision: supervisor("root", { children: [child(Worker, "worker", { concurrency })] }),
  });
  await held.start();
  return held;
}

test("concurrency: N messages are handled at once, begin in order and end in any", async () => {
  await using simulation = await simulate(3);
  const times = [300, 100, 200, 50];
  const calls = times.map((ms, n) => simulation.runtime.call("worker", { n, ms }));
  await simulation.runUntilIdle();
  const [node] = simulation.runtime.tree().children;
  assert.ok(node?.kind === "agent");
  assert.deepEqual([node.busyCount, node.concurrency, node.mailboxDepth], [3, 3, 1]);
  const replies = await simulation.until(Promise.all(calls));
  assert.deepEqual(replies, [{ n: 0 }, { n: 1 }, { n: 2 }, { n: 3 }]);
  assert.equal(Worker.busyCountMax, 3);
  assert.deepEqual(Worker.order, [
    "begin 0",
    "begin 1",
    "begin 2",
    "end 1",
    "begin 3",
    "end 3",
    "end 2",
    "end 0",
  ]);
  assert.equal(simulation.clock.monotonicMs(), 300);
});

test("a crash fails all messages at hand, once, and the queue goes on after the restart", async () => {
  await using simulation = await simulate(3);
  const { runtime } = simulation;
  const rows = [{ ms: 100, crash: true }, { ms: 500 }, { ms: 500 }, { ms: 10 }];
  const calls = rows.map((row, n) => runtime.call("worker", { n, ...row }));
  const ends = await simulation.until(Promise.allSettled(calls));
  assert.deepEqual(
    ends.map((end) => (end.status === "rejected" ? end.reason.code : "answered")),
    [...Array.from({ length: 3 }, () => "AGENTRT_AGENT_CRASHED"), "answered"],
  );
  const { agents, dropped } = runtime.snapshot();
  assert.deepEqual([agents["worker"]?.restarts, dropped.crashed], [1, 3]);
});

test("a suspension waits for the messages at hand; a stop lets them end", async () => {
  await using simulation = await simulate(2);
  const { runtime } = simulation;
  const calls = [100, 300, 50].map((ms, n) => runtime.call("worker", { n, ms }));
  await simulation.runUntilIdle();
  const suspending = runtime.suspend("worker", { reason: "audit" });
  await simulation.advance(200);
  assert.equal(runtime.tree().children[0]?.status, "RUNNING");
  await simulation.until(suspending);
  assert.equal(simulation.clock.monotonicMs(), 300);
  assert.deepEqual(Worker.order, ["begin 0", "begin 1", "end 0", "end 1"]);
  await simulation.until(runtime.resume("worker", { approver: "Ada" }));
  await simulation.runUntilIdle();
  await simulation.until(runtime.stopAgent("worker"));
  assert.deepEqual(await Promise.all(calls), [{ n: 0 }, { n: 1 }, { n: 2 }]);
});

test("a caller that leaves ends its own message alone", async () => {
  class Listener extends Agent {
    static ends: string[] = [];
    override async handle({ payload, signal }: Message): Promise<JsonObject> {
      await Promise.race([
        held.sleep(Number(payload["ms"])),
        new Promise((resolve) => signal.addEventListener("abort", resolve)),
      ]);
      Listener.ends.push(`${JSON.stringify(payload["n"])} ${signal.aborted}`);
      signal.throwIfAborted();
      return {};
    }
  }
  held = new Simulation({
    supervision: supervisor("root", {
      children: [child(Listener, "listener", { concurrency: 10 })],
    }),
  });
  await using simulation = held;
  await simulation.start();
  const { runtime } = simulation;
  const short = runtime.call("listener", { n: 1, ms: 1000 }, { timeoutMs: 100 });
  const long = runtime.call("listener", { n: 2, ms: 200 });
  await assert.rejects(simulation.until(short), { code: "AGENTRT_BUS_TIMEOUT" });
  assert.deepEqual(await simulation.until(long), {});
  assert.deepEqual(Listener.ends, ["1 true", "2 false"]);
});

test("an agent with room may call itself; one whose places all wait for each other is told at once", async () => {
  await using simulation = await simulate(2);
  const { runtime } = simulation;
  const options = { type: "ask" };
  const asked = await simulation.until(runtime.call("worker", { n: 1 }, options));
  assert.deepEqual(asked, { n: "asked" });
});

test("handleTimeoutMs holds for each message by itself", async () => {
  held = new Simulation({
    supervision: supervisor("root", {
      children: [child(Worker, "worker", { concurrency: 2, handleTimeoutMs: 100 })],
    }),
  });
  await using simulation = held;
  await simulation.start();
  const { runtime } = simulation;
  const fine = runtime.call("worker", { n: 1, ms: 80 });
  await simulation.advance(50);
  const late = runtime.call("worker", { n: 2, ms: 1000 });
  assert.deepEqual(await simulation.until(fine), { n: 1 });
  await assert.rejects(simulation.until(late), { code: "AGENTRT_AGENT_CRASHED" });
  assert.ok(simulation.clock.monotonicMs() < 170);
});
