import assert from "node:assert/strict";
import { test } from "node:test";
import { crash, instantly, puppet, Puppet, restartDelays, simulate } from "../../testing/puppet.ts";
import { reasonOf } from "../values/fault-reason.ts";
import { keyed, pool, supervisor } from "../tree/index.ts";

test("serial: crashes of two children lead to two restarts, one after the other", async () => {
  await using simulation = await simulate(
    supervisor("root", { ...instantly, children: [puppet("a"), puppet("b")] }),
  );
  await simulation.runtime.cast("a", { crash: "first" });
  await simulation.runtime.cast("b", { crash: "second" });
  await simulation.runUntilIdle();
  const restarts = simulation.events.lines.filter((line) => line.includes("supervisor.restart"));
  assert.equal(restarts.length, 2);
  assert.equal(simulation.runtime.tree().crashesInWindow, 2);
});

test("stale: a crash of an incarnation that ONE_FOR_ALL already replaced is ignored", async () => {
  await using simulation = await simulate(
    supervisor("root", {
      strategy: "ONE_FOR_ALL",
      backoffBaseMs: 100,
      children: [puppet("a"), puppet("b")],
    }),
  );
  await crash(simulation, "a");
  await crash(simulation, "b");
  await simulation.advance(100);
  const restarts = simulation.events.lines.filter((line) => line.includes("supervisor.restart"));
  assert.equal(restarts.length, 1, "b's crash is covered by the restart of all");
  assert.equal(simulation.runtime.tree().crashesInWindow, 2, "and still counts");
  await simulation.advance(1000);
  assert.deepEqual(
    simulation.runtime.tree().children.map((node) => node.restartCount),
    [1, 1],
  );
});

test("stopping: a crash after the stop began restarts nothing", async () => {
  const simulation = await simulate(
    supervisor("root", { ...instantly, children: [puppet("a"), puppet("b")] }),
  );
  const stopped = simulation.stop();
  simulation.runtime.cast("a", { crash: "too late" }).catch(() => undefined);
  await stopped;
  assert.equal(simulation.events.lines.filter((line) => line.includes("restart")).length, 0);
  assert.equal(simulation.runtime.tree().status, "STOPPED");
});

test("who asks an agent that was given up learns that it crashed, when and why, and not that it was stopped", async () => {
  await using simulation = await simulate(
    supervisor("root", { ...instantly, restartCountMax: 0, children: [puppet("a"), puppet("b")] }),
  );
  const crashedAtMs = simulation.clock.nowMs();
  await crash(simulation, "a", "boom");
  await simulation.advance(5000);
  const at = new Date(crashedAtMs).toISOString();
  await assert.rejects(simulation.call("a", {}), {
    code: "AGENTRT_AGENT_STOPPED",
    message: `Cannot reach "a": it crashed at ${at} and is not being restarted: boom`,
  });
  await simulation.runtime.stopAgent("b");
  await assert.rejects(simulation.call("b", {}), {
    code: "AGENTRT_AGENT_STOPPED",
    message: 'Cannot reach "b": it is stopped and is not being restarted',
  });
});

test("who asks a pool or a keyed agent that was given up as a whole learns that it crashed, when and why", async () => {
  await using simulation = await simulate(
    supervisor("root", {
      ...instantly,
      restartCountMax: 0,
      children: [
        pool(Puppet, "writers", { size: 2, restartCountMax: 0 }),
        keyed(Puppet, "ticket", { failedCountMax: 0, restartCountMax: 0 }),
        pool(Puppet, "ended", { size: 1 }),
      ],
    }),
  );
  const at = new Date(simulation.clock.nowMs()).toISOString();
  for (const [name, to] of [
    ["writers", "writers"],
    ["ticket", "ticket/1"],
  ] as const) {
    await crash(simulation, to, "boom");
    await simulation.advance(0);
    await assert.rejects(simulation.call(to, {}), {
      code: "AGENTRT_AGENT_STOPPED",
      message: new RegExp(`^Cannot reach "${name}": it crashed at ${at} and is not being .*: .`),
    });
    await assert.rejects(simulation.runtime.suspend(to, { reason: "x" }), {
      message: /it crashed at/,
    });
  }
  await simulation.until(simulation.runtime.stopAgent("ended"));
  await assert.rejects(simulation.call("ended", {}), { message: /"ended": it is stopped/ });
});

test("stop in the middle of a backoff: the pending restart never happens", async () => {
  const simulation = await simulate(
    supervisor("root", { backoffBaseMs: 60_000, children: [puppet("a"), puppet("b")] }),
  );
  await crash(simulation, "a");
  Puppet.trace = [];
  assert.deepEqual(await simulation.stop(), { lateNames: [] });
  await simulation.advance(120_000);
  assert.deepEqual(Puppet.trace, ["stop b"]);
});

test("stop in the middle of a failing restart is served at once", async () => {
  const simulation = await simulate(
    supervisor("root", {
      backoffBaseMs: 1000,
      restartCountMax: 1000,
      children: [puppet("a"), puppet("b")],
    }),
  );
  Puppet.failingStarts.set("a", 1000);
  await crash(simulation, "a");
  await simulation.advance(5500);
  const beganMs = simulation.clock.monotonicMs();
  await simulation.stop();
  assert.equal(simulation.clock.monotonicMs(), beganMs);
  assert.equal(Puppet.trace.filter((line) => line === "refuse a").length, 5);
});

