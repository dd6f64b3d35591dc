/** Approvals of agents and keys on several workers: they go with their partition, and are decided once, wherever that is. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Runtime } from "../../runtime/index.ts";
import { Cluster } from "./test-support/cluster.ts";

const by = { principal: "Ada" };
const all = (shares: readonly number[]): number => shares.reduce((sum, each) => sum + each, 0);

/** @returns The ids that a process lists as pending, sorted. */
function pendingIn({ approvals }: Runtime): string[] {
  const listed = approvals.list({ status: "pending", limit: 1000 });
  return listed.map(({ id }) => id).sort();
}

const pendingAt = (cluster: Cluster, worker: string): string[] => pendingIn(cluster.worker(worker));

/** @returns The id of the approval. */
async function ask(cluster: Cluster, name: string, key?: string): Promise<string> {
  const payload = key === undefined ? {} : { id: key };
  const asked = cluster.supervisor.call(name, payload, { type: "ask", timeoutMs: 60_000 });
  const { id } = await cluster.settle(asked);
  assert.ok(typeof id === "string");
  return id;
}

const keys = Array.from({ length: 30 }, (_, index) => `k${index}`);

test("approvals of keys go with their partitions to the worker that comes, and are decided there", async () => {
  const cluster = new Cluster();
  await cluster.startSupervisor();
  await cluster.startWorker("a");
  await cluster.untilShared("counter", (shares) => shares.join() === "256");
  const asked: string[] = [];
  for (const key of keys) asked.push(await ask(cluster, "counter", key));
  await cluster.clock.advance(1000);
  assert.deepEqual(pendingAt(cluster, "a"), asked.toSorted());

  await cluster.startWorker("b");
  await cluster.untilShared("counter", (shares) => all(shares) === 256 && shares.length === 2);
  const [atA, atB] = [pendingAt(cluster, "a"), pendingAt(cluster, "b")];
  assert.ok(atA.length > 3 && atB.length > 3, `${atA.length} ${atB.length}`);
  assert.deepEqual([...atA, ...atB].sort(), asked.toSorted());
  const [moved = ""] = atB;
  await assert.rejects(cluster.worker("a").approvals.approve(moved, by), {
    code: "AGENTRT_APPROVAL_UNKNOWN",
  });
  for (const id of atB) await cluster.settle(cluster.worker("b").approvals.approve(id, by));
  for (const id of atA) await cluster.settle(cluster.worker("a").approvals.deny(id, by));
  await cluster.clock.advance(1000);
  assert.deepEqual(
    cluster.given.map(({ worker, id, status }) => `${id} ${worker} ${status}`).sort(),
    [...atB.map((id) => `${id} b approved`), ...atA.map((id) => `${id} a denied`)].sort(),
  );
  assert.equal(cluster.states.refusedCount, 0);
  await cluster.stop();
});

test("approvals of keys and of an agent outlive their worker, and are decided at the next one", async () => {
  const cluster = new Cluster();
  await cluster.startSupervisor();
  await cluster.startWorker("a");
  await cluster.untilShared("counter", (shares) => shares.join() === "256");
  const one = await ask(cluster, "one");
  const asked = [one];
  for (const key of keys) asked.push(await ask(cluster, "counter", key));
  await cluster.clock.advance(1000);
  await cluster.startWorker("b");
  await cluster.untilShared("counter", (shares) => all(shares) === 256 && shares.length === 2);
  const atA = pendingAt(cluster, "a");
  assert.ok(atA.includes(one));
  const before = cluster.given.length;
  assert.equal(before, 0);

  cluster.broker.cut("a");
  await cluster.untilShared("counter", (shares) => shares.join() === "256");
  await cluster.clock.advance(3000);
  assert.deepEqual(pendingAt(cluster, "b"), asked.toSorted());
  for (const id of asked) await cluster.settle(cluster.worker("b").approvals.approve(id, by));
  await cluster.clock.advance(1000);
  assert.deepEqual(cluster.given.map(({ id }) => id).sort(), asked.toSorted());
  assert.deepEqual(new Set(cluster.given.map(({ worker }) => worker)), new Set(["b"]));
  // It has none of them any more, and says so.
  assert.deepEqual(pendingAt(cluster, "a"), []);
  for (const key of keys)
    assert.equal(
      (
        await cluster.settle(cluster.supervisor.call("counter", { id: key }, { timeoutMs: 60_000 }))
      )["count"],
      1,
    );
  await cluster.stop();
});

