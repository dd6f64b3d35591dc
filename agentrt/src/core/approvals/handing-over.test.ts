/** An agent gets a decision: what it was suspended for goes when that is saved, and nothing else goes with it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Agent,
  type Approval,
  child,
  EvalAgent,
  type EvalSignal,
  type JsonObject,
  supervisor,
  type SuspensionNode,
} from "../../index.ts";
import { MemoryStateStore } from "../../state/index.ts";
import { Simulation } from "../../testing/index.ts";

const name = "refunds";
const by = { principal: "Ada" };

/** What happens while the agent pauses. */
let onPause: ((agent: Refunds) => void) | undefined;
/** What the agent does with a decision. */
let onApproval: (agent: Refunds, approval: Approval) => void | Promise<void>;

class Refunds extends Agent {
  override async handle(): Promise<JsonObject> {
    const asked = this.suspendForApproval({ kind: "refund", payload: {}, expiresMs: 60_000 });
    if (onPause !== undefined) onPause(this);
    else return { id: await asked };
    return {};
  }
  override async onApproval(approval: Approval): Promise<void> {
    approval.granted();
    await onApproval(this, approval);
  }
}

class Judge extends EvalAgent {
  override onEvalEvent(): EvalSignal {
    return { severity: "halt", reason: "it pays" };
  }
}

/** Holds writes as long as it is told so, and writes down those of the agent. */
class HoldingStore extends MemoryStateStore {
  readonly written: JsonObject[] = [];
  held: PromiseWithResolvers<void> | undefined;
  #heldPrefix = "";

