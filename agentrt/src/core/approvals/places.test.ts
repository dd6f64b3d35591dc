/** Approvals of agents that are at one of several processes: one process after another has charge of them, and none is lost on the way. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createTextLog,
  type JsonObject,
  type RuntimeEvent,
  StoreFaults,
  TimerWheel,
} from "../index.ts";
import { MemoryStateStore, stateErrors } from "../../state/index.ts";
import { VirtualClock } from "../../testing/virtual-clock.ts";
import { Approvals } from "./index.ts";

/** Holds writes as long as it is told so; what it names as damaged cannot be read. */
class HeldStore extends MemoryStateStore {
  held: Promise<void> | undefined;
  readonly damaged = new Set<string>();

  override async get(agent: string): Promise<JsonObject | undefined> {
    const details = { path: "state.db", agent, reason: "it is no JSON" };
    if (this.damaged.has(agent)) throw new stateErrors.CORRUPT(details);
    return await super.get(agent);
  }

  override async set(agent: string, state: JsonObject): Promise<void> {
    await this.held;
    await super.set(agent, state);
  }
}

const clock = new VirtualClock();

/** A process of which the agents `desk/…` are at times. */
function processWith(store: HeldStore) {
  const woken: string[] = [];
  const events: RuntimeEvent[] = [];
  const lines: string[] = [];
  const approvals = new Approvals({
    system: clock,
    wheel: new TimerWheel(clock),
    log: createTextLog({ write: (line) => void lines.push(line) }),
    store: new MemoryStateStore(),
    storeFaults: new StoreFaults(),
    emit: (event) => void events.push(event),
  });
  approvals.placeOf = (agent) => agent.replace(/\d$/, "0");
  approvals.wake = (agent) => {
    woken.push(agent);
    return true;
  };
  approvals.begin();
  return { approvals, woken, events, lines, place: { name: "desk/0", store } };
}

const asked = { kind: "k", payload: {}, schema: null, expiresMs: 60_000, sizeBytes: 2 };
const ask = async (approvals: Approvals, agent: string): Promise<string> => {
  const { id, saved } = approvals.ask({ name: agent, key: undefined }, asked);
  await saved;
  approvals.confirmGate(id);
  return id;
};
const decision = { kind: "approve", principal: "Ada" } as const;

test("what is under way when a place is handed over is written before; the next process gives the decision, and lists all in their order", async () => {
  const store = new HeldStore();
  const [one, other] = [processWith(store), processWith(store)];
  assert.throws(() => one.approvals.ask({ name: "desk/1", key: undefined }, asked), {
    code: "AGENTRT_APPROVAL_ELSEWHERE",
  });
  await one.approvals.adopt([one.place]);
  await other.approvals.adopt([{ name: "stand/0", store: new MemoryStateStore() }]);
  const first = await ask(one.approvals, "desk/1");
  const second = await ask(other.approvals, "stand/1");
  const third = await ask(one.approvals, "desk/2");

  const { promise, resolve } = Promise.withResolvers<void>();
  store.held = promise;
  const decided = one.approvals.decide(first, decision);
  await new Promise(setImmediate);
  const abandoned = one.approvals.abandon(["desk/0"]);
  const late = one.approvals.decide(third, decision);
  await assert.rejects(late, { code: "AGENTRT_APPROVAL_UNKNOWN" });
  resolve();
  assert.equal((await decided).status, "approved");
  await abandoned;
  assert.deepEqual([one.woken, one.approvals.isLoaded("desk/1")], [[], false]);
  assert.deepEqual(one.approvals.list({}), []);

  const looked = await other.approvals.look([other.place]);
  assert.deepEqual(
    looked.approvals.map(({ id, status }) => [id, status]),
    [
      [first, "approved"],
      [third, "pending"],
    ],
  );
  await other.approvals.adopt([other.place]);
  assert.deepEqual(
    other.approvals.list({}).map(({ id }) => id),
    [first, second, third],
  );
  assert.ok(other.woken.includes("desk/1"));
  assert.ok(other.approvals.isToHand(first) && other.approvals.isLoaded("desk/1"));
});

