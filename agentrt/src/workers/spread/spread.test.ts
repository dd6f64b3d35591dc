/** Pools and keyed agents over several workers, under a virtual clock: placed, handed over, taken from the dead, never at two. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Cluster } from "./test-support/cluster.ts";

const all = (shares: readonly number[]): number => shares.reduce((sum, each) => sum + each, 0);

test("members of a pool are spread evenly, take turns, and move when a worker comes or dies", async () => {
  const cluster = new Cluster();
  const runtime = await cluster.startSupervisor();
  await assert.rejects(runtime.call("team", {}), { code: "AGENTRT_WORKER_AWAY", httpStatus: 503 });
  await cluster.startWorker("a");
  await cluster.untilShared("team", (shares) => shares.join() === "4");
  await cluster.startWorker("b");
  await cluster.untilShared("team", (shares) => shares.join() === "2,2");
  const calls = Array.from({ length: 40 }, () =>
    runtime.call("team", { takesMs: 10 }, { timeoutMs: 5000 }),
  );
  const replies = await cluster.settle(Promise.all(calls));
  const at = (worker: string) => replies.filter((each) => each["worker"] === worker).length;
  assert.deepEqual([at("a"), at("b")], [20, 20]);
  assert.equal(new Set(replies.map((each) => each["member"])).size, 4);

  // What a dead worker had at hand fails; the others are served on.
  const busy = Array.from({ length: 8 }, () =>
    runtime.call("team", { takesMs: 60_000 }, { timeoutMs: 120_000 }),
  );
  const ended = Promise.allSettled(busy);
  await cluster.clock.advance(10);
  cluster.broker.cut("b");
  const results = await cluster.settle(ended, 500);
  const codes = results.map((each) =>
    each.status === "fulfilled" ? "served" : (each.reason as { code?: string }).code,
  );
  assert.equal(codes.filter((code) => code === "AGENTRT_LINK_LOST").length, 4, codes.join());
  assert.equal(codes.filter((code) => code === "served").length, 4, codes.join());
  await cluster.untilShared("team", (shares) => shares.join() === "4");
  await cluster.stop();
});

test("keys are at one worker each, and few of them move when a worker comes", async () => {
  const cluster = new Cluster();
  const runtime = await cluster.startSupervisor();
  for (const name of ["a", "b", "c"]) await cluster.startWorker(name);
  await cluster.untilShared("counter", (shares) => all(shares) === 256 && shares.length === 3);
  const keys = Array.from({ length: 300 }, (_, index) => `k${index}`);
  const ask = async () => {
    const replies = await cluster.settle(
      Promise.all(keys.map((id) => runtime.call("counter", { id }, { timeoutMs: 60_000 }))),
    );
    return replies.map(({ worker, count }) => ({ worker, count }));
  };
  const before = await ask();
  for (const share of cluster.shares("counter")) assert.ok(share > 50, String(share));
  await cluster.startWorker("d");
  await cluster.untilShared("counter", (shares) => all(shares) === 256 && shares.length === 4);
  const after = await ask();
  assert.ok(after.every(({ count }) => count === 2));
  const moved = after.filter(({ worker }, index) => worker !== before[index]?.worker);
  assert.ok(moved.length > 30 && moved.length < 120, String(moved.length));
  assert.ok(moved.every(({ worker }) => worker === "d"));
  await cluster.stop();
});

test("while keys move under load, each is handled in order, at one worker at a time, and nothing is lost", async () => {
  const cluster = new Cluster();
  const runtime = await cluster.startSupervisor();
  await cluster.startWorker("a");
  await cluster.untilShared("counter", (shares) => shares.join() === "256");
  const keys = Array.from({ length: 30 }, (_, index) => `k${index}`);
  const calls: Promise<unknown>[] = [];
  const failed: unknown[] = [];
  const load = async (from: number, to: number): Promise<void> => {
    for (let number = from; number < to; number += 1) {
      for (const id of keys)
        calls.push(
          runtime
            .call("counter", { id, number, takesMs: 3 }, { timeoutMs: 60_000 })
            .catch((error: unknown) => failed.push(error)),
        );
      await cluster.clock.advance(5);
    }
  };
  await load(0, 10);
  const joining = cluster.startWorker("b");
  await load(10, 50);
  await joining;
  const worker = await cluster.startWorker("c");
  await load(50, 90);
  await cluster.untilShared("counter", (shares) => all(shares) === 256 && shares.length === 3);
  const stopping = worker.stop({ timeoutMs: 30_000 });
  await load(90, 120);
  await cluster.settle(stopping);
  await cluster.untilShared("counter", (shares) => all(shares) === 256 && shares.length === 2);
  await cluster.settle(Promise.all(calls));
  assert.deepEqual(failed, []);

  assert.equal(cluster.states.refusedCount, 0);
  for (const key of keys) {
    const handled = cluster.handled.filter((each) => each.key === key);
    assert.deepEqual(
      handled.map(({ number }) => number),
      Array.from({ length: 120 }, (_, index) => index),
    );
    for (const [index, { endedMs }] of handled.entries())
      assert.ok(endedMs <= (handled[index + 1]?.beganMs ?? Number.POSITIVE_INFINITY));
    assert.deepEqual(await cluster.states.get(`counter/${key}`), { count: 120 });
  }
  assert.equal(new Set(cluster.handled.map((each) => each.worker)).size, 3);
  await cluster.stop();
});

for (const way of ["cut", "mute", "deaf"] as const)
  test(`a worker that is ${way} ends its keys before others have them, and saves nothing afterwards`, async () => {
    const cluster = new Cluster();
    const runtime = await cluster.startSupervisor();
    await cluster.startWorker("a");
    await cluster.startWorker("b");
    await cluster.untilShared("counter", (shares) => all(shares) === 256 && shares.length === 2);
    const keys = Array.from({ length: 40 }, (_, index) => `k${index}`);
    const ask = (takesMs: number) =>
      keys.map((id) => runtime.call("counter", { id, takesMs }, { timeoutMs: 600_000 }));
    const first = await cluster.settle(Promise.all(ask(1)));
    const atB = keys.filter((_, index) => first[index]?.["worker"] === "b");
    assert.ok(atB.length > 5);

    // Messages that take longer than the lease are at work there.
    const slow = Promise.allSettled(ask(20_000));
    await cluster.clock.advance(100);
    if (way !== "deaf") cluster.broker.mute.add("b");
    if (way !== "mute") cluster.broker.deaf.add("b");
    const cutAtMs = cluster.clock.monotonicMs();
    await cluster.untilShared("counter", (shares) => shares.join() === "256");
    assert.ok(cluster.clock.monotonicMs() - cutAtMs <= 12_500);
    const results = await cluster.settle(slow, 200);
    for (const [index, key] of keys.entries())
      assert.equal(results[index]?.status, atB.includes(key) ? "rejected" : "fulfilled", key);
    const later = await cluster.settle(Promise.all(ask(1)));
    assert.ok(later.every(({ worker }) => worker === "a"));
    for (const [index, key] of keys.entries())
      assert.equal(later[index]?.["count"], atB.includes(key) ? 2 : 3, key);
    const begunAfter = cluster.handled.filter(
      ({ worker, beganMs }) => worker === "b" && beganMs > cutAtMs + 10_000,
    );
    assert.deepEqual(begunAfter, []);

    // It comes back with nothing, and gets its share again.
    cluster.broker.mend("b");
    await cluster.untilShared("counter", (shares) => all(shares) === 256 && shares.length === 2);
    const last = await cluster.settle(Promise.all(ask(1)));
    for (const [index, key] of keys.entries())
      assert.equal(last[index]?.["count"], atB.includes(key) ? 3 : 4, key);
    assert.deepEqual(
      keys.filter((_, index) => last[index]?.["worker"] === "b"),
      atB,
    );
    await cluster.stop();
  });
