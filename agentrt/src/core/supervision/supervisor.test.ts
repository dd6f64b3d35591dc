import assert from "node:assert/strict";
import { test } from "node:test";
import { crash, instantly, puppet, Puppet, restartDelays, simulate } from "../../testing/puppet.ts";
import { supervisor, type SupervisorOptions } from "../tree/supervisor-spec.ts";

test("budget scope: one sliding window, shared by all children of a supervisor", async () => {
  await using simulation = await simulate(
    supervisor("root", { ...instantly, restartCountMax: 2, children: [puppet("a"), puppet("b")] }),
  );
  await crash(simulation, "a");
  await crash(simulation, "b");
  assert.equal(simulation.runtime.tree().crashesInWindow, 2);
  assert.deepEqual(simulation.runtime.health(), { status: "ok", failed: [] });
  await crash(simulation, "a");
  assert.deepEqual(simulation.runtime.health(), { status: "degraded", failed: ["a"] });
});

test("recording: a crash as old as the window no longer counts, one a millisecond younger does", async () => {
  await using simulation = await simulate(
    supervisor("root", {
      ...instantly,
      restartCountMax: 1,
      restartWindowMs: 1000,
      children: [puppet("a"), puppet("b")],
    }),
  );
  await crash(simulation, "a");
  await simulation.advance(1000);
  await crash(simulation, "a");
  assert.equal(simulation.runtime.tree().crashesInWindow, 1);
  await simulation.advance(999);
  await crash(simulation, "b");
  assert.deepEqual(simulation.runtime.health().failed, ["b"]);
});

for (const restartCountMax of [0, 3]) {
  test(`exhausted: a budget of ${restartCountMax} allows ${restartCountMax} restarts, the next crash is one too many`, async () => {
    await using simulation = await simulate(
      supervisor("root", { ...instantly, restartCountMax, children: [puppet("a")] }),
    );
    for (let count = 1; count <= restartCountMax; count += 1) {
      await crash(simulation, "a");
      assert.deepEqual(await simulation.runtime.call("a", {}), { name: "a" });
    }
    await crash(simulation, "a");
    assert.deepEqual(simulation.runtime.health(), { status: "degraded", failed: ["a"] });
    const [node] = simulation.runtime.tree().children;
    assert.equal(node?.status, "CRASHED");
    assert.equal(node?.restartCount, restartCountMax);
    await assert.rejects(simulation.runtime.call("a", {}), { code: "AGENTRT_AGENT_STOPPED" });
  });
}

async function delaysOf(
  options: Omit<SupervisorOptions, "children">,
  crashCount: number,
): Promise<number[]> {
  await using simulation = await simulate(
    supervisor("root", { restartCountMax: 10, ...options, children: [puppet("a")] }),
  );
  for (let count = 0; count < crashCount; count += 1) {
    await crash(simulation, "a");
    await simulation.advance(options.backoffMaxMs ?? 60_000);
  }
  return restartDelays(simulation);
}

test("CONSTANT: every wait is the base", async () => {
  const delays = await delaysOf({ backoff: "CONSTANT", backoffBaseMs: 50, backoffMaxMs: 900 }, 4);
  assert.deepEqual(delays, [50, 50, 50, 50]);
});

test("LINEAR: the base times the crashes in the window, capped", async () => {
  const delays = await delaysOf({ backoff: "LINEAR", backoffBaseMs: 300, backoffMaxMs: 1000 }, 5);
  assert.deepEqual(delays, [300, 600, 900, 1000, 1000]);
});

test("EXPONENTIAL: doubles, with up to a quarter of jitter on top, and the cap after the jitter", async () => {
  const delays = await delaysOf(
    { backoff: "EXPONENTIAL", backoffBaseMs: 100, backoffMaxMs: 850 },
    5,
  );
  for (const [index, base] of [100, 200, 400].entries()) {
    const delay = delays[index] ?? 0;
    assert.ok(delay > base && delay < base * 1.25, `${delay} for ${base}`);
  }
  assert.ok((delays[3] ?? 0) <= 850 && (delays[3] ?? 0) > 800);
  assert.equal(delays[4], 850);
});

test("n: counts crashes in the window, not over the child's life", async () => {
  await using simulation = await simulate(
    supervisor("root", {
      backoff: "LINEAR",
      backoffBaseMs: 10,
      restartWindowMs: 1000,
      children: [puppet("a")],
    }),
  );
  await crash(simulation, "a");
  await simulation.advance(100);
  await crash(simulation, "a");
  await simulation.advance(5000);
  await crash(simulation, "a");
  assert.deepEqual(restartDelays(simulation), [10, 20, 10]);
});

