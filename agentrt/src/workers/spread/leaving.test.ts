/** A worker of a group of several that stops by a signal: what it has at hand is answered, whatever becomes of its supervisor meanwhile. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Cluster } from "./test-support/cluster.ts";

const all = (shares: readonly number[]): number => shares.reduce((sum, each) => sum + each, 0);
const keys = Array.from({ length: 20 }, (_, index) => `k${index}`);

/** No two objects of one key, or of one agent, did something at the same time. */
function assertNeverTwice({ handled, lives, states }: Cluster): void {
  for (const key of keys) {
    const ofKey = handled.filter((each) => each.key === key);
    for (const [index, { endedMs }] of ofKey.entries())
      assert.ok(endedMs <= (ofKey[index + 1]?.beganMs ?? Number.POSITIVE_INFINITY), key);
  }
  for (const life of lives) {
    const next = lives.find(({ name, beganMs }) => name === life.name && beganMs > life.beganMs);
    assert.ok(life.workedMs < (next?.beganMs ?? Number.POSITIVE_INFINITY), life.name);
  }
  assert.equal(states.refusedCount, 0);
}

test("a supervisor that comes while a worker hands over what it has lets it finish, and gives it nothing", async () => {
  const cluster = new Cluster();
  const first = await cluster.startSupervisor();
  const leaving = await cluster.startWorker("a");
  await cluster.untilShared("counter", (shares) => all(shares) === 256);
  const ask = async (payload: object) =>
    await Promise.all(
      keys.map(
        async (id) =>
          await cluster.supervisor.call("counter", { id, ...payload }, { timeoutMs: 60_000 }),
      ),
    );
  await cluster.settle(first.call("one", {}, { timeoutMs: 60_000 }));
  const busy = Promise.allSettled([
    ask({ takesMs: 4000 }),
    first.call("one", { takesMs: 4000 }, { timeoutMs: 60_000 }),
  ]);
  await cluster.clock.advance(100);
  const stopped = leaving.stop();
  // It has said that it stops: from then on what is sent to it waits here, or has nowhere to go.
  await cluster.clock.advance(500);
  await assert.rejects(first.call("counter", { id: "k1" }), { code: "AGENTRT_WORKER_AWAY" });
  cluster.broker.cut("supervisor");
  const second = await cluster.startSupervisor("second");
  await cluster.startWorker("b");
  await cluster.untilShared("counter", (shares) => shares.at(-1) === 256);
  const replies = await cluster.settle(ask({}));
  for (const reply of replies) assert.deepEqual(reply, { worker: "b", count: 2 });
  const one = await cluster.settle(second.call("one", {}, { timeoutMs: 60_000 }));
  assert.deepEqual(one, { worker: "b", count: 3 });
  assertNeverTwice(cluster);
  assert.deepEqual((await cluster.settle(stopped)).lateNames, []);
  await cluster.stop();
  await cluster.settle(first.stop({ timeoutMs: 1000 }), 500);
  await busy;
});

test("the only worker of a group answers what it has at hand before it goes; calls that come later are errors at once", async () => {
  const cluster = new Cluster();
  const runtime = await cluster.startSupervisor();
  const worker = await cluster.startWorker("a");
  await cluster.untilShared("counter", (shares) => all(shares) === 256);
  await cluster.untilShared("team", (shares) => shares.join() === "4");
  const names = ["team", "one", "two"];
  const options = { timeoutMs: 60_000 };
  for (const name of names) await cluster.settle(runtime.call(name, {}, options));
  // Of each agent one is at work and two wait behind it.
  const calls = [0, 1, 2].flatMap(() => [
    ...names.map(async (name) => await runtime.call(name, { takesMs: 2000 }, options)),
    runtime.call("counter", { id: "k1", takesMs: 2000 }, options),
  ]);
  const ended = Promise.allSettled(calls);
  await cluster.clock.advance(100);
  const stopped = worker.stop();
  await cluster.clock.advance(10);
  const beganMs = cluster.clock.monotonicMs();
  for (const name of [...names, "counter"])
    await assert.rejects(runtime.call(name, { id: "k2" }), { code: "AGENTRT_WORKER_AWAY" });
  assert.equal(cluster.clock.monotonicMs(), beganMs);
  const { lateNames } = await cluster.settle(stopped);
  assert.deepEqual(lateNames, []);
  const failed = (await ended).filter(({ status }) => status === "rejected");
  assert.deepEqual(failed, []);
  assert.ok(cluster.clock.monotonicMs() - beganMs < 10_000);
  assertNeverTwice(cluster);
  await cluster.stop();
});

test("a supervisor that comes while keys move from one worker to another neither loses them nor has them at two", async () => {
  const cluster = new Cluster();
  const first = await cluster.startSupervisor();
  await cluster.startWorker("a");
  await cluster.untilShared("counter", (shares) => all(shares) === 256);
  const ask = (takesMs: number) =>
    keys.map(
      async (id) =>
        await cluster.supervisor.call("counter", { id, takesMs }, { timeoutMs: 60_000 }),
    );
  const busy = Promise.allSettled(ask(4000));
  await cluster.clock.advance(100);
  await cluster.startWorker("b");
  await cluster.untilShared("counter", (shares) => (shares[0] ?? 0) < 256);
  cluster.broker.cut("supervisor");
  await cluster.startSupervisor("second");
  await cluster.untilShared("counter", (shares) => shares.length === 2);
  const replies = await cluster.settle(Promise.all(ask(0)));
  assert.deepEqual(new Set(replies.map(({ count }) => count)), new Set([2]));
  assert.deepEqual(new Set(replies.map(({ worker }) => worker)), new Set(["a", "b"]));
  await cluster.untilShared("counter", (shares) => all(shares) === 256);
  assertNeverTwice(cluster);
  await cluster.stop();
  await cluster.settle(first.stop({ timeoutMs: 1000 }), 500);
  await busy;
});
