/** Approvals of agents, over code: asked for, listed, decided, expired, kept. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Agent,
  type Approval,
  type ApprovalOptions,
  child,
  dynamicSupervisor,
  type JsonObject,
  keyed,
  type Message,
  pool,
  supervisor,
  type SupervisorSpec,
} from "../../index.ts";
import { MemoryStateStore } from "../../state/index.ts";
import { Simulation } from "../../testing/index.ts";
import { approvalErrors } from "./index.ts";

const day = 86_400_000;

/** What was paid, as the world outside of the agents sees it. */
let paid: string[] = [];
let heard: string[] = [];

/** Pays what was approved, and nothing else. */
class Refunds extends Agent {
  override async handle({ payload }: Message): Promise<JsonObject> {
    const { ask, text } = payload;
    if (text !== undefined) await this.suspendForApproval(text as string);
    if (ask !== undefined) {
      const id = await this.suspendForApproval(ask as unknown as ApprovalOptions);
      return { id };
    }
    heard.push(`${this.name} handles ${payload["label"] as string}`);
    return { paid: Number(this.state["paid"] ?? 0) };
  }

  override onSuspend(reason: string): void {
    heard.push(`suspended: ${reason}`);
  }

  override onResume(approver: string): void {
    heard.push(`resumed by ${approver}`);
  }

  override async onApproval(approval: Approval): Promise<void> {
    const { status, principal, note } = approval;
    heard.push(`${approval.kind} ${status} by ${principal}${note === null ? "" : `: ${note}`}`);
    const { amount } = approval.granted();
    if (amount === "crash" && !approval.isRepeated) throw new Error("as told");
    paid.push(`${this.name} ${amount as string}`);
    this.state["paid"] = Number(this.state["paid"] ?? 0) + 1;
  }
}

const schema = {
  type: "object",
  properties: { amount: { type: "number", maximum: 500 } },
  required: ["amount"],
  additionalProperties: false,
};

const refund = (amount: unknown, more: object = {}): JsonObject => ({
  ask: { kind: "refund", payload: { amount }, expiresMs: day, ...more } as JsonObject,
});

const tree = (): SupervisorSpec =>
  supervisor("root", {
    children: [
      child(Refunds, "refunds"),
      dynamicSupervisor("desks"),
      keyed(Refunds, "ticket", { key: "ticket", idleMs: 1000 }),
      pool(Refunds, "tellers", { size: 2 }),
    ],
  });

/** @param seed Another one for another process: ids come from it. */
async function start(state = new MemoryStateStore(), seed = 1): Promise<Simulation> {
  paid = [];
  heard = [];
  const simulation = new Simulation({ supervision: tree(), state, seed });
  await simulation.start();
  return simulation;
}

/** A store that a next runtime uses, too: a stop does not close it. */
function keptStore(): MemoryStateStore {
  const store = new MemoryStateStore();
  store.close = async () => undefined;
  return store;
}

const idOf = (reply: JsonObject): string => reply["id"] as string;

test("an approval is asked for, listed, approved once, and given to the agent that asked", async () => {
  await using simulation = await start();
  const { runtime } = simulation;
  const id = idOf(await simulation.call("refunds", refund(20, { schema })));
  await simulation.runUntilIdle();
  const [found, ...others] = runtime.approvals.list({ status: "pending" });
  assert.deepEqual(others, []);
  assert.deepEqual(
    {
      ...found,
      createdAtMs: 0,
      expiresAtMs: (found?.expiresAtMs ?? 0) - (found?.createdAtMs ?? 0),
    },
    {
      id,
      agent: "refunds",
      key: null,
      kind: "refund",
      payload: { amount: 20 },
      schema,
      createdAtMs: 0,
      expiresAtMs: day,
      status: "pending",
      decidedAtMs: null,
      principal: null,
      note: null,
      editedPayload: null,
      isDelivered: false,
    },
  );
  assert.equal(runtime.tree().children[0]?.status, "SUSPENDED");
  await simulation.cast("refunds", { label: "waits" });
  await simulation.runUntilIdle();
  assert.deepEqual([paid, heard], [[], ["suspended: approval: refund"]]);
  const decided = await simulation.until(
    runtime.approvals.approve(id, { principal: "Ada", note: "fine" }),
  );
  assert.deepEqual([decided.status, decided.principal, decided.note], ["approved", "Ada", "fine"]);
  await simulation.runUntilIdle();
  assert.deepEqual(paid, ["refunds 20"]);
  assert.deepEqual(heard.slice(1), ["refund approved by Ada: fine", "refunds handles waits"]);
  assert.equal(runtime.tree().children[0]?.status, "RUNNING");
  assert.equal(runtime.approvals.get(id).isDelivered, true);
  const again = simulation.until(runtime.approvals.deny(id, { principal: "Bob" }));
  await assert.rejects(again, { code: "AGENTRT_APPROVAL_DECIDED", httpStatus: 409 });
  await assert.rejects(runtime.approvals.approve("nobody", { principal: "Bob" }), {
    code: "AGENTRT_APPROVAL_UNKNOWN",
    httpStatus: 404,
  });
  const events = simulation.events.lines.filter((line) => / (approval|agent\.(s|r)u?)/.test(line));
  assert.deepEqual(
    events.filter((line) => line.includes("refunds")).map((line) => line.replace(/^\d+ /, "")),
    [
      "agent.started refunds",
      "agent.suspended refunds: approval: refund (hitl_approval)",
      "approval.requested refunds: refund",
      "approval.approved refunds: refund by Ada",
      "agent.resumed refunds by Ada",
    ],
  );
});

