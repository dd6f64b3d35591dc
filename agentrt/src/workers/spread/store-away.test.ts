/** Pools while the store that their workers share is away: members have no state, and answer. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Cluster } from "./test-support/cluster.ts";

const by = { principal: "Ada" };

function pendingAt(cluster: Cluster, worker: string): string[] {
  const listed = cluster.worker(worker).approvals.list({ status: "pending" });
  return listed.map(({ id }) => id).sort();
}

async function ask(cluster: Cluster): Promise<string> {
  const asked = cluster.supervisor.call("team", {}, { type: "ask", timeoutMs: 60_000 });
  const { id } = await cluster.settle(asked);
  assert.ok(typeof id === "string");
  return id;
}

/** @returns Which members, and of which workers, answer calls that go to a pool at the same time. */
async function answers(cluster: Cluster, name: string, count: number): Promise<string[]> {
  const calls = Array.from({ length: count }, async () => {
    const answer = cluster.supervisor.call(name, { takesMs: 50 }, { timeoutMs: 5000 });
    const { worker, member } = await answer;
    return [worker, member].map((each) => (typeof each === "string" ? each : "")).join(" ");
  });
  return [...new Set(await cluster.settle(Promise.all(calls)))].sort();
}

test("a worker that comes while the store is away has its members answer; what they wait for is found when the store is back", async () => {
  const cluster = new Cluster();
  await cluster.startSupervisor();
  await cluster.startWorker("a");
  await cluster.untilShared("team", (shares) => shares.join() === "4");
  const asked = await ask(cluster);
  await cluster.clock.advance(1000);
  const [{ agent } = { agent: "" }] = cluster.worker("a").approvals.list({ status: "pending" });

  cluster.states.isAway = true;
  cluster.broker.cut("a");
  await cluster.startWorker("b");
  await cluster.untilShared("team", (shares) => shares.join() === "4");
  await cluster.clock.advance(20_000);
  const all = [1, 2, 3, 4].map((number) => `b team/${number}`);
  assert.deepEqual(await answers(cluster, "team", 4), all);
  assert.deepEqual(await answers(cluster, "flex", 1), ["b flex/1"]);
  // Nothing can be kept, so nothing is asked.
  const refused = cluster.supervisor.call("team", {}, { type: "ask", timeoutMs: 5000 });
  await assert.rejects(cluster.settle(refused), { code: "AGENTRT_APPROVAL_ELSEWHERE" });
  assert.deepEqual(pendingAt(cluster, "b"), []);

  cluster.states.isAway = false;
  await cluster.clock.advance(5000);
  assert.deepEqual(pendingAt(cluster, "b"), [asked]);
  const others = all.filter((each) => each !== `b ${agent}`);
  assert.deepEqual(await answers(cluster, "team", 8), others);
  await cluster.settle(cluster.worker("b").approvals.approve(asked, by));
  await cluster.clock.advance(1000);
  assert.deepEqual(
    cluster.given.map((each) => [each.worker, each.agent, each.id]),
    [["b", agent, asked]],
  );
  assert.deepEqual(await answers(cluster, "team", 4), all);
  await cluster.stop();
});

test("a worker that comes back while the store is away goes on with its members, and those that wait go on waiting", async () => {
  const cluster = new Cluster();
  await cluster.startSupervisor();
  await cluster.startWorker("a");
  await cluster.untilShared("team", (shares) => shares.join() === "4");
  const asked = await ask(cluster);
  await cluster.clock.advance(1000);
  const [{ agent } = { agent: "" }] = cluster.worker("a").approvals.list({ status: "pending" });
  cluster.states.isAway = true;
  cluster.broker.cut("a");
  await cluster.clock.advance(20_000);
  cluster.broker.mend("a");
  await cluster.untilShared("team", (shares) => shares.join() === "4");
  await cluster.clock.advance(20_000);
  const others = [1, 2, 3, 4]
    .map((number) => `a team/${number}`)
    .filter((each) => each !== `a ${agent}`);
  assert.deepEqual(await answers(cluster, "team", 8), others);

  cluster.states.isAway = false;
  await cluster.clock.advance(5000);
  assert.deepEqual(await answers(cluster, "team", 8), others);
  assert.deepEqual(pendingAt(cluster, "a"), [asked]);
  await cluster.settle(cluster.worker("a").approvals.approve(asked, by));
  await cluster.clock.advance(1000);
  assert.deepEqual(
    cluster.given.map((each) => [each.agent, each.id]),
    [[agent, asked]],
  );
  assert.equal((await answers(cluster, "team", 4)).length, 4);
  await cluster.stop();
});

