import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachSeed } from "../../testing/for-each-seed.ts";
import { crash, instantly, Puppet, puppet, restartDelays, simulate } from "../../testing/puppet.ts";
import { Simulation } from "../../testing/simulation.ts";
import { Agent } from "../agents/agent.ts";
import { child } from "../tree/agent-spec.ts";
import { supervisor } from "../tree/supervisor-spec.ts";

test("a later stop never moves the deadline of an earlier one away", async () => {
  const simulation = await simulate(
    supervisor("root", {
      children: [
        puppet("a", { config: { hangs: true } }),
        puppet("b", { config: { hangs: true }, shutdownTimeoutMs: 50 }),
      ],
    }),
  );
  const first = simulation.runtime.stop({ timeoutMs: 100 });
  await simulation.runUntilIdle();
  const second = simulation.runtime.stop({ timeoutMs: 60_000 });
  await simulation.advance(100);
  assert.equal(simulation.runtime.status, "stopped");
  assert.deepEqual(await first, { lateNames: ["b", "a"] });
  assert.equal(await second, await first);
});

test("while the tree stops, a child that waits for its restart refuses at once", async () => {
  const simulation = await simulate(
    supervisor("root", {
      backoffBaseMs: 60_000,
      children: [puppet("a"), puppet("b", { config: { hangs: true } })],
    }),
  );
  await crash(simulation, "a");
  const waiting = simulation.runtime.call("a", {});
  const stopped = simulation.runtime.stop();
  const expected = { code: "AGENTRT_AGENT_STOPPED" };
  await assert.rejects(waiting, expected);
  await assert.rejects(simulation.runtime.call("a", {}), expected);
  await simulation.until(stopped);
});

test("a stop in the middle of a restart of all starts none of them", async () => {
  const simulation = await simulate(
    supervisor("root", {
      ...instantly,
      strategy: "ONE_FOR_ALL",
      children: [
        puppet("a"),
        puppet("b", { config: { hangs: true }, shutdownTimeoutMs: 400 }),
        puppet("c"),
      ],
    }),
  );
  await crash(simulation, "a");
  Puppet.trace = [];
  await simulation.stop();
  await simulation.advance(10_000);
  assert.deepEqual(Puppet.trace, []);
  assert.equal(simulation.runtime.tree().status, "STOPPED");
});

test("a restart of all goes on without a child that the root gives up in the middle of it", async () => {
  await using simulation = await simulate(
    supervisor("root", {
      ...instantly,
      strategy: "ONE_FOR_ALL",
      restartCountMax: 1,
      children: [puppet("a"), puppet("b"), puppet("c")],
    }),
  );
  Puppet.failingStarts.set("b", 1);
  await crash(simulation, "a");
  assert.deepEqual(simulation.runtime.health().failed, ["b"]);
  assert.deepEqual(await simulation.runtime.call("a", {}), { name: "a" });
  assert.deepEqual(await simulation.runtime.call("c", {}), { name: "c" });
});

test("a restart that fails beyond the budget fails upward, and the parent starts all anew", async () => {
  await using simulation = await simulate(
    supervisor("root", {
      ...instantly,
      children: [
        supervisor("sub", {
          ...instantly,
          restartCountMax: 1,
          children: [puppet("a"), puppet("b")],
        }),
      ],
    }),
  );
  Puppet.failingStarts.set("a", 1);
  Puppet.trace = [];
  await crash(simulation, "a");
  assert.equal(Puppet.trace.join(", "), "stop a, refuse a, stop a, stop b, start a, start b");
  assert.deepEqual(await simulation.runtime.call("a", {}), { name: "a" });
});

test("a stop that arrives with a crash whose restart waits for a turn alone restarts nothing", async () => {
  await forEachSeed({ count: 20 }, async (seed) => {
    const simulation = new Simulation({
      seed,
      supervision: supervisor("root", { ...instantly, children: [puppet("a"), puppet("b")] }),
    });
    await simulation.start();
    Puppet.trace = [];
    simulation.runtime.onCrash(() => void simulation.runtime.stop());
    await simulation.cast("a", { crash: "crash" });
    await simulation.advance(1000);
    assert.deepEqual(Puppet.trace, ["stop a", "stop b"]);
    assert.equal(simulation.runtime.status, "stopped");
  });
});

test("a pending restart that has nobody left to restart is no event", async () => {
  await using simulation = await simulate(
    supervisor("root", { strategy: "ONE_FOR_ALL", backoffBaseMs: 500, children: [puppet("a")] }),
  );
  await crash(simulation, "a");
  await simulation.runtime.stopAgent("a");
  simulation.events.take();
  await simulation.advance(1000);
  assert.deepEqual(simulation.events.lines, []);
});

