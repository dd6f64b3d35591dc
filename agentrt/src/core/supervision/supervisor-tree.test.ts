import assert from "node:assert/strict";
import { test } from "node:test";
import { crash, instantly, puppet, Puppet, simulate } from "../../testing/puppet.ts";
import { Simulation } from "../../testing/simulation.ts";
import { supervisor, type SupervisorOptions } from "../tree/supervisor-spec.ts";

test("budget exhausted with a parent: the supervisor fails upward and the parent restarts it", async () => {
  await using simulation = await simulate(
    supervisor("root", {
      backoffBaseMs: 300,
      children: [
        supervisor("sub", {
          ...instantly,
          restartCountMax: 0,
          children: [puppet("a"), puppet("b")],
        }),
        puppet("c"),
      ],
    }),
  );
  Puppet.trace = [];
  const crashed: string[] = [];
  simulation.runtime.onCrash((name) => crashed.push(name));
  await crash(simulation, "a");
  assert.deepEqual(Puppet.trace, ["stop a", "stop b"], "a failed supervisor's subtree is stopped");
  assert.equal(simulation.runtime.tree().children[0]?.status, "CRASHED");
  await simulation.advance(300);
  assert.deepEqual(Puppet.trace, ["stop a", "stop b", "start a", "start b"]);
  assert.deepEqual(crashed, ["a", "sub"]);
  assert.equal(simulation.runtime.tree().crashesInWindow, 1);
  assert.deepEqual(simulation.runtime.health(), { status: "ok", failed: [] });
});

test("parent ONE_FOR_ALL: a failed child supervisor restarts its siblings too", async () => {
  await using simulation = await simulate(
    supervisor("root", {
      ...instantly,
      strategy: "ONE_FOR_ALL",
      children: [
        puppet("x"),
        supervisor("sub", { ...instantly, restartCountMax: 0, children: [puppet("a")] }),
        puppet("y"),
      ],
    }),
  );
  Puppet.trace = [];
  await crash(simulation, "a");
  assert.deepEqual(Puppet.trace.join(", "), "stop a, stop y, stop x, start x, start a, start y");
});

test("escalation climbs three levels, each with its own budget", async () => {
  const level = (name: string, children: SupervisorOptions["children"]) =>
    supervisor(name, { ...instantly, restartCountMax: 1, children });
  await using simulation = await simulate(
    level("root", [level("middle", [level("low", [puppet("a")])]), puppet("z")]),
  );
  // Each level doubles what the tree bears: a crashes 2 times for each failure of low, and so on.
  for (let count = 0; count < 7; count += 1) await crash(simulation, "a");
  assert.deepEqual(simulation.runtime.health(), { status: "ok", failed: [] });
  await crash(simulation, "a");
  assert.deepEqual(simulation.runtime.health(), { status: "degraded", failed: ["middle"] });
  assert.deepEqual(await simulation.runtime.call("z", {}), { name: "z" });
  await assert.rejects(simulation.runtime.call("a", {}), { code: "AGENTRT_AGENT_STOPPED" });
});

test("budget exhausted at the root: the child stays CRASHED, siblings run on, restart() brings it back", async () => {
  await using simulation = await simulate(
    supervisor("root", { ...instantly, restartCountMax: 0, children: [puppet("a"), puppet("b")] }),
  );
  await crash(simulation, "a");
  await simulation.advance(600_000);
  const statuses = () => simulation.runtime.tree().children.map((node) => node.status);
  assert.deepEqual(statuses(), ["CRASHED", "RUNNING"]);
  assert.deepEqual(await simulation.runtime.call("b", {}), { name: "b" });
  await simulation.runtime.restart("a");
  assert.deepEqual(statuses(), ["RUNNING", "RUNNING"]);
  assert.deepEqual(await simulation.runtime.call("a", {}), { name: "a" });
  assert.deepEqual(simulation.runtime.health(), { status: "ok", failed: [] });
});

test("start failure at boot: start() rejects, what had started is stopped right to left", async () => {
  Puppet.trace = [];
  Puppet.failingStarts = new Map([["c", 1]]);
  const simulation = new Simulation({
    supervision: supervisor("root", {
      children: [puppet("a"), supervisor("sub", { children: [puppet("b"), puppet("c")] })],
    }),
  });
  await assert.rejects(simulation.start(), {
    code: "AGENTRT_SUPERVISION_START_FAILED",
    message: /c does not start/,
  });
  assert.deepEqual(Puppet.trace.join(", "), "start a, start b, refuse c, stop c, stop b, stop a");
  assert.equal(simulation.runtime.status, "stopped");
});

