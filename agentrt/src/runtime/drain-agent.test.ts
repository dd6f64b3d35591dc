/** One agent is drained while the rest of the tree runs: agents, pools, keyed agents and their keys. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Agent,
  child,
  type DeferredReply,
  type JsonObject,
  keyed,
  type Message,
  pool,
  type StateStore,
  supervisor,
  type SuspensionNode,
  type TreeNode,
} from "../core/index.ts";
import { MemoryStateStore } from "../state/index.ts";
import { Simulation } from "../testing/index.ts";

let world: Simulation;

/** Takes as long as it is told, and writes down what it has handled. */
class Desk extends Agent {
  static done: string[] = [];
  static put: DeferredReply | undefined;

  override async handle(message: Message): Promise<JsonObject | undefined> {
    const { payload } = message;
    if (payload["defer"] === true) {
      Desk.put = message.defer();
      return undefined;
    }
    await world.sleep(Number(payload["ms"] ?? 0));
    if (payload["again"] === true) await this.cast(this.name, { n: `${Number(payload["n"])}+` });
    if (payload["forever"] === true) await this.cast(this.name, payload);
    if (payload["crash"] === true) throw new Error("as told");
    Desk.done.push(`${this.name} ${JSON.stringify(payload["n"])}`);
    return { n: payload["n"] ?? null };
  }
}

async function simulate(state: StateStore = new MemoryStateStore()): Promise<Simulation> {
  Desk.done = [];
  world = new Simulation({
    state,
    supervision: supervisor("root", {
      backoffBaseMs: 0,
      children: [
        child(Desk, "desk", { capabilities: ["write"] }),
        pool(Desk, "desks", { size: 2 }),
        keyed(Desk, "ticket", { key: "id", idleMs: 60_000 }),
      ],
    }),
  });
  await world.start();
  return world;
}

function suspensionOf(name: string): SuspensionNode | null | undefined {
  const node = world.runtime.tree().children.find((each: TreeNode) => each.name === name);
  if (node?.kind === "agent") return node.suspension;
  return node?.kind === "supervisor" ? (node.pool ?? node.keyed)?.suspension : undefined;
}

const drainedCode = { code: "AGENTRT_AGENT_DRAINED", httpStatus: 503 };
const by = { initiatedBy: "ada" };

test("a drained agent refuses what is new, finishes what it has, and is suspended until somebody resumes it", async () => {
  await using simulation = await simulate();
  const { runtime } = simulation;
  const queued = [1, 2, 3].map((n) => runtime.call("desk", { n, ms: 100, again: n === 3 }));
  await simulation.runUntilIdle();
  let isDrained = false;
  const drained = runtime.drain("desk", by).then(() => (isDrained = true));
  await assert.rejects(runtime.call("desk", { n: 4 }), {
    ...drainedCode,
    message:
      'Cannot reach "desk": it is drained and takes no new messages until somebody resumes it',
  });
  await assert.rejects(runtime.cast("desk", { n: 4 }), drainedCode);
  await assert.rejects(runtime.inject("desk", { type: "x", payload: {} }), drainedCode);
  await assert.rejects(runtime.stream("desk", { n: 4 }).next(), drainedCode);
  await assert.rejects(runtime.callCapable("write", {}), { code: "AGENTRT_BUS_NO_CAPABLE" });
  await simulation.advance(150);
  assert.ok(!isDrained, "messages wait");
  assert.deepEqual(await simulation.until(Promise.all(queued)), [{ n: 1 }, { n: 2 }, { n: 3 }]);
  await simulation.until(drained);
  // What it sent to itself belongs to what it had.
  assert.deepEqual(Desk.done, ["desk 1", "desk 2", "desk 3", 'desk "3+"']);
  const { sinceMs: _, ...suspension } = suspensionOf("desk") ?? {};
  assert.deepEqual(suspension, {
    reason: "drained",
    category: "other",
    isDurable: true,
    initiatedBy: "ada",
    isDrained: true,
  });
  await assert.rejects(runtime.call("desk", { n: 5 }), drainedCode);
  assert.deepEqual(await simulation.until(runtime.call("desk", { n: "now" }, { priority: 1 })), {
    n: "now",
  });
  // Drained and suspended again: no conflict, and it refuses all the same.
  await simulation.until(runtime.drain("desk", by));
  await simulation.until(runtime.suspend("desk", { reason: "audit" }));
  await assert.rejects(runtime.call("desk", { n: 5 }), drainedCode);
  await simulation.until(runtime.resume("desk", { approver: "bob" }));
  assert.deepEqual(await simulation.until(runtime.call("desk", { n: 6 })), { n: 6 });
  assert.equal(suspensionOf("desk"), null);
});

