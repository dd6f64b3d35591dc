import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import {
  Agent,
  child,
  type ChildOptions,
  type ChildSpec,
  dynamicSupervisor,
  type JsonObject,
  keyed,
  type Message,
  pool,
  supervisor,
  type SupervisorOptions,
  type SupervisorSpec,
  type TreeNode,
} from "../../core/index.ts";
import { Simulation } from "../../testing/simulation.ts";

/** Says which object answers, and counts in its state; what it is told to do it does. */
class Worker extends Agent<{ count: number }> {
  static lives = 0;
  static failing = new Set<string>();
  static gates = new Map<string, Promise<void>>();
  static handled: string[] = [];
  static trace: string[] = [];
  override state = { count: 0 };
  readonly life: number = (Worker.lives += 1);

  override async onStart(): Promise<void> {
    if (Worker.failing.has(this.name)) throw new Error(`${this.name} has no port`);
    Worker.trace.push(`start ${this.name}`);
    await Worker.gates.get(`start ${this.name}`);
  }

  override onStop(): void {
    Worker.trace.push(`stop ${this.name}`);
  }

  override async handle(message: Message): Promise<JsonObject> {
    const { id, ask, spawn, gate, crash } = message.payload;
    if (typeof crash === "string") throw new Error(crash);
    if (typeof spawn === "string") await this.spawn(Worker, spawn);
    if (typeof gate === "string") await Worker.gates.get(gate);
    if (typeof id === "string") Worker.handled.push(id);
    this.state.count += 1;
    const asked = typeof ask === "string" ? await this.call(ask, {}) : null;
    return { life: this.life, count: this.state.count, by: this.config["by"] ?? null, asked };
  }
}

beforeEach(() => {
  Worker.failing.clear();
  Worker.gates.clear();
  Worker.handled = [];
  Worker.trace = [];
});

const worker = (name: string, by?: string, options: ChildOptions = {}): ChildSpec =>
  child(Worker, name, by === undefined ? options : { ...options, config: { by } });

const root = (children: readonly ChildSpec[], options: Partial<SupervisorOptions> = {}) =>
  supervisor("root", { backoffBaseMs: 0, ...options, children });

async function started(supervision: SupervisorSpec): Promise<Simulation> {
  const simulation = new Simulation({ supervision });
  await simulation.start();
  return simulation;
}

/** Puts another tree in place, on the virtual clock. */
async function change(
  simulation: Simulation,
  supervision: SupervisorSpec,
  changed: readonly string[] = [],
): Promise<readonly string[]> {
  const done = simulation.runtime.change({ supervision, changed: new Set(changed) });
  return (await simulation.until(done)).lateNames;
}

/** What a tree is, without what passes. */
function picture(node: TreeNode): object {
  const { name, status } = node;
  if (node.kind === "agent") return { name, status, capabilities: node.capabilities };
  const { strategy, restartCountMax, backoffBaseMs } = node;
  const children = node.dynamic === undefined ? node.children.map(picture) : [];
  const { memberCountMin, memberCountMax } = node.pool ?? {};
  return {
    name,
    status,
    strategy,
    restartCountMax,
    backoffBaseMs,
    memberCountMin,
    memberCountMax,
    children,
  };
}

async function lifeOf(simulation: Simulation, name: string): Promise<number> {
  return Number((await simulation.call(name, {}))["life"]);
}

async function sameAsFresh(simulation: Simulation, supervision: SupervisorSpec): Promise<void> {
  const fresh = await started(supervision);
  assert.deepEqual(picture(simulation.runtime.tree()), picture(fresh.runtime.tree()));
  await fresh.stop();
}

