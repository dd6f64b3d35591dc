import assert from "node:assert/strict";
import { test } from "node:test";
import { crash, instantly, Puppet, puppet, simulate } from "../../testing/puppet.ts";
import { Simulation } from "../../testing/simulation.ts";
import { supervisor } from "../tree/supervisor-spec.ts";

test("a second stop with a nearer deadline ends the first one", async () => {
  const simulation = await simulate(
    supervisor("root", {
      children: [
        puppet("a", { config: { hangs: true } }),
        supervisor("sub", { children: [puppet("b", { config: { hangs: true } })] }),
      ],
    }),
  );
  const first = simulation.runtime.stop({ timeoutMs: 60_000 });
  await simulation.advance(1000);
  const beganMs = simulation.clock.monotonicMs();
  const second = await simulation.stop({ timeoutMs: 0 });
  assert.equal(simulation.clock.monotonicMs(), beganMs);
  assert.deepEqual(second.lateNames, ["b", "a"]);
  assert.deepEqual(await first, second);
});

test("while the tree stops, who is stopped already refuses at once, and who still runs is still served", async () => {
  const simulation = await simulate(
    supervisor("root", {
      children: [puppet("a"), puppet("b", { config: { hangs: true } }), puppet("c")],
    }),
  );
  const stopped = simulation.runtime.stop();
  await simulation.runUntilIdle();
  const beganMs = simulation.clock.monotonicMs();
  for (const name of ["b", "c"]) {
    await assert.rejects(simulation.runtime.call(name, {}), { code: "AGENTRT_AGENT_STOPPED" });
  }
  assert.deepEqual(await simulation.runtime.call("a", {}), { name: "a" });
  assert.equal(simulation.clock.monotonicMs(), beganMs);
  await simulation.stop({ timeoutMs: 0 });
  await stopped;
});

test("a stop while a child still starts ends within that child's shutdown time-out", async () => {
  const simulation = new Simulation({
    supervision: supervisor("root", {
      children: [
        puppet("a"),
        puppet("slow", { config: { hangsAtStart: true }, shutdownTimeoutMs: 300 }),
      ],
    }),
  });
  const starting = assert.rejects(simulation.runtime.start(), {
    code: "AGENTRT_SUPERVISION_START_FAILED",
    message: /stopped while it started/,
  });
  await simulation.runUntilIdle();
  const beganMs = simulation.clock.monotonicMs();
  assert.deepEqual(await simulation.stop(), { lateNames: ["slow"] });
  await starting;
  assert.equal(simulation.clock.monotonicMs() - beganMs, 300);
  assert.equal(simulation.runtime.tree().status, "STOPPED");
});

test("a sibling that does not stop in time is abandoned, and the restart of all goes on", async () => {
  await using simulation = await simulate(
    supervisor("root", {
      ...instantly,
      strategy: "ONE_FOR_ALL",
      children: [puppet("a"), puppet("b", { config: { hangs: true }, shutdownTimeoutMs: 400 })],
    }),
  );
  await crash(simulation, "a");
  assert.equal(simulation.runtime.tree().children[1]?.status, "STOPPING");
  await simulation.advance(400);
  assert.deepEqual(
    simulation.runtime.tree().children.map((node) => [node.status, node.restartCount]),
    [
      ["RUNNING", 1],
      ["RUNNING", 1],
    ],
  );
  assert.ok(simulation.events.lines.includes("400 agent.late b after 400 ms"));
  assert.ok(simulation.logLines.some((line) => /did not stop in time.*agent=b/.test(line)));
});

test("messages for a sibling that a restart of all replaces stay queued, in order, over its restart", async () => {
  await using simulation = await simulate(
    supervisor("root", {
      ...instantly,
      strategy: "ONE_FOR_ALL",
      children: [puppet("a"), puppet("b", { config: { hangs: true }, shutdownTimeoutMs: 400 })],
    }),
  );
  await crash(simulation, "a");
  const calls = [1, 2, 3].map((n) => simulation.runtime.call("b", { n }));
  await simulation.advance(400);
  assert.deepEqual(await Promise.all(calls), [{ name: "b" }, { name: "b" }, { name: "b" }]);
});

test("a stop that arrives while a failed supervisor still stops its subtree takes that over", async () => {
  const simulation = await simulate(
    supervisor("root", {
      ...instantly,
      children: [
        supervisor("sub", {
          restartCountMax: 0,
          children: [puppet("a"), puppet("b", { config: { hangs: true } })],
        }),
      ],
    }),
  );
  await crash(simulation, "a");
  assert.equal(simulation.runtime.tree().children[0]?.status, "CRASHED");
  const beganMs = simulation.clock.monotonicMs();
  assert.deepEqual(await simulation.stop({ timeoutMs: 700 }), { lateNames: ["b"] });
  assert.equal(simulation.clock.monotonicMs() - beganMs, 700);
  await simulation.advance(100_000);
  assert.equal(Puppet.trace.filter((line) => line.startsWith("start a")).length, 1);
});

test("stop() of a runtime that never started closes it, and twice gives one report", async () => {
  const simulation = new Simulation({ supervision: supervisor("root", { children: [] }) });
  const first = await simulation.stop();
  assert.deepEqual(first, { lateNames: [] });
  assert.equal(await simulation.stop(), first);
  await assert.rejects(simulation.runtime.call("a", {}), { code: "AGENTRT_BUS_NO_ROUTE" });
});

test("a stopAgent() that waits behind a restart is answered when the tree stops first", async () => {
  const simulation = await simulate(
    supervisor("root", {
      ...instantly,
      strategy: "ONE_FOR_ALL",
      children: [puppet("a"), puppet("b", { config: { hangs: true }, shutdownTimeoutMs: 400 })],
    }),
  );
  await crash(simulation, "a");
  const stopping = simulation.runtime.stopAgent("a");
  await simulation.runUntilIdle();
  await simulation.stop();
  assert.deepEqual(await stopping, { lateNames: [] });
});

test("a class that is no Agent fails the start by name", async () => {
  const simulation = new Simulation({
    supervision: supervisor("root", {
      children: [{ ...puppet("a"), create: () => new Date(0) as unknown as Puppet }],
    }),
  });
  await assert.rejects(simulation.start(), { message: /"a".*derives from Agent/ });
});

test("two nodes of one name are refused when the tree is built", () => {
  const supervision = supervisor("root", {
    children: [puppet("a"), supervisor("sub", { children: [puppet("a")] })],
  });
  assert.throws(() => new Simulation({ supervision }), {
    code: "AGENTRT_SUPERVISION_DUPLICATE_NAME",
    message: /"a"/,
  });
});

test("a child that was stopped while its restart was pending comes back when it is revived", async () => {
  const simulation = await simulate(
    supervisor("root", { backoffBaseMs: 1000, children: [puppet("a")] }),
  );
  await crash(simulation, "a");
  const stopped = simulation.runtime.stopAgent("a");
  await simulation.runUntilIdle();
  assert.deepEqual(await stopped, { lateNames: [] });
  const revived = simulation.runtime.restart("a");
  await simulation.runUntilIdle();
  await revived;
  await simulation.advance(2000);
  assert.deepEqual(await simulation.runtime.call("a", {}), { name: "a" });
  await simulation.stop();
});