test("of two who decide at once exactly one is first", async () => {
  await using simulation = await start();
  const { approvals } = simulation.runtime;
  const id = idOf(await simulation.call("refunds", refund(20)));
  await simulation.runUntilIdle();
  const both = [
    approvals.approve(id, { principal: "Ada" }),
    approvals.deny(id, { principal: "Bob" }),
    approvals.approve(id, { principal: "Eve" }),
  ];
  const results = await simulation.until(Promise.allSettled(both));
  assert.deepEqual(
    results.map(({ status }) => status),
    ["fulfilled", "rejected", "rejected"],
  );
  await simulation.runUntilIdle();
  assert.deepEqual(paid, ["refunds 20"]);
});

test("a payload is edited within its schema, and not without one", async () => {
  await using simulation = await start();
  const { approvals } = simulation.runtime;
  const id = idOf(await simulation.call("refunds", refund(20, { schema })));
  await simulation.runUntilIdle();
  const refused: readonly (readonly [JsonObject, string])[] = [
    [
      { amount: 501 },
      `approval '${id}' cannot have this payload: payload.amount: must be at most 500`,
    ],
    [
      { amount: "20" },
      `approval '${id}' cannot have this payload: payload.amount: is string, want number`,
    ],
    [
      { amount: 1, to: "Eve" },
      `approval '${id}' cannot have this payload: payload.to: must not be there`,
    ],
    [{}, `approval '${id}' cannot have this payload: payload.amount: is missing`],
  ];
  for (const [payload, message] of refused) {
    const asked = simulation.until(approvals.approve(id, { principal: "Ada", payload }));
    await assert.rejects(asked, {
      code: "AGENTRT_APPROVAL_PAYLOAD_INVALID",
      httpStatus: 400,
      message,
    });
  }
  await simulation.until(approvals.approve(id, { principal: "Ada", payload: { amount: 5 } }));
  await simulation.runUntilIdle();
  assert.deepEqual(paid, ["refunds 5"]);
  assert.deepEqual(approvals.get(id).editedPayload, { amount: 5 });
  const other = idOf(await simulation.call("refunds", refund(20)));
  await simulation.runUntilIdle();
  const edited = simulation.until(
    approvals.approve(other, { principal: "Ada", payload: { amount: 5 } }),
  );
  await assert.rejects(edited, { message: /payload: it has no schema, so it is not edited/ });
  for (const wrong of [
    { principal: "" },
    { principal: "A", note: 7 },
    { principal: "A", note: "n".repeat(4097) },
  ])
    await assert.rejects(approvals.approve(other, wrong as { principal: string }), {
      code: "AGENTRT_APPROVAL_DECISION_INVALID",
      httpStatus: 400,
    });
});