test("start: children in declaration order, a child supervisor's whole subtree in its place", async () => {
  await using _ = await simulate(
    supervisor("root", {
      children: [
        puppet("a"),
        supervisor("sub", { children: [puppet("s1"), puppet("s2")] }),
        puppet("b"),
      ],
    }),
  );
  assert.deepEqual(Puppet.trace, ["start a", "start s1", "start s2", "start b"]);
});

test("stop: the reverse of the start order", async () => {
  const simulation = await simulate(
    supervisor("root", {
      children: [
        puppet("a"),
        supervisor("sub", { children: [puppet("s1"), puppet("s2")] }),
        puppet("b"),
      ],
    }),
  );
  Puppet.trace = [];
  await simulation.stop();
  assert.deepEqual(Puppet.trace, ["stop b", "stop s2", "stop s1", "stop a"]);
});

test("agent stop: one that hangs is abandoned after its shutdown time-out, and named", async () => {
  const simulation = await simulate(
    supervisor("root", {
      children: [
        puppet("a"),
        puppet("b", { shutdownTimeoutMs: 2000, config: { hangs: true } }),
        puppet("c", { shutdownTimeoutMs: 500 }),
      ],
    }),
  );
  await simulation.runtime.cast("c", { hang: true });
  await simulation.runUntilIdle();
  const beganMs = simulation.clock.monotonicMs();
  assert.deepEqual(await simulation.stop(), { lateNames: ["c", "b"] });
  assert.equal(simulation.clock.monotonicMs() - beganMs, 2500);
  assert.equal(Puppet.trace.at(-1), "stop a");
});

test("a stop of the whole tree ends at its deadline, whatever the agents' own limits", async () => {
  const simulation = await simulate(
    supervisor("root", {
      children: ["a", "b", "c"].map((name) => puppet(name, { config: { hangs: true } })),
    }),
  );
  const beganMs = simulation.clock.monotonicMs();
  const report = await simulation.stop({ timeoutMs: 1000 });
  assert.deepEqual(report.lateNames, ["c", "b", "a"]);
  assert.equal(simulation.clock.monotonicMs() - beganMs, 1000);
});

test("stopAgent() stops one agent for good, also over a restart of all", async () => {
  await using simulation = await simulate(
    supervisor("root", {
      ...instantly,
      strategy: "ONE_FOR_ALL",
      children: [puppet("a"), puppet("b")],
    }),
  );
  assert.deepEqual(await simulation.runtime.stopAgent("a"), { lateNames: [] });
  await crash(simulation, "b");
  assert.deepEqual(
    simulation.runtime.tree().children.map((node) => node.status),
    ["STOPPED", "RUNNING"],
  );
  await assert.rejects(simulation.runtime.stopAgent("nobody"), {
    code: "AGENTRT_SUPERVISION_UNKNOWN_NAME",
  });
});

test("restart() and stopAgent() take agents alone, and say so", async () => {
  await using simulation = await simulate(
    supervisor("root", { children: [supervisor("sub", { children: [puppet("a")] })] }),
  );
  for (const name of ["root", "sub"]) {
    const expected = (action: string): object => ({
      code: "AGENTRT_SUPERVISION_NOT_AN_AGENT",
      message: `Cannot ${action} "${name}" by itself: it is a supervisor, want an agent`,
    });
    await assert.rejects(simulation.runtime.restart(name), expected("restart"));
    await assert.rejects(simulation.runtime.stopAgent(name), expected("stop"));
  }
});

test("a charged restart() of a running agent goes the way of a crash, and of a hanging one too", async () => {
  await using simulation = await simulate(
    supervisor("root", { ...instantly, children: [puppet("a", { shutdownTimeoutMs: 500 })] }),
  );
  await simulation.runtime.restart("a", { isCharged: true });
  await simulation.runUntilIdle();
  assert.equal(simulation.runtime.tree().children[0]?.restartCount, 1);
  const hanging = simulation.runtime.call("a", { hang: true });
  const rejected = assert.rejects(hanging, { code: "AGENTRT_AGENT_CRASHED" });
  await simulation.runUntilIdle();
  await simulation.runtime.restart("a", { isCharged: true });
  await simulation.advance(600);
  await rejected;
  assert.equal(simulation.runtime.tree().children[0]?.restartCount, 2);
  assert.equal(simulation.runtime.tree().crashesInWindow, 2);
});