test("a crash in the middle of a drain ends it as little as a reply that was put off", async () => {
  await using simulation = await simulate();
  const { runtime } = simulation;
  const put = runtime.call("desk", { defer: true });
  const crashed = runtime.call("desk", { n: 1, crash: true, ms: 10 });
  const queued = runtime.call("desk", { n: 2, ms: 10 });
  await simulation.runUntilIdle();
  const drained = runtime.drain("desk", by);
  const failed = await simulation.until(Promise.allSettled([put, crashed]));
  const codes = failed.map((each) => each.status === "rejected" && each.reason.code);
  assert.deepEqual(codes, ["AGENTRT_AGENT_CRASHED", "AGENTRT_AGENT_CRASHED"]);
  await assert.rejects(runtime.call("desk", {}), drainedCode);
  assert.deepEqual(await simulation.until(queued), { n: 2 });
  await simulation.until(drained);
  await simulation.until(runtime.resume("desk", { approver: "bob" }));

  const late = runtime.call("desk", { defer: true });
  await simulation.runUntilIdle();
  let isDrained = false;
  const again = runtime.drain("desk", by).then(() => (isDrained = true));
  await simulation.advance(1000);
  assert.ok(!isDrained, "somebody waits for the reply");
  Desk.put?.send({ late: true });
  assert.deepEqual(await simulation.until(late), { late: true });
  await simulation.until(again);
});

test("a drain is told of at its beginning and at its end, and of one that sends itself messages a suspend is the end", async () => {
  await using simulation = await simulate();
  const { runtime } = simulation;
  const told: unknown[] = [];
  runtime.onEvent((event) => {
    if (event.type !== "agent.draining" && event.type !== "agent.suspended") return;
    const { type, reason, initiatedBy } = event;
    told.push([type, reason, initiatedBy, event.type === "agent.suspended" && event.isDrained]);
  });
  await runtime.cast("desk", { n: 1, ms: 100, forever: true });
  await simulation.runUntilIdle();
  const asked = { initiatedBy: "ada", reason: "new prices" };
  const drained = runtime.drain("desk", asked);
  await simulation.advance(60_000);
  const { drain, atHand } = runtime.activity("desk");
  assert.deepEqual({ ...drain, sinceMs: 0 }, { ...asked, sinceMs: 0 });
  assert.equal(atHand[0]?.sender, "desk");
  assert.equal(suspensionOf("desk"), null);
  await simulation.until(runtime.suspend("desk", { reason: "enough", initiatedBy: "bob" }));
  await simulation.until(drained);
  assert.equal(runtime.activity("desk").drain, undefined);
  assert.deepEqual(
    [suspensionOf("desk")?.reason, suspensionOf("desk")?.isDrained],
    ["new prices", true],
  );
  assert.deepEqual(told, [
    ["agent.draining", "new prices", "ada", false],
    ["agent.suspended", "enough", "bob", true],
    ["agent.suspended", "new prices", "ada", true],
  ]);
  await assert.rejects(runtime.drain("desk", { reason: " " }), {
    code: "AGENTRT_AGENT_SUSPENSION_INVALID",
  });
});

