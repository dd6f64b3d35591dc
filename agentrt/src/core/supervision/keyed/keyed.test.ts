import { test } from "node:test";
import assert from "node:assert/strict";
import {
  Agent,
  type AgentClass,
  type JsonObject,
  keyed,
  type KeyedOptions,
  type Message,
  type StateStore,
  supervisor,
} from "../../index.ts";
import { MemoryStateStore } from "../../../state/index.ts";
import { Simulation } from "../../../testing/index.ts";

let clock: Simulation;

/** Counts its messages; says what happens to it. */
class Ticket extends Agent {
  static trace: string[] = [];
  static busy = new Map<string, number>();
  static busyMax = 0;
  override onStart(): void {
    Ticket.trace.push(`start ${this.key}`);
  }
  override onPassivate(): void | Promise<void> {
    Ticket.trace.push(`passivate ${this.key}`);
  }
  override onStop(): void | Promise<void> {
    Ticket.trace.push(`stop ${this.key}`);
  }
  override async handle({ payload }: Message): Promise<JsonObject> {
    const key = this.key ?? "";
    Ticket.busy.set(key, (Ticket.busy.get(key) ?? 0) + 1);
    Ticket.busyMax = Math.max(Ticket.busyMax, Ticket.busy.get(key) ?? 0);
    try {
      if (typeof payload["ms"] === "number") await clock.sleep(payload["ms"]);
      if (payload["crash"] === true) throw new Error("no such seat");
      if (payload["read"] !== true) this.state["count"] = Number(this.state["count"] ?? 0) + 1;
      if (payload["forget"] === true) this.state = {};
      return { key, name: this.name, count: this.state["count"] ?? 0 };
    } finally {
      Ticket.busy.set(key, (Ticket.busy.get(key) ?? 0) - 1);
    }
  }
}

interface Options extends KeyedOptions {
  readonly state?: StateStore;
  readonly agentClass?: AgentClass;
}

async function simulate(options: Options = {}): Promise<Simulation> {
  Ticket.trace = [];
  Ticket.busy.clear();
  Ticket.busyMax = 0;
  const { state, agentClass = Ticket, ...given } = options;
  const node = keyed(agentClass, "ticket", { key: "id", backoffBaseMs: 100, ...given });
  clock = new Simulation({
    supervision: supervisor("root", { children: [node] }),
    ...(state === undefined ? {} : { state }),
  });
  await clock.start();
  return clock;
}

function counts(simulation: Simulation) {
  const [node] = simulation.runtime.tree().children;
  assert.ok(node?.kind === "supervisor" && node.keyed !== undefined);
  const { residentCount, waitingCount, failedCount } = node.keyed;
  return [residentCount, waitingCount, failedCount];
}

const codeOf = (error: unknown): string => (error as { code: string }).code;

test("each key has its own object and state, however it is named", async () => {
  await using simulation = await simulate();
  const { runtime } = simulation;
  const call = (to: string, payload: object, options = {}) =>
    simulation.until(runtime.call(to, payload, options));
  assert.deepEqual(await call("ticket", { id: "a" }), { key: "a", name: "ticket/a", count: 1 });
  assert.deepEqual((await call("ticket", { id: "b" }))["count"], 1);
  assert.deepEqual((await call("ticket/a", {}))["count"], 2);
  assert.deepEqual((await call("ticket", {}, { key: "a" }))["count"], 3);
  assert.deepEqual((await call("ticket", { id: 4711 }))["key"], "4711");
  assert.deepEqual((await call("ticket/a/b", {}))["key"], "a/b");
  assert.deepEqual(counts(simulation), [4, 0, 0]);
  assert.deepEqual(
    runtime.keys("ticket", { after: "4711", limit: 2 }).map(({ name }) => name),
    ["ticket/a", "ticket/a/b"],
  );
  assert.equal(runtime.snapshot().agents["ticket"]?.messagesHandled, 6);
});