test("a change keeps what is as before, restarts what differs, ends what is gone and starts what is new", async () => {
  const simulation = await started(
    root([worker("a"), worker("b", "old"), worker("c"), worker("d")]),
  );
  const lives = new Map<string, number>();
  for (const name of ["a", "b", "c", "d"]) lives.set(name, await lifeOf(simulation, name));
  Worker.trace = [];
  const next = root([worker("d"), worker("b", "new"), worker("e"), worker("a")]);
  assert.deepEqual(await change(simulation, next, ["b"]), []);
  assert.deepEqual(Worker.trace, ["stop c", "stop b", "start b", "start e"]);
  assert.equal(await lifeOf(simulation, "a"), lives.get("a"));
  assert.equal(await lifeOf(simulation, "d"), lives.get("d"));
  const { life, count, by } = await simulation.call("b", {});
  assert.notEqual(life, lives.get("b"));
  assert.deepEqual({ count, by }, { count: 2, by: "new" });
  await assert.rejects(simulation.call("c", {}), { code: "AGENTRT_BUS_NO_ROUTE" });
  await sameAsFresh(simulation, next);
  await simulation.stop();
});

test("what waits for a restarted agent is handled by the new one, in order; for one that is gone it ends typed", async () => {
  const simulation = await started(root([worker("a", "old"), worker("b"), worker("c")]));
  const opened = Promise.withResolvers<void>();
  Worker.gates.set("gate", opened.promise);
  const { runtime } = simulation;
  const calls = ["a", "b"].map((to) => runtime.call(to, { id: `${to}0`, gate: "gate" }));
  await simulation.runUntilIdle();
  const waiting = ["1", "2", "3"].map((id) => runtime.call("a", { id: `a${id}` }));
  const lost = runtime.call("b", { id: "b1" });
  const changing = runtime.change({
    supervision: root([worker("a", "new"), worker("c", "x")]),
    changed: new Set(["a"]),
  });
  await simulation.runUntilIdle();
  opened.resolve();
  const refused = assert.rejects(lost, { code: "AGENTRT_AGENT_STOPPED" });
  await simulation.until(changing);
  const answers = await simulation.until(Promise.all([...calls, ...waiting]));
  assert.deepEqual(
    answers.map(({ by, count }) => [by, count]),
    [
      ["old", 1],
      [null, 1],
      // Its state was saved between these two, before anything stopped.
      ["old", 2],
      ["new", 3],
      ["new", 4],
    ],
  );
  await refused;
  assert.deepEqual(
    Worker.handled.filter((id) => id.startsWith("a")),
    ["a0", "a1", "a2", "a3"],
  );
  assert.deepEqual(runtime.snapshot().dropped.stopped, 1);
  await simulation.stop();
});

test("an agent moves under another supervisor with its object, its message at hand and its queue", async () => {
  const simulation = await started(
    root([
      supervisor("s1", { children: [worker("a"), worker("x")] }),
      supervisor("s2", { children: [worker("b")] }),
    ]),
  );
  const life = await lifeOf(simulation, "a");
  const opened = Promise.withResolvers<void>();
  Worker.gates.set("gate", opened.promise);
  const calls = [{ gate: "gate" }, {}].map((payload) => simulation.runtime.call("a", payload));
  await simulation.runUntilIdle();
  const next = root([
    supervisor("s1", { children: [worker("x")] }),
    supervisor("s3", {
      strategy: "ONE_FOR_ALL",
      backoffBaseMs: 0,
      children: [worker("n"), worker("a")],
    }),
  ]);
  await change(simulation, next);
  opened.resolve();
  const answers = await simulation.until(Promise.all(calls));
  assert.deepEqual(
    answers.map((answer) => [answer.life, answer.count]),
    [
      [life, 2],
      [life, 3],
    ],
  );
  await sameAsFresh(simulation, next);
  const other = await lifeOf(simulation, "n");
  // Now its new supervisor decides about it.
  await simulation.runtime.cast("a", { crash: "boom" });
  await simulation.advance(10);
  assert.notEqual(await lifeOf(simulation, "n"), other);
  assert.notEqual(await lifeOf(simulation, "a"), life);
  await simulation.stop();
});