test("a denied and an expired approval reach the agent as such, and nothing is done", async () => {
  await using simulation = await start();
  const { runtime } = simulation;
  const denied = idOf(await simulation.call("refunds", refund(20)));
  await simulation.runUntilIdle();
  await simulation.until(runtime.approvals.deny(denied, { principal: "Ada", note: "too much" }));
  await simulation.runUntilIdle();
  const expired = idOf(await simulation.call("refunds", refund(30, { expiresMs: 60_000 })));
  await simulation.advance(59_000);
  assert.equal(runtime.approvals.get(expired).status, "pending");
  await simulation.advance(2_000);
  assert.equal(runtime.approvals.get(expired).status, "expired");
  await assert.rejects(simulation.until(runtime.approvals.approve(expired, { principal: "Ada" })), {
    code: "AGENTRT_APPROVAL_DECIDED",
    message: /is not pending: it was expired at /,
  });
  assert.deepEqual(await simulation.call("refunds", { label: "next" }), { paid: 0 });
  assert.deepEqual(paid, []);
  assert.deepEqual(
    heard.filter((line) => line.startsWith("refund ")),
    ["refund denied by Ada: too much", "refund expired by null"],
  );
  assert.equal(runtime.tree().children[0]?.restartCount, 0);
});

test("resume of an agent that waits for an approval names it, or is refused", async () => {
  await using simulation = await start();
  const { runtime } = simulation;
  const id = idOf(await simulation.call("refunds", refund(20)));
  // Also before it has paused.
  const refused = {
    code: "AGENTRT_AGENT_APPROVAL_PENDING",
    httpStatus: 409,
    message: `Cannot resume "refunds": it waits for an approval and none was named: ${id}`,
  };
  await assert.rejects(runtime.resume("refunds", { approver: "Ada" }), refused);
  await simulation.runUntilIdle();
  await assert.rejects(runtime.resume("refunds", { approver: "Ada" }), refused);
  const other = { approver: "Ada", approval: "another" };
  await assert.rejects(runtime.resume("refunds", other), { code: "AGENTRT_APPROVAL_UNKNOWN" });
  await simulation.until(runtime.resume("refunds", { approver: "Ada", approval: id }));
  await simulation.runUntilIdle();
  assert.deepEqual(paid, ["refunds 20"]);
  assert.ok(!heard.includes("resumed by Ada"), "a decision is told by onApproval");
  // A text is a plain pause.
  await simulation.call("refunds", { text: "look", label: "text" });
  await simulation.runUntilIdle();
  assert.deepEqual(runtime.approvals.list({ status: "pending" }), []);
  await simulation.until(runtime.resume("refunds", { approver: "Ada" }));
  assert.ok(heard.includes("resumed by Ada"));
});

test("an agent that somebody has suspended, too, gets the decision after the resume", async () => {
  await using simulation = await start();
  const { runtime } = simulation;
  const id = idOf(await simulation.call("refunds", refund(20)));
  await simulation.until(runtime.suspend("refunds", { reason: "audit" }));
  await simulation.until(runtime.approvals.approve(id, { principal: "Ada" }));
  await simulation.runUntilIdle();
  assert.deepEqual([paid, runtime.tree().children[0]?.status], [[], "SUSPENDED"]);
  await simulation.until(runtime.resume("refunds", { approver: "Bob" }));
  await simulation.runUntilIdle();
  assert.deepEqual([paid, runtime.tree().children[0]?.status], [["refunds 20"], "RUNNING"]);
});

test("an agent goes on when all that it asked for is decided, each to its id", async () => {
  await using simulation = await start();
  const { approvals } = simulation.runtime;
  const first = idOf(await simulation.call("refunds", refund(1)));
  await simulation.runUntilIdle();
  const reply = simulation.runtime.call("refunds", refund(2), { priority: 1 });
  const second = idOf(await simulation.until(reply));
  await simulation.runUntilIdle();
  const [refunds] = simulation.runtime.tree().children;
  assert.ok(refunds?.kind === "agent");
  assert.deepEqual(refunds.suspension?.approvals, [first, second]);
  await simulation.until(approvals.approve(second, { principal: "Ada" }));
  await simulation.runUntilIdle();
  assert.deepEqual(
    [paid, simulation.runtime.tree().children[0]?.status],
    [["refunds 2"], "SUSPENDED"],
  );
  await simulation.until(approvals.deny(first, { principal: "Ada" }));
  await simulation.runUntilIdle();
  assert.deepEqual(
    [paid, simulation.runtime.tree().children[0]?.status],
    [["refunds 2"], "RUNNING"],
  );
});

test("what crashes in onApproval gets the decision again, and says so", async () => {
  await using simulation = await start();
  const id = idOf(await simulation.call("refunds", refund("crash")));
  await simulation.runUntilIdle();
  await simulation.until(simulation.runtime.approvals.approve(id, { principal: "Ada" }));
  await simulation.advance(10_000);
  assert.deepEqual(paid, ["refunds crash"]);
  assert.equal(simulation.runtime.tree().children[0]?.restartCount, 1);
  assert.deepEqual(await simulation.call("refunds", { label: "next" }), { paid: 1 });
});