test("while no worker is there the supervisor lists approvals, decides about them and ends those over their time; a worker that comes gives them out", async () => {
  const cluster = new Cluster();
  const runtime = await cluster.startSupervisor();
  await cluster.startWorker("a");
  await cluster.untilShared("counter", (shares) => shares.join() === "256");
  const asked = [await ask(cluster, "one")];
  for (const key of keys) asked.push(await ask(cluster, "counter", key));
  await cluster.clock.advance(1000);
  assert.deepEqual(pendingIn(runtime), []);
  cluster.broker.cut("a");
  await cluster.clock.advance(20_000);
  assert.deepEqual(pendingIn(runtime), asked.toSorted());
  assert.deepEqual(pendingAt(cluster, "a"), []);
  const [one = "", two = "", three = "", ...rest] = asked;
  await cluster.settle(runtime.approvals.approve(one, by));
  await cluster.settle(runtime.approvals.deny(two, by));
  await assert.rejects(cluster.settle(runtime.approvals.approve(two, by)), {
    code: "AGENTRT_APPROVAL_DECIDED",
  });
  const twice = [runtime.approvals.approve(three, by), runtime.approvals.deny(three, by)];
  const ends = await cluster.settle(Promise.allSettled(twice));
  assert.equal(ends.filter(({ status }) => status === "fulfilled").length, 1);
  await cluster.clock.advance(700_000);
  assert.deepEqual(pendingIn(runtime), []);
  assert.equal(runtime.approvals.get(rest[0] ?? "").status, "expired");
  assert.equal(cluster.given.length, 0);

  await cluster.startWorker("b");
  await cluster.untilShared("counter", (shares) => shares.join() === "256");
  await cluster.clock.advance(3000);
  assert.deepEqual(
    cluster.given.map(({ id, status }) => `${id} ${status}`).sort(),
    [
      `${one} approved`,
      `${two} denied`,
      `${three} approved`,
      ...rest.map((id) => `${id} expired`),
    ].sort(),
  );
  assert.deepEqual(runtime.approvals.list(), []);
  assert.equal(cluster.states.refusedCount, 0);
  await cluster.stop();
});

test("the next supervisor finds approvals that no worker has; what a worker has it leaves there", async () => {
  const cluster = new Cluster();
  const first = await cluster.startSupervisor();
  await cluster.startWorker("a");
  await cluster.untilShared("counter", (shares) => shares.join() === "256");
  const asked = await ask(cluster, "counter", "k1");
  await cluster.clock.advance(1000);
  cluster.broker.cut("supervisor");
  const second = await cluster.startSupervisor("second");
  await cluster.clock.advance(30_000);
  assert.deepEqual([pendingIn(second), pendingAt(cluster, "a")], [[], [asked]]);
  assert.equal(cluster.states.refusedCount, 0);

  cluster.broker.cut("a");
  cluster.broker.cut("second");
  const third = await cluster.startSupervisor("third");
  await cluster.clock.advance(20_000);
  assert.deepEqual(pendingIn(third), [asked]);
  await cluster.settle(third.approvals.approve(asked, by));
  await cluster.startWorker("b");
  await cluster.untilShared("counter", (shares) => shares.join() === "256");
  await cluster.clock.advance(3000);
  assert.deepEqual(
    cluster.given.map(({ id, worker }) => [id, worker]),
    [[asked, "b"]],
  );

  // The one from before comes back: what it says to have is not taken for its own.
  cluster.broker.mend("a");
  await cluster.untilShared("counter", (shares) => all(shares) === 256 && shares.length === 2);
  assert.equal(cluster.given.length, 1);
  await cluster.stop();
  const others = Promise.all([first, second].map((each) => each.stop({ timeoutMs: 1000 })));
  await cluster.settle(others, 500);
});

test("approvals of members of pools go with the member to another worker, when theirs is cut off and when one comes", async () => {
  const cluster = new Cluster();
  await cluster.startSupervisor();
  await cluster.startWorker("a");
  await cluster.untilShared("team", (shares) => shares.join() === "4");
  const asked: string[] = [];
  for (let count = 0; count < 4; count += 1) asked.push(await ask(cluster, "team"));
  asked.push(await ask(cluster, "flex"));
  await cluster.clock.advance(1000);
  assert.deepEqual(pendingAt(cluster, "a"), asked.toSorted());

  await cluster.startWorker("b");
  await cluster.untilShared("team", (shares) => shares.join() === "2,2");
  await cluster.clock.advance(1000);
  const atB = pendingAt(cluster, "b");
  assert.equal(atB.filter((id) => asked.indexOf(id) < 4).length, 2);
  assert.deepEqual([...pendingAt(cluster, "a"), ...atB].sort(), asked.toSorted());
  const [moved = ""] = atB;
  await cluster.settle(cluster.worker("b").approvals.deny(moved, by));

  cluster.broker.cut("a");
  await cluster.untilShared("team", (shares) => shares.join() === "4");
  await cluster.clock.advance(1000);
  const left = asked.filter((id) => id !== moved);
  assert.deepEqual(pendingAt(cluster, "b"), left.toSorted());
  for (const id of left) await cluster.settle(cluster.worker("b").approvals.approve(id, by));
  await cluster.clock.advance(1000);
  assert.deepEqual(
    cluster.given.map(({ id, worker, status }) => `${id} ${worker} ${status}`).sort(),
    asked.map((id) => `${id} b ${id === moved ? "denied" : "approved"}`).sort(),
  );
  const names = cluster.given.map(({ agent }) => agent).sort();
  assert.deepEqual(names.slice(1), ["team/1", "team/2", "team/3", "team/4"]);
  // All of them work on.
  const calls = Array.from({ length: 4 }, async () => {
    return await cluster.supervisor.call("team", { takesMs: 50 }, { timeoutMs: 60_000 });
  });
  const members = (await cluster.settle(Promise.all(calls))).map(({ member }) => member);
  assert.equal(new Set(members).size, 4);
  await cluster.stop();
});

