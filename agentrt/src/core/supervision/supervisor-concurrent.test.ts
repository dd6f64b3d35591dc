/** Crashes that come at one time, and crashes of agents that are being stopped. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { repetitions } from "testkit";
import { forEachSeed } from "../../testing/index.ts";
import { kernelInvariants } from "../../testing/invariants/index.ts";
import { Puppet, puppet } from "../../testing/puppet.ts";
import { Simulation } from "../../testing/simulation.ts";
import { Agent } from "../agents/agent.ts";
import { child } from "../tree/agent-spec.ts";
import { supervisor } from "../tree/supervisor-spec.ts";

/** Each holds its message until all are told to fail. */
class Brittle extends Agent {
  static trace: string[] = [];
  static held: (() => void)[] = [];

  static failAll(): void {
    for (const fail of Brittle.held.splice(0)) fail();
  }

  override onStart(): void {
    Brittle.trace.push(`start ${this.name}`);
  }
  override async handle(): Promise<void> {
    await new Promise<void>((_, reject) => {
      Brittle.held.push(() => reject(new Error("at once")));
    });
  }
}

const names = ["a", "b", "c"];

for (const backoffBaseMs of [0, 100]) {
  test(`all three children of a ONE_FOR_ALL crash at once: one cycle of restarts, after ${backoffBaseMs} ms`, async () => {
    await forEachSeed({ count: repetitions(30) }, async (seed) => {
      Brittle.trace = [];
      await using simulation = new Simulation({
        seed,
        invariants: kernelInvariants(),
        supervision: supervisor("root", {
          strategy: "ONE_FOR_ALL",
          backoffBaseMs,
          restartCountMax: 3,
          children: names.map((name) => child(Brittle, name)),
        }),
      });
      await simulation.start();
      for (const name of names) await simulation.cast(name, {});
      Brittle.failAll();
      await simulation.advance(1000);
      const lines = simulation.events.lines;
      const restarts = lines.filter((line) => line.includes("supervisor.restart"));
      assert.equal(restarts.length, 1, restarts.join("\n"));
      assert.equal(lines.filter((line) => line.includes("agent.crashed")).length, 3);
      const starts = names.map((name) => `start ${name}`);
      assert.deepEqual(Brittle.trace, [...starts, ...starts]);
      assert.deepEqual(simulation.runtime.health(), { status: "ok", failed: [] });
    });
  });
}

test("an agent whose message at hand fails while the tree stops is not restarted, and uses up no budget", async () => {
  for (const strategy of ["ONE_FOR_ONE", "ONE_FOR_ALL", "REST_FOR_ONE"] as const) {
    Puppet.trace = [];
    const simulation = new Simulation({
      supervision: supervisor("root", {
        strategy,
        backoffBaseMs: 0,
        children: [puppet("first"), child(Brittle, "brittle"), puppet("last")],
      }),
    });
    await simulation.start();
    await simulation.cast("brittle", {});
    const stopping = simulation.runtime.stop();
    await simulation.runUntilIdle();
    Brittle.failAll();
    assert.deepEqual(await simulation.until(stopping), { lateNames: [] });
    await simulation.advance(1000);
    assert.deepEqual(Puppet.trace, ["start first", "start last", "stop last", "stop first"]);
    assert.ok(!simulation.events.lines.some((line) => /supervisor\.(crash|restart)/.test(line)));
    assert.equal(simulation.runtime.tree().crashesInWindow, 0);
  }
});
