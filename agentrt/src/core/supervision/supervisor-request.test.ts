import assert from "node:assert/strict";
import { test } from "node:test";
import { crash, instantly, Puppet, puppet, simulate } from "../../testing/puppet.ts";
import { kernelInvariants } from "../../testing/invariants/index.ts";
import { Simulation } from "../../testing/simulation.ts";
import { supervisor } from "../tree/supervisor-spec.ts";

function statuses(simulation: Simulation): string[] {
  return simulation.runtime.tree().children.map((node) => node.status);
}

test("a stop of the tree waits for an agent that stopAgent() is stopping, and names it when it is late", async () => {
  const simulation = await simulate(
    supervisor("root", {
      children: [puppet("a"), puppet("b", { config: { hangs: true }, shutdownTimeoutMs: 5000 })],
    }),
  );
  const stopping = simulation.runtime.stopAgent("b");
  await simulation.runUntilIdle();
  assert.deepEqual(await simulation.stop({ timeoutMs: 300 }), { lateNames: ["b"] });
  assert.deepEqual(await stopping, { lateNames: ["b"] });
  assert.equal(simulation.clock.timerCount, 0);
});

test("a restart() that is under way is answered when the tree stops first", async () => {
  const simulation = await simulate(supervisor("root", { children: [puppet("a")] }));
  await simulation.runtime.stopAgent("a");
  Puppet.hangingStarts.add("a");
  let isAnswered = false;
  const restarting = simulation.runtime.restart("a").then(() => (isAnswered = true));
  await simulation.runUntilIdle();
  assert.equal(isAnswered, false);
  await simulation.stop();
  assert.equal(isAnswered, true);
  await restarting;
});

test("stopAgent() of a child that waits for its restart gives that restart up", async () => {
  await using simulation = await simulate(
    supervisor("root", { backoffBaseMs: 500, children: [puppet("a"), puppet("b")] }),
  );
  await crash(simulation, "a");
  await simulation.runtime.stopAgent("a");
  await assert.rejects(simulation.runtime.call("a", {}), { code: "AGENTRT_AGENT_STOPPED" });
  simulation.events.take();
  await simulation.advance(1000);
  assert.deepEqual(simulation.events.lines, []);
  assert.deepEqual(statuses(simulation), ["CRASHED", "RUNNING"]);
});

for (const strategy of ["ONE_FOR_ONE", "ONE_FOR_ALL", "REST_FOR_ONE"] as const) {
  test(`${strategy}: restart() brings a child back that was stopped while it waited for its restart`, async () => {
    await using simulation = await simulate(
      supervisor("root", { strategy, backoffBaseMs: 500, children: [puppet("a"), puppet("b")] }),
    );
    await crash(simulation, "a");
    await simulation.runtime.stopAgent("a");
    await simulation.runtime.restart("a");
    await simulation.advance(1000);
    assert.deepEqual(statuses(simulation), ["RUNNING", "RUNNING"]);
    assert.deepEqual(await simulation.runtime.call("a", {}), { name: "a" });
  });
}

test("an agent that was stopped for good stays so when its supervisor is restarted", async () => {
  await using simulation = await simulate(
    supervisor("root", {
      ...instantly,
      children: [
        supervisor("sub", {
          ...instantly,
          restartCountMax: 0,
          children: [puppet("a"), puppet("b")],
        }),
      ],
    }),
  );
  await simulation.runtime.stopAgent("a");
  await crash(simulation, "b");
  const [sub] = simulation.runtime.tree().children;
  assert.ok(sub?.kind === "supervisor");
  assert.deepEqual(
    sub.children.map((node) => [node.name, node.status]),
    [
      ["a", "STOPPED"],
      ["b", "RUNNING"],
    ],
  );
  await assert.rejects(simulation.runtime.call("a", {}), { code: "AGENTRT_AGENT_STOPPED" });
  await simulation.runtime.restart("a");
  assert.deepEqual(await simulation.runtime.call("a", {}), { name: "a" });
});