test("a message without a key, or with one that is none, is refused at its sender", async () => {
  await using simulation = await simulate();
  const { runtime } = simulation;
  for (const [payload, code] of [
    [{}, "AGENTRT_KEY_MISSING"],
    [{ id: null }, "AGENTRT_KEY_MISSING"],
    [{ id: "" }, "AGENTRT_KEY_INVALID"],
    [{ id: 1.5 }, "AGENTRT_KEY_INVALID"],
    [{ id: ["a"] }, "AGENTRT_KEY_INVALID"],
    [{ id: "a\nb" }, "AGENTRT_KEY_INVALID"],
    [{ id: "\ud800" }, "AGENTRT_KEY_INVALID"],
    [{ id: "é".repeat(129) }, "AGENTRT_KEY_INVALID"],
  ] as const) {
    await assert.rejects(runtime.call("ticket", payload), { code });
    await assert.rejects(runtime.cast("ticket", payload), { code });
  }
  assert.equal((await runtime.call("ticket", { id: "é".repeat(128) }))["count"], 1);
  assert.equal(runtime.snapshot().dropped.refused, 16);
});

test("an idle key is passivated with its state, and its next message brings it back", async () => {
  await using simulation = await simulate({ idleMs: 1000 });
  const { runtime } = simulation;
  await simulation.until(runtime.call("ticket", { id: "a" }));
  await simulation.advance(900);
  await simulation.until(runtime.call("ticket", { id: "a" }));
  await simulation.advance(900);
  assert.deepEqual(counts(simulation), [1, 0, 0]);
  await simulation.advance(200);
  assert.deepEqual(counts(simulation), [0, 0, 0]);
  assert.deepEqual(runtime.keys("ticket"), []);
  assert.equal((await simulation.until(runtime.call("ticket", { id: "a" })))["count"], 3);
  assert.deepEqual(Ticket.trace, ["start a", "passivate a", "stop a", "start a"]);
});

test("a key without a state leaves nothing behind", async () => {
  const state = new MemoryStateStore();
  await using simulation = await simulate({ idleMs: 1000, state });
  const { runtime } = simulation;
  await simulation.until(runtime.call("ticket", { id: "reader", read: true }));
  await simulation.until(runtime.call("ticket", { id: "writer" }));
  await simulation.advance(3000);
  assert.equal((await state.get("ticket/reader")) ?? undefined, undefined);
  assert.deepEqual(await state.get("ticket/writer"), { count: 1 });
  await simulation.until(runtime.call("ticket", { id: "writer", forget: true }));
  await simulation.advance(3000);
  assert.equal((await state.get("ticket/writer")) ?? undefined, undefined);
});

test("above max_resident the least recently used idle key goes, and busy ones are waited for", async () => {
  await using simulation = await simulate({ residentCountMax: 2, idleMs: 100_000 });
  const { runtime } = simulation;
  const call = (id: string, ms?: number) => runtime.call("ticket", { id, ...(ms && { ms }) });
  await simulation.until(call("a"));
  await simulation.until(call("b"));
  await simulation.until(call("a"));
  await simulation.until(call("c"));
  assert.deepEqual(
    runtime.keys("ticket").map(({ name }) => name),
    ["ticket/a", "ticket/c"],
  );
  const busy = [call("a", 500), call("c", 300)];
  await simulation.runUntilIdle();
  const late = ["d", "e", "f"].map((id) => call(id));
  await simulation.advance(200);
  assert.deepEqual(counts(simulation), [2, 3, 0]);
  await simulation.until(Promise.all([...busy, ...late]));
  assert.equal(Ticket.busyMax, 1);
  assert.equal((await simulation.until(call("a")))["count"], 4);
});

test("messages that come while a key goes are handled by its next object, in order", async () => {
  class Slow extends Ticket {
    override async onPassivate(): Promise<void> {
      await super.onPassivate();
      await clock.sleep(500);
    }
    override async onStop(): Promise<void> {
      await super.onStop();
      await clock.sleep(500);
    }
  }
  await using simulation = await simulate({ idleMs: 1000, agentClass: Slow });
  const { runtime } = simulation;
  await simulation.until(runtime.call("ticket", { id: "a" }));
  // The first comes during onPassivate: the key stays.
  await simulation.advance(1200);
  const stays = runtime.call("ticket", { id: "a" });
  assert.equal((await simulation.until(stays))["count"], 2);
  assert.deepEqual(Ticket.trace, ["start a", "passivate a"]);
  // These come during onStop.
  await simulation.advance(1700);
  assert.deepEqual(Ticket.trace.slice(2), ["passivate a", "stop a"]);
  const calls = [1, 2, 3].map(() => runtime.call("ticket", { id: "a" }));
  const replies = await simulation.until(Promise.all(calls));
  assert.deepEqual(
    replies.map(({ count }) => count),
    [3, 4, 5],
  );
});

