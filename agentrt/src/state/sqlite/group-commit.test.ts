import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import * as fc from "fast-check";
import { createTemporaryFolder } from "testkit";
import { GroupCommit, groupWriteCountMax } from "./group-commit.ts";
import { SqliteStateStore } from "./sqlite-state-store.ts";

/** A database that only counts; `fail` names what fails next. */
function setUp(): {
  log: string[];
  group: GroupCommit;
  turn: () => void;
  failing: Set<string>;
  undo: () => void;
} {
  const log: string[] = [];
  const failing = new Set<string>();
  const laters: (() => void)[] = [];
  let isInTransaction = false;
  const step = (name: string): void => {
    log.push(name);
    if (failing.delete(name)) throw new Error(`${name} fails`);
  };
  const group = new GroupCommit(
    {
      begin: () => {
        step("begin");
        isInTransaction = true;
      },
      commit: () => {
        step("commit");
        isInTransaction = false;
      },
      rollback: () => {
        if (isInTransaction) log.push("rollback");
        isInTransaction = false;
      },
      get isInTransaction() {
        return isInTransaction;
      },
    },
    (callback) => void laters.push(callback),
  );
  return {
    log,
    group,
    failing,
    turn: () => {
      for (const later of laters.splice(0)) later();
    },
    undo: () => {
      isInTransaction = false;
    },
  };
}

const outcomes = async (pending: readonly Promise<void>[]): Promise<string[]> =>
  (await Promise.allSettled(pending)).map((result) =>
    result.status === "fulfilled" ? "saved" : (result.reason as Error).message,
  );

test("writes of one turn share one transaction, in order", async () => {
  const { group, log, turn } = setUp();
  const pending = ["a", "b", "c"].map((name) => group.add(() => void log.push(name)));
  assert.deepEqual(log, []);
  turn();
  assert.deepEqual(await outcomes(pending), ["saved", "saved", "saved"]);
  assert.deepEqual(log, ["begin", "a", "b", "c", "commit"]);
  turn();
  assert.equal(log.length, 5);
});

test("a write that fails by itself does not take the others with it", async () => {
  const { group, turn } = setUp();
  const refuse = (): void => {
    throw new Error("too big");
  };
  const pending = [group.add(() => undefined), group.add(refuse), group.add(() => undefined)];
  turn();
  assert.deepEqual(await outcomes(pending), ["saved", "too big", "saved"]);
});

test("a failure that undoes the transaction, or its commit, fails all of it and the next group goes on", async () => {
  for (const way of ["undone", "commit", "begin"]) {
    const { group, turn, failing, undo } = setUp();
    if (way !== "undone") failing.add(way);
    const break_ = (): void => {
      if (way !== "undone") return;
      undo();
      throw new Error("disk full");
    };
    const pending = [group.add(() => undefined), group.add(break_), group.add(() => undefined)];
    turn();
    const reason = way === "undone" ? "disk full" : `${way} fails`;
    assert.deepEqual(await outcomes(pending), [reason, reason, reason]);
    const next = [group.add(() => undefined)];
    turn();
    assert.deepEqual(await outcomes(next), ["saved"]);
  }
});

test("a group that has reached its maximum is committed at once", async () => {
  const { group, log } = setUp();
  const pending = Array.from({ length: groupWriteCountMax }, () => group.add(() => undefined));
  assert.deepEqual(log, ["begin", "commit"]);
  await Promise.all(pending);
});

test("strict writes of many agents at once are all there, the last of each agent wins", async () => {
  const write = fc.record({ agent: fc.constantFrom("a", "b", "c"), value: fc.nat() });
  await fc.assert(
    fc.asyncProperty(fc.array(write, { maxLength: 30, size: "max" }), async (writes) => {
      using folder = createTemporaryFolder();
      const path = join(folder.path, "state.db");
      const expected = new Map(writes.map(({ agent, value }) => [agent, value]));
      const store = new SqliteStateStore({ path, durability: "strict" });
      const pending = writes.map(({ agent, value }) => store.set(agent, { value }));
      // What is read meanwhile is what was asked for, committed or not.
      for (const [agent, value] of expected) assert.deepEqual(await store.get(agent), { value });
      await Promise.all(pending);
      await store.close();
      const again = new SqliteStateStore({ path });
      assert.deepEqual(await again.listAgents(), [...expected.keys()].toSorted());
      for (const [agent, value] of expected) assert.deepEqual(await again.get(agent), { value });
      await again.close();
    }),
    { numRuns: 20 },
  );
});

test("closing a strict store commits what waits; a write after it is refused", async () => {
  using folder = createTemporaryFolder();
  const path = join(folder.path, "state.db");
  const store = new SqliteStateStore({ path, durability: "strict" });
  const saved = store.set("keeper", { count: 1 });
  await store.close();
  await saved;
  await assert.rejects(store.set("keeper", { count: 2 }), { code: "AGENTRT_STATE_CLOSED" });
  const again = new SqliteStateStore({ path });
  assert.deepEqual(await again.get("keeper"), { count: 1 });
  await again.close();
});
