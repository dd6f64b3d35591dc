import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryStateStore } from "../state/index.ts";
import { LeaderStates } from "./leader-states.ts";

test("a process that does not lead any more reads states, and saves and deletes none", async () => {
  const store = new MemoryStateStore();
  const lease = { isHeld: true, whenHeld: async () => lease.isHeld };
  const states = new LeaderStates(store, lease);
  await states.set("desk", { count: 1 });
  lease.isHeld = false;
  await assert.rejects(states.set("desk", { count: 2 }), { code: "AGENTRT_LEADER_GONE" });
  await assert.rejects(states.delete("desk"), { code: "AGENTRT_LEADER_GONE" });
  assert.deepEqual(await states.get("desk"), { count: 1 });
  assert.deepEqual(await store.get("desk"), { count: 1 });
});

test("a save waits while nobody knows who leads", async () => {
  const store = new MemoryStateStore();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const states = new LeaderStates(store, { isHeld: false, whenHeld: () => promise });
  const saved = states.set("desk", { count: 1 });
  await new Promise(setImmediate);
  assert.deepEqual([states.outage()?.store, await store.get("desk")], ["lease", undefined]);
  resolve(true);
  await saved;
  assert.deepEqual(await store.get("desk"), { count: 1 });
});

test("a process that does not lead any more raises no fences", async () => {
  const raised: string[][] = [];
  const store = Object.assign(new MemoryStateStore(), {
    fenced: {
      raise: async (names: readonly string[]) => {
        raised.push([...names]);
        return names.map((name) => ({ name, token: 1 }));
      },
      get: async () => undefined,
      set: async () => undefined,
      delete: async () => undefined,
    },
  });
  const lease = { isHeld: true, whenHeld: async () => lease.isHeld };
  const { fenced } = new LeaderStates(store, lease);
  assert.deepEqual(await fenced?.raise(["desk#1"]), [{ name: "desk#1", token: 1 }]);
  lease.isHeld = false;
  await assert.rejects(async () => await fenced?.raise(["desk#2"]), {
    code: "AGENTRT_LEADER_GONE",
  });
  assert.deepEqual(raised, [["desk#1"]]);
});