test("a resume ends a drain that is under way, and one that is suspended keeps what waits for it", async () => {
  await using simulation = await simulate();
  const { runtime } = simulation;
  const atHand = runtime.call("desk", { n: 1, ms: 200 });
  await simulation.runUntilIdle();
  const drained = runtime.drain("desk", by);
  const ended = assert.rejects(drained, { code: "AGENTRT_AGENT_DRAIN_ENDED" });
  await simulation.until(runtime.resume("desk", { approver: "bob" }));
  await simulation.advance(100);
  await ended;
  assert.deepEqual(await simulation.until(atHand), { n: 1 });
  assert.deepEqual(await simulation.until(runtime.call("desk", { n: 2 })), { n: 2 });

  await simulation.until(runtime.suspend("desk", { reason: "audit" }));
  const waiting = runtime.call("desk", { n: 3 });
  await simulation.until(runtime.drain("desk", by));
  assert.equal(suspensionOf("desk")?.reason, "drained");
  await assert.rejects(runtime.call("desk", { n: 4 }), drainedCode);
  await simulation.until(runtime.resume("desk", { approver: "bob" }));
  assert.deepEqual(await simulation.until(waiting), { n: 3 });
});

test("pools, members, keyed agents and keys are drained by their names", async () => {
  await using simulation = await simulate();
  const { runtime } = simulation;
  for (const [name, payload] of [
    ["desks", {}],
    ["ticket", { id: "a" }],
    ["ticket/a", {}],
  ] as const) {
    const queued = [1, 2, 3].map((n) => runtime.call(name, { ...payload, n, ms: 50 }));
    await simulation.runUntilIdle();
    const drained = runtime.drain(name, by);
    await assert.rejects(runtime.call(name, { ...payload }), drainedCode, name);
    assert.deepEqual(await simulation.until(Promise.all(queued)), [{ n: 1 }, { n: 2 }, { n: 3 }]);
    await simulation.until(drained);
    await assert.rejects(runtime.call(name, { ...payload }), drainedCode, name);
    if (name !== "ticket/a") assert.equal(suspensionOf(name)?.isDrained, true);
    await simulation.until(runtime.resume(name, { approver: "bob" }));
    assert.deepEqual(await simulation.until(runtime.call(name, { ...payload, n: 4 })), { n: 4 });
  }
  // The other keys go on; a key without an object is drained, too.
  await simulation.until(runtime.drain("ticket/b", by));
  await assert.rejects(runtime.call("ticket", { id: "b" }), drainedCode);
  assert.deepEqual(await simulation.until(runtime.call("ticket", { id: "a", n: 1 })), { n: 1 });
  // The other member takes what the pool has.
  await simulation.until(runtime.drain("desks/1", by));
  Desk.done = [];
  await simulation.until(Promise.all([1, 2, 3].map((n) => runtime.call("desks", { n }))));
  assert.deepEqual(Desk.done, ["desks/2 1", "desks/2 2", "desks/2 3"]);
  await assert.rejects(runtime.drain("root"), { code: "AGENTRT_SUPERVISION_NOT_AN_AGENT" });
  await assert.rejects(runtime.drain("nobody"), { code: "AGENTRT_SUPERVISION_UNKNOWN_NAME" });
});

test("a process that dies in the middle of a drain, or after it, starts with agents that refuse", async () => {
  const memory = new MemoryStateStore();
  const state: StateStore = {
    get: (agent) => memory.get(agent),
    set: (agent, value) => memory.set(agent, value),
    delete: (agent) => memory.delete(agent),
    listAgents: () => memory.listAgents(),
    close: async () => undefined,
  };
  {
    await using simulation = await simulate(state);
    const { runtime } = simulation;
    for (const name of ["desk", "desks", "ticket/a"]) {
      runtime.call(name, { n: 1, ms: 60_000 }).catch(() => undefined);
    }
    await simulation.runUntilIdle();
    for (const name of ["desk", "desks", "ticket/a"])
      runtime.drain(name, by).catch(() => undefined);
    await simulation.advance(100);
  }
  const saved = await memory.get("desk");
  assert.deepEqual(Object.keys(saved ?? {}), ["_agentrt.suspended"]);
  await using simulation = await simulate(state);
  const { runtime } = simulation;
  for (const name of ["desk", "desks", "ticket/a"]) {
    await assert.rejects(simulation.until(runtime.call(name, {})), drainedCode, name);
    await simulation.until(runtime.resume(name, { approver: "bob" }));
    assert.deepEqual(await simulation.until(runtime.call(name, { n: 1 })), { n: 1 });
  }
  assert.equal(suspensionOf("desk"), null);
});
