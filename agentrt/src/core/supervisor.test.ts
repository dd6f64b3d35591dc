import assert from "node:assert/strict";
import { test } from "node:test";
import { Simulation } from "../testing/index.ts";
import { Agent } from "./agent.ts";
import { reasonOf } from "./incarnation.ts";
import type { JsonObject } from "./json.ts";
import type { Message } from "./message.ts";
import { child, supervisor, type ChildOptions, type SupervisorOptions } from "./tree-spec.ts";

/** An agent that does what its messages say, and writes down its starts and stops. */
class Puppet extends Agent {
  static trace: string[] = [];
  static failingStarts = new Map<string, number>();

  override onStart(): void {
    const failing = Puppet.failingStarts.get(this.name) ?? 0;
    if (failing > 0) {
      Puppet.failingStarts.set(this.name, failing - 1);
      Puppet.trace.push(`refuse ${this.name}`);
      throw new Error(`${this.name} does not start`);
    }
    Puppet.trace.push(`start ${this.name}`);
  }

  override onStop(): Promise<void> | void {
    Puppet.trace.push(`stop ${this.name}`);
    if (this.config["hangs"] === true) return new Promise(() => undefined);
  }

  override onError() {
    return this.config["onError"] === "stop" ? ("stop" as const) : ("escalate" as const);
  }

  override async handle(message: Message): Promise<JsonObject> {
    if (message.payload["hang"] === true) await new Promise(() => undefined);
    const crash = message.payload["crash"];
    if (typeof crash === "string") throw new Error(crash);
    return { name: this.name };
  }
}

function puppet(name: string, options: ChildOptions = {}) {
  return child(Puppet, name, options);
}

async function simulate(supervision: ReturnType<typeof supervisor>): Promise<Simulation> {
  Puppet.trace = [];
  Puppet.failingStarts = new Map();
  const simulation = new Simulation({ supervision });
  await simulation.start();
  return simulation;
}

/** Crashes an agent and serves what follows at once. */
async function crash(simulation: Simulation, name: string, reason = "crash"): Promise<void> {
  simulation.runtime.cast(name, { crash: reason }).catch(() => undefined);
  await simulation.runUntilIdle();
}

function restartDelays(simulation: Simulation): number[] {
  return simulation.events.lines.flatMap((line) => {
    const match = /restart in ([\d.]+) ms/.exec(line);
    return match === null ? [] : [Number(match[1])];
  });
}

const instantly: Omit<SupervisorOptions, "children"> = { backoffBaseMs: 0 };

