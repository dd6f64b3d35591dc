/** When keys come to their places and leave them: what the simulation found, one case each. */
import { test } from "node:test";
import assert from "node:assert/strict";
import {
  Agent,
  type AgentClass,
  type AgentOptions,
  type JsonObject,
  keyed,
  type KeyedOptions,
  type Message,
  supervisor,
} from "../../index.ts";
import { MemoryStateStore } from "../../../state/index.ts";
import { FaultyStateStore, Simulation } from "../../../testing/index.ts";

let clock: Simulation;

async function simulate(
  agentClass: AgentClass,
  options: KeyedOptions,
  given: { readonly state?: FaultyStateStore; readonly graceMs?: number } = {},
): Promise<Simulation> {
  const node = keyed(agentClass, "ticket", { key: "id", backoffBaseMs: 100, ...options });
  clock = new Simulation({
    supervision: supervisor("root", { children: [node] }),
    state: given.state,
    shutdown: { graceMs: given.graceMs ?? 0 },
  });
  await clock.start();
  return clock;
}

/** Counts its messages, and does what they say. */
class Ticket extends Agent {
  override async handle(message: Message): Promise<JsonObject | undefined> {
    const { crash, defer, ms } = message.payload;
    if (crash === true) throw new Error("as told");
    this.state["count"] = Number(this.state["count"] ?? 0) + 1;
    if (typeof ms === "number") await clock.sleep(ms);
    if (defer === true) {
      message.defer();
      return undefined;
    }
    return { count: this.state["count"] ?? 0 };
  }
}

const places = { residentCountMax: 1, idleMs: 1_000_000 };

test("a key gets the place of one that has nothing to do after its restart", async () => {
  await using simulation = await simulate(Ticket, places);
  const { runtime } = simulation;
  runtime.call("ticket", { id: "a", crash: true }).catch(() => undefined);
  await simulation.runUntilIdle();
  const called = runtime.call("ticket", { id: "b" }, { timeoutMs: 1000 });
  assert.deepEqual(await simulation.until(called), { count: 1 });
});

test("a key gets the place of one whose last reply was put off and is over", async () => {
  await using simulation = await simulate(Ticket, places);
  const { runtime } = simulation;
  const deferred = runtime.call("ticket", { id: "a", defer: true }, { timeoutMs: 500 });
  deferred.catch(() => undefined);
  await simulation.runUntilIdle();
  const called = runtime.call("ticket", { id: "b" }, { timeoutMs: 550 });
  assert.deepEqual(await simulation.until(called), { count: 1 });
  await assert.rejects(deferred, { code: "AGENTRT_BUS_TIMEOUT" });
});

test("a key that could not be saved is asked again while another waits for its place", async () => {
  let isAway = true;
  const state = new FaultyStateStore(new MemoryStateStore(), (operation) =>
    isAway && operation === "set" ? new Error("away") : undefined,
  );
  await using simulation = await simulate(Ticket, places, { state });
  const { runtime } = simulation;
  await simulation.until(runtime.call("ticket", { id: "a" }));
  const called = runtime.call("ticket", { id: "b" }, { timeoutMs: 5000 });
  await simulation.advance(1000);
  isAway = false;
  assert.deepEqual(await simulation.until(called), { count: 1 });
});

test("a key gets the place of an idle one while another hangs in the write of its state", async () => {
  const state = new FaultyStateStore(new MemoryStateStore(), () => undefined);
  const set = state.set.bind(state);
  state.set = async (agent, value) => {
    if (agent === "ticket/a") await clock.sleep(20_000);
    await set(agent, value);
  };
  const two = { residentCountMax: 2, idleMs: 1_000_000 };
  await using simulation = await simulate(Ticket, two, { state });
  const { runtime } = simulation;
  await simulation.until(runtime.call("ticket", { id: "a" }));
  await simulation.until(runtime.call("ticket", { id: "b" }));
  const called = runtime.call("ticket", { id: "c" }, { timeoutMs: 250 });
  assert.deepEqual(await simulation.until(called), { count: 1 });
  assert.deepEqual(
    runtime.keys("ticket").map(({ name }) => name),
    ["ticket/a", "ticket/c"],
  );
});

