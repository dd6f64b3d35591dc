/** Parts of nodes end where they are before they begin elsewhere, whoever stops them, and the supervisor's own stop waits for no store. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { approvalIndexKey } from "../../core/index.ts";
import { Cluster } from "./test-support/cluster.ts";

const all = (shares: readonly number[]): number => shares.reduce((sum, each) => sum + each, 0);
const timeoutMs = 60_000;

/** Waits until an agent is served, and counts. */
async function count(cluster: Cluster, name: string): Promise<unknown> {
  return (await cluster.settle(cluster.supervisor.call(name, {}, { timeoutMs })))["count"];
}

/** No two objects of an agent did something at the same time. */
function assertNeverTwice({ lives }: Cluster): void {
  for (const life of lives) {
    const next = lives.find(({ name, beganMs }) => name === life.name && beganMs > life.beganMs);
    assert.ok(life.workedMs < (next?.beganMs ?? Number.POSITIVE_INFINITY), JSON.stringify(life));
  }
}

test("an agent that somebody stops while its only worker hands it over saves its state before the supervisor has charge of it", async () => {
  const cluster = new Cluster();
  const runtime = await cluster.startSupervisor();
  const worker = await cluster.startWorker("a");
  await cluster.clock.advance(20_000);
  const busy = runtime.call("one", { takesMs: 3000 }, { timeoutMs });
  await cluster.clock.advance(100);
  const leaving = worker.stop();
  await cluster.clock.advance(100);
  await cluster.settle(runtime.stopAgent("one"));
  assert.deepEqual(await cluster.settle(busy), { worker: "a", count: 1 });
  await cluster.settle(leaving);
  assert.equal(cluster.states.refusedCount, 0);
  await cluster.startWorker("b");
  await cluster.settle(runtime.restart("one", { initiatedBy: "ada" }));
  assert.equal(await count(cluster, "one"), 2);
  await cluster.stop();
});

test("keys that are restarted end where they are before a worker that comes meanwhile has them", async () => {
  const cluster = new Cluster();
  const runtime = await cluster.startSupervisor();
  await cluster.startWorker("a");
  await cluster.untilShared("counter", (shares) => all(shares) === 256);
  const keys = Array.from({ length: 20 }, (_, index) => `k${index}`);
  const ask = (takesMs: number) =>
    keys.map(async (id) => await runtime.call("counter", { id, takesMs }, { timeoutMs }));
  const busy = Promise.all(ask(3000));
  await cluster.clock.advance(100);
  const restarted = runtime.restart("counter", { initiatedBy: "ada" });
  await cluster.startWorker("b");
  const replies = await cluster.settle(busy);
  assert.deepEqual(new Set(replies.map((reply) => reply["count"])), new Set([1]));
  await cluster.settle(restarted);
  await cluster.untilShared("counter", (shares) => shares.length === 2 && all(shares) === 256);
  const after = await cluster.settle(Promise.all(ask(0)));
  assert.deepEqual(new Set(after.map((reply) => reply["count"])), new Set([2]));
  assert.equal(cluster.states.refusedCount, 0);
  await cluster.stop();
});

test("keys that are restarted twice, the second time while they still end, begin nowhere else before they have ended", async () => {
  const cluster = new Cluster();
  const runtime = await cluster.startSupervisor();
  await cluster.startWorker("a");
  await cluster.untilShared("counter", (shares) => all(shares) === 256);
  const keys = Array.from({ length: 20 }, (_, index) => `k${index}`);
  const ask = (takesMs: number) =>
    keys.map(async (id) => await runtime.call("counter", { id, takesMs }, { timeoutMs }));
  const busy = Promise.all(ask(3000));
  await cluster.clock.advance(100);
  const restarts = [runtime.restart("counter", { initiatedBy: "ada" })];
  await cluster.startWorker("b");
  await cluster.clock.advance(100);
  restarts.push(runtime.restart("counter", { initiatedBy: "ada" }));
  const replies = await cluster.settle(busy);
  assert.deepEqual(new Set(replies.map((reply) => reply["count"])), new Set([1]));
  await cluster.settle(Promise.allSettled(restarts));
  await cluster.untilShared("counter", (shares) => shares.length === 2 && all(shares) === 256);
  const after = await cluster.settle(Promise.all(ask(0)));
  assert.deepEqual(new Set(after.map((reply) => reply["count"])), new Set([2]));
  assert.equal(cluster.states.refusedCount, 0);
  await cluster.stop();
});

