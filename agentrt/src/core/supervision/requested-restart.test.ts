/** A restart that an operator asks for: it costs no budget and waits for no backoff; crashes after it do as ever. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { crash, Puppet, puppet, restartDelays, simulate } from "../../testing/puppet.ts";
import type { Simulation } from "../../testing/simulation.ts";
import { dynamicSupervisor } from "../tree/dynamic-spec.ts";
import { keyed } from "../tree/keyed-spec.ts";
import { pool } from "../tree/pool-spec.ts";
import { supervisor } from "../tree/supervisor-spec.ts";

const tight = { restartCountMax: 1, restartWindowMs: 60_000, backoffBaseMs: 1000 } as const;

async function restartOften(simulation: Simulation, name: string): Promise<void> {
  for (let count = 0; count < 5; count += 1) {
    await simulation.until(simulation.runtime.restart(name, { initiatedBy: "ada" }));
    await simulation.runUntilIdle();
  }
}

test("it is not counted and does not wait, however often, and the crash behind it has the whole budget", async () => {
  await using simulation = await simulate(
    supervisor("root", { ...tight, children: [puppet("a"), puppet("b")] }),
  );
  await restartOften(simulation, "a");
  assert.equal(simulation.clock.monotonicMs(), 0);
  const [a] = simulation.runtime.tree().children;
  assert.deepEqual([a?.status, a?.restartCount], ["RUNNING", 5]);
  assert.equal(simulation.runtime.tree().crashesInWindow, 0);
  assert.deepEqual(restartDelays(simulation), [0, 0, 0, 0, 0]);
  await crash(simulation, "a");
  await simulation.advance(1000);
  assert.equal(simulation.runtime.tree().children[0]?.status, "RUNNING");
  assert.deepEqual(restartDelays(simulation).slice(5), [1000]);
  await restartOften(simulation, "a");
  await crash(simulation, "a");
  assert.equal(simulation.runtime.tree().children[0]?.status, "CRASHED");
});

test("the strategy of the supervisor holds for it", async () => {
  await using simulation = await simulate(
    supervisor("root", {
      ...tight,
      strategy: "ONE_FOR_ALL",
      children: [puppet("a"), puppet("b")],
    }),
  );
  Puppet.trace = [];
  await simulation.until(simulation.runtime.restart("b"));
  await simulation.runUntilIdle();
  assert.deepEqual(Puppet.trace, ["stop b", "stop a", "start a", "start b"]);
});

test("members of a pool, a pool, keys and a keyed agent are restarted so", async () => {
  await using simulation = await simulate(
    supervisor("root", {
      ...tight,
      children: [
        pool(Puppet, "writers", { ...tight, size: 1 }),
        keyed(Puppet, "ticket", { ...tight, key: "id" }),
      ],
    }),
  );
  const { runtime } = simulation;
  await simulation.until(runtime.call("ticket", { id: "x" }));
  for (const name of ["writers/1", "writers", "ticket/x", "ticket"]) {
    await restartOften(simulation, name);
    if (name === "ticket/x") assert.equal(runtime.keys("ticket")[0]?.restartCount, 5);
  }
  assert.equal(simulation.clock.monotonicMs(), 0);
  assert.deepEqual(runtime.health(), { status: "ok", failed: [] });
  assert.deepEqual(
    runtime.tree().children.map(({ restartCount }) => restartCount),
    [5, 5],
  );
});

for (const restart of ["permanent", "transient", "temporary"] as const) {
  test(`a spawned child that is ${restart} is restarted so`, async () => {
    await using simulation = await simulate(
      supervisor("root", {
        children: [dynamicSupervisor("children", { restartCountMax: 1, restart })],
      }),
    );
    const { runtime } = simulation;
    await simulation.until(runtime.spawn(Puppet, "child"));
    await restartOften(simulation, "child");
    assert.equal(simulation.clock.monotonicMs(), 0);
    const [children] = runtime.tree().children;
    assert.ok(children?.kind === "supervisor");
    const [child] = children.children;
    assert.deepEqual([child?.status, child?.restartCount], ["RUNNING", 5]);
  });
}