test("at most max_waiting keys stand in line", async () => {
  await using simulation = await simulate({ residentCountMax: 1, waitingCountMax: 2 });
  const { runtime } = simulation;
  const calls = ["a", "b", "c"].map((id) => runtime.call("ticket", { id, ms: 100 }));
  await simulation.runUntilIdle();
  await assert.rejects(runtime.call("ticket", { id: "d" }), { code: "AGENTRT_KEY_EXHAUSTED" });
  await simulation.until(Promise.all(calls));
});

test("a key out of its budget refuses its messages for the cool-down; the others do not notice", async () => {
  await using simulation = await simulate({ restartCountMax: 1, coolDownMs: 5000 });
  const { runtime } = simulation;
  const crash = () => simulation.until(runtime.call("ticket", { id: "a", crash: true }));
  await assert.rejects(crash(), { code: "AGENTRT_AGENT_CRASHED" });
  await assert.rejects(crash(), { code: "AGENTRT_AGENT_CRASHED" });
  await simulation.runUntilIdle();
  const refused = await runtime.call("ticket", { id: "a" }).catch((error: Error) => error);
  assert.equal(codeOf(refused), "AGENTRT_KEY_FAILED");
  assert.match((refused as Error).message, /ticket\/a.*left alone for 5 s more: no such seat/);
  assert.deepEqual(counts(simulation), [0, 0, 1]);
  assert.equal((await simulation.until(runtime.call("ticket", { id: "b" })))["count"], 1);
  await simulation.advance(5000);
  assert.equal((await simulation.until(runtime.call("ticket", { id: "a" })))["count"], 1);
  assert.deepEqual(counts(simulation), [2, 0, 0]);
});

test("a failed key whose cool-down is over is no longer one, and leaves nothing behind", async () => {
  await using simulation = await simulate({ restartCountMax: 0, coolDownMs: 5000 });
  const { runtime } = simulation;
  await assert.rejects(simulation.until(runtime.call("ticket", { id: "a", crash: true })));
  await simulation.advance(4000);
  assert.deepEqual(counts(simulation), [0, 0, 1]);
  await simulation.advance(2000);
  assert.deepEqual(counts(simulation), [0, 0, 0]);
  assert.deepEqual(runtime.keys("ticket"), []);
});

test("a key that is suspended while it is asked to go makes room all the same", async () => {
  for (const passivateMs of [0, 500]) {
    class Slow extends Ticket {
      override async onPassivate(): Promise<void> {
        await super.onPassivate();
        if (passivateMs > 0) await clock.sleep(passivateMs);
      }
    }
    const given = { residentCountMax: 1, idleMs: 60_000, agentClass: Slow };
    await using simulation = await simulate(given);
    const { runtime } = simulation;
    await simulation.until(runtime.call("ticket", { id: "a" }));
    const called = runtime.call("ticket", { id: "b" }, { timeoutMs: 100_000 });
    if (passivateMs > 0) await simulation.advance(passivateMs / 2);
    const suspended = runtime.suspend("ticket/a", { reason: "audit" }).catch(() => undefined);
    assert.equal((await simulation.until(called))["key"], "b");
    await simulation.until(suspended);
  }
});

test("more failed keys than max_failed_keys are a crash of the whole, and it comes back", async () => {
  await using simulation = await simulate({ restartCountMax: 0, failedCountMax: 1 });
  const { runtime } = simulation;
  for (const id of ["a", "b"]) {
    await assert.rejects(simulation.until(runtime.call("ticket", { id, crash: true })));
  }
  await simulation.advance(5000);
  assert.equal(runtime.tree().children[0]?.restartCount, 1);
  assert.equal((await simulation.until(runtime.call("ticket", { id: "a" })))["count"], 1);
});