test("an agent that is stopped while its worker takes it does not begin there", async () => {
  const cluster = new Cluster();
  const runtime = await cluster.startSupervisor();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const get = cluster.states.get.bind(cluster.states);
  const asked: string[] = [];
  cluster.states.get = async (name) => {
    asked.push(name);
    if (name === `${approvalIndexKey}/one/0`) await held;
    return await get(name);
  };
  await cluster.startWorker("a");
  while (!asked.includes(`${approvalIndexKey}/one/0`)) await cluster.clock.advance(100);
  await cluster.settle(runtime.stopAgent("one"));
  release();
  await cluster.clock.advance(30_000);
  assert.deepEqual(
    cluster.lives.filter(({ name }) => name === "one"),
    [],
  );
  await cluster.settle(runtime.restart("one", { initiatedBy: "ada" }));
  assert.equal(await count(cluster, "one"), 1);
  assert.equal(cluster.lives.filter(({ name }) => name === "one").length, 1);
  await cluster.stop();
});

test("an agent that does not end in time where it is begins elsewhere only when that worker cannot let it", async () => {
  const cluster = new Cluster();
  const runtime = await cluster.startSupervisor();
  const worker = await cluster.startWorker("a");
  for (const name of ["one", "two"]) assert.equal(await count(cluster, name), 1);
  await cluster.startWorker("b");
  await cluster.untilShared("team", (shares) => shares.length === 2);
  await cluster.settle(runtime.call("one", { stopMs: 8000 }, { timeoutMs }));
  // Its worker stays for another one's sake.
  const busy = runtime.call("two", { takesMs: 25_000 }, { timeoutMs });
  await cluster.clock.advance(100);
  const leaving = worker.stop();
  await cluster.clock.advance(10);
  const late = cluster.settle(runtime.call("one", {}, { timeoutMs }));
  assert.deepEqual(await late, { worker: "b", count: 3 });
  await cluster.settle(leaving);
  assertNeverTwice(cluster);
  assert.equal((await busy)["worker"], "a");
  assert.equal(cluster.lives.filter(({ name }) => name === "one").length, 2);
  assert.equal(cluster.states.refusedCount, 0);
  await cluster.stop();
});

test("a node that a change takes out of the tree is one no more, and one that takes its name is another", async () => {
  const cluster = new Cluster();
  const runtime = await cluster.startSupervisor();
  const { description } = runtime;
  const change = async (changed: string, children: typeof description.children) =>
    await cluster.settle(
      runtime.change({ supervision: { ...description, children }, changed: new Set([changed]) }),
    );
  const processOf = (name: string) => runtime.elsewhere?.processOf(name);
  const places = ["team/1", "counter/k1", "one"];
  assert.deepEqual(places.map(processOf), ["heavy", "heavy", "heavy"]);
  const gone = new Set(["team", "counter", "one"]);
  await change(
    "nothing",
    description.children.filter(({ name }) => !gone.has(name)),
  );
  assert.deepEqual(places.map(processOf), [undefined, undefined, undefined]);
  await change("nothing", description.children);
  assert.deepEqual(places.map(processOf), ["heavy", "heavy", "heavy"]);
  await cluster.startWorker("a");
  await cluster.untilShared("counter", (shares) => all(shares) === 256);
  assert.equal(await count(cluster, "one"), 1);
  await cluster.stop();
});

for (const how of ["does not answer", "fails"] as const)
  test(`a supervisor whose group's store ${how} stops in its time`, async () => {
    const cluster = new Cluster();
    const runtime = await cluster.startSupervisor();
    const worker = await cluster.startWorker("a");
    await cluster.untilShared("counter", (shares) => all(shares) === 256);
    const asked = runtime.call("counter", { id: "k1" }, { type: "ask", timeoutMs });
    const { id } = await cluster.settle(asked);
    assert.ok(typeof id === "string");
    await cluster.clock.advance(1000);
    await cluster.settle(worker.stop());
    await cluster.clock.advance(30_000);
    assert.equal(runtime.approvals.list({ status: "pending" }).length, 1);
    const away = async (): Promise<never> => {
      if (how === "fails") throw new Error("the store is away");
      return await new Promise<never>(() => undefined);
    };
    const { states } = cluster;
    Object.assign(states, { set: away, close: away });
    Object.assign(states.fenced, { set: away, get: away });
    const decided = runtime.approvals.approve(id, { principal: "Ada" });
    decided.catch(() => undefined);
    await cluster.clock.advance(10);
    const beganMs = cluster.clock.monotonicMs();
    await cluster.settle(runtime.stop({ timeoutMs: 10_000 }));
    assert.equal(runtime.status, "stopped");
    assert.ok(cluster.clock.monotonicMs() - beganMs <= 10_020);
  });
