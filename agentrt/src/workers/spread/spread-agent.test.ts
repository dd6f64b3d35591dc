/** Agents of a group that several workers joined, under a virtual clock: each at one of them, moved when it goes, never at two. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentNode } from "../../core/index.ts";
import { spreadTypes } from "./spread-protocol.ts";
import { Cluster } from "./test-support/cluster.ts";

const names = ["one", "two", "three"];

function nodeOf(cluster: Cluster, name: string): AgentNode {
  const node = cluster.supervisor.tree().children.find((each) => each.name === name);
  assert.ok(node?.kind === "agent");
  return node;
}

async function untilRunning(cluster: Cluster): Promise<void> {
  for (let round = 0; round < 10_000; round += 1) {
    if (names.every((name) => nodeOf(cluster, name).status === "RUNNING")) return;
    await cluster.clock.advance(20);
  }
  assert.fail(names.map((name) => nodeOf(cluster, name).status).join());
}

const count = async (cluster: Cluster, name: string) =>
  await cluster.settle(cluster.supervisor.call(name, {}, { timeoutMs: 60_000 }));

/** No two objects of one agent did something at the same time. */
function assertNeverTwice(cluster: Cluster): void {
  for (const name of names) {
    const lives = cluster.lives.filter((each) => each.name === name);
    for (const [index, life] of lives.entries()) {
      const next = lives[index + 1];
      if (next !== undefined)
        assert.ok(life.workedMs < next.beganMs, `${name}: ${JSON.stringify([life, next])}`);
    }
  }
}

test("agents are at one worker each, and go with what they saved when it stops, is killed or is cut off", async () => {
  const cluster = new Cluster();
  const runtime = await cluster.startSupervisor();
  await assert.rejects(runtime.call("one", {}), { code: "AGENTRT_WORKER_AWAY", httpStatus: 503 });
  const first = await cluster.startWorker("a");
  await untilRunning(cluster);
  await cluster.startWorker("b");
  await cluster.untilShared("team", (shares) => shares.join() === "2,2");
  for (const name of names) assert.deepEqual(await count(cluster, name), { worker: "a", count: 1 });
  assert.equal(nodeOf(cluster, "one").processName, "heavy/1");

  // One that stops lets them go to the other one; what comes meanwhile waits.
  const stopping = first.stop({ timeoutMs: 30_000 });
  await cluster.clock.advance(1);
  const waiting = count(cluster, "one");
  await cluster.settle(stopping);
  assert.deepEqual(await waiting, { worker: "b", count: 2 });
  await untilRunning(cluster);

  // Of several the one with the fewest gets the next.
  await cluster.startWorker("c");
  await cluster.startWorker("d");
  await cluster.untilShared("team", (shares) => shares.length === 3);
  cluster.broker.cut("b");
  const cutAtMs = cluster.clock.monotonicMs();
  await assert.rejects(count(cluster, "one"), { code: "AGENTRT_LINK_LOST" });
  assert.equal((await count(cluster, "one"))["count"], 3);
  assert.ok(cluster.clock.monotonicMs() - cutAtMs <= 12_500);
  await untilRunning(cluster);
  const places = await Promise.all(
    names.map(async (name) => (await count(cluster, name))["worker"]),
  );
  assert.deepEqual(new Set(places), new Set(["c", "d"]));
  assertNeverTwice(cluster);

  // It comes back, and has none of them.
  cluster.broker.mend("b");
  await cluster.untilShared("team", (shares) => shares.length === 3);
  for (const name of names) assert.notEqual((await count(cluster, name))["worker"], "b");
  assert.equal(cluster.states.refusedCount, 0);
  assertNeverTwice(cluster);
  await cluster.stop();
});

test("an agent of several workers is restarted by its supervisor's engine, stopped and started again", async () => {
  const cluster = new Cluster();
  const runtime = await cluster.startSupervisor();
  await cluster.startWorker("a");
  await cluster.startWorker("b");
  await untilRunning(cluster);
  const { worker } = await count(cluster, "one");
  const crash = runtime.call("one", {}, { type: "crash", timeoutMs: 60_000 });
  await assert.rejects(cluster.settle(crash), { code: "AGENTRT_AGENT_CRASHED" });
  assert.deepEqual(await count(cluster, "one"), { worker, count: 2 });
  assert.equal(nodeOf(cluster, "one").restartCount, 1);

  // A restart that is asked for keeps what waits.
  const slow = runtime.call("one", { takesMs: 1000 }, { timeoutMs: 60_000 });
  await cluster.clock.advance(100);
  const behind = runtime.call("one", {}, { timeoutMs: 60_000 });
  await cluster.settle(runtime.restart("one", { initiatedBy: "ada" }));
  const counts = await cluster.settle(Promise.all([slow, behind]));
  assert.deepEqual(
    counts.map((each) => each["count"]),
    [3, 4],
  );
  assert.equal(nodeOf(cluster, "one").restartCount, 2);

  await cluster.settle(runtime.stopAgent("one"));
  assert.equal(nodeOf(cluster, "one").status, "STOPPED");
  await assert.rejects(runtime.call("one", {}), { code: "AGENTRT_AGENT_STOPPED" });
  await cluster.settle(runtime.restart("one", { initiatedBy: "ada" }));
  assert.deepEqual(await count(cluster, "one"), { worker, count: 5 });
  assertNeverTwice(cluster);
  await cluster.stop();
});

