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
  // Each is found by its name as it is in the picture of the whole tree.
  const { name: root } = runtime.tree();
  const members = cluster.node("team").children;
  assert.equal(members.length, 4);
  for (const node of members)
    assert.deepEqual(runtime.findNode(node.name), { node, above: [root, "team"] });
  assert.equal(runtime.findNode("team/5"), undefined);
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

test("a pool on workers becomes larger when messages wait, up to its most, and smaller when nobody needs it", async () => {
  const cluster = new Cluster();
  const runtime = await cluster.startSupervisor();
  await cluster.startWorker("a");
  await cluster.startWorker("b");
  await cluster.untilShared("flex", (shares) => all(shares) === 1 && shares.length === 2);
  const membersOf = () => cluster.node("flex").children.map(({ name }) => name);
  const call = (takesMs: number) => runtime.call("flex", { takesMs }, { timeoutMs: 60_000 });
  assert.equal(membersOf().length, 1);
  const beganMs = cluster.clock.monotonicMs();
  await cluster.settle(call(10), 5);
  assert.ok(cluster.clock.monotonicMs() - beganMs < 100, "the one that is there has it");

  const replies = await cluster.settle(
    Promise.all(Array.from({ length: 12 }, async () => await call(3000))),
    10,
  );
  assert.equal(new Set(replies.map(({ member }) => member)).size, 6);
  const at = (worker: string) => replies.filter((each) => each["worker"] === worker).length;
  assert.ok(Math.min(at("a"), at("b")) >= 5, `${at("a")} ${at("b")}`);
  assert.ok(cluster.clock.monotonicMs() - beganMs < 12_000);
  assert.equal(membersOf().length, 6);
  assert.deepEqual(cluster.shares("flex"), [3, 3]);
  await cluster.untilShared("flex", (shares) => all(shares) === 1);

  // One that dies takes its share of the fewest along: another one has it then.
  cluster.broker.cut("a");
  await cluster.untilShared("flex", (shares) => shares.join() === "1");
  assert.equal((await cluster.settle(call(1)))["worker"], "b");
  const more = Array.from({ length: 6 }, async () => await call(2000));
  assert.equal(
    new Set((await cluster.settle(Promise.all(more))).map(({ member }) => member)).size,
    6,
  );
  await cluster.stop();
});

