/** States under fences: which name belongs to what, also when that becomes an agent of another kind. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryStateStore } from "../../state/index.ts";
import { FencedStateStore } from "./fenced-state-store.ts";
import { partitionOf } from "./partitions.ts";
import { SharedStates } from "./test-support/shared-states.ts";

function make() {
  const shared = new SharedStates();
  const { fenced } = shared;
  const rest = new MemoryStateStore();
  const store = new FencedStateStore({ shared, fenced, rest, keyed: new Set() });
  return { shared, rest, store };
}

test("an agent that comes under the name of one of another kind has its states, whatever kind was there before", async () => {
  const kinds = {
    pool: { add: (store: FencedStateStore) => store.addPool("desk"), name: "desk/1", partition: 1 },
    keyed: {
      add: (store: FencedStateStore) => store.addKeyed("desk"),
      name: "desk/k1",
      partition: partitionOf("k1"),
    },
    single: {
      add: (store: FencedStateStore) => store.addSingle("desk"),
      name: "desk",
      partition: 0,
    },
  };
  for (const [before, first] of Object.entries(kinds))
    for (const [after, { add, name, partition }] of Object.entries(kinds)) {
      const { shared, rest, store } = make();
      first.add(store);
      add(store);
      await store.take("desk", [partition]);
      await store.set(name, { count: 1 });
      assert.deepEqual(await store.get(name), { count: 1 }, `${before}, then ${after}`);
      assert.deepEqual(await shared.listAgents(), [name], `${before}, then ${after}`);
      assert.deepEqual(await rest.listAgents(), [], `${before}, then ${after}`);
    }
});
