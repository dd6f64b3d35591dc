import assert from "node:assert/strict";
import { test } from "node:test";
import { repetitions } from "testkit";
import { Agent, child, supervisor, type JsonObject, type Message } from "../core/index.ts";
import { explore, kernelInvariants, Simulation, type Invariant } from "./index.ts";

class Counter extends Agent {
  override async handle(message: Message): Promise<JsonObject> {
    this.state["count"] = Number(this.state["count"] ?? 0) + 1;
    await this.checkpoint();
    if (this.name === "last") return { count: this.state["count"] };
    const answer = await this.call("last", { type: message.type }, { timeoutMs: 3000 });
    return { count: this.state["count"], last: answer["count"] ?? 0 };
  }
}

const strategies = ["ONE_FOR_ONE", "ONE_FOR_ALL", "REST_FOR_ONE"] as const;

function treeOf(seed: number) {
  return supervisor("root", {
    strategy: strategies[seed % 3],
    backoffBaseMs: 100,
    children: [
      child(Counter, "first"),
      child(Counter, "last", { mailboxLengthMax: 3 }),
      supervisor("below", {
        strategy: "REST_FOR_ONE",
        backoffBaseMs: 10,
        children: [child(Counter, "left"), child(Counter, "right")],
      }),
    ],
  });
}

test("explore() breaks no invariant of the kernel, whatever goes wrong", async () => {
  const seedCount = repetitions(60);
  let faultCount = 0;
  for (let seed = 1; seed <= seedCount; seed += 1) {
    const { violation, counts } = await explore({ supervision: treeOf(seed), seed });
    assert.equal(violation, undefined, `seed ${seed}: ${violation?.invariant}`);
    faultCount += counts.faults;
  }
  assert.ok(faultCount > (10 * seedCount) / 3, `${faultCount} faults in all`);
});

test("explore() repeats a run from its seed, message for message", async () => {
  const run = async (seed: number) =>
    await explore({ supervision: treeOf(seed), seed, isTraced: true });
  const { trace } = await run(9);
  assert.ok(trace.length > 50, `${trace.length} lines`);
  assert.deepEqual((await run(9)).trace, trace);
  assert.notDeepEqual((await run(8)).trace, trace);
});

test("explore() reports the first invariant of the user's own that is broken, and when", async () => {
  const never = (): Invariant => ({
    name: "never-two-crashes",
    onQuiet: (view) => {
      const { errors = 0 } = view.snapshot().agents["last"] ?? {};
      return errors > 1 ? `"last" crashed ${errors} times` : undefined;
    },
  });
  for (let seed = 1; seed < 100; seed += 1) {
    const report = await explore({ supervision: treeOf(seed), seed, invariants: () => [never()] });
    if (report.violation === undefined) continue;
    assert.equal(report.violation.invariant, "never-two-crashes");
    assert.match(report.violation.reason, /"last" crashed 2 times/);
    assert.ok(report.violation.atMs > 0);
    return;
  }
  assert.fail("no seed crashes it twice");
});

test("Simulation with invariants throws where one of them is broken", async () => {
  const invariants: Invariant[] = [
    ...kernelInvariants(),
    { name: "no-count", onQuiet: (view) => (view.sentCount > 2 ? "too many" : undefined) },
  ];
  const simulation = new Simulation({ supervision: treeOf(1), invariants });
  await simulation.start();
  await simulation.call("last", {});
  await assert.rejects(simulation.call("first", {}), {
    message: 'invariant "no-count" is broken: too many',
  });
  await simulation.stop();
});

test("explore() without faults crashes nobody", async () => {
  for (let seed = 1; seed <= repetitions(10); seed += 1) {
    const { counts, violation } = await explore({
      supervision: treeOf(seed),
      seed,
      isCalm: true,
      workload: async ({ call, sleep }) => {
        for (let n = 0; n < 5; n += 1) {
          const { count } = await call("last", {});
          if (count !== n + 1) throw new Error(`wrong after ${n} calls`);
          await sleep(100);
        }
      },
    });
    assert.equal(violation, undefined);
    assert.deepEqual([counts.faults, counts.injectedCrashes, counts.ownCrashes], [0, 0, 0]);
  }
});

test("a workload that finds a wrong answer breaks an invariant of its own", async () => {
  const { violation } = await explore({
    supervision: treeOf(1),
    seed: 1,
    isCalm: true,
    workload: () => {
      throw new Error("the sum is wrong");
    },
  });
  assert.equal(violation?.invariant, "workload");
  assert.equal(violation?.reason, "the sum is wrong");
});

test("explore() comes to an end with agents that feed each other for ever", async () => {
  class Feeding extends Agent {
    override async handle(): Promise<void> {
      await this.cast(this.name === "ping" ? "pong" : "ping", {});
    }
  }
  const supervision = supervisor("root", {
    children: [child(Feeding, "ping"), child(Feeding, "pong")],
  });
  for (let seed = 1; seed <= 3; seed += 1) {
    const { violation, counts } = await explore({ supervision, seed, stepCountMax: 500 });
    assert.equal(violation, undefined);
    assert.ok(counts.messages > 20, `${counts.messages} messages`);
  }
});
