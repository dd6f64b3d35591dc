/** Approvals of agents that are at one of several processes: one process after another has charge of them, and none is lost on the way. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createTextLog, type JsonObject, StoreFaults, TimerWheel } from "../index.ts";
import { MemoryStateStore } from "../../state/index.ts";
import { VirtualClock } from "../../testing/virtual-clock.ts";
import { Approvals } from "./index.ts";

/** Holds writes as long as it is told so. */
class HeldStore extends MemoryStateStore {
  held: Promise<void> | undefined;

  override async set(agent: string, state: JsonObject): Promise<void> {
    await this.held;
    await super.set(agent, state);
  }
}

const clock = new VirtualClock();

/** A process of which the agents `desk/…` are at times. */
function processWith(store: HeldStore) {
  const woken: string[] = [];
  const approvals = new Approvals({
    system: clock,
    wheel: new TimerWheel(clock),
    log: createTextLog({ write: () => undefined }),
    store: new MemoryStateStore(),
    storeFaults: new StoreFaults(),
    emit: () => undefined,
  });
  approvals.placeOf = (agent) => agent.replace(/\d$/, "0");
  approvals.wake = (agent) => {
    woken.push(agent);
    return true;
  };
  approvals.begin();
  return { approvals, woken, place: { name: "desk/0", store } };
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
    looked.map(({ id, status }) => [id, status]),
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