test("a start that fails is undone: who ran runs, kept objects are the same, the error names the start", async () => {
  const before = root([
    supervisor("s1", { children: [worker("a", "old"), worker("gone"), worker("moved")] }),
    supervisor("s2", { children: [worker("kept")] }),
  ]);
  const simulation = await started(before);
  const { runtime } = simulation;
  const lives = await Promise.all(
    ["moved", "kept"].map((name) => simulation.until(lifeOf(simulation, name))),
  );
  await simulation.call("gone", {});
  const tree = picture(runtime.tree());
  Worker.failing.add("last");
  const next = root(
    [
      supervisor("s2", {
        strategy: "REST_FOR_ONE",
        children: [worker("moved"), worker("kept"), worker("new")],
      }),
      supervisor("s3", {
        children: [worker("a", "new"), pool(Worker, "p", { size: 2 }), worker("last")],
      }),
    ],
    { restartCountMax: 9 },
  );
  Worker.trace = [];
  await assert.rejects(change(simulation, next, ["a", "s2", "root"]), {
    code: "AGENTRT_CHANGE_START_FAILED",
    message: /"last" did not start, and all is as it was before: last has no port/,
  });
  assert.deepEqual(picture(runtime.tree()), tree);
  assert.deepEqual(
    await Promise.all(["moved", "kept"].map((name) => simulation.until(lifeOf(simulation, name)))),
    lives,
  );
  assert.equal((await simulation.call("a", {}))["by"], "old");
  assert.equal((await simulation.call("gone", {}))["count"], 2);
  for (const name of ["new", "p", "last", "s3", "p/1"])
    assert.equal(runtime.registry.get(name), undefined);
  Worker.failing.clear();
  await change(simulation, next, ["a", "s2", "root"]);
  await sameAsFresh(simulation, next);
  await simulation.stop();
});

test("pools, keyed agents and dynamic supervisors change their settings, and keep what waits and what was spawned", async () => {
  const simulation = await started(
    root([
      pool(Worker, "p", { size: 1, config: { by: "old" } }),
      keyed(Worker, "k", { config: { by: "old" } }),
      dynamicSupervisor("d", { childCountMax: 1 }),
      worker("a"),
    ]),
  );
  const { runtime } = simulation;
  await simulation.call("a", { spawn: "s1" });
  await simulation.call("k/1", {});
  const life = await lifeOf(simulation, "s1");
  const opened = Promise.withResolvers<void>();
  Worker.gates.set("gate", opened.promise);
  const calls = ["p", "p", "p", "k/1", "k/1"].map((to) => runtime.call(to, { gate: "gate" }));
  await simulation.runUntilIdle();
  const next = root([
    pool(Worker, "p", { size: 3, config: { by: "new" }, capabilities: ["tag"] }),
    keyed(Worker, "k", { config: { by: "new" }, idleMs: 5 }),
    dynamicSupervisor("d", { childCountMax: 2 }),
    worker("a"),
  ]);
  const changing = runtime.change({ supervision: next, changed: new Set(["p", "k", "d"]) });
  await simulation.runUntilIdle();
  opened.resolve();
  await simulation.until(changing);
  const answers = await simulation.until(Promise.all(calls));
  assert.deepEqual(
    answers.slice(0, 4).map(({ by }) => by),
    ["old", "new", "new", "old"],
  );
  assert.deepEqual(
    answers.slice(3).map(({ count }) => count),
    [2, 3],
  );
  assert.equal(await lifeOf(simulation, "s1"), life);
  await simulation.call("a", { spawn: "s2" });
  assert.equal((await simulation.until(runtime.callCapable("tag", {})))["by"], "new");
  await sameAsFresh(simulation, next);
  await change(simulation, root([pool(Worker, "p", { size: 1 }), worker("a")]), ["p"]);
  assert.equal(runtime.registry.get("p/2"), undefined);
  await assert.rejects(simulation.call("s1", {}), { code: "AGENTRT_BUS_NO_ROUTE" });
  await simulation.stop();
});

test("two changes at once: one wins, the other is refused; a crash meanwhile is decided about afterwards", async () => {
  const simulation = await started(root([worker("a"), worker("b", "old")]));
  const { runtime } = simulation;
  const opened = Promise.withResolvers<void>();
  Worker.gates.set("start b", opened.promise);
  const next = root([worker("a"), worker("b", "new")]);
  const first = runtime.change({ supervision: next, changed: new Set(["b"]) });
  await simulation.runUntilIdle();
  await assert.rejects(change(simulation, next), { code: "AGENTRT_CHANGE_BUSY" });
  await runtime.cast("a", { crash: "boom" });
  await simulation.advance(100);
  assert.equal(runtime.tree().children[0]?.status, "CRASHED");
  opened.resolve();
  await simulation.until(first);
  await simulation.advance(100);
  assert.equal(runtime.tree().children[0]?.status, "RUNNING");
  await simulation.stop();
});