test("§3.1 budget scope: one sliding window, shared by all children of a supervisor", async () => {
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

test("§3.1 recording: a crash as old as the window no longer counts, one a millisecond younger does", async () => {
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
  test(`§3.1 exhausted: a budget of ${restartCountMax} allows ${restartCountMax} restarts, the next crash is one too many`, async () => {
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

test("§3.1 CONSTANT: every wait is the base", async () => {
  const delays = await delaysOf({ backoff: "CONSTANT", backoffBaseMs: 50, backoffMaxMs: 900 }, 4);
  assert.deepEqual(delays, [50, 50, 50, 50]);
});

test("§3.1 LINEAR: the base times the crashes in the window, capped", async () => {
  const delays = await delaysOf({ backoff: "LINEAR", backoffBaseMs: 300, backoffMaxMs: 1000 }, 5);
  assert.deepEqual(delays, [300, 600, 900, 1000, 1000]);
});

test("§3.1 EXPONENTIAL: doubles, with up to a quarter of jitter on top, and the cap after the jitter", async () => {
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

test("§3.1 n: counts crashes in the window, not over the child's life", async () => {
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

test("§3.1 restart_count: counts a child's restarts over its life, whatever the window", async () => {
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
  test(`§3.2 ${strategy}: a crash of "${crashed}" stops right to left and starts left to right`, async () => {
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

test("§3.2 a child supervisor inside ONE_FOR_ALL stops and starts its subtree in its place", async () => {
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
  assert.deepEqual(Puppet.trace, [
    ...["stop a", "stop c", "stop s2", "stop s1"],
    ...["start a", "start s1", "start s2", "start c"],
  ]);
});

test("§3.2 a restarted child supervisor begins with an empty window", async () => {
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

test("§3.2 backoff: nothing stops or starts before the wait is over", async () => {
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

test("§3.3 serial: crashes of two children lead to two restarts, one after the other", async () => {
  await using simulation = await simulate(
    supervisor("root", { ...instantly, children: [puppet("a"), puppet("b")] }),
  );
  await simulation.runtime.cast("a", { crash: "first" });
  await simulation.runtime.cast("b", { crash: "second" });
  await simulation.runUntilIdle();
  const restarts = simulation.events.lines.filter((line) => line.includes("supervisor.restart"));
  assert.equal(restarts.length, 2);
  assert.equal(simulation.runtime.tree().crashesInWindow, 2);
});

test("§3.3 stale: a crash of an incarnation that ONE_FOR_ALL already replaced is ignored", async () => {
  await using simulation = await simulate(
    supervisor("root", {
      strategy: "ONE_FOR_ALL",
      backoffBaseMs: 100,
      children: [puppet("a"), puppet("b")],
    }),
  );
  await crash(simulation, "a");
  await crash(simulation, "b");
  await simulation.advance(100);
  const restarts = simulation.events.lines.filter((line) => line.includes("supervisor.restart"));
  assert.equal(restarts.length, 1, "b's crash is covered by the restart of all");
  assert.equal(simulation.runtime.tree().crashesInWindow, 2, "and still counts");
  await simulation.advance(1000);
  assert.deepEqual(
    simulation.runtime.tree().children.map((node) => node.restartCount),
    [1, 1],
  );
});

test("§3.3 stopping: a crash after the stop began restarts nothing", async () => {
  const simulation = await simulate(
    supervisor("root", { ...instantly, children: [puppet("a"), puppet("b")] }),
  );
  const stopped = simulation.stop();
  simulation.runtime.cast("a", { crash: "too late" }).catch(() => undefined);
  await stopped;
  assert.equal(simulation.events.lines.filter((line) => line.includes("restart")).length, 0);
  assert.equal(simulation.runtime.tree().status, "STOPPED");
});

test("§3.3 stop in the middle of a backoff: the pending restart never happens", async () => {
  const simulation = await simulate(
    supervisor("root", { backoffBaseMs: 60_000, children: [puppet("a"), puppet("b")] }),
  );
  await crash(simulation, "a");
  Puppet.trace = [];
  assert.deepEqual(await simulation.stop(), { lateNames: [] });
  await simulation.advance(120_000);
  assert.deepEqual(Puppet.trace, ["stop b"]);
});

test("§3.3 stop in the middle of a failing restart is served at once", async () => {
  const simulation = await simulate(
    supervisor("root", {
      backoffBaseMs: 1000,
      restartCountMax: 1000,
      children: [puppet("a"), puppet("b")],
    }),
  );
  Puppet.failingStarts.set("a", 1000);
  await crash(simulation, "a");
  await simulation.advance(5500);
  const beganMs = simulation.clock.monotonicMs();
  await simulation.stop();
  assert.equal(simulation.clock.monotonicMs(), beganMs);
  assert.equal(Puppet.trace.filter((line) => line === "refuse a").length, 5);
});

test("§3.3 callbacks: run before the strategy, and what they throw is only logged", async () => {
  await using simulation = await simulate(
    supervisor("root", { ...instantly, children: [puppet("a")] }),
  );
  const seen: string[] = [];
  simulation.runtime.onCrash((name, error) => {
    seen.push(`${name}: ${reasonOf(error)}, ${simulation.runtime.tree().children[0]?.status}`);
    throw new Error("the callback is broken");
  });
  await crash(simulation, "a", "boom");
  assert.deepEqual(seen, ["a: boom, CRASHED"]);
  assert.deepEqual(await simulation.runtime.call("a", {}), { name: "a" });
  assert.ok(simulation.logLines.some((line) => line.includes("the callback is broken")));
});

test("§3.3 normal exit: a child that ends by itself is not restarted, and refuses messages", async () => {
  await using simulation = await simulate(
    supervisor("root", {
      ...instantly,
      children: [puppet("a", { config: { onError: "stop" } }), puppet("b")],
    }),
  );
  await crash(simulation, "a");
  assert.equal(simulation.runtime.tree().children[0]?.status, "STOPPED");
  assert.deepEqual(simulation.runtime.health(), { status: "ok", failed: [] });
  await assert.rejects(simulation.runtime.call("a", {}), { code: "AGENTRT_AGENT_STOPPED" });
});

test("§3.3 a restart that fails counts as a further crash and is tried again", async () => {
  await using simulation = await simulate(
    supervisor("root", { backoff: "LINEAR", backoffBaseMs: 100, children: [puppet("a")] }),
  );
  Puppet.failingStarts.set("a", 2);
  await crash(simulation, "a");
  await simulation.advance(600);
  assert.deepEqual(restartDelays(simulation), [100, 200, 300]);
  assert.deepEqual(await simulation.runtime.call("a", {}), { name: "a" });
  assert.equal(simulation.runtime.tree().crashesInWindow, 3);
});

test("§3.3 a restart that fails inside ONE_FOR_ALL stops what it started and starts all again", async () => {
  await using simulation = await simulate(
    supervisor("root", {
      backoffBaseMs: 100,
      strategy: "ONE_FOR_ALL",
      children: [puppet("a"), puppet("b"), puppet("c")],
    }),
  );
  Puppet.failingStarts.set("b", 1);
  Puppet.trace = [];
  await crash(simulation, "c");
  await simulation.advance(200);
  assert.deepEqual(Puppet.trace, [
    ...["stop c", "stop b", "stop a", "start a", "refuse b", "stop b"],
    ...["stop a", "start a", "start b", "start c"],
  ]);
});

test("§3.3 span: a restart event names supervisor, child, strategy and the children that start", async () => {
  await using simulation = await simulate(
    supervisor("root", {
      backoffBaseMs: 250,
      strategy: "REST_FOR_ONE",
      children: [puppet("a"), puppet("b"), puppet("c")],
    }),
  );
  simulation.events.take();
  await crash(simulation, "b", "boom");
  await simulation.advance(250);
  assert.deepEqual(simulation.events.lines, [
    "0 agent.crashed b: boom",
    "0 supervisor.crash root/b: 1 in window, restart in 250 ms",
    "250 supervisor.restart root/b REST_FOR_ONE: b, c",
    "250 agent.stopped c",
    "250 agent.started b",
    "250 agent.started c",
  ]);
});

test("§3.4 budget exhausted with a parent: the supervisor fails upward and the parent restarts it", async () => {
  await using simulation = await simulate(
    supervisor("root", {
      backoffBaseMs: 300,
      children: [
        supervisor("sub", {
          ...instantly,
          restartCountMax: 0,
          children: [puppet("a"), puppet("b")],
        }),
        puppet("c"),
      ],
    }),
  );
  Puppet.trace = [];
  const crashed: string[] = [];
  simulation.runtime.onCrash((name) => crashed.push(name));
  await crash(simulation, "a");
  assert.deepEqual(Puppet.trace, ["stop a", "stop b"], "a failed supervisor's subtree is stopped");
  assert.equal(simulation.runtime.tree().children[0]?.status, "CRASHED");
  await simulation.advance(300);
  assert.deepEqual(Puppet.trace, ["stop a", "stop b", "start a", "start b"]);
  assert.deepEqual(crashed, ["a", "sub"]);
  assert.equal(simulation.runtime.tree().crashesInWindow, 1);
  assert.deepEqual(simulation.runtime.health(), { status: "ok", failed: [] });
});

test("§3.4 parent ONE_FOR_ALL: a failed child supervisor restarts its siblings too", async () => {
  await using simulation = await simulate(
    supervisor("root", {
      ...instantly,
      strategy: "ONE_FOR_ALL",
      children: [
        puppet("x"),
        supervisor("sub", { ...instantly, restartCountMax: 0, children: [puppet("a")] }),
        puppet("y"),
      ],
    }),
  );
  Puppet.trace = [];
  await crash(simulation, "a");
  assert.deepEqual(Puppet.trace, [
    ...["stop a", "stop y", "stop x"],
    ...["start x", "start a", "start y"],
  ]);
});

test("§3.4 escalation climbs three levels, each with its own budget", async () => {
  const level = (name: string, children: SupervisorOptions["children"]) =>
    supervisor(name, { ...instantly, restartCountMax: 1, children });
  await using simulation = await simulate(
    level("root", [level("middle", [level("low", [puppet("a")])]), puppet("z")]),
  );
  // Each level doubles what the tree bears: a crashes 2 times for each failure of low, and so on.
  for (let count = 0; count < 7; count += 1) await crash(simulation, "a");
  assert.deepEqual(simulation.runtime.health(), { status: "ok", failed: [] });
  await crash(simulation, "a");
  assert.deepEqual(simulation.runtime.health(), { status: "degraded", failed: ["middle"] });
  assert.deepEqual(await simulation.runtime.call("z", {}), { name: "z" });
  await assert.rejects(simulation.runtime.call("a", {}), { code: "AGENTRT_AGENT_STOPPED" });
});

test("§3.4 budget exhausted at the root: the child stays CRASHED, siblings run on, restart() brings it back", async () => {
  await using simulation = await simulate(
    supervisor("root", { ...instantly, restartCountMax: 0, children: [puppet("a"), puppet("b")] }),
  );
  await crash(simulation, "a");
  await simulation.advance(600_000);
  const statuses = () => simulation.runtime.tree().children.map((node) => node.status);
  assert.deepEqual(statuses(), ["CRASHED", "RUNNING"]);
  assert.deepEqual(await simulation.runtime.call("b", {}), { name: "b" });
  await simulation.runtime.restart("a");
  assert.deepEqual(statuses(), ["RUNNING", "RUNNING"]);
  assert.deepEqual(await simulation.runtime.call("a", {}), { name: "a" });
  assert.deepEqual(simulation.runtime.health(), { status: "ok", failed: [] });
});

test("§3.4 start failure at boot: start() rejects, what had started is stopped right to left", async () => {
  Puppet.trace = [];
  Puppet.failingStarts = new Map([["c", 1]]);
  const simulation = new Simulation({
    supervision: supervisor("root", {
      children: [puppet("a"), supervisor("sub", { children: [puppet("b"), puppet("c")] })],
    }),
  });
  await assert.rejects(simulation.start(), {
    code: "AGENTRT_SUPERVISION_START_FAILED",
    message: /c does not start/,
  });
  assert.deepEqual(Puppet.trace, [
    ...["start a", "start b", "refuse c", "stop c"],
    ...["stop b", "stop a"],
  ]);
  assert.equal(simulation.runtime.status, "stopped");
});

test("§3.5 start: children in declaration order, a child supervisor's whole subtree in its place", async () => {
  await using _ = await simulate(
    supervisor("root", {
      children: [
        puppet("a"),
        supervisor("sub", { children: [puppet("s1"), puppet("s2")] }),
        puppet("b"),
      ],
    }),
  );
  assert.deepEqual(Puppet.trace, ["start a", "start s1", "start s2", "start b"]);
});

test("§3.5 stop: the reverse of the start order", async () => {
  const simulation = await simulate(
    supervisor("root", {
      children: [
        puppet("a"),
        supervisor("sub", { children: [puppet("s1"), puppet("s2")] }),
        puppet("b"),
      ],
    }),
  );
  Puppet.trace = [];
  await simulation.stop();
  assert.deepEqual(Puppet.trace, ["stop b", "stop s2", "stop s1", "stop a"]);
});

test("§3.5 agent stop: one that hangs is abandoned after its shutdown time-out, and named", async () => {
  const simulation = await simulate(
    supervisor("root", {
      children: [
        puppet("a"),
        puppet("b", { shutdownTimeoutMs: 2000, config: { hangs: true } }),
        puppet("c", { shutdownTimeoutMs: 500 }),
      ],
    }),
  );
  await simulation.runtime.cast("c", { hang: true });
  await simulation.runUntilIdle();
  const beganMs = simulation.clock.monotonicMs();
  assert.deepEqual(await simulation.stop(), { lateNames: ["c", "b"] });
  assert.equal(simulation.clock.monotonicMs() - beganMs, 2500);
  assert.equal(Puppet.trace.at(-1), "stop a");
});

test("§3.5 a stop of the whole tree ends at its deadline, whatever the agents' own limits", async () => {
  const simulation = await simulate(
    supervisor("root", {
      children: ["a", "b", "c"].map((name) => puppet(name, { config: { hangs: true } })),
    }),
  );
  const beganMs = simulation.clock.monotonicMs();
  const report = await simulation.stop({ timeoutMs: 1000 });
  assert.deepEqual(report.lateNames, ["c", "b", "a"]);
  assert.equal(simulation.clock.monotonicMs() - beganMs, 1000);
});

test("stopAgent() stops one agent for good, also over a restart of all", async () => {
  await using simulation = await simulate(
    supervisor("root", {
      ...instantly,
      strategy: "ONE_FOR_ALL",
      children: [puppet("a"), puppet("b")],
    }),
  );
  assert.deepEqual(await simulation.runtime.stopAgent("a"), { lateNames: [] });
  await crash(simulation, "b");
  assert.deepEqual(
    simulation.runtime.tree().children.map((node) => node.status),
    ["STOPPED", "RUNNING"],
  );
  await assert.rejects(simulation.runtime.stopAgent("nobody"), {
    code: "AGENTRT_SUPERVISION_UNKNOWN_NAME",
  });
});

test("restart() of a running agent goes the way of a crash, and of a hanging one too", async () => {
  await using simulation = await simulate(
    supervisor("root", { ...instantly, children: [puppet("a", { shutdownTimeoutMs: 500 })] }),
  );
  await simulation.runtime.restart("a");
  await simulation.runUntilIdle();
  assert.equal(simulation.runtime.tree().children[0]?.restartCount, 1);
  const hanging = simulation.runtime.call("a", { hang: true });
  const rejected = assert.rejects(hanging, { code: "AGENTRT_AGENT_CRASHED" });
  await simulation.runUntilIdle();
  await simulation.runtime.restart("a");
  await simulation.advance(600);
  await rejected;
  assert.equal(simulation.runtime.tree().children[0]?.restartCount, 2);
  assert.equal(simulation.runtime.tree().crashesInWindow, 2);
});