test("stopAgent() while the supervisor is down counts when it comes back", async () => {
  await using simulation = await simulate(
    supervisor("root", {
      backoffBaseMs: 500,
      children: [
        supervisor("sub", {
          ...instantly,
          restartCountMax: 0,
          children: [puppet("a"), puppet("b")],
        }),
      ],
    }),
  );
  await crash(simulation, "b");
  assert.deepEqual(await simulation.runtime.stopAgent("a"), { lateNames: [] });
  await simulation.advance(500);
  await assert.rejects(simulation.runtime.call("a", {}), { code: "AGENTRT_AGENT_STOPPED" });
  assert.deepEqual(await simulation.runtime.call("b", {}), { name: "b" });
});

test("restart() of an agent below a supervisor that was given up brings that supervisor back", async () => {
  await using simulation = await simulate(
    supervisor("root", {
      ...instantly,
      restartCountMax: 0,
      children: [
        supervisor("outer", {
          restartCountMax: 0,
          children: [supervisor("inner", { restartCountMax: 0, children: [puppet("a")] })],
        }),
        puppet("z"),
      ],
    }),
  );
  await crash(simulation, "a");
  assert.deepEqual(simulation.runtime.health(), { status: "degraded", failed: ["outer"] });
  await simulation.runtime.restart("a");
  assert.deepEqual(simulation.runtime.health(), { status: "ok", failed: [] });
  assert.deepEqual(await simulation.runtime.call("a", {}), { name: "a" });
});

test("restart() and stopAgent() are refused before the start and after the stop", async () => {
  const simulation = new Simulation({
    supervision: supervisor("root", { children: [puppet("a")] }),
  });
  const expected = { code: "AGENTRT_SUPERVISION_NOT_STARTED" };
  await assert.rejects(simulation.runtime.restart("a"), expected);
  await assert.rejects(simulation.runtime.stopAgent("a"), expected);
  await simulation.start();
  await simulation.stop();
  await assert.rejects(simulation.runtime.restart("a"), expected);
  await assert.rejects(simulation.runtime.stopAgent("a"), expected);
});

test("a stop right after the start, before anything ran, leaves nothing running", async () => {
  const simulation = new Simulation({
    supervision: supervisor("root", { children: [puppet("a"), puppet("b")] }),
  });
  Puppet.trace = [];
  const starting = assert.rejects(simulation.runtime.start(), {
    code: "AGENTRT_SUPERVISION_START_FAILED",
    message: /stopped while it started/,
  });
  await simulation.stop();
  await starting;
  await simulation.advance(1000);
  assert.deepEqual(Puppet.trace, []);
  assert.equal(simulation.runtime.status, "stopped");
  assert.equal(simulation.clock.timerCount, 0);
});

test("whoever waits for one child is answered, however many stops take over from each other", async () => {
  const simulation = await simulate(
    supervisor("root", {
      ...instantly,
      children: [
        supervisor("sub", {
          ...instantly,
          restartCountMax: 0,
          children: [
            puppet("a"),
            puppet("b", { config: { hangs: true }, shutdownTimeoutMs: 5000 }),
            puppet("c"),
          ],
        }),
      ],
    }),
  );
  await simulation.runtime.stopAgent("c");
  const answers: string[] = [];
  void simulation.runtime.stopAgent("b").then(() => answers.push("stopped"));
  await simulation.runUntilIdle();
  // Waits behind the first request, until the stops of the tree sweep both away.
  void simulation.runtime.restart("c").then(() => answers.push("restarted"));
  void simulation.runtime.stop();
  await simulation.advance(100);
  await simulation.stop({ timeoutMs: 0 });
  assert.deepEqual(answers, ["stopped", "restarted"]);
});

test("a restart that is asked for before the start of the tree was served waits for it", async () => {
  await using simulation = new Simulation({
    supervision: supervisor("root", { children: [puppet("a"), puppet("b")] }),
    invariants: kernelInvariants(),
  });
  Puppet.trace = [];
  const starting = simulation.start();
  const restarting = simulation.runtime.restart("b");
  await starting;
  await simulation.until(restarting);
  assert.deepEqual(Puppet.trace, ["start a", "start b"]);
});