test("the next supervisor finds agents where they are; what waited too long for it begins again with its state", async () => {
  const cluster = new Cluster();
  await cluster.startSupervisor();
  await cluster.startWorker("a");
  await cluster.startWorker("b");
  await untilRunning(cluster);
  const before = await Promise.all(names.map((name) => count(cluster, name)));
  cluster.broker.cut("supervisor");
  const second = await cluster.startSupervisor("second");
  await untilRunning(cluster);
  const after = await Promise.all(names.map((name) => count(cluster, name)));
  assert.deepEqual(
    after,
    before.map(({ worker }) => ({ worker, count: 2 })),
  );
  assert.equal(cluster.lives.length, 3);

  cluster.broker.cut("second");
  await cluster.clock.advance(30_000);
  assert.ok(cluster.lives.every(({ endedMs }) => Number.isFinite(endedMs)));
  await cluster.startSupervisor("third");
  await untilRunning(cluster);
  for (const name of names) assert.equal((await count(cluster, name))["count"], 3);
  assertNeverTwice(cluster);
  await cluster.stop();
  await cluster.settle(second.stop({ timeoutMs: 1000 }), 500);
});

test("what an agent saves at a worker that does not notice the end of its lease is refused", async () => {
  const cluster = new Cluster();
  const runtime = await cluster.startSupervisor();
  await cluster.startWorker("b", true);
  await untilRunning(cluster);
  await cluster.startWorker("a");
  await cluster.untilShared("team", (shares) => shares.join() === "2,2");
  assert.deepEqual(await count(cluster, "one"), { worker: "b", count: 1 });
  const late = runtime.call("one", { takesMs: 15_000 }, { timeoutMs: 600_000 });
  late.catch(() => undefined);
  await cluster.clock.advance(100);
  cluster.broker.cut("b");
  await cluster.clock.advance(10_000);
  assert.deepEqual(await count(cluster, "one"), { worker: "a", count: 2 });
  await cluster.clock.advance(20_000);
  assert.ok(cluster.states.refusedCount > 0);
  assert.deepEqual(await count(cluster, "one"), { worker: "a", count: 3 });
  await cluster.stop();
});

test("a worker that is asked again to take an agent that it has begins no other object of it; a restart does", async () => {
  const cluster = new Cluster();
  const runtime = await cluster.startSupervisor();
  const takes: (() => void)[] = [];
  cluster.broker.onCarried = (topic, bytes) => {
    const text = Buffer.from(bytes).toString("latin1");
    if (text.includes(spreadTypes.take) && /\bone\b/.test(text))
      takes.push(() => cluster.broker.carry(topic, bytes));
  };
  await cluster.startWorker("a");
  await untilRunning(cluster);
  assert.equal(takes.length, 1);
  const livesOfOne = (): number => cluster.lives.filter(({ name }) => name === "one").length;
  takes[0]?.();
  await cluster.clock.advance(1000);
  assert.equal(livesOfOne(), 1);
  assert.equal((await count(cluster, "one"))["count"], 1);

  await cluster.settle(runtime.restart("one", { initiatedBy: "ada" }));
  await untilRunning(cluster);
  assert.equal(livesOfOne(), 2);
  takes.at(-1)?.();
  await cluster.clock.advance(1000);
  assert.equal(livesOfOne(), 2);
  assert.equal((await count(cluster, "one"))["count"], 2);
  assertNeverTwice(cluster);
  await cluster.stop();
});

test("an agent that is to be restarted while its worker is asked to begin it is begun once more", async () => {
  const cluster = new Cluster();
  const runtime = await cluster.startSupervisor();
  let askedCount = 0;
  cluster.broker.onCarried = (_, bytes) => {
    const text = Buffer.from(bytes).toString("latin1");
    if (!text.includes(spreadTypes.take) || !/\bone\b/.test(text)) return;
    askedCount += 1;
    // The worker has not begun yet.
    if (askedCount === 1) void runtime.restart("one", { initiatedBy: "ada" });
  };
  await cluster.startWorker("a");
  await untilRunning(cluster);
  await cluster.clock.advance(5000);
  assert.equal(askedCount, 2);
  const [first, second, ...others] = cluster.lives.filter(({ name }) => name === "one");
  assert.ok(first !== undefined && second !== undefined && others.length === 0);
  assert.ok(first.endedMs <= second.beganMs);
  assert.equal(nodeOf(cluster, "one").restartCount, 1);
  assert.equal((await count(cluster, "one"))["count"], 1);
  await cluster.stop();
});
