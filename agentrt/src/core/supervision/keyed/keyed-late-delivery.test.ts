/** A key that ended too late, while it was being saved that it has a decision: its messages go on when that is saved. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Agent,
  type AgentOptions,
  type Approval,
  type JsonObject,
  type Message,
} from "../../../index.ts";
import { MemoryStateStore } from "../../../state/index.ts";
import { simulateTickets } from "./test-support/tickets.ts";

/** Holds what is written of one agent, as long as somebody wants. */
class HoldingStore extends MemoryStateStore {
  held: PromiseWithResolvers<void> | undefined;

  override async set(agent: string, state: JsonObject): Promise<void> {
    if (agent === "ticket/a") await this.held?.promise;
    await super.set(agent, state);
  }
}

class Asker extends Agent {
  constructor(name: string, options?: AgentOptions) {
    super(name, { ...options, shutdownTimeoutMs: 500 });
  }

  override async handle({ payload }: Message) {
    const expiresMs = 60_000;
    if (payload["ask"] === true)
      await this.suspendForApproval({ kind: "pay", payload: {}, expiresMs });
    return { paid: this.state["paid"] ?? 0 };
  }

  override onApproval(approval: Approval) {
    approval.granted();
    this.state["paid"] = 1;
  }
}

test("messages of a key whose object was given up while its decision was being saved are handled once it is", async () => {
  const state = new HoldingStore();
  await using simulation = await simulateTickets({ agentClass: Asker, state });
  const { runtime } = simulation;
  await simulation.call("ticket", { id: "a", ask: true });
  await simulation.runUntilIdle();
  state.held = Promise.withResolvers<void>();
  const [approval] = runtime.approvals.list();
  await simulation.until(runtime.approvals.approve(String(approval?.id), { principal: "Ada" }));
  const waiting = runtime.call("ticket", { id: "a" }, { timeoutMs: 600_000 });
  waiting.catch(() => undefined);
  await simulation.until(runtime.restart("ticket"));
  await simulation.advance(1000);
  assert.ok(
    simulation.events.lines.some((line) => line.endsWith(" agent.late ticket/a after 500 ms")),
  );
  state.held.resolve();
  await simulation.advance(1000);
  assert.deepEqual(runtime.approvals.list({ agent: "ticket/a" })[0]?.isDelivered, true);
  assert.deepEqual(await simulation.until(waiting), { paid: 1 });
});