  override async set(agent: string, state: JsonObject): Promise<void> {
    if (agent.startsWith(this.#heldPrefix)) await this.held?.promise;
    if (agent !== name) return await super.set(agent, state);
    this.written.push(state);
    await super.set(agent, state);
  }

  hold(prefix = ""): void {
    this.#heldPrefix = prefix;
    this.held = Promise.withResolvers<void>();
  }

  release(error?: Error): void {
    if (error === undefined) this.held?.resolve();
    else this.held?.reject(error);
    this.held = undefined;
  }
}

async function start(state: HoldingStore): Promise<Simulation> {
  onPause = undefined;
  const children = [child(Judge, "judge"), child(Refunds, name, { shutdownTimeoutMs: 1000 })];
  const supervision = supervisor("root", { backoffBaseMs: 0, children });
  const simulation = new Simulation({ supervision, state });
  await simulation.start();
  return simulation;
}

async function startAndAsk(
  state: HoldingStore,
): Promise<{ readonly simulation: Simulation; readonly id: string }> {
  const simulation = await start(state);
  const { id } = await simulation.call(name, {});
  await simulation.runUntilIdle();
  return { simulation, id: id as string };
}

function seen({ runtime }: Simulation): [status: string | undefined, SuspensionNode | null] {
  const node = runtime.agentNode(name);
  return [node?.status, node?.suspension ?? null];
}

test("an agent is seen to wait for its approval until it is saved that it has it", async () => {
  const state = new HoldingStore();
  onApproval = () => state.hold();
  const { simulation, id } = await startAndAsk(state);
  await using _ = simulation;
  await simulation.until(simulation.runtime.approvals.approve(id, by));
  await simulation.runUntilIdle();
  const [status, suspension] = seen(simulation);
  assert.deepEqual([status, suspension?.approvals], ["SUSPENDED", [id]]);
  const called = simulation.runtime.call(name, {}, { timeoutMs: 100 });
  await assert.rejects(simulation.until(called), { message: /it is suspended/ });
  state.release();
  await simulation.runUntilIdle();
  assert.deepEqual(seen(simulation), ["RUNNING", null]);
});

test("a state that is older than the decision is not saved as if the agent had it", async () => {
  const state = new HoldingStore();
  onApproval = (agent) => {
    state.hold();
    // Nobody waits for them.
    void agent.checkpoint();
    void agent.checkpoint();
    agent.state["paid"] = 1;
  };
  const { simulation, id } = await startAndAsk(state);
  await using _ = simulation;
  await simulation.until(simulation.runtime.approvals.approve(id, by));
  await simulation.runUntilIdle();
  state.written.length = 0;
  state.release();
  await simulation.runUntilIdle();
  const isGated = (saved: JsonObject): boolean => JSON.stringify(saved).includes(id);
  assert.deepEqual(
    state.written.map((saved) => [saved["paid"], isGated(saved)]),
    [
      [undefined, true],
      [undefined, true],
      [1, false],
    ],
  );
});

for (const { when, isSaved } of [
  { when: "while it gets a decision", isSaved: true },
  { when: "while it gets a decision that the store then refuses", isSaved: false },
])
  test(`an agent that is halted ${when} stays halted`, async () => {
    const state = new HoldingStore();
    const done = Promise.withResolvers<void>();
    onApproval = async (agent) => {
      await agent.emitEval("paid", {});
      await done.promise;
      if (!isSaved) state.hold();
    };
    const { simulation, id } = await startAndAsk(state);
    await using _ = simulation;
    const { runtime } = simulation;
    await simulation.until(runtime.approvals.approve(id, by));
    await simulation.runUntilIdle();
    done.resolve();
    await simulation.runUntilIdle();
    state.release(new Error("the disk is full"));
    await simulation.advance(5000);
    const [status, suspension] = seen(simulation);
    assert.deepEqual([status, suspension?.isHalted], ["STOPPED", true]);
    assert.match(JSON.stringify(await state.get(name)), /"halted":true/);
    // The decision that it has not kept comes again, once somebody resumes it.
    assert.equal(JSON.stringify(await state.get(name)).includes(id), !isSaved);
    onApproval = () => undefined;
    await simulation.until(runtime.resume(name, { approver: "Bob" }));
    await simulation.runUntilIdle();
    assert.deepEqual(seen(simulation), ["RUNNING", null]);
    assert.equal(runtime.approvals.get(id).isDelivered, true);
  });

test("an agent that is halted while what it asks is being saved stays halted", async () => {
  const state = new HoldingStore();
  await using simulation = await start(state);
  const { runtime } = simulation;
  const paused = Promise.withResolvers<void>();
  onPause = (agent) => {
    state.hold();
    void paused.promise.then(() => agent.emitEval("asked", {}));
  };
  await simulation.call(name, {});
  paused.resolve();
  await simulation.runUntilIdle();
  state.release();
  await simulation.advance(5000);
  const [status, suspension] = seen(simulation);
  assert.deepEqual([status, suspension?.isHalted], ["STOPPED", true]);
  const [asked] = runtime.approvals.list({});
  onApproval = () => undefined;
  await simulation.until(runtime.approvals.approve(asked?.id ?? "", by));
  await simulation.until(runtime.resume(name, { approver: "Bob" }));
  await simulation.runUntilIdle();
  assert.deepEqual(seen(simulation), ["RUNNING", null]);
});

test("an agent that is stopped while what it asks is being saved pauses once that is there, and not before", async () => {
  const state = new HoldingStore();
  await using simulation = await start(state);
  const { runtime } = simulation;
  const asked: string[] = [];
  runtime.onEvent((event) => {
    if (event.type === "approval.requested") asked.push(event.id);
  });
  onPause = () => state.hold("_agency.approval");
  await simulation.call(name, {});
  await simulation.until(runtime.stopAgent(name));
  await simulation.until(runtime.restart(name));
  await simulation.runUntilIdle();
  const [status] = seen(simulation);
  const early = [...asked, ...state.written];
  state.release();
  await simulation.advance(1000);
  // Were the process killed before that, its state would wait for what nobody knows.
  assert.deepEqual([status, early], ["RUNNING", []]);
  assert.equal(seen(simulation)[0], "SUSPENDED");
  const [found] = runtime.approvals.list({});
  assert.deepEqual(asked, [found?.id]);
  assert.deepEqual(seen(simulation)[1]?.approvals, [found?.id]);
});

test("an object that ended too late saves nothing over the one after it, and that one gets the decision, too", async () => {
  const state = new HoldingStore();
  const late = Promise.withResolvers<void>();
  const given: boolean[] = [];
  onApproval = async (agent, { isRepeated }) => {
    given.push(isRepeated);
    agent.state["number"] = given.length;
    if (given.length === 1) await late.promise;
  };
  const { simulation, id } = await startAndAsk(state);
  await using _ = simulation;
  const { runtime } = simulation;
  await simulation.until(runtime.approvals.approve(id, by));
  await simulation.runUntilIdle();
  await simulation.until(runtime.stopAgent(name));
  await simulation.until(runtime.restart(name));
  await simulation.runUntilIdle();
  late.resolve();
  await simulation.runUntilIdle();
  assert.deepEqual(given, [false, true]);
  assert.deepEqual(seen(simulation), ["RUNNING", null]);
  assert.deepEqual(await state.get(name), { number: 2 });
});
