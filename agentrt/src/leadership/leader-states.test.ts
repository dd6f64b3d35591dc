import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryStateStore } from "../state/index.ts";
import { LeaderStates } from "./leader-states.ts";

test("a process that does not lead any more reads states, and saves and deletes none", async () => {
  const store = new MemoryStateStore();
  const lease = { isHeld: true };
  const states = new LeaderStates(store, lease);
  await states.set("desk", { count: 1 });
  lease.isHeld = false;
  await assert.rejects(states.set("desk", { count: 2 }), { code: "AGENTRT_LEADER_GONE" });
  await assert.rejects(states.delete("desk"), { code: "AGENTRT_LEADER_GONE" });
  assert.deepEqual(await states.get("desk"), { count: 1 });
  assert.deepEqual(await store.get("desk"), { count: 1 });
});
