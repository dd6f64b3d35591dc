import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject, Message } from "../index.ts";
import {
  Agent,
  child,
  dynamicSupervisor,
  type DynamicSupervisorOptions,
  supervisor,
} from "../index.ts";
import type { Simulation } from "../../testing/index.ts";
import { crash, Puppet, puppet, simulate } from "../../testing/puppet.ts";

/** Spawns and ends children as its messages say, and writes down what it hears of them. */
class Spawner extends Agent {
  static heard: string[] = [];

  override async handle({ payload }: Message): Promise<JsonObject> {
    const { op, name, into, options, config } = payload as {
      op: string;
      name: string;
      into?: string;
      options?: object;
      config?: JsonObject;
    };
    const report =
      op === "despawn"
        ? await this.despawn(name)
        : op === "stop"
          ? await this.stopChild(name, options)
          : into === undefined
            ? await this.spawn(Puppet, name, config, options)
            : await this.spawnInto(into, Puppet, name, config, options);
    return report as unknown as JsonObject;
  }

  override onError() {
    return "skip" as const;
  }

  override onChildTerminated(name: string, reason: string): void {
    Spawner.heard.push(`${this.name}: ${name} ${reason}`);
  }
}

async function start(options: DynamicSupervisorOptions = {}): Promise<Simulation> {
  Spawner.heard = [];
  return await simulate(
    supervisor("root", {
      children: [
        dynamicSupervisor("pool", options),
        child(Spawner, "boss"),
        child(Spawner, "clerk"),
        puppet("static"),
      ],
    }),
  );
}

const names = (simulation: Simulation): string[] => {
  const pool = simulation.runtime.tree().children[0];
  return pool?.kind === "supervisor" ? pool.children.map(({ name }) => name) : [];
};

test("a spawned child runs, answers, is in tree and registry, and its spawner hears of its end", async () => {
  await using simulation = await start();
  const report = await simulation.call("boss", { op: "spawn", name: "w1", config: { a: 1 } });
  assert.deepEqual(report, { name: "w1", supervisor: "pool", isReady: true, isExisting: false });
  assert.deepEqual(await simulation.call("w1", {}), { name: "w1" });
  assert.deepEqual(names(simulation), ["w1"]);
  assert.deepEqual(await simulation.call("boss", { op: "despawn", name: "w1" }), { lateNames: [] });
  assert.deepEqual(names(simulation), []);
  await assert.rejects(simulation.call("w1", {}), { code: "AGENTRT_BUS_NO_ROUTE" });
  await simulation.runUntilIdle();
  assert.deepEqual(Spawner.heard, ["boss: w1 despawned"]);
  assert.deepEqual(Puppet.trace.slice(-2), ["start w1", "stop w1"]);
});

test("a child that crashes too often is gone for good, and nothing is escalated", async () => {
  await using simulation = await start({ restartCountMax: 1 });
  await simulation.call("boss", { op: "spawn", name: "w1" });
  await crash(simulation, "w1");
  assert.deepEqual(names(simulation), ["w1"]);
  await crash(simulation, "w1");
  assert.deepEqual(names(simulation), []);
  assert.deepEqual(Spawner.heard, ["boss: w1 restarts_exhausted"]);
  assert.equal(simulation.runtime.health().status, "ok");
});