test("a crash takes the key's message alone; what was queued goes on after the restart", async () => {
  await using simulation = await simulate();
  const { runtime } = simulation;
  const calls = [{ ms: 50 }, { crash: true }, {}, {}].map((payload) =>
    runtime.call("ticket", { id: "a", ...payload }),
  );
  const other = runtime.call("ticket", { id: "b", ms: 200 });
  const ends = await simulation.until(Promise.allSettled([...calls, other]));
  assert.deepEqual(
    ends.map((end) => (end.status === "rejected" ? codeOf(end.reason) : end.value["count"])),
    // Nothing was saved before the crash.
    [1, "AGENTRT_AGENT_CRASHED", 1, 2, 1],
  );
});

test("a key can be suspended, resumed, restarted and stopped by its name", async () => {
  await using simulation = await simulate({ idleMs: 1000 });
  const { runtime } = simulation;
  await simulation.until(runtime.call("ticket", { id: "a" }));
  await simulation.until(runtime.suspend("ticket/a", { reason: "audit" }));
  const waiting = runtime.call("ticket", { id: "a" }, { timeoutMs: 100_000 });
  await simulation.advance(5000);
  assert.equal(runtime.keys("ticket")[0]?.status, "SUSPENDED");
  await simulation.until(runtime.resume("ticket/a", { approver: "Ada" }));
  assert.equal((await simulation.until(waiting))["count"], 2);
  await simulation.until(runtime.stopAgent("ticket/a"));
  assert.deepEqual(counts(simulation), [0, 0, 0]);
  assert.equal((await simulation.until(runtime.call("ticket", { id: "a" })))["count"], 3);
  await simulation.until(runtime.restart("ticket/a"));
  await simulation.advance(1000);
});

test("a suspended key without messages goes, too, and comes back suspended", async () => {
  await using simulation = await simulate({ idleMs: 1000 });
  const { runtime } = simulation;
  await simulation.until(runtime.call("ticket", { id: "a" }));
  await simulation.until(runtime.suspend("ticket/a", { reason: "audit" }));
  await simulation.advance(3000);
  assert.deepEqual(counts(simulation), [0, 0, 0]);
  const waiting = runtime.call("ticket", { id: "a" }, { timeoutMs: 100_000 });
  await simulation.runUntilIdle();
  assert.equal(runtime.keys("ticket")[0]?.status, "SUSPENDED");
  await simulation.until(runtime.resume("ticket/a", { approver: "Ada" }));
  assert.equal((await simulation.until(waiting))["count"], 2);
});

test("a stop of the tree saves every key that is there, and the next run finds it", async () => {
  const state = new MemoryStateStore();
  const kept: StateStore = {
    get: (key) => state.get(key),
    set: (key, value) => state.set(key, value),
    delete: (key) => state.delete(key),
    listAgents: () => state.listAgents(),
    close: async () => undefined,
  };
  const first = await simulate({ state: kept });
  const calls = ["a", "b", "c"].map((id) => first.runtime.call("ticket", { id, ms: 10 }));
  await first.until(Promise.all(calls));
  await first.stop();
  await using second = await simulate({ state: kept });
  assert.equal((await second.until(second.runtime.call("ticket", { id: "b" })))["count"], 2);
});

test("a key whose state cannot be saved stays until it can", async () => {
  const state = new MemoryStateStore();
  let isAway = true;
  const flaky: StateStore = {
    get: (key) => state.get(key),
    set: async (key, value) => {
      if (isAway) throw new Error("the store is away");
      await state.set(key, value);
    },
    delete: (key) => state.delete(key),
    listAgents: () => state.listAgents(),
    close: () => state.close(),
  };
  await using simulation = await simulate({ idleMs: 1000, state: flaky });
  await simulation.until(simulation.runtime.call("ticket", { id: "a" }));
  await simulation.advance(5000);
  assert.deepEqual(counts(simulation), [1, 0, 0]);
  isAway = false;
  await simulation.advance(2000);
  assert.deepEqual(counts(simulation), [0, 0, 0]);
  const { count } = await simulation.until(simulation.runtime.call("ticket", { id: "a" }));
  assert.equal(count, 2);
});

