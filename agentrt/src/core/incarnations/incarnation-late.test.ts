/** What comes after the end of an incarnation, or in the middle of it: results that are late, retries, timers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { simulate } from "../../testing/puppet.ts";
import { Agent, child, type JsonObject, type Message, supervisor } from "../index.ts";

/** Each attempt at a message waits until the test lets it go, and then does what the test says. */
class Held extends Agent {
  static attempts: PromiseWithResolvers<JsonObject>[] = [];
  static errors: string[] = [];

  override onError(error: unknown) {
    Held.errors.push(String(error));
    return "retry" as const;
  }

  override async handle(message: Message): Promise<JsonObject> {
    if (message.payload["quick"] === true) return { quick: true };
    const attempt = Promise.withResolvers<JsonObject>();
    Held.attempts.push(attempt);
    return await attempt.promise;
  }
}

async function start() {
  Held.attempts = [];
  Held.errors = [];
  return await simulate(supervisor("root", { backoffBaseMs: 0, children: [child(Held, "held")] }));
}

test("a message whose retry comes while the agent is to stop is not tried again", async () => {
  const simulation = await start();
  const { runtime } = simulation;
  const call = assert.rejects(runtime.call("held", {}), { code: "AGENTRT_AGENT_FAILED" });
  await simulation.runUntilIdle();
  const stopping = runtime.stop();
  await simulation.runUntilIdle();
  Held.attempts[0]?.reject(new Error("first"));
  await simulation.until(stopping);
  await call;
  assert.equal(Held.attempts.length, 1);
});

test("what a retry gives after its incarnation was replaced is no reply, and is not counted", async () => {
  await using simulation = await start();
  const { runtime } = simulation;
  const call = assert.rejects(runtime.call("held", {}, { timeoutMs: Infinity }), {
    code: "AGENTRT_AGENT_CRASHED",
  });
  await simulation.runUntilIdle();
  Held.attempts[0]?.reject(new Error("first"));
  await simulation.runUntilIdle();
  assert.equal(Held.attempts.length, 2);
  // No boundary comes while the retry hangs, so the restart ends it in the middle, after a while.
  await simulation.until(runtime.restart("held"));
  await simulation.until(call);
  await simulation.runUntilIdle();
  Held.attempts[1]?.resolve({ late: true });
  await simulation.runUntilIdle();
  assert.equal(runtime.snapshot().agents["held"]?.messagesHandled, 0);
  assert.deepEqual(await runtime.call("held", { quick: true }), { quick: true });
  assert.equal(runtime.snapshot().agents["held"]?.messagesHandled, 1);
});

test("the mean time of a message is that of its handling", async () => {
  await using simulation = await start();
  const { runtime } = simulation;
  for (const durationMs of [10, 30]) {
    const call = runtime.call("held", {});
    await simulation.runUntilIdle();
    await simulation.advance(durationMs);
    Held.attempts.at(-1)?.resolve({});
    await simulation.until(call);
  }
  assert.equal(runtime.snapshot().agents["held"]?.avgLatencyMs, 20);
});
