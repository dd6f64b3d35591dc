/** Decisions for agents that never come for them: the store does not grow with each of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Agent,
  dynamicSupervisor,
  type JsonObject,
  type StateStore,
  supervisor,
} from "../../index.ts";
import { MemoryStateStore } from "../../state/index.ts";
import { FaultyStateStore, Simulation } from "../../testing/index.ts";
import { openCountMaxPerAgent, unclaimedCountMax } from "./approval-books.ts";

/** Asks for much at once. */
class Buyer extends Agent {
  override async handle(): Promise<JsonObject> {
    this.state["asked"] = openCountMaxPerAgent;
    const expiresMs = 60_000;
    for (let count = 0; count < openCountMaxPerAgent; count += 1)
      await this.suspendForApproval({ kind: "buy", payload: { count }, expiresMs });
    return {};
  }
  override onApproval(): void {
    this.state["got"] = Number(this.state["got"] ?? 0) + 1;
  }
}

const buyerCount = unclaimedCountMax / openCountMaxPerAgent + 1;

async function start(state: StateStore, seed: number): Promise<Simulation> {
  const children = [dynamicSupervisor("buyers")];
  const simulation = new Simulation({ supervision: supervisor("root", { children }), state, seed });
  await simulation.start();
  return simulation;
}

test("an agent that is spawned later waits for all that one of its name had asked before a kill, and gets it", async () => {
  const state = new MemoryStateStore();
  state.close = async () => undefined;
  let isAway = true;
  // The process is killed before the agent has paused.
  const store = new FaultyStateStore(state, (operation, agent) =>
    isAway && operation !== "get" && agent === "buyer-0" ? new Error("as told") : undefined,
  );
  {
    await using first = await start(store, 1);
    await first.until(first.runtime.spawnInto("buyers", Buyer, "buyer-0"));
    await first.call("buyer-0", {});
  }
  isAway = false;
  await using simulation = await start(store, 2);
  const { runtime } = simulation;
  await simulation.runUntilIdle();
  for (const { id } of runtime.approvals.list({}))
    await simulation.until(runtime.approvals.approve(id, { principal: "Ada" }));
  await simulation.until(runtime.spawnInto("buyers", Buyer, "buyer-0"));
  await simulation.runUntilIdle();
  assert.equal((await state.get("buyer-0"))?.["got"], openCountMaxPerAgent);
});

test("of decisions for agents that are spawned no more the latest 1000 are kept, and a later agent of the name goes on", async () => {
  const state = new MemoryStateStore();
  state.close = async () => undefined;
  {
    await using first = await start(state, 1);
    for (let number = 0; number < buyerCount; number += 1) {
      await first.until(first.runtime.spawnInto("buyers", Buyer, `buyer-${number}`));
      await first.call(`buyer-${number}`, {});
      await first.runUntilIdle();
    }
  }
  await using simulation = await start(state, 2);
  const { runtime } = simulation;
  // Nobody decides, and their time is over.
  await simulation.advance(60_100);
  await simulation.runUntilIdle();
  const kept = runtime.approvals.list({ limit: 10_000 });
  assert.equal(kept.length, unclaimedCountMax);
  assert.ok(!kept.some(({ agent }) => agent === "buyer-0"));
  const rows = (await state.listAgents()).filter((key) => key.startsWith("_agency.approval/"));
  assert.equal(rows.length, unclaimedCountMax);
  // The one whose decisions are forgotten waits for nothing; the other one gets its own.
  for (const [name, got] of [
    ["buyer-0", undefined],
    ["buyer-1", openCountMaxPerAgent],
  ] as const) {
    await simulation.until(runtime.spawnInto("buyers", Buyer, name));
    await simulation.runUntilIdle();
    assert.equal(runtime.agentNode(name)?.status, "RUNNING", name);
    await simulation.until(runtime.restart(name));
    assert.equal((await state.get(name))?.["got"], got, name);
  }
  const warned = simulation.logLines.filter((line) => line.includes("never came for it"));
  assert.equal(warned.length, openCountMaxPerAgent);
});