test("with more workers than are compared for a message each has its turn", async () => {
  const workers = Array.from({ length: 20 }, (_, number) => `worker-${number}`);
  const cluster = new Cluster(workers.length);
  const runtime = await cluster.startSupervisor();
  for (const name of workers) await cluster.startWorker(name);
  await cluster.untilShared("team", (shares) => shares.length === 20 && Math.max(...shares) === 1);
  const calls = Array.from({ length: 60 }, () =>
    runtime.call("team", { takesMs: 100 }, { timeoutMs: 5000 }),
  );
  const replies = await cluster.settle(Promise.all(calls));
  for (const worker of workers)
    assert.equal(replies.filter((each) => each["worker"] === worker).length, 3, worker);
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

test("a supervisor that is away for long leaves no key at work, and the next one gives all out with their states", async () => {
  const cluster = new Cluster();
  const first = await cluster.startSupervisor();
  await cluster.startWorker("a");
  await cluster.startWorker("b");
  await cluster.untilShared("counter", (shares) => all(shares) === 256 && shares.length === 2);
  const keys = Array.from({ length: 20 }, (_, index) => `k${index}`);
  const count = async (runtime: typeof first) =>
    await cluster.settle(
      Promise.all(
        keys.map(
          async (id) => (await runtime.call("counter", { id }, { timeoutMs: 60_000 }))["count"],
        ),
      ),
    );
  assert.deepEqual(new Set(await count(first)), new Set([1]));

  // It is replaced at once: the next one finds who has what, and nothing moves.
  cluster.broker.cut("supervisor");
  const before = cluster.handled.map(({ key, worker }) => `${key} ${worker}`);
  const second = await cluster.startSupervisor("second");
  await cluster.untilShared("counter", (shares) => all(shares) === 256 && shares.length === 2);
  assert.deepEqual(new Set(await count(second)), new Set([2]));
  const after = cluster.handled.slice(keys.length).map(({ key, worker }) => `${key} ${worker}`);
  assert.deepEqual(after.sort(), before.sort());

  cluster.broker.cut("second");
  await cluster.clock.advance(60_000);
  const third = await cluster.startSupervisor("third");
  await cluster.untilShared("counter", (shares) => all(shares) === 256 && shares.length === 2);
  assert.deepEqual(new Set(await count(third)), new Set([3]));
  assert.equal(cluster.states.refusedCount, 0);
  await cluster.stop();
  const others = Promise.all([first, second].map((each) => each.stop({ timeoutMs: 1000 })));
  await cluster.settle(others, 500);
});

test("replies of keys on workers are streamed, and the whole begins again when somebody asks for that", async () => {
  const cluster = new Cluster();
  const runtime = await cluster.startSupervisor();
  await cluster.startWorker("a");
  await cluster.startWorker("b");
  await cluster.untilShared("numbers", (shares) => all(shares) === 256 && shares.length === 2);
  const read = async (id: string): Promise<number> => {
    let sum = 0;
    for await (const { number, key } of runtime.stream("numbers", { to: 300, id })) {
      assert.equal(key, id);
      sum += Number(number);
    }
    return sum;
  };
  const sums = await cluster.settle(Promise.all(["a", "b", "c", "d", "e"].map(read)));
  assert.deepEqual(new Set(sums), new Set([45_150]));

  const count = async () =>
    await cluster.settle(runtime.call("counter", { id: "k1" }, { timeoutMs: 60_000 }));
  assert.equal((await count())["count"], 1);
  await cluster.settle(runtime.restart("counter", { initiatedBy: "ada" }));
  await cluster.untilShared("counter", (shares) => all(shares) === 256 && shares.length === 2);
  assert.equal((await count())["count"], 2);
  assert.equal(cluster.node("counter").restartCount, 1);
  await cluster.settle(runtime.restart("team", { initiatedBy: "ada" }));
  await cluster.untilShared("team", (shares) => shares.join() === "2,2");
  await cluster.settle(runtime.call("team", {}, { timeoutMs: 5000 }));
  await cluster.stop();
});

test("a pool that is out of its restarts at one worker crashes once for its supervisor, and is served again", async () => {
  const cluster = new Cluster();
  const runtime = await cluster.startSupervisor();
  await cluster.startWorker("a");
  await cluster.startWorker("b");
  await cluster.untilShared("team", (shares) => shares.join() === "2,2");
  const crashes: string[] = [];
  runtime.onEvent((event) => {
    if (event.type === "supervisor.crash" && event.child === "team") crashes.push(event.child);
  });
  const codes = new Set<unknown>();
  for (let round = 0; round < 200 && crashes.length === 0; round += 1) {
    const crashed = runtime.call("team", {}, { type: "crash", timeoutMs: 60_000 });
    const [{ reason }] = (await cluster.settle(Promise.allSettled([crashed]))) as [
      PromiseRejectedResult,
    ];
    codes.add((reason as { readonly code?: unknown }).code);
  }
  assert.equal(crashes.length, 1);
  assert.ok(codes.has("AGENTRT_AGENT_CRASHED"), [...codes].join());
  await cluster.untilShared("team", (shares) => shares.join() === "2,2");
  const replies = await cluster.settle(
    Promise.all(Array.from({ length: 8 }, () => runtime.call("team", {}, { timeoutMs: 60_000 }))),
  );
  assert.deepEqual(new Set(replies.map(({ worker }) => worker)), new Set(["a", "b"]));
  assert.equal(cluster.node("team").restartCount, 1);
  await cluster.stop();
});

test("what a worker saves that does not notice the end of its lease is refused by the fence; without fences the same run loses what others saved", async () => {
  const lostKeys = async (isFencing: boolean): Promise<number> => {
    const cluster = new Cluster();
    cluster.states.isFencing = isFencing;
    const runtime = await cluster.startSupervisor();
    await cluster.startWorker("a");
    await cluster.startWorker("b", true);
    await cluster.untilShared("counter", (shares) => all(shares) === 256 && shares.length === 2);
    const ids = Array.from({ length: 40 }, (_, index) => `k${index}`);
    const first = await cluster.settle(
      Promise.all(ids.map((id) => runtime.call("counter", { id }, { timeoutMs: 60_000 }))),
    );
    const keys = ids.filter((_, index) => first[index]?.["worker"] === "b");
    const late = Promise.allSettled(
      keys.map((id) => runtime.call("counter", { id, takesMs: 15_000 }, { timeoutMs: 600_000 })),
    );
    await cluster.clock.advance(100);
    cluster.broker.cut("b");
    const answered = new Map<string, number>();
    await cluster.untilShared("counter", (shares) => shares.join() === "256");
    for (let round = 0; round < 5; round += 1) {
      const counts = await cluster.settle(
        Promise.all(
          keys.map((id) => runtime.call("counter", { id, takesMs: 0 }, { timeoutMs: 600_000 })),
        ),
      );
      for (const [index, id] of keys.entries()) answered.set(id, Number(counts[index]?.["count"]));
    }
    await cluster.settle(late, 200);
    await cluster.clock.advance(20_000);
    const saved = await Promise.all(
      keys.map(async (id) => Number((await cluster.states.get(`counter/${id}`))?.["count"])),
    );
    await cluster.stop();
    return keys.filter((id, index) => saved[index] !== answered.get(id)).length;
  };
  assert.equal(await lostKeys(true), 0);
  assert.ok((await lostKeys(false)) > 0);
});

test("a worker that goes while others hand keys over to it leaves none of them without an owner", async () => {
  const cluster = new Cluster();
  const runtime = await cluster.startSupervisor();
  await cluster.startWorker("a");
  await cluster.startWorker("b");
  await cluster.untilShared("counter", (shares) => all(shares) === 256 && shares.length === 2);
  const keys = Array.from({ length: 40 }, (_, index) => `k${index}`);
  const ask = (takesMs: number) =>
    Promise.all(keys.map((id) => runtime.call("counter", { id, takesMs }, { timeoutMs: 600_000 })));
  // What is at work is handed over late: the others have said what they give up when the worker is gone already.
  const busy = ask(8000);
  const worker = await cluster.startWorker("c");
  await cluster.untilShared("counter", (shares) => shares.length === 3);
  await cluster.settle(worker.stop({ timeoutMs: 1000 }));
  await cluster.settle(busy, 500);
  const replies = await cluster.settle(ask(1), 500);
  assert.ok(replies.every(({ count }) => count === 2));
  assert.equal(all(cluster.shares("counter")), 256);
  await cluster.stop();
});

test("a worker that stops hands everything over: calls that come all the time are answered, each once", async () => {
  const cluster = new Cluster();
  const runtime = await cluster.startSupervisor();
  const first = await cluster.startWorker("a");
  await cluster.startWorker("b");
  await cluster.untilShared("counter", (shares) => shares.length === 2 && all(shares) === 256);
  await cluster.untilShared("team", (shares) => shares.join() === "2,2");
  const calls: Promise<unknown>[] = [];
  const timeoutMs = 20_000;
  const ask = (): void => {
    for (const [number, id] of ["k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7"].entries())
      calls.push(runtime.call("counter", { id, takesMs: number * 4 }, { timeoutMs }));
    for (const name of ["team", "one", "two", "three"])
      calls.push(runtime.call(name, { takesMs: 20 }, { timeoutMs }));
  };
  // What waits there already is handled before it goes.
  for (let at = 0; at < 5; at += 1)
    for (const name of ["one", "two", "three"])
      calls.push(runtime.call(name, { takesMs: 400 }, { timeoutMs }));
  await cluster.clock.advance(1);
  const stopped = first.stop().then(() => cluster.clock.monotonicMs());
  for (let round = 0; round < 100; round += 1) {
    ask();
    await cluster.clock.advance(1);
  }
  const report = await cluster.settle(first.stop());
  assert.deepEqual(report.lateNames, []);
  const results = await cluster.settle(Promise.allSettled(calls));
  const failed = results.filter((each) => each.status === "rejected").map(({ reason }) => reason);
  assert.deepEqual(failed, []);
  // Not by waiting out its grace of 30 seconds, nor the lease of one that is silent.
  assert.ok((await stopped) < 15_000, String(await stopped));
  const counts = ["k0", "k1", "k7"].map(async (id) => await runtime.call("counter", { id }));
  for (const reply of await cluster.settle(Promise.all(counts)))
    assert.deepEqual(reply, { worker: "b", count: 101 });
  await cluster.stop();
});

for (const lost of ["b", "supervisor"])
  test(`keys whose new worker's answer was lost with the connection of ${lost} are served seconds after its return, not after the time limit of the question`, async () => {
    const cluster = new Cluster();
    const { broker, clock } = cluster;
    await cluster.startSupervisor();
    await cluster.startWorker("a");
    await cluster.untilShared("counter", ([count]) => count === 256);
    const cut = Promise.withResolvers<void>();
    broker.onCarried = (_topic, bytes) => {
      if (!Buffer.from(bytes).includes("_agency.spread.take")) return;
      broker.onCarried = () => undefined;
      // The question arrives, its answer does not.
      queueMicrotask(() => {
        if (lost === "b") broker.mute.add(lost);
        else broker.cut(lost);
        cut.resolve();
      });
    };
    await cluster.startWorker("b");
    await cluster.settle(cut.promise);
    await clock.advance(1000);
    broker.mend(lost);
    const mendedMs = clock.monotonicMs();
    await cluster.untilShared("counter", (shares) => shares.length === 2 && sum(shares) === 256);
    assert.ok(clock.monotonicMs() - mendedMs < 10_000);
    await cluster.stop();
  });

function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0);
}