test("approvals of declared, spawned and keyed agents and of pool members outlive the runtime", async () => {
  const state = keptStore();
  const ids = new Map<string, string>();
  const names = ["refunds", "desk-1", "ticket/7", "tellers/1"];
  {
    await using simulation = await start(state);
    await simulation.until(simulation.runtime.spawnInto("desks", Refunds, "desk-1"));
    for (const name of names) ids.set(name, idOf(await simulation.call(name, refund(name))));
    const expiring = await simulation.call("ticket/8", refund("late", { expiresMs: 60_000 }));
    ids.set("ticket/8", idOf(expiring));
    await simulation.runUntilIdle();
  }
  // Its time is over while nothing runs.
  const late = `_agency.approval/${ids.get("ticket/8")}`;
  await state.set(late, { ...(await state.get(late)), expires_at_ms: 1 });
  await using simulation = await start(state, 2);
  const { runtime } = simulation;
  await simulation.runUntilIdle();
  await simulation.advance(100);
  const warned = simulation.logLines.filter((line) => line.includes("waits from before"));
  assert.equal(warned.length, 5);
  assert.deepEqual(
    runtime.approvals.list({ status: "pending" }).map(({ agent }) => agent),
    names,
  );
  assert.equal(runtime.approvals.get(ids.get("ticket/8") ?? "").isDelivered, true);
  assert.deepEqual(heard, ["refund expired by null"]);
  for (const name of names) {
    const id = ids.get(name) ?? "";
    await simulation.until(runtime.approvals.approve(id, { principal: "Ada" }));
  }
  await simulation.runUntilIdle();
  // One that is not there gets it when it is spawned again.
  const others = names.filter((name) => name !== "desk-1");
  assert.deepEqual(
    paid,
    others.map((name) => `${name} ${name}`),
  );
  await simulation.until(runtime.spawnInto("desks", Refunds, "desk-1"));
  await simulation.runUntilIdle();
  assert.deepEqual(paid.length, 4);
  assert.deepEqual(await simulation.call("desk-1", { label: "next" }), { paid: 1 });
  assert.deepEqual(
    runtime.approvals.list({ agent: "ticket" }).map(({ key }) => key),
    ["7", "8"],
  );
  assert.deepEqual(
    runtime.approvals.list({ agent: "tellers" }).map(({ agent }) => agent),
    ["tellers/1"],
  );
});

test("who called an agent that could not ask for an approval where it was gets that error: it is asked again, and nothing was wrong with it", async () => {
  class Moved extends Agent {
    override onError(): "escalate" | "skip" {
      return this.name === "crash" ? "escalate" : "skip";
    }
    override async handle(): Promise<JsonObject> {
      throw new approvalErrors.ELSEWHERE({ place: "desk/0" });
    }
  }
  await using simulation = new Simulation({
    supervision: supervisor("root", { children: [child(Moved, "skip"), child(Moved, "crash")] }),
  });
  await simulation.start();
  for (const name of ["skip", "crash"])
    await assert.rejects(simulation.call(name, {}), { code: "AGENTRT_APPROVAL_ELSEWHERE" });
  // Where a broker keeps such a message it comes again, as one for an agent that has stopped does.
  const { dropped } = simulation.runtime.snapshot();
  assert.deepEqual([dropped.stopped, dropped.crashed, dropped.skipped], [2, 0, 0]);
});

for (const code of ["AGENTRT_STATE_FENCED", "AGENTRT_KEY_ELSEWHERE"])
  test(`a message whose agent cannot ask for an approval since the store refuses with ${code} fails as one for another process`, async () => {
    class Asking extends Agent {
      override async handle(): Promise<JsonObject> {
        return {
          id: await this.suspendForApproval({ kind: "refund", payload: {}, expiresMs: 60_000 }),
        };
      }
    }
    const state = new MemoryStateStore();
    state.set = async () => await Promise.reject(Object.assign(new Error("gone"), { code }));
    await using simulation = new Simulation({
      state,
      supervision: supervisor("root", { children: [child(Asking, "desk")] }),
    });
    await simulation.start();
    await assert.rejects(simulation.call("desk", {}), { code: "AGENTRT_APPROVAL_ELSEWHERE" });
    assert.equal(simulation.runtime.snapshot().dropped.stopped, 1);
  });