test("while states are written in time, only as many keys go as others wait for a place", async () => {
  const state = new FaultyStateStore(new MemoryStateStore(), () => undefined);
  const set = state.set.bind(state);
  state.set = async (agent, value) => {
    await clock.sleep(50);
    await set(agent, value);
  };
  const two = { residentCountMax: 2, idleMs: 1_000_000 };
  await using simulation = await simulate(Ticket, two, { state });
  const { runtime } = simulation;
  await simulation.until(runtime.call("ticket", { id: "a" }));
  await simulation.until(runtime.call("ticket", { id: "b" }));
  await simulation.until(runtime.call("ticket", { id: "c" }));
  assert.deepEqual(
    runtime.keys("ticket").map(({ name }) => name),
    ["ticket/b", "ticket/c"],
  );
});

test("an onPassivate that ends too late neither saves nor stops the next object of its key", async () => {
  class Late extends Agent {
    constructor(name: string, options?: AgentOptions) {
      super(name, { ...options, hookTimeoutMs: 1000, shutdownTimeoutMs: 1000 });
    }
    override async handle({ payload }: Message): Promise<JsonObject> {
      this.state["count"] = Number(this.state["count"] ?? 0) + 1;
      await this.checkpoint();
      if (typeof payload["ms"] === "number") await clock.sleep(payload["ms"]);
      return { count: this.state["count"] };
    }
    override async onPassivate(): Promise<void> {
      if (this.state["count"] !== 1) return;
      await clock.sleep(3000);
      this.state["count"] = 100;
    }
  }
  const simulation = await simulate(Late, { idleMs: 500 });
  const { runtime } = simulation;
  assert.deepEqual(await simulation.until(runtime.call("ticket", { id: "a" })), { count: 1 });
  await simulation.advance(1700);
  // The next object is at work while the hook of the one before comes to its end.
  const called = runtime.call("ticket", { id: "a", ms: 3000 });
  assert.deepEqual(await simulation.until(called), { count: 2 });
  const { restarts } = runtime.snapshot().agents["ticket"] ?? {};
  assert.equal(restarts, 1);
  await runtime.restart("ticket/a");
  assert.deepEqual(await simulation.until(runtime.call("ticket", { id: "a" })), { count: 3 });
  await simulation.stop();
});

test("what a message changes that comes while its key is saved is saved at the stop", async () => {
  const memory = new MemoryStateStore();
  const state = new FaultyStateStore(memory, () => undefined);
  const set = state.set.bind(state);
  let isFirst = true;
  state.set = async (agent, value) => {
    if (isFirst) {
      isFirst = false;
      await clock.sleep(100);
    }
    await set(agent, value);
  };
  const simulation = await simulate(Ticket, { idleMs: 1000 }, { state });
  const { runtime } = simulation;
  await simulation.until(runtime.call("ticket", { id: "a" }));
  await simulation.advance(1050);
  assert.deepEqual(await simulation.until(runtime.call("ticket", { id: "a" })), { count: 2 });
  await simulation.stop();
  assert.deepEqual(await memory.get("ticket/a"), { count: 2 });
});

test("a suspended key that goes keeps what its messages of a priority changed", async () => {
  await using simulation = await simulate(Ticket, { idleMs: 1000 });
  const { runtime } = simulation;
  await simulation.until(runtime.call("ticket", { id: "a" }));
  const by = { reason: "a look at it", initiatedBy: "a test" };
  await simulation.until(runtime.suspend("ticket/a", by));
  await simulation.until(runtime.call("ticket", { id: "a" }, { priority: 1 }));
  await simulation.advance(3000);
  assert.deepEqual(runtime.keys("ticket"), []);
  const called = runtime.call("ticket", { id: "a" }, { priority: 1 });
  assert.deepEqual(await simulation.until(called), { count: 3 });
});

test("a stop with a grace handles what waits for its key, and for a place", async () => {
  const simulation = await simulate(Ticket, { ...places }, { graceMs: 10_000 });
  const ids = ["a", "a", "b", "c"];
  const calls = ids.map((id) => simulation.runtime.call("ticket", { id, ms: 500 }));
  await simulation.runUntilIdle();
  await simulation.stop();
  assert.deepEqual(
    (await Promise.all(calls)).map(({ count }) => count),
    [1, 2, 1, 1],
  );
});
