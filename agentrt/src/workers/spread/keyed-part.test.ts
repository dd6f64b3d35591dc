/** Partitions that a worker is to take again, since the supervisor has not heard that it has them, or since it could not take them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { approvalIndexKey } from "../../core/index.ts";
import { Cluster } from "./test-support/cluster.ts";
import { spreadTypes } from "./spread-protocol.ts";

const by = { principal: "Ada" };

/** @returns What an agent that was asked for an approval answers. */
async function ask(cluster: Cluster, key: string): Promise<string> {
  const options = { type: "ask", timeoutMs: 60_000 };
  const { id } = await cluster.settle(cluster.supervisor.call("counter", { id: key }, options));
  assert.ok(typeof id === "string");
  return id;
}

/** Has lists of approvals read by another function. */
function readLists(cluster: Cluster, read: () => Promise<void>): void {
  const { states } = cluster;
  const get = states.get.bind(states);
  states.get = async (name) => {
    if (name.startsWith(`${approvalIndexKey}/counter/`)) await read();
    return await get(name);
  };
}

test("a worker that is to take keys again that it has goes on with their approvals meanwhile", async () => {
  const cluster = new Cluster();
  await cluster.startSupervisor();
  const takes: (() => void)[] = [];
  cluster.broker.onCarried = (topic, bytes) => {
    const text = Buffer.from(bytes).toString("latin1");
    if (text.includes(spreadTypes.take) && text.includes("counter"))
      takes.push(() => cluster.broker.carry(topic, bytes));
  };
  await cluster.startWorker("a");
  await cluster.untilShared("counter", (shares) => shares.join() === "256");
  const one = await ask(cluster, "k1");
  await cluster.clock.advance(1000);
  assert.equal(takes.length, 1);

  // Nothing that is read of them is there before the test has ended.
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  readLists(cluster, async () => await held);
  takes[0]?.();
  await cluster.clock.advance(1000);
  const { approvals } = cluster.worker("a");
  const two = await ask(cluster, "k2");
  assert.deepEqual(
    approvals.list().map(({ id }) => id),
    [one, two],
  );
  for (const id of [one, two]) await cluster.settle(approvals.approve(id, by));
  await cluster.clock.advance(1000);
  assert.deepEqual(cluster.given.map(({ id }) => id).sort(), [one, two].sort());
  release();
  await cluster.stop();
});

test("a worker that could not read the approvals of keys, or not in time, has them when it is to take the keys again", async () => {
  for (const isSlow of [false, true]) {
    const cluster = new Cluster();
    await cluster.startSupervisor();
    await cluster.startWorker("a");
    await cluster.untilShared("counter", (shares) => shares.join() === "256");
    const asked = [await ask(cluster, "k1"), await ask(cluster, "k2")];
    await cluster.clock.advance(1000);
    cluster.broker.cut("a");

    // The first take fails, or the supervisor says it again while it is under way.
    const takes = { count: 0 };
    cluster.broker.onCarried = (_, bytes) => {
      const text = Buffer.from(bytes).toString("latin1");
      if (text.includes(spreadTypes.take) && text.includes("counter")) takes.count += 1;
    };
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    readLists(cluster, async () => {
      if (isSlow) await held;
      else if (takes.count < 2) throw new Error("the store is away");
    });
    await cluster.startWorker("b");
    while (takes.count < 2) await cluster.clock.advance(500);
    release();
    await cluster.untilShared("counter", (shares) => shares.join() === "256");
    await cluster.clock.advance(3000);
    const { approvals } = cluster.worker("b");
    assert.deepEqual(
      approvals.list().map(({ id }) => id),
      asked,
    );
    for (const id of asked) await cluster.settle(approvals.approve(id, by));
    await cluster.clock.advance(1000);
    assert.deepEqual(cluster.given.map(({ id }) => id).sort(), asked.toSorted());
    assert.equal(cluster.states.refusedCount, 0);
    cluster.broker.mend("a");
    await cluster.clock.advance(1000);
    await cluster.stop();
  }
});
