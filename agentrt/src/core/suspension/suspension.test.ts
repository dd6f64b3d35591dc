import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryStateStore } from "../../state/index.ts";
import { FaultyStateStore, Simulation } from "../../testing/index.ts";
import { Agent } from "../agents/agent.ts";
import type { JsonObject } from "../values/json.ts";
import type { Message } from "../messages/message.ts";
import type { StateStore } from "../ports/state-store.ts";
import type { AgentNode } from "../tree/tree-node.ts";
import { child } from "../tree/agent-spec.ts";
import { supervisor } from "../tree/supervisor-spec.ts";

/** Writes down what it lives through; does what its messages say. */
class Clerk extends Agent {
  static trace: string[] = [];
  static release: () => void = () => undefined;

  override onStart(): void {
    Clerk.trace.push("start");
  }
  override onStop(): void {
    Clerk.trace.push("stop");
  }
  override async onSuspend(reason: string): Promise<void> {
    Clerk.trace.push(`suspend ${reason} ${JSON.stringify(this.state["count"])}`);
    if (reason === "hook fails") throw new Error("hook");
  }
  override async onResume(approver: string): Promise<void> {
    Clerk.trace.push(`resume ${approver}`);
    if (approver === "hook fails") throw new Error("hook");
  }
  override async handle({ payload, priority }: Message): Promise<JsonObject> {
    const label = payload["label"];
    if (typeof label === "string") Clerk.trace.push(`${priority > 0 ? "!" : ""}${label}`);
    if (payload["hold"] === true) {
      await new Promise<void>((resolve) => {
        Clerk.release = resolve;
      });
    }
    if (payload["approval"] === true) await this.suspendForApproval("refund over 500");
    if (payload["crash"] === true) throw new Error("as told");
    if (payload["spoil"] === true) this.state["spoilt"] = Number.NaN;
    if (payload["forge"] === true) {
      this.state["_agentrt.suspended"] = { reason: "forged" };
      await this.checkpoint();
    }
    this.state["count"] = Number(this.state["count"] ?? 0) + 1;
    return { count: this.state["count"] };
  }
}

async function simulate(
  options: { state?: StateStore; restartCountMax?: number } = {},
): Promise<Simulation> {
  Clerk.trace = [];
  const { state, restartCountMax = 3 } = options;
  const simulation = new Simulation({
    state,
    supervision: supervisor("root", {
      restartCountMax,
      backoffBaseMs: 0,
      children: [child(Clerk, "clerk", { mailboxLengthMax: 3 })],
    }),
  });
  await simulation.start();
  return simulation;
}

function clerk(simulation: Simulation): AgentNode {
  const [node] = simulation.runtime.tree().children;
  assert.ok(node?.kind === "agent");
  return node;
}

async function suspend(simulation: Simulation, reason = "audit"): Promise<void> {
  await simulation.until(simulation.runtime.suspend("clerk", { reason }));
}

test("a suspension takes effect between two messages; the others wait in order until it is resumed", async () => {
  await using simulation = await simulate();
  const { runtime } = simulation;
  await simulation.cast("clerk", { label: "first", hold: true });
  const suspended = runtime.suspend("clerk", { reason: "audit" });
  await simulation.cast("clerk", { label: "second" });
  await simulation.cast("clerk", { label: "third" });
  assert.equal(clerk(simulation).status, "RUNNING");
  Clerk.release();
  await simulation.until(suspended);
  await simulation.runUntilIdle();
  const { status, suspension, mailboxDepth } = clerk(simulation);
  assert.deepEqual([status, mailboxDepth], ["SUSPENDED", 2]);
  assert.deepEqual(suspension, {
    reason: "audit",
    category: "other",
    sinceMs: simulation.clock.nowMs(),
    isDurable: true,
    initiatedBy: "runtime",
    isDrained: false,
  });
  await simulation.until(runtime.resume("clerk", { approver: "Ada" }));
  await simulation.runUntilIdle();
  assert.equal(clerk(simulation).status, "RUNNING");
  assert.deepEqual(Clerk.trace, [
    "start",
    "first",
    "suspend audit 1",
    "resume Ada",
    "second",
    "third",
  ]);
});

