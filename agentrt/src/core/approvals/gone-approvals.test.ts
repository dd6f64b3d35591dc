/** Approvals that the saved state of an agent waits for, and that nobody knows any more: a resume lets the agent go on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Agent, type Approval, child, type RuntimeEvent, supervisor } from "../../index.ts";
import { MemoryStateStore } from "../../state/index.ts";
import { FaultyStateStore, Simulation } from "../../testing/index.ts";
import { agentErrors } from "../errors.ts";

const expiresMs = 3_600_000;

/** Pays what was approved, and nothing else. */
class Payer extends Agent {
  override async handle() {
    return {
      id: await this.suspendForApproval({ kind: "pay", payload: { amount: 7 }, expiresMs }),
    };
  }

  override onApproval(approval: Approval) {
    const { amount } = approval.granted();
    this.state["paid"] = Number(this.state["paid"] ?? 0) + Number(amount);
  }
}

function simulate(state: ConstructorParameters<typeof Simulation>[0]["state"], seed: number) {
  const supervision = supervisor("root", { children: [child(Payer, "payer")] });
  return new Simulation({ supervision, state, seed });
}

/** A store in which `payer` waits for an approval of which no row is left. */
async function lostApproval(): Promise<{ readonly state: MemoryStateStore; readonly id: string }> {
  const state = new MemoryStateStore();
  state.close = async () => undefined;
  await using simulation = simulate(state, 1);
  await simulation.start();
  const { id } = await simulation.call("payer", {});
  await simulation.runUntilIdle();
  await simulation.stop();
  for (const key of await state.listAgents()) if (key !== "payer") await state.delete(key);
  return { state, id: id as string };
}

test("an agent whose approval is gone goes on when somebody resumes it, without what was to be approved", async () => {
  const { state, id } = await lostApproval();
  await using simulation = simulate(state, 2);
  const { runtime } = simulation;
  const resumed: RuntimeEvent[] = [];
  runtime.onEvent((event) => {
    if (event.type === "agent.resumed") resumed.push(event);
  });
  await simulation.start();
  await simulation.runUntilIdle();
  assert.equal(runtime.agentNode("payer")?.status, "SUSPENDED");
  const warned = simulation.logLines.filter((line) => line.includes("approvals that are gone"));
  assert.equal(warned.length, 1);
  assert.match(String(warned[0]), new RegExp(id));

  await simulation.until(runtime.resume("payer", { approver: "Ada" }));
  assert.equal(runtime.agentNode("payer")?.status, "RUNNING");
  const [event] = resumed;
  assert.equal(event?.type === "agent.resumed" ? event.approver : undefined, "Ada");
  assert.deepEqual(event?.type === "agent.resumed" ? event.goneApprovals : undefined, [id]);
  assert.deepEqual(await state.get("payer"), {}, "nothing is paid, and it waits for nothing");
  const told = simulation.logLines.filter((line) => line.includes("waits no more for approvals"));
  assert.equal(told.length, 1);

  // What it asks from now on is decided as ever.
  const next = await simulation.call("payer", {});
  await simulation.runUntilIdle();
  assert.equal(runtime.agentNode("payer")?.status, "SUSPENDED");
  await simulation.until(runtime.approvals.approve(next["id"] as string, { principal: "Bob" }));
  await simulation.runUntilIdle();
  assert.equal((await state.get("payer"))?.["paid"], 7);
});

test("of an agent that waits for one approval that is gone and one that is not, only the decision counts first", async () => {
  const { state } = await lostApproval();
  await using simulation = simulate(state, 3);
  const { runtime } = simulation;
  await simulation.start();
  const asking = runtime.call("payer", {}, { priority: 1 });
  const { id } = await simulation.until(asking);
  await simulation.runUntilIdle();
  await assert.rejects(
    simulation.until(runtime.resume("payer", { approver: "Ada" })),
    agentErrors.APPROVAL_PENDING,
  );
  await simulation.until(runtime.approvals.deny(id as string, { principal: "Bob" }));
  await simulation.runUntilIdle();
  assert.equal(runtime.agentNode("payer")?.status, "SUSPENDED");
  await simulation.until(runtime.resume("payer", { approver: "Ada" }));
  assert.equal(runtime.agentNode("payer")?.status, "RUNNING");
  assert.equal((await state.get("payer"))?.["paid"], undefined);
});

test("a resume takes no approval for gone while the store cannot say which there are", async () => {
  const { state, id } = await lostApproval();
  let isAway = true;
  const store = new FaultyStateStore(state, (operation, agent) =>
    isAway && operation === "get" && agent !== "payer" ? new Error("as told") : undefined,
  );
  await using simulation = simulate(store, 4);
  const { runtime } = simulation;
  await simulation.start();
  await assert.rejects(simulation.until(runtime.resume("payer", { approver: "Ada" })), {
    message: /as told/,
  });
  assert.equal(runtime.agentNode("payer")?.status, "SUSPENDED");
  assert.deepEqual(runtime.agentNode("payer")?.suspension?.approvals, [id]);
  isAway = false;
  await simulation.until(runtime.resume("payer", { approver: "Ada" }));
  assert.equal(runtime.agentNode("payer")?.status, "RUNNING");
});