test("a member that is suspended while the store is away stays so when the store is back, and is saved then", async () => {
  const cluster = new Cluster();
  await cluster.startSupervisor();
  cluster.states.isAway = true;
  await cluster.startWorker("a");
  await cluster.untilShared("team", (shares) => shares.join() === "4");
  await cluster.clock.advance(5000);
  const worker = cluster.worker("a");
  await cluster.settle(worker.suspend("team/2", { reason: "audit" }));
  assert.equal(worker.agentNode("team/2")?.suspension?.isDurable, false);

  cluster.states.isAway = false;
  await cluster.clock.advance(5000);
  const others = [1, 3, 4].map((number) => `a team/${number}`);
  assert.deepEqual(await answers(cluster, "team", 8), others);
  const { status, suspension } = worker.agentNode("team/2") ?? {};
  assert.deepEqual(
    [status, suspension?.reason, suspension?.isDurable],
    ["SUSPENDED", "audit", true],
  );
  assert.match(cluster.states.states.get("team/2") ?? "", /audit/);
  await cluster.settle(worker.resume("team/2", { approver: "Ada" }));
  assert.equal((await answers(cluster, "team", 4)).length, 4);
  assert.equal(cluster.states.states.has("team/2"), false);
  await cluster.stop();
});

test("a member that is suspended while the store is away, and goes to another worker, is not suspended when it comes back", async () => {
  const cluster = new Cluster();
  await cluster.startSupervisor();
  cluster.states.isAway = true;
  await cluster.startWorker("a");
  await cluster.untilShared("team", (shares) => shares.join() === "4");
  await cluster.clock.advance(5000);
  await cluster.settle(cluster.worker("a").suspend("team/4", { reason: "audit" }));
  await cluster.startWorker("b");
  await cluster.untilShared("team", (shares) => shares.join() === "2,2");
  cluster.states.isAway = false;
  await cluster.clock.advance(5000);
  assert.ok((await answers(cluster, "team", 4)).includes("b team/4"));
  cluster.broker.cut("b");
  await cluster.untilShared("team", (shares) => shares.join() === "4");
  await cluster.clock.advance(5000);
  assert.equal((await answers(cluster, "team", 4)).length, 4);
  await cluster.stop();
});

test("a halted member stays halted when its worker comes back, and goes on when somebody resumes it", async () => {
  const cluster = new Cluster();
  const halt = { reason: "rude", since: 1, approver: null, category: "governance_pause" };
  const saved = { "_agentrt.suspended": { ...halt, initiated_by: "judge", halted: true } };
  await cluster.states.set("team/2", saved);
  await cluster.startSupervisor();
  await cluster.startWorker("a");
  await cluster.untilShared("team", (shares) => shares.join() === "4");
  await cluster.clock.advance(5000);
  const worker = cluster.worker("a");
  assert.deepEqual(worker.health().halted, ["team/2"]);
  cluster.broker.cut("a");
  await cluster.clock.advance(20_000);
  cluster.broker.mend("a");
  await cluster.untilShared("team", (shares) => shares.join() === "4");
  await cluster.clock.advance(5000);
  assert.deepEqual(worker.health().halted, ["team/2"]);
  await cluster.settle(worker.resume("team/2", { approver: "Ada" }));
  assert.equal((await answers(cluster, "team", 4)).length, 4);
  await cluster.stop();
});

test("while the store is away members that fail begin again, and a pool becomes larger", async () => {
  const cluster = new Cluster();
  await cluster.startSupervisor();
  await cluster.startWorker("a");
  await cluster.untilShared("team", (shares) => shares.join() === "4");
  await cluster.clock.advance(1000);
  cluster.states.isAway = true;
  const crash = cluster.supervisor.call("team", {}, { type: "crash", timeoutMs: 5000 });
  await assert.rejects(cluster.settle(crash), { code: "AGENTRT_AGENT_CRASHED" });
  await cluster.clock.advance(10_000);
  assert.equal((await answers(cluster, "team", 4)).length, 4);
  const calls = Array.from({ length: 6 }, async () => {
    return await cluster.supervisor.call("flex", { takesMs: 3000 }, { timeoutMs: 60_000 });
  });
  const members = (await cluster.settle(Promise.all(calls))).map(({ member }) => member);
  assert.ok(new Set(members).size > 3);
  await cluster.stop();
});

test("when a worker comes back, its members are looked up in the store sixteen at a time", async () => {
  const cluster = new Cluster(40);
  await cluster.startSupervisor();
  await cluster.startWorker("a");
  await cluster.untilShared("team", (shares) => shares.join() === "40");
  await cluster.clock.advance(5000);
  const { get } = cluster.states.fenced;
  const looked = new Set<string>();
  const open = { count: 0, countMax: 0 };
  cluster.states.fenced.get = async (agent, fence) => {
    if (!agent.startsWith("team/")) return await get(agent, fence);
    looked.add(agent);
    open.count += 1;
    open.countMax = Math.max(open.countMax, open.count);
    await new Promise<void>((resolve) => void cluster.clock.setTimer(10, resolve));
    open.count -= 1;
    return await get(agent, fence);
  };
  cluster.broker.cut("a");
  await cluster.clock.advance(20_000);
  cluster.broker.mend("a");
  await cluster.untilShared("team", (shares) => shares.join() === "40");
  await cluster.clock.advance(5000);
  assert.deepEqual([looked.size, open.countMax], [40, 16]);
  await cluster.stop();
});