test("a suspended agent serves messages of a priority above 0, a restart and a stop", async () => {
  await using simulation = await simulate();
  await suspend(simulation);
  await simulation.cast("clerk", { label: "waits" });
  const reply = await simulation.runtime.call("clerk", { label: "urgent" }, { priority: 1 });
  assert.deepEqual(reply, { count: 1 });
  await simulation.crash("clerk");
  assert.equal(clerk(simulation).status, "SUSPENDED");
  assert.equal(clerk(simulation).restartCount, 1);
  assert.deepEqual(Clerk.trace, ["start", "suspend audit undefined", "!urgent", "stop", "start"]);
  await simulation.until(simulation.runtime.stopAgent("clerk"));
  assert.equal(clerk(simulation).status, "STOPPED");
  assert.deepEqual(Clerk.trace.slice(-1), ["stop"]);
});

test("the mailbox of a suspended agent keeps its bound: senders wait", async () => {
  await using simulation = await simulate();
  await suspend(simulation);
  for (const label of ["a", "b", "c"]) await simulation.cast("clerk", { label });
  const late = simulation.runtime.cast("clerk", { label: "d" }, { timeoutMs: 1000 });
  late.catch(() => undefined);
  assert.equal(clerk(simulation).waitingSenderCount, 1);
  await assert.rejects(simulation.until(late), { code: "AGENTRT_BUS_MAILBOX_FULL" });
});

test("a call into a suspended agent waits for its time-out, for ever when told so, or not at all", async () => {
  await using simulation = await simulate();
  const { runtime } = simulation;
  await suspend(simulation);
  const brief = runtime.call("clerk", {}, { timeoutMs: 5000 });
  await assert.rejects(simulation.until(brief), { code: "AGENTRT_BUS_TIMEOUT" });
  await assert.rejects(runtime.call("clerk", {}, { failIfSuspended: true }), {
    code: "AGENTRT_AGENT_SUSPENDED",
  });
  const patient = runtime.call("clerk", {}, { timeoutMs: Number.POSITIVE_INFINITY });
  await simulation.advance(100 * 86_400_000);
  await simulation.until(runtime.resume("clerk", { approver: "Ada" }));
  // The one whose caller gave up is not served.
  assert.deepEqual(await simulation.until(patient), { count: 1 });
  assert.deepEqual(await runtime.call("clerk", {}, { failIfSuspended: true }), { count: 2 });
  assert.equal(runtime.snapshot().dropped.expired, 1);
});

test("a stream from a suspended agent says so when its first chunk is late, or at once when told so", async () => {
  await using simulation = await simulate();
  const { runtime } = simulation;
  await suspend(simulation);
  const brief = runtime.stream("clerk", {}, { firstChunkTimeoutMs: 5000 }).next();
  await assert.rejects(simulation.until(brief), {
    code: "AGENTRT_STREAM_FIRST_CHUNK_TIMEOUT",
    message: /no chunk came within 5000 ms: it is suspended$/,
  });
  await assert.rejects(runtime.stream("clerk", {}, { failIfSuspended: true }).next(), {
    code: "AGENTRT_AGENT_SUSPENDED",
  });
  // Only the late one is in the mailbox, and will not be served; the one that was refused never came there.
  assert.equal(clerk(simulation).mailboxDepth, 1);
  await simulation.until(runtime.resume("clerk", { approver: "Ada" }));
  assert.deepEqual(await runtime.call("clerk", {}), { count: 1 });
});

test("a suspension outlives the runtime: the next one starts suspended, without the hooks", async () => {
  const kept = new MemoryStateStore();
  const state: StateStore = {
    get: (agent) => kept.get(agent),
    set: (agent, value) => kept.set(agent, value),
    delete: (agent) => kept.delete(agent),
    listAgents: () => kept.listAgents(),
    close: async () => undefined,
  };
  {
    await using first = await simulate({ state });
    await first.cast("clerk", {});
    await first.runtime.suspend("clerk", { reason: "audit", category: "governance_pause" });
  }
  const saved = await kept.get("clerk");
  const marker = saved?.["_agentrt.suspended"] as JsonObject;
  assert.deepEqual(
    [saved?.["count"], marker["reason"], marker["category"], marker["approver"]],
    [1, "audit", "governance_pause", null],
  );
  await using second = await simulate({ state });
  assert.equal(clerk(second).status, "SUSPENDED");
  assert.equal(clerk(second).suspension?.category, "governance_pause");
  assert.equal(clerk(second).suspension?.sinceMs, Number(marker["since"]) * 1000);
  await second.cast("clerk", { label: "waits" });
  assert.deepEqual(Clerk.trace, ["start"]);
  await second.until(second.runtime.resume("clerk", { approver: "Ada" }));
  await second.runUntilIdle();
  assert.deepEqual(Clerk.trace, ["start", "resume Ada", "waits"]);
  assert.deepEqual(await kept.get("clerk"), { count: 1 });
});