test("callbacks: run before the strategy, and what they throw is only logged", async () => {
  await using simulation = await simulate(
    supervisor("root", { ...instantly, children: [puppet("a")] }),
  );
  const seen: string[] = [];
  simulation.runtime.onCrash((name, error) => {
    seen.push(`${name}: ${reasonOf(error)}, ${simulation.runtime.tree().children[0]?.status}`);
    throw new Error("the callback is broken");
  });
  await crash(simulation, "a", "boom");
  assert.deepEqual(seen, ["a: boom, CRASHED"]);
  assert.deepEqual(await simulation.runtime.call("a", {}), { name: "a" });
  assert.ok(simulation.logLines.some((line) => line.includes("the callback is broken")));
});

test("normal exit: a child that ends by itself is not restarted, and refuses messages", async () => {
  await using simulation = await simulate(
    supervisor("root", {
      ...instantly,
      children: [puppet("a", { config: { onError: "stop" } }), puppet("b")],
    }),
  );
  await crash(simulation, "a");
  assert.equal(simulation.runtime.tree().children[0]?.status, "STOPPED");
  assert.deepEqual(simulation.runtime.health(), { status: "ok", failed: [] });
  await assert.rejects(simulation.runtime.call("a", {}), { code: "AGENTRT_AGENT_STOPPED" });
});

test("a restart that fails counts as a further crash and is tried again", async () => {
  await using simulation = await simulate(
    supervisor("root", { backoff: "LINEAR", backoffBaseMs: 100, children: [puppet("a")] }),
  );
  Puppet.failingStarts.set("a", 2);
  await crash(simulation, "a");
  await simulation.advance(600);
  assert.deepEqual(restartDelays(simulation), [100, 200, 300]);
  assert.deepEqual(await simulation.runtime.call("a", {}), { name: "a" });
  assert.equal(simulation.runtime.tree().crashesInWindow, 3);
});

test("a restart that fails inside ONE_FOR_ALL stops what it started and starts all again", async () => {
  await using simulation = await simulate(
    supervisor("root", {
      backoffBaseMs: 100,
      strategy: "ONE_FOR_ALL",
      children: [puppet("a"), puppet("b"), puppet("c")],
    }),
  );
  Puppet.failingStarts.set("b", 1);
  Puppet.trace = [];
  await crash(simulation, "c");
  await simulation.advance(200);
  assert.deepEqual(
    Puppet.trace.join(", "),
    "stop c, stop b, stop a, start a, refuse b, stop b, stop a, start a, start b, start c",
  );
});

test("span: a restart event names supervisor, child, strategy and the children that start", async () => {
  await using simulation = await simulate(
    supervisor("root", {
      backoffBaseMs: 250,
      strategy: "REST_FOR_ONE",
      children: [puppet("a"), puppet("b"), puppet("c")],
    }),
  );
  simulation.events.take();
  await crash(simulation, "b", "boom");
  await simulation.advance(250);
  assert.deepEqual(simulation.events.lines, [
    "0 agent.crashed b: boom",
    "0 supervisor.crash root/b: 1 in window, restart in 250 ms",
    "250 supervisor.restart root/b REST_FOR_ONE: b, c",
    "250 agent.stopped c",
    "250 agent.started b",
    "250 agent.started c",
  ]);
});

test("a start that fails for ever without a backoff leaves turns to the rest of the tree", async () => {
  await using simulation = await simulate(
    supervisor("root", {
      ...instantly,
      restartCountMax: 5000,
      children: [puppet("a"), puppet("b")],
    }),
  );
  Puppet.failingStarts.set("a", 1000);
  simulation.runtime.cast("a", { crash: "crash" }).catch(() => undefined);
  assert.deepEqual(await simulation.runtime.call("b", {}), { name: "b" });
  assert.ok((Puppet.failingStarts.get("a") ?? 0) > 900, "b was served in the middle of it");
  await simulation.runUntilIdle();
  assert.deepEqual(await simulation.runtime.call("a", {}), { name: "a" });
});

test("stale: a crash in the middle of a restart that replaces the child anyway is ignored", async () => {
  await using simulation = await simulate(
    supervisor("root", {
      ...instantly,
      strategy: "ONE_FOR_ALL",
      children: [
        puppet("a"),
        puppet("b"),
        puppet("c", { config: { hangs: true }, shutdownTimeoutMs: 400 }),
      ],
    }),
  );
  await crash(simulation, "a");
  assert.equal(simulation.runtime.tree().children[2]?.status, "STOPPING");
  await crash(simulation, "b");
  assert.equal(simulation.runtime.tree().children[1]?.status, "CRASHED");
  await simulation.advance(1000);
  assert.equal(simulation.runtime.tree().crashesInWindow, 1);
  assert.deepEqual(
    simulation.runtime.tree().children.map((node) => [node.status, node.restartCount]),
    [
      ["RUNNING", 1],
      ["RUNNING", 1],
      ["RUNNING", 1],
    ],
  );
});
