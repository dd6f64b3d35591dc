/** What becomes of the saved state of a spawned child: it goes with a child that was ended, and stays for all others. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Agent,
  child,
  dynamicSupervisor,
  type DynamicSupervisorOptions,
  type JsonObject,
  type Message,
  type StateStore,
  supervisor,
} from "../../index.ts";
import { MemoryStateStore } from "../../../state/index.ts";
import { FaultyStateStore, Simulation } from "../../../testing/index.ts";

/** Counts its messages and saves the count. */
class Ticket extends Agent {
  override onStart(): void {
    if (this.config["refuses"] === true) throw new Error("not now");
  }

  override async handle({ payload }: Message): Promise<JsonObject> {
    if (payload["crash"] === true) throw new Error("as told");
    this.state["count"] = Number(this.state["count"] ?? 0) + 1;
    await this.checkpoint();
    if (payload["end"] === true) await this.stopChild(this.name);
    return { count: this.state["count"] };
  }
}

/** Spawns tickets, and looks at the store when it hears that one is gone. */
class Desk extends Agent {
  static heard: string[] = [];
  static store: StateStore;

  override async handle({ payload }: Message): Promise<JsonObject> {
    await this.spawn(Ticket, payload["name"] as string);
    return {};
  }

  override async onChildTerminated(name: string, reason: string): Promise<void> {
    const kept = await Desk.store.listAgents();
    Desk.heard.push(`${name} ${reason}, saved: ${kept.join(",")}`);
  }
}

async function startTickets(
  store: StateStore,
  options: DynamicSupervisorOptions = {},
): Promise<Simulation> {
  Desk.heard = [];
  Desk.store = store;
  const children = [dynamicSupervisor("tickets", options), child(Desk, "desk")];
  const simulation = new Simulation({
    supervision: supervisor("root", { children }),
    state: store,
  });
  await simulation.start();
  return simulation;
}

test("a child that is ended takes its state along, whoever ends it and however", async () => {
  const store = new MemoryStateStore();
  await using simulation = await startTickets(store);
  const { runtime } = simulation;
  const ends: [string, () => Promise<unknown>][] = [
    ["a", () => runtime.despawn("a")],
    ["b", () => runtime.stopChild("b")],
    ["c", () => runtime.stopAgent("c", { drain: "all" })],
  ];
  for (const [name, end] of ends) {
    await simulation.until(runtime.spawn(Ticket, name));
    assert.deepEqual(await simulation.call(name, {}), { count: 1 });
    assert.deepEqual(await store.listAgents(), [name]);
    await simulation.until(end());
    assert.deepEqual(await store.listAgents(), [], name);
    await simulation.until(runtime.spawn(Ticket, name));
    assert.deepEqual(await simulation.call(name, {}), { count: 1 }, "it begins anew");
    await simulation.until(runtime.despawn(name));
  }
  await simulation.call("desk", { name: "d" });
  await simulation.call("d", { end: true });
  await simulation.runUntilIdle();
  assert.deepEqual(Desk.heard, ["d clean_exit, saved: "]);
});

test("the suspension of a child that is ended goes with it, and what it had asked to be saved", async () => {
  const store = new MemoryStateStore();
  await using simulation = await startTickets(store);
  const { runtime } = simulation;
  await simulation.until(runtime.spawn(Ticket, "a"));
  await simulation.until(runtime.suspend("a", { reason: "lunch" }));
  assert.deepEqual(await store.listAgents(), ["a"]);
  await simulation.until(runtime.despawn("a"));
  assert.deepEqual(await store.listAgents(), []);
});

test("keepState leaves the state of a child that is ended for the next one of its name", async () => {
  const store = new MemoryStateStore();
  await using simulation = await startTickets(store);
  const { runtime } = simulation;
  const spawn = () => simulation.until(runtime.spawn(Ticket, "a", {}, { keepState: true }));
  await spawn();
  await simulation.call("a", {});
  await simulation.until(runtime.suspend("a", { reason: "lunch" }));
  await simulation.until(runtime.stopChild("a"));
  await spawn();
  assert.deepEqual(await simulation.call("a", {}), { count: 2 }, "and it is not suspended");
  await assert.rejects(
    simulation.until(runtime.spawn(Ticket, "b", {}, { keepState: "yes" as unknown as boolean })),
    { code: "AGENTRT_SPAWN_OPTION_INVALID", message: /keepState.*want true or false/ },
  );
});

test("a child that failed, and one whose tree stops, leave their state to the next one", async () => {
  const store = new MemoryStateStore();
  {
    await using simulation = await startTickets(store, { restart: "temporary" });
    const { runtime } = simulation;
    await simulation.until(runtime.spawn(Ticket, "a"));
    await simulation.call("a", {});
    await assert.rejects(simulation.call("a", { crash: true }));
    await simulation.runUntilIdle();
    assert.deepEqual(await store.listAgents(), ["a"], "crashed");
    await assert.rejects(simulation.until(runtime.spawn(Ticket, "a", { refuses: true })));
    assert.deepEqual(await store.listAgents(), ["a"], "its start failed");
    await simulation.until(runtime.spawn(Ticket, "a"));
    assert.deepEqual(await simulation.call("a", {}), { count: 2 });
  }
  assert.deepEqual(await store.listAgents(), ["a"], "the tree stopped");
});

test("a state that cannot be forgotten keeps nobody waiting, and the log names it", async () => {
  const store = new MemoryStateStore();
  const faulty = new FaultyStateStore(store, (operation) =>
    operation === "delete" ? new Error("disk on fire") : undefined,
  );
  await using simulation = await startTickets(faulty);
  const { runtime } = simulation;
  await simulation.until(runtime.spawn(Ticket, "a"));
  await simulation.call("a", {});
  assert.deepEqual(await simulation.until(runtime.despawn("a")), { lateNames: [] });
  assert.ok(
    simulation.logLines.some((line) => /could not be forgotten.*agent=a.*disk on fire/.test(line)),
    simulation.logLines.join("\n"),
  );
});

test("a store that hangs holds up the end of a child for five seconds", async () => {
  class Hanging extends MemoryStateStore {
    override async delete(): Promise<void> {
      await new Promise(() => undefined);
    }
  }
  await using simulation = await startTickets(new Hanging());
  const { runtime, clock } = simulation;
  await simulation.until(runtime.spawn(Ticket, "a"));
  await simulation.call("a", {});
  const beforeMs = clock.monotonicMs();
  await simulation.until(runtime.despawn("a"));
  assert.equal(clock.monotonicMs() - beforeMs, 5000);
});

test("a child that saved nothing asks nothing of the store when it ends", async () => {
  const asked: string[] = [];
  const store = new FaultyStateStore(new MemoryStateStore(), (operation, agent) => {
    // Each start asks for the list of approvals.
    if (agent !== "_agency.approvals") asked.push(`${operation} ${agent}`);
    return undefined;
  });
  await using simulation = await startTickets(store);
  await simulation.until(simulation.runtime.spawn(Ticket, "a"));
  await simulation.until(simulation.runtime.despawn("a"));
  assert.deepEqual(asked, ["get desk", "get a"]);
});
