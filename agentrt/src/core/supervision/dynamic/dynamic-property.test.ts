import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { repetitions } from "testkit";
import { dynamicSupervisor, supervisor } from "../../index.ts";
import { Puppet, simulate } from "../../../testing/puppet.ts";

type Step =
  | { readonly kind: "spawn"; readonly name: string; readonly isWaiting: boolean }
  | { readonly kind: "despawn" | "stop" | "crash" | "end"; readonly name: string }
  | { readonly kind: "failStart"; readonly name: string }
  | { readonly kind: "advance"; readonly ms: number };

const name = fc.constantFrom("a", "b", "c", "d", "e", "f");
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("spawn" as const), name, isWaiting: fc.boolean() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom("despawn" as const, "stop" as const, "crash" as const, "end" as const),
      name,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("failStart" as const), name }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("advance" as const), ms: fc.nat(100) }) },
);

class Ending extends Puppet {
  override onError() {
    return "stop" as const;
  }
}

test("whatever is spawned, ended and crashed: live children stay within their limits, and registry, tree and counts agree", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 40, size: "max" }),
      fc.constantFrom("permanent" as const, "transient" as const, "temporary" as const),
      fc.integer({ min: 1, max: 4 }),
      async (steps, restart, childCountMax) => {
        const limits = { restart, childCountMax, restartCountMax: 1, restartWindowMs: 50 };
        await using simulation = await simulate(
          supervisor("root", { children: [dynamicSupervisor("pool", limits)] }),
        );
        const { runtime } = simulation;
        let liveCount = 0;
        let liveCountMax = 0;
        let spawnCount = 0;
        runtime.onEvent((event) => {
          if (event.type === "dynamic.spawned") {
            liveCount += 1;
            spawnCount += 1;
          }
          if (event.type === "dynamic.terminated") liveCount -= 1;
          liveCountMax = Math.max(liveCountMax, liveCount);
        });
        const ignore = (): void => undefined;
        for (const each of steps) {
          if (each.kind === "spawn") {
            const agentClass = each.name < "d" ? Puppet : Ending;
            runtime.spawn(agentClass, each.name, {}, { wait: each.isWaiting }).catch(ignore);
          } else if (each.kind === "despawn") runtime.despawn(each.name).catch(ignore);
          else if (each.kind === "stop") runtime.stopChild(each.name).catch(ignore);
          else if (each.kind === "failStart") Puppet.failingStarts.set(each.name, 1);
          else if (each.kind === "advance") await simulation.advance(each.ms);
          else runtime.cast(each.name, { crash: each.kind }).catch(ignore);
        }
        await simulation.runUntilIdle();
        const pool = runtime.tree().children[0];
        assert.ok(pool?.kind === "supervisor" && pool.dynamic !== undefined);
        const living = pool.children.map((node) => node.name).toSorted();
        const registered = runtime.registry.list().map((registration) => registration.name);
        assert.deepEqual(
          registered.filter((each) => each !== "root" && each !== "pool").toSorted(),
          living,
        );
        assert.deepEqual(Object.keys(runtime.snapshot().agents).toSorted(), living);
        assert.deepEqual(
          [pool.dynamic.liveCount, pool.dynamic.spawnCount],
          [liveCount, spawnCount],
        );
        assert.equal(living.length, liveCount);
        assert.ok(liveCountMax <= childCountMax);
        for (const node of pool.children) assert.equal(node.status, "RUNNING");
        await simulation.stop();
        assert.equal(liveCount, 0);
        assert.equal(simulation.clock.timerCount, 0);
      },
    ),
    { numRuns: repetitions(150) },
  );
});