test("suspending a suspended agent keeps its beginning, changes reason and category, and runs no hook", async () => {
  await using simulation = await simulate();
  await suspend(simulation, "first");
  const sinceMs = clerk(simulation).suspension?.sinceMs;
  await simulation.advance(60_000);
  const again = { reason: "second", category: "hitl_approval" } as const;
  await simulation.until(simulation.runtime.suspend("clerk", again));
  assert.deepEqual(clerk(simulation).suspension, {
    ...again,
    sinceMs,
    isDurable: true,
    initiatedBy: "runtime",
    isDrained: false,
  });
  assert.deepEqual(Clerk.trace, ["start", "suspend first undefined"]);
});

test("suspendForApproval() pauses after the message at hand, whose caller still gets its reply", async () => {
  await using simulation = await simulate();
  assert.deepEqual(await simulation.call("clerk", { approval: true }), { count: 1 });
  await simulation.runUntilIdle();
  const { suspension } = clerk(simulation);
  assert.deepEqual(
    [suspension?.category, suspension?.reason],
    ["hitl_approval", "refund over 500"],
  );
  assert.ok(
    simulation.events.lines.some((line) =>
      line.endsWith("agent.suspended clerk: refund over 500 (hitl_approval)"),
    ),
  );
});

test("a crash between the request and the boundary does not lose the suspension", async () => {
  await using simulation = await simulate();
  await simulation.cast("clerk", { hold: true, crash: true });
  const suspended = simulation.runtime.suspend("clerk", { reason: "audit" });
  await simulation.cast("clerk", { label: "waits" });
  Clerk.release();
  await simulation.until(suspended);
  assert.equal(clerk(simulation).status, "SUSPENDED");
  assert.ok(!Clerk.trace.includes("waits"));
});

test("a store that fails leaves the agent suspended, and says that it is not durable", async () => {
  const fault = (operation: string) =>
    operation === "set" ? new Error("the disk is full") : undefined;
  const state = new FaultyStateStore(new MemoryStateStore(), fault);
  await using simulation = await simulate({ state });
  await suspend(simulation);
  assert.equal(clerk(simulation).status, "SUSPENDED");
  assert.equal(clerk(simulation).suspension?.isDurable, false);
  assert.ok(simulation.logLines.some((line) => line.includes("could not be saved")));
});

test("an agent whose state is no JSON is suspended with the state that was saved last", async () => {
  const state = new MemoryStateStore();
  await using simulation = await simulate({ state });
  await state.set("clerk", { count: 7 });
  await simulation.call("clerk", { spoil: true });
  await suspend(simulation);
  assert.equal(clerk(simulation).suspension?.isDurable, true);
  await simulation.until(simulation.runtime.resume("clerk", { approver: "Ada" }));
  assert.deepEqual(await state.get("clerk"), { count: 7 });
});

test("hooks that fail: onSuspend is logged, onResume crashes the agent and tells who resumed it", async () => {
  await using simulation = await simulate();
  await suspend(simulation, "hook fails");
  assert.equal(clerk(simulation).status, "SUSPENDED");
  assert.ok(simulation.logLines.some((line) => line.includes("onSuspend failed")));
  await assert.rejects(
    simulation.until(simulation.runtime.resume("clerk", { approver: "hook fails" })),
    /hook/,
  );
  await simulation.runUntilIdle();
  assert.deepEqual([clerk(simulation).status, clerk(simulation).restartCount], ["RUNNING", 1]);
});

test("a user state that holds the runtime's key is refused", async () => {
  await using simulation = await simulate();
  await assert.rejects(simulation.call("clerk", { forge: true }), (error: Error) => {
    assert.equal((error.cause as { code?: string }).code, "AGENTRT_AGENT_STATE_KEY_RESERVED");
    return true;
  });
});

