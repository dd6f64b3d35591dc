/** Stops and drains finish what there is to do. What waits for a person to decide waits for no time, and is not waited for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Agent, type JsonObject, keyed, pool, supervisor } from "../core/index.ts";
import { Simulation } from "../testing/index.ts";

const graceMs = 60_000;
const patient = { timeoutMs: 600_000 };
const stopped = Array.from({ length: 4 }, () => "AGENTRT_AGENT_STOPPED");

/** Asks before it does anything. */
class Payer extends Agent {
  override async handle(): Promise<JsonObject> {
    return { id: await this.suspendForApproval({ kind: "pay", payload: {}, expiresMs: 600_000 }) };
  }
}

/** All of them wait for somebody, and messages wait for them. */
async function start(): Promise<{
  readonly simulation: Simulation;
  readonly ends: Promise<string[]>;
}> {
  const simulation = new Simulation({
    supervision: supervisor("root", {
      children: [
        pool(Payer, "booth", { size: 2 }),
        keyed(Payer, "ticket", { key: "id", idleMs: 1000, residentCountMax: 1 }),
      ],
    }),
    shutdown: { graceMs },
  });
  await simulation.start();
  const { runtime } = simulation;
  const asked = ["booth/1", "booth/2", "ticket/a", "ticket/b"].map((name) =>
    runtime.call(name, {}),
  );
  await simulation.until(Promise.all(asked));
  await simulation.runUntilIdle();
  const waiting = ["booth", "booth", "ticket/a", "ticket/b"].map((name) =>
    runtime.call(name, {}, patient).then(
      () => "done",
      ({ code }: { readonly code: string }) => code,
    ),
  );
  await simulation.runUntilIdle();
  return { simulation, ends: Promise.all(waiting) };
}

test("a stop with a grace does not wait for a pool whose members all wait for approvals, nor for such keys", async () => {
  const { simulation, ends } = await start();
  const beginMs = simulation.clock.monotonicMs();
  await simulation.stop();
  assert.ok(simulation.clock.monotonicMs() - beginMs < 1000);
  assert.deepEqual(await ends, stopped);
});

test("a pool and a keyed agent whose objects wait for approvals are drained at once", async () => {
  const { simulation, ends } = await start();
  const { runtime } = simulation;
  const beginMs = simulation.clock.monotonicMs();
  await simulation.until(Promise.all([runtime.drain("booth"), runtime.drain("ticket")]));
  assert.ok(simulation.clock.monotonicMs() - beginMs < 1000);
  const drained = { code: "AGENTRT_AGENT_DRAINED" };
  await assert.rejects(runtime.call("booth", {}), drained);
  await assert.rejects(runtime.call("ticket/a", {}), drained);
  assert.equal(runtime.approvals.list({ status: "pending" }).length, 4);
  await simulation.stop();
  assert.deepEqual(await ends, stopped);
});

test("as long as one member of a pool can work, a stop waits for what the pool has", async () => {
  const { simulation, ends } = await start();
  const { runtime } = simulation;
  const [first] = runtime.approvals.list({ agent: "booth/1" });
  await simulation.until(runtime.approvals.approve(first?.id ?? "", { principal: "Ada" }));
  await simulation.stop();
  assert.deepEqual((await ends).slice(0, 2).toSorted(), ["AGENTRT_AGENT_STOPPED", "done"]);
});
