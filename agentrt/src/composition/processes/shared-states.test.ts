/** Where a worker of a group of several keeps states. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryStateStore } from "../../state/index.ts";
import { FencedStateStore } from "../../workers/index.ts";
import { SharedStates } from "../../workers/spread/test-support/shared-states.ts";
import { openSharedStates } from "./shared-states.ts";

const none: ReadonlySet<string> = new Set();

test("a group that has only pools keeps what their members wait for where its workers share it, and else in memory; keys need what is shared", async () => {
  const pools = { keyed: none, single: none, refusal: undefined };
  const shared = await openSharedStates(pools, async () => new SharedStates());
  assert.ok(shared instanceof FencedStateStore);
  let isClosed = false;
  class Private extends MemoryStateStore {
    override async close(): Promise<void> {
      isClosed = true;
      await super.close();
    }
  }
  const memory = await openSharedStates(pools, async () => new Private());
  assert.deepEqual([memory instanceof FencedStateStore, isClosed], [false, true]);
  await memory.set("team/1", { waits: true });
  assert.deepEqual(await memory.get("team/1"), { waits: true });

  const refusal = new Error("nothing is shared");
  const keyed = { keyed: new Set(["refunds"]), single: none, refusal };
  await assert.rejects(
    openSharedStates(keyed, async () => new Private()),
    refusal,
  );
});
