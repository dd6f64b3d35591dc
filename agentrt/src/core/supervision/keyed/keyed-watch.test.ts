/** Keys that others watch: passivation is not down. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Agent, type AgentDown, child, type JsonObject, type Message } from "../../index.ts";
import type { Simulation } from "../../../testing/index.ts";
import {
  FickleStore,
  keyNames,
  simulateTickets,
  type TicketOptions,
} from "./test-support/tickets.ts";

const heard: AgentDown[] = [];

/** Watches what it is told to, until it is told not to. */
class Watcher extends Agent {
  readonly #ends = new Map<unknown, () => void>();

  override handle({ payload: { watch, leave } }: Message): JsonObject {
    if (typeof watch === "string") this.#ends.set(watch, this.watch(watch));
    this.#ends.get(leave)?.();
    return {};
  }

  override onDown(down: AgentDown): void {
    heard.push(down);
  }
}

async function simulate(options: TicketOptions = {}): Promise<Simulation> {
  heard.length = 0;
  return await simulateTickets({ ...options, others: [child(Watcher, "watcher")] });
}

/** What was heard since the last look. */
function takeDowns(): string[] {
  return heard
    .splice(0)
    .map(
      ({ name, reason, willRestart }) =>
        `${name} ${willRestart ? "will restart" : "is gone"}: ${reason}`,
    );
}

async function crash(simulation: Simulation, id = "a"): Promise<void> {
  const called = simulation.runtime.call("ticket", { id, crash: true });
  await assert.rejects(simulation.until(called), { code: "AGENTRT_AGENT_CRASHED" });
  await simulation.runUntilIdle();
}

test("each crash of a key is told once, over its passivations, which are not", async () => {
  await using simulation = await simulate({ idleMs: 1000, restartWindowMs: 1000 });
  // It has no object yet.
  await simulation.call("watcher", { watch: "ticket/a" });
  for (let round = 0; round < 3; round += 1) {
    await simulation.until(simulation.runtime.call("ticket", { id: "a" }));
    await simulation.advance(5000);
    assert.deepEqual(keyNames(simulation), []);
    assert.deepEqual(takeDowns(), []);
    await crash(simulation);
    assert.deepEqual(takeDowns(), ["ticket/a will restart: as told"]);
    await crash(simulation, "b");
    await simulation.until(simulation.runtime.stopAgent("ticket/a"));
    await simulation.advance(5000);
    assert.deepEqual(takeDowns(), []);
  }
  await simulation.call("watcher", { leave: "ticket/a" });
  await crash(simulation);
  assert.deepEqual(takeDowns(), []);
});

test("a key that is left alone is gone, also for who watches it then, and is no more when its time is over", async () => {
  await using simulation = await simulate({ restartCountMax: 0, coolDownMs: 5000 });
  await simulation.call("watcher", { watch: "ticket/a" });
  await crash(simulation);
  assert.deepEqual(takeDowns(), ["ticket/a is gone: as told"]);
  await simulation.call("watcher", { watch: "ticket/a" });
  await simulation.runUntilIdle();
  assert.deepEqual(takeDowns(), ["ticket/a is gone: as told"]);
  await simulation.advance(6000);
  await simulation.call("watcher", { watch: "ticket/a" });
  await simulation.runUntilIdle();
  assert.deepEqual(takeDowns(), []);
});

test("who watches a key that waits for its restart is told at once, and of each start that fails", async () => {
  const state = new FickleStore();
  await using simulation = await simulate({ state, backoffBaseMs: 1000 });
  await crash(simulation);
  await simulation.call("watcher", { watch: "ticket/a" });
  await simulation.runUntilIdle();
  assert.deepEqual(takeDowns(), ["ticket/a will restart: as told"]);
  state.readFault = Object.assign(new Error("away"), { isRetryable: true });
  await simulation.advance(1500);
  assert.deepEqual(takeDowns(), ["ticket/a will restart: away"]);
});

test("a key that ends by itself is gone", async () => {
  await using simulation = await simulate();
  await simulation.call("watcher", { watch: "ticket/a" });
  const called = simulation.runtime.call("ticket", { id: "a", stop: true });
  await assert.rejects(simulation.until(called));
  await simulation.runUntilIdle();
  assert.deepEqual(takeDowns(), ["ticket/a is gone: stopped"]);
});

test("when the whole goes down all its keys do, whether they have an object or not", async () => {
  await using simulation = await simulate();
  const { runtime } = simulation;
  for (const name of ["ticket/a", "ticket/b"]) {
    await simulation.call("watcher", { watch: name });
  }
  await simulation.until(runtime.call("ticket", { id: "a" }));
  await runtime.restart("ticket");
  await simulation.advance(5000);
  const restarted = ["ticket/a will restart: stopped", "ticket/b will restart: stopped"];
  assert.deepEqual(takeDowns(), restarted);
  await simulation.until(runtime.stopAgent("ticket"));
  await simulation.runUntilIdle();
  assert.deepEqual(takeDowns(), ["ticket/a is gone: stopped", "ticket/b is gone: stopped"]);
  await simulation.call("watcher", { watch: "ticket/c" });
  await simulation.runUntilIdle();
  assert.deepEqual(takeDowns(), ["ticket/c is gone: stopped"]);
});

test("the crash of a key that takes the whole along is told once, with whether the whole comes back", async () => {
  await using simulation = await simulate({ restartCountMax: 0, failedCountMax: 0 });
  await simulation.call("watcher", { watch: "ticket/a" });
  await crash(simulation);
  await simulation.advance(5000);
  assert.deepEqual(takeDowns(), ["ticket/a will restart: as told"]);
  await simulation.until(simulation.runtime.call("ticket", { id: "a" }));
});

test("a name that is no key is refused", async () => {
  await using simulation = await simulate();
  const called = simulation.call("watcher", { watch: "ticket/" });
  await assert.rejects(called, /AGENTRT_KEY_INVALID|its key is/);
});