test("crashes of a suspended agent do not use up the budget, but do not go on for ever", async () => {
  await using simulation = await simulate({ restartCountMax: 1 });
  await suspend(simulation);
  await simulation.crash("clerk");
  assert.equal(simulation.runtime.tree().crashesInWindow, 0);
  for (let count = 0; count < 2; count += 1) await simulation.crash("clerk");
  assert.deepEqual(simulation.runtime.health().failed, ["clerk"]);
});

test("an agent that is given up is suspended no more when it is started again", async () => {
  const state = new MemoryStateStore();
  await using simulation = await simulate({ restartCountMax: 0, state });
  await suspend(simulation);
  await simulation.crash("clerk");
  await simulation.crash("clerk");
  assert.equal(clerk(simulation).status, "CRASHED");
  assert.equal(clerk(simulation).suspension, null);
  await simulation.runtime.restart("clerk");
  await simulation.runUntilIdle();
  assert.equal(clerk(simulation).status, "RUNNING");
  assert.equal(await state.get("clerk"), undefined);
});

test("what cannot be suspended or resumed is refused, with its reason", async () => {
  await using simulation = await simulate();
  const { runtime } = simulation;
  const reason = "audit";
  const rows: readonly (readonly [() => Promise<void>, string])[] = [
    [() => runtime.suspend("root", { reason }), "AGENTRT_SUPERVISION_NOT_AN_AGENT"],
    [() => runtime.suspend("nobody", { reason }), "AGENTRT_SUPERVISION_UNKNOWN_NAME"],
    [() => runtime.suspend("clerk", { reason: " " }), "AGENTRT_AGENT_SUSPENSION_INVALID"],
    [
      () => runtime.suspend("clerk", { reason, category: "lunch" as "other" }),
      "AGENTRT_AGENT_SUSPENSION_INVALID",
    ],
    [() => runtime.resume("clerk", { approver: "" }), "AGENTRT_AGENT_SUSPENSION_INVALID"],
  ];
  for (const [ask, code] of rows) await assert.rejects(ask(), { code });
  await assert.rejects(runtime.suspend("root", { reason }), {
    message: 'Cannot suspend "root" by itself: it is a supervisor, want an agent',
  });
  await assert.rejects(runtime.resume("root", { approver: "Ada" }), {
    message: 'Cannot resume "root" by itself: it is a supervisor, want an agent',
  });
  await simulation.until(runtime.resume("clerk", { approver: "Ada" }));
  assert.deepEqual(Clerk.trace, ["start"]);
  await simulation.until(runtime.stopAgent("clerk"));
  await assert.rejects(runtime.suspend("clerk", { reason }), { code: "AGENTRT_AGENT_STOPPED" });
});

test("a resume that names no approver is refused, and the agent stays suspended", async () => {
  await using simulation = await simulate();
  const { runtime } = simulation;
  await suspend(simulation);
  await simulation.cast("clerk", { label: "waits" });
  for (const approver of ["", " ", undefined, null, 7, {}]) {
    await assert.rejects(runtime.resume("clerk", { approver: approver as string }), {
      code: "AGENTRT_AGENT_SUSPENSION_INVALID",
      message: /approver/,
    });
  }
  await simulation.runUntilIdle();
  assert.equal(clerk(simulation).status, "SUSPENDED");
  assert.deepEqual(Clerk.trace, ["start", "suspend audit undefined"]);
});

test("requests that wait for a long message have a maximum, and are answered when the agent stops", async () => {
  await using simulation = await simulate();
  const { runtime } = simulation;
  await simulation.cast("clerk", { hold: true });
  const waiting = Array.from({ length: 100 }, () => runtime.suspend("clerk", { reason: "audit" }));
  for (const each of waiting) each.catch(() => undefined);
  await assert.rejects(runtime.suspend("clerk", { reason: "audit" }), {
    code: "AGENTRT_AGENT_SUSPENSION_BUSY",
  });
  const stopped = runtime.stopAgent("clerk");
  await simulation.runUntilIdle();
  Clerk.release();
  await simulation.until(stopped);
  const results = await Promise.allSettled(waiting);
  assert.ok(results.every(({ status }) => status === "rejected"));
});