test("restart() starts a child whose own restart was given up at once, and one that others share in its time", async () => {
  for (const [strategy, startedAtMs] of [
    ["ONE_FOR_ONE", 0],
    ["ONE_FOR_ALL", 500],
  ] as const) {
    await using simulation = await simulate(
      supervisor("root", { strategy, backoffBaseMs: 500, children: [puppet("a"), puppet("b")] }),
    );
    await crash(simulation, "a");
    await simulation.runtime.stopAgent("a");
    simulation.events.take();
    await simulation.runtime.restart("a");
    await simulation.advance(1000);
    const starts = simulation.events.lines.filter((line) => line.endsWith("agent.started a"));
    assert.deepEqual(starts, [`${startedAtMs} agent.started a`], strategy);
  }
});

test("cap: a wait that the window has made shorter is not made longer by a pending one", async () => {
  await using simulation = await simulate(
    supervisor("root", {
      backoff: "LINEAR",
      backoffBaseMs: 400,
      restartWindowMs: 1000,
      restartCountMax: 9,
      strategy: "REST_FOR_ONE",
      children: [puppet("a"), puppet("b")],
    }),
  );
  await crash(simulation, "a");
  await simulation.advance(900);
  await crash(simulation, "a");
  await simulation.advance(200);
  await crash(simulation, "b");
  await simulation.advance(5000);
  assert.deepEqual(restartDelays(simulation), [400, 800, 800]);
  assert.deepEqual(
    simulation.runtime.tree().children.map((node) => node.restartCount),
    [2, 2],
    "b's crash is covered by the pending restart of a",
  );
});

test("a stop leaves no timer behind, whatever waited: a backoff, a stop hook, a time-out", async () => {
  const simulation = await simulate(
    supervisor("root", {
      backoffBaseMs: 60_000,
      children: [puppet("a"), puppet("b"), puppet("c")],
    }),
  );
  const hanging = assert.rejects(simulation.runtime.call("c", { hang: true }), {
    code: "AGENTRT_AGENT_STOPPED",
  });
  await crash(simulation, "a");
  await simulation.stop({ timeoutMs: 100 });
  await hanging;
  assert.equal(simulation.clock.timerCount, 0);
});

test("an agent that was stopped and brought back is supervised as before", async () => {
  await using simulation = await simulate(
    supervisor("root", { ...instantly, children: [puppet("a")] }),
  );
  await simulation.runtime.stopAgent("a");
  await simulation.runtime.restart("a");
  await crash(simulation, "a");
  assert.deepEqual(await simulation.runtime.call("a", {}), { name: "a" });
  assert.equal(simulation.runtime.tree().children[0]?.restartCount, 2);
});

test("the uptime of an agent or a supervisor is that of its running life", async () => {
  await using simulation = await simulate(
    supervisor("root", {
      backoffBaseMs: 500,
      children: [supervisor("sub", { restartCountMax: 0, children: [puppet("a")] })],
    }),
  );
  const uptimes = () => {
    const root = simulation.runtime.tree();
    const [sub] = root.children;
    assert.ok(sub?.kind === "supervisor");
    return [root.uptimeMs, sub.uptimeMs, sub.children[0]?.uptimeMs];
  };
  await simulation.advance(100);
  assert.deepEqual(uptimes(), [100, 100, 100]);
  await crash(simulation, "a");
  assert.deepEqual(uptimes(), [100, 0, 0]);
  await simulation.advance(600);
  assert.deepEqual(uptimes(), [700, 100, 100]);
});

for (const outcome of ["ends", "fails"] as const) {
  test(`a stop waits for the children after one whose start ${outcome} meanwhile`, async () => {
    const trace: string[] = [];
    const gates = new Map<string, () => void>();
    let isSlow = false;
    class Slow extends Agent {
      override async onStart(): Promise<void> {
        if (!isSlow || this.name !== "left") return;
        await new Promise<void>((resolve) => void gates.set("left", resolve));
        if (outcome === "fails") throw new Error("left does not start");
      }

      override async handle(): Promise<void> {
        await new Promise<void>((resolve) => void gates.set(this.name, resolve));
      }

      override onStop(): void {
        trace.push(`stop ${this.name}`);
      }
    }
    const simulation = new Simulation({
      supervision: supervisor("root", {
        children: [child(Slow, "first"), child(Slow, "left"), child(Slow, "right")],
      }),
    });
    await simulation.start();
    await simulation.runtime.stopAgent("left");
    isSlow = true;
    const revived = simulation.runtime.restart("left");
    await simulation.cast("right", {});
    trace.length = 0;
    const stopped = simulation.runtime.stop();
    await simulation.runUntilIdle();
    // The right one is in the middle of a message when the start of the left one comes to its end.
    gates.get("left")?.();
    await simulation.runUntilIdle();
    assert.ok(!trace.includes("stop first"), trace.join(", "));
    gates.get("right")?.();
    await simulation.until(Promise.all([stopped, revived]));
    assert.deepEqual(
      trace.filter((line) => line !== "stop left"),
      ["stop right", "stop first"],
    );
    assert.equal(trace.filter((line) => line === "stop left").length, 1);
    if (outcome === "ends") assert.deepEqual(trace, ["stop right", "stop left", "stop first"]);
  });
}