test("a list that is being written when its place is handed over keeps what is in it", async () => {
  const store = new HeldStore();
  const [one, other] = [processWith(store), processWith(store)];
  await one.approvals.adopt([one.place]);
  const first = await ask(one.approvals, "desk/1");
  const { promise, resolve } = Promise.withResolvers<void>();
  store.held = promise;
  // The list is written for the first of these; the second one waits until it is written again.
  const asked = ["desk/2", "desk/3"].map(async (agent) => await ask(one.approvals, agent));
  await new Promise(setImmediate);
  const abandoned = one.approvals.abandon(["desk/0"]);
  resolve();
  await abandoned;
  const [second, third] = await Promise.all(asked);
  await other.approvals.adopt([other.place]);
  assert.deepEqual(
    other.approvals.list({}).map(({ id }) => id),
    [first, second, third],
  );
});

test("what cannot be read is left as it is, and said once; all else is there, of its place and of others", async () => {
  const store = new HeldStore();
  const one = processWith(store);
  const places = ["desk/0", "stand/0", "till/0"].map((name) => ({ name, store }));
  await one.approvals.adopt(places);
  const ids: string[] = [];
  for (const agent of ["desk/1", "desk/2", "desk/3", "stand/1", "till/1"])
    ids.push(await ask(one.approvals, agent));
  const [first = "", second = "", third = "", fourth = "", fifth = ""] = ids;
  await one.approvals.abandon(places.map(({ name }) => name));

  // The state of an agent, the approval of another one, and the list of a place.
  store.damaged.add("desk/1");
  store.damaged.add(`_agency.approval/desk/0/${second}`);
  store.damaged.add("_agency.approvals/till/0");
  const other = processWith(store);
  const looked = await other.approvals.look(places);
  assert.deepEqual([looked.approvals.length, looked.isWhole], [2, false]);
  assert.equal(other.events.length, 0);
  await other.approvals.adopt(places);
  const listed = (): string[] => other.approvals.list({}).map(({ id }) => id);
  assert.deepEqual(listed(), [third, fourth]);
  const told = other.events.flatMap((event) =>
    event.type === "approval.unreadable" ? [[event.id, event.name, event.place]] : [],
  );
  assert.deepEqual(told, [
    [first, "desk/1", "desk/0"],
    [second, undefined, "desk/0"],
    [null, undefined, "till/0"],
  ]);
  const said = other.lines.filter((line) => line.includes("cannot be read"));
  assert.equal(said.length, 3);
  assert.match(said.join(""), new RegExp(`${first}[^]*${second}[^]*till/0`));

  // Nobody takes them for gone, nor writes over them.
  assert.deepEqual(
    ["desk/3", "stand/1", "till/1"].map((agent) => other.approvals.isLoaded(agent)),
    [true, true, false],
  );
  await assert.rejects(other.approvals.load("till/1"), { code: "AGENTRT_STATE_CORRUPT" });
  await assert.rejects(ask(other.approvals, "till/1"), { code: "AGENTRT_STATE_CORRUPT" });
  const sixth = await ask(other.approvals, "desk/3");
  await other.approvals.abandon(places.map(({ name }) => name));
  store.damaged.clear();
  await other.approvals.adopt(places);
  assert.deepEqual(listed(), [first, second, third, fourth, fifth, sixth]);
});

test("a store that is away for now keeps places closed, and nothing is called unreadable", async () => {
  const store = new HeldStore();
  const one = processWith(store);
  await one.approvals.adopt([one.place]);
  await ask(one.approvals, "desk/1");
  const away = new stateErrors.UNAVAILABLE({ path: "p", agent: undefined, reason: "r" });
  store.get = async () => await Promise.reject(away);
  await assert.rejects(one.approvals.adopt([one.place]), away);
  await assert.rejects(one.approvals.look([one.place]), away);
  assert.deepEqual([one.approvals.isLoaded("desk/1"), one.approvals.list({})], [false, []]);
  assert.deepEqual(
    one.events.filter(({ type }) => type === "approval.unreadable"),
    [],
  );
});