test("while no worker is there the supervisor decides about what members of pools have asked", async () => {
  const cluster = new Cluster();
  const runtime = await cluster.startSupervisor();
  await cluster.startWorker("a");
  await cluster.untilShared("team", (shares) => shares.join() === "4");
  const asked: string[] = [];
  for (let count = 0; count < 4; count += 1) asked.push(await ask(cluster, "team"));
  await cluster.clock.advance(1000);
  cluster.broker.cut("a");
  await cluster.clock.advance(20_000);
  assert.deepEqual(pendingIn(runtime), asked.toSorted());
  const [one = "", two = "", ...rest] = asked;
  await cluster.settle(runtime.approvals.approve(one, by));
  await cluster.settle(runtime.approvals.deny(two, by));
  await cluster.startWorker("b");
  await cluster.untilShared("team", (shares) => shares.join() === "4");
  await cluster.clock.advance(3000);
  assert.deepEqual([pendingIn(runtime), pendingAt(cluster, "b")], [[], rest.toSorted()]);
  assert.deepEqual(
    cluster.given.map(({ id, worker, status }) => `${id} ${worker} ${status}`).sort(),
    [`${one} b approved`, `${two} b denied`].sort(),
  );
  await cluster.stop();
});

test("an agent and a member that were given a decision elsewhere do not wait for it where they come back to", async () => {
  const cluster = new Cluster(1);
  await cluster.startSupervisor();
  await cluster.startWorker("a");
  const asked = [await ask(cluster, "one"), await ask(cluster, "team")];
  await cluster.clock.advance(1000);
  cluster.broker.cut("a");
  await cluster.startWorker("b");
  await cluster.clock.advance(30_000);
  for (const id of asked) await cluster.settle(cluster.worker("b").approvals.approve(id, by));
  await cluster.clock.advance(1000);
  assert.deepEqual(
    cluster.given.map(({ id, worker }) => `${id} ${worker}`).sort(),
    asked.map((id) => `${id} b`).sort(),
  );
  cluster.broker.mend("a");
  await cluster.clock.advance(20_000);
  cluster.broker.cut("b");
  await cluster.clock.advance(60_000);
  for (const name of ["one", "team"]) {
    const { worker } = await cluster.settle(cluster.supervisor.call(name, {}, { timeoutMs: 5000 }));
    assert.equal(worker, "a", name);
  }
  assert.equal(cluster.given.length, 2);
  await cluster.stop();
});

test("a supervisor that comes finds members that wait as they are: they go on waiting, and begin no other object", async () => {
  const cluster = new Cluster();
  const first = await cluster.startSupervisor();
  const worker = await cluster.startWorker("a");
  await cluster.untilShared("team", (shares) => shares.join() === "4");
  const asked = [await ask(cluster, "team"), await ask(cluster, "team")];
  await cluster.clock.advance(1000);
  const started: string[] = [];
  worker.onEvent((event) => {
    if (event.type === "agent.started") started.push(event.name);
  });
  cluster.broker.cut("supervisor");
  const second = await cluster.startSupervisor("second");
  await cluster.untilShared("team", (shares) => shares.join() === "4");
  await cluster.clock.advance(3000);
  assert.deepEqual(pendingAt(cluster, "a"), asked.toSorted());
  assert.deepEqual(
    started.filter((name) => name.startsWith("team/")),
    [],
  );
  for (const id of asked) await cluster.settle(worker.approvals.approve(id, by));
  await cluster.clock.advance(1000);
  assert.deepEqual(cluster.given.map(({ id }) => id).sort(), asked.toSorted());
  for (const supervisor of [first, second]) assert.deepEqual(pendingIn(supervisor), []);
  await cluster.stop();
  await cluster.settle(first.stop({ timeoutMs: 1000 }), 500);
});