test("an agent may ask another key of its own kind, and is told at once when it asks itself", async () => {
  class Asker extends Agent {
    override async handle({ payload }: Message): Promise<JsonObject> {
      if (typeof payload["ask"] !== "string") return { key: this.key ?? "" };
      return await this.call("ticket", { id: payload["ask"] }).catch((error: unknown) => ({
        code: codeOf(error),
      }));
    }
  }
  await using simulation = await simulate({ agentClass: Asker });
  const ask = (id: string, other: string) =>
    simulation.until(simulation.runtime.call("ticket", { id, ask: other }));
  assert.deepEqual(await ask("a", "b"), { key: "b" });
  assert.deepEqual(await ask("a", "a"), { code: "AGENTRT_BUS_CALL_CYCLE" });
});

test("a key with a reply put off, or a call open, is not idle", async () => {
  class Patient extends Agent {
    override handle(message: Message): void {
      const reply = message.defer();
      void clock.sleep(5000).then(() => reply.send({ patient: true }));
    }
  }
  await using simulation = await simulate({ agentClass: Patient, idleMs: 1000 });
  const called = simulation.runtime.call("ticket", { id: "a" });
  assert.deepEqual(await simulation.until(called), { patient: true });
});

test("with many keys and few places every message is handled once, in the order of its key", async () => {
  class Log extends Agent {
    override async handle({ payload }: Message): Promise<JsonObject> {
      const list = (this.state["list"] ?? []) as number[];
      if (payload["n"] !== undefined) list.push(payload["n"] as number);
      this.state["list"] = list;
      await clock.sleep((payload["ms"] as number | undefined) ?? 0);
      return { list };
    }
  }
  await using simulation = await simulate({
    agentClass: Log,
    residentCountMax: 7,
    idleMs: 50,
  });
  const { runtime, clock: time } = simulation;
  const keys = Array.from({ length: 60 }, (_, index) => `k${index}`);
  const calls: Promise<JsonObject>[] = [];
  for (let n = 0; n < 20; n += 1) {
    for (const id of keys)
      calls.push(runtime.call("ticket", { id, n, ms: time.monotonicMs() % 7 }));
    await simulation.advance(13);
    const [residentCount = 0] = counts(simulation);
    assert.ok(residentCount <= 7);
  }
  await simulation.until(Promise.all(calls));
  for (const id of keys) {
    const { list } = await simulation.until(runtime.call("ticket", { id }));
    assert.deepEqual(
      list,
      Array.from({ length: 20 }, (_, n) => n),
    );
  }
});

test("keys are listed in pages, by what they contain and by their status", async () => {
  await using simulation = await simulate({ residentCountMax: 500 });
  const { runtime } = simulation;
  // In an order that is not theirs.
  const keys = Array.from(
    { length: 300 },
    (_, index) => `k${String((index * 7919) % 300).padStart(3, "0")}`,
  );
  for (const id of keys) await simulation.until(runtime.call("ticket", { id }));
  const sorted = keys.toSorted();
  const list = (page: object): string[] =>
    runtime.keys("ticket", page).map(({ name }) => name.slice(7));
  assert.deepEqual(list({}), sorted.slice(0, 100));
  assert.deepEqual(list({ limit: 3, after: "k100" }), ["k101", "k102", "k103"]);
  assert.deepEqual(list({ limit: 1000 }), sorted);
  assert.deepEqual(list({ contains: "K1" }), sorted.slice(100, 200));
  assert.deepEqual(list({ contains: "99" }), ["k099", "k199", "k299"]);
  await simulation.until(runtime.suspend("ticket/k150", { reason: "audit" }));
  assert.deepEqual(list({ status: "SUSPENDED" }), ["k150"]);
  assert.deepEqual(list({ status: "SUSPENDED", after: "k150" }), []);
  assert.equal(list({ status: "RUNNING", limit: 1000 }).length, 299);
  assert.deepEqual(list({ status: "!RUNNING" }), ["k150"]);
});