test("a stop of the runtime ends a change at any of its steps, and answers all that waited", async () => {
  for (const stoppedAt of ["start n", "gate"]) {
    const simulation = await started(
      root([worker("a", "old"), supervisor("s", { children: [worker("moved"), worker("gone")] })]),
    );
    const { runtime } = simulation;
    const opened = Promise.withResolvers<void>();
    Worker.gates.set(stoppedAt, opened.promise);
    const asked = ["gone", "gone", "a"].map((to) => runtime.call(to, { gate: "gate" }));
    const settled = Promise.allSettled(asked);
    await simulation.runUntilIdle();
    const next = root([
      worker("a", "new"),
      supervisor("t", { children: [worker("n"), worker("moved")] }),
    ]);
    const changing = runtime.change({ supervision: next, changed: new Set(["a"]) });
    const ended = assert.rejects(changing, { code: /AGENTRT_SUPERVISION_(HOLD_LOST|NOT_STARTED)/ });
    await simulation.runUntilIdle();
    const report = await simulation.stop({ timeoutMs: 1000 });
    await simulation.until(ended);
    assert.equal(report.lateNames.includes("moved"), false);
    const results = await simulation.until(settled);
    for (const result of results.slice(1))
      if (result.status === "rejected") assert.match(String(result.reason), /stopped|crashed/);
    opened.resolve();
  }
});

test("a stop that gives its agents time takes a change back whose start takes long: what waits is handled before the end", async () => {
  const simulation = new Simulation({
    supervision: root([worker("a", "old"), worker("gone")]),
    shutdown: { graceMs: 30_000 },
  });
  await simulation.start();
  const { runtime } = simulation;
  const { system } = runtime;
  Worker.gates.set("start n", Promise.withResolvers<void>().promise);
  const next = root([worker("n"), worker("a", "new")]);
  const changing = runtime.change({ supervision: next, changed: new Set(["a"]) });
  const ended = assert.rejects(changing, { code: "AGENTRT_SUPERVISION_NOT_STARTED" });
  await simulation.runUntilIdle();
  const waiting = runtime.call("gone", {});
  await simulation.runUntilIdle();
  const beginMs = system.monotonicMs();
  const stopped = simulation.stop();
  await simulation.until(ended);
  assert.equal((await simulation.until(waiting))["by"], null);
  await stopped;
  // As long as the start that was given up may take to stop, and not the grace.
  assert.ok(system.monotonicMs() - beginMs < 10_000);
});

test("nodes swap their places, supervisors included, and a node of another kind takes a name", async () => {
  const simulation = await started(
    root([
      supervisor("a", { children: [supervisor("b", { children: [worker("x")] }), worker("y")] }),
      worker("z"),
    ]),
  );
  const life = await lifeOf(simulation, "x");
  const yLife = await lifeOf(simulation, "y");
  const next = root([
    supervisor("b", { children: [supervisor("a", { children: [worker("x")] }), worker("y")] }),
    pool(Worker, "z", { size: 1 }),
  ]);
  await change(simulation, next);
  await sameAsFresh(simulation, next);
  assert.equal(await lifeOf(simulation, "x"), life);
  assert.equal(await lifeOf(simulation, "y"), yLife);
  await simulation.call("z", {});
  await assert.rejects(change(simulation, root([worker("b"), worker("q")])), {
    code: "AGENTRT_CHANGE_KIND_DIFFERS",
  });
  await assert.rejects(change(simulation, supervisor("other", { children: [worker("q")] })), {
    code: "AGENTRT_CHANGE_ROOT_DIFFERS",
  });
  await sameAsFresh(simulation, next);
  Worker.failing.add("n");
  await assert.rejects(
    change(
      simulation,
      root([supervisor("b", { children: [worker("x")] }), worker("z"), worker("n")]),
    ),
    {
      code: "AGENTRT_CHANGE_START_FAILED",
    },
  );
  await sameAsFresh(simulation, next);
  await simulation.call("z", {});
  await simulation.stop();
});