test("restart_count: counts a child's restarts over its life, whatever the window", async () => {
  await using simulation = await simulate(
    supervisor("root", { ...instantly, restartWindowMs: 10, children: [puppet("a"), puppet("b")] }),
  );
  for (let count = 0; count < 6; count += 1) {
    await crash(simulation, "a");
    await simulation.advance(20);
  }
  const tree = simulation.runtime.tree();
  assert.deepEqual(
    tree.children.map((node) => node.restartCount),
    [6, 0],
  );
  assert.equal(tree.crashesInWindow, 0);
});

const strategyRows = [
  { strategy: "ONE_FOR_ONE", crashed: "a", order: ["stop a", "start a"] },
  { strategy: "ONE_FOR_ONE", crashed: "b", order: ["stop b", "start b"] },
  { strategy: "ONE_FOR_ONE", crashed: "c", order: ["stop c", "start c"] },
  {
    strategy: "ONE_FOR_ALL",
    crashed: "a",
    order: ["stop a", "stop c", "stop b", "start a", "start b", "start c"],
  },
  {
    strategy: "ONE_FOR_ALL",
    crashed: "b",
    order: ["stop b", "stop c", "stop a", "start a", "start b", "start c"],
  },
  {
    strategy: "ONE_FOR_ALL",
    crashed: "c",
    order: ["stop c", "stop b", "stop a", "start a", "start b", "start c"],
  },
  {
    strategy: "REST_FOR_ONE",
    crashed: "a",
    order: ["stop a", "stop c", "stop b", "start a", "start b", "start c"],
  },
  { strategy: "REST_FOR_ONE", crashed: "b", order: ["stop b", "stop c", "start b", "start c"] },
  { strategy: "REST_FOR_ONE", crashed: "c", order: ["stop c", "start c"] },
] as const;

for (const { strategy, crashed, order } of strategyRows) {
  test(`${strategy}: a crash of "${crashed}" stops right to left and starts left to right`, async () => {
    await using simulation = await simulate(
      supervisor("root", {
        ...instantly,
        strategy,
        children: [puppet("a"), puppet("b"), puppet("c")],
      }),
    );
    Puppet.trace = [];
    await crash(simulation, crashed);
    assert.deepEqual(Puppet.trace, order);
    assert.deepEqual(
      simulation.runtime.tree().children.map((node) => node.status),
      ["RUNNING", "RUNNING", "RUNNING"],
    );
    assert.deepEqual(await simulation.runtime.call(crashed, {}), { name: crashed });
  });
}

test("a child supervisor inside ONE_FOR_ALL stops and starts its subtree in its place", async () => {
  await using simulation = await simulate(
    supervisor("root", {
      ...instantly,
      strategy: "ONE_FOR_ALL",
      children: [
        puppet("a"),
        supervisor("sub", { children: [puppet("s1"), puppet("s2")] }),
        puppet("c"),
      ],
    }),
  );
  Puppet.trace = [];
  await crash(simulation, "a");
  assert.deepEqual(
    Puppet.trace.join(", "),
    "stop a, stop c, stop s2, stop s1, start a, start s1, start s2, start c",
  );
});

test("a restarted child supervisor begins with an empty window", async () => {
  await using simulation = await simulate(
    supervisor("root", {
      ...instantly,
      children: [supervisor("sub", { ...instantly, restartCountMax: 1, children: [puppet("a")] })],
    }),
  );
  await crash(simulation, "a");
  await crash(simulation, "a");
  const [sub] = simulation.runtime.tree().children;
  assert.ok(sub?.kind === "supervisor");
  assert.equal(sub.crashesInWindow, 0);
  assert.equal(sub.restartCount, 1);
  await crash(simulation, "a");
  assert.equal(simulation.runtime.tree().crashesInWindow, 1, "the new window allows one again");
});

test("backoff: nothing stops or starts before the wait is over", async () => {
  await using simulation = await simulate(
    supervisor("root", {
      strategy: "ONE_FOR_ALL",
      backoffBaseMs: 500,
      children: [puppet("a"), puppet("b")],
    }),
  );
  Puppet.trace = [];
  await crash(simulation, "a");
  await simulation.advance(499);
  assert.deepEqual(Puppet.trace, ["stop a"]);
  assert.deepEqual(await simulation.runtime.call("b", {}), { name: "b" });
  await simulation.advance(1);
  assert.deepEqual(Puppet.trace, ["stop a", "stop b", "start a", "start b"]);
});
