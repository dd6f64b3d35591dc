import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import * as fc from "fast-check";
import { createTemporaryFolder, repetitions } from "testkit";
import { VirtualClock } from "../../testing/index.ts";
import { GroupCommit, groupWriteCountMax } from "./group-commit.ts";
import { SqliteStateStore } from "./sqlite-state-store.ts";

/** A database that only counts; `fail` names what fails next. */
function setUp(): {
  log: string[];
  group: GroupCommit;
  turn: () => Promise<void>;
  clock: VirtualClock;
  isHeld: { value: boolean };
  failing: Set<string>;
  undo: () => void;
} {
  const log: string[] = [];
  const failing = new Set<string>();
  const isHeld = { value: false };
  const clock = new VirtualClock();
  let isInTransaction = false;
  const step = (name: string): void => {
    log.push(name);
    if (isHeld.value && name === "begin") throw new Error("held");
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
      isBusy: (error) => error instanceof Error && error.message === "held",
    },
    { system: clock, timeoutMs: 1000 },
  );
  return {
    log,
    group,
    failing,
    turn: async () => await clock.advance(0),
    clock,
    isHeld,
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
  const pending = ["a", "b", "c"].map((name) => group.add("keeper", () => void log.push(name)));
  assert.deepEqual(log, []);
  await turn();
  assert.deepEqual(await outcomes(pending), ["saved", "saved", "saved"]);
  assert.deepEqual(log, ["begin", "a", "b", "c", "commit"]);
  await turn();
  assert.equal(log.length, 5);
});

test("a write that fails by itself does not take the others with it", async () => {
  const { group, turn } = setUp();
  const refuse = (): void => {
    throw new Error("too big");
  };
  const pending = [
    group.add("keeper", () => undefined),
    group.add("keeper", refuse),
    group.add("keeper", () => undefined),
  ];
  assert.deepEqual((await Promise.all([outcomes(pending), turn()]))[0], [
    "saved",
    "too big",
    "saved",
  ]);
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
    const pending = [
      group.add("keeper", () => undefined),
      group.add("keeper", break_),
      group.add("keeper", () => undefined),
    ];
    const reason = way === "undone" ? "disk full" : `${way} fails`;
    const [found] = await Promise.all([outcomes(pending), turn()]);
    assert.deepEqual(found, [reason, reason, reason]);
    const next = [group.add("keeper", () => undefined)];
    await turn();
    assert.deepEqual(await outcomes(next), ["saved"]);
  }
});

test("while the database is held all writes wait, one retry serves them in order, and one that waits too long fails", async () => {
  const { group, log, turn, clock, isHeld } = setUp();
  isHeld.value = true;
  const written: string[] = [];
  const add = (name: string): Promise<void> => group.add(name, () => void written.push(name));
  const late = add("late");
  late.catch(() => undefined);
  await turn();
  assert.equal(group.isBlocked, true);
  await clock.advance(600);
  const others = Array.from({ length: 50 }, (_, index) => add(`a${index}`));
  await clock.advance(600);
  await assert.rejects(late, { message: "held" });
  const tryCount = log.length;
  assert.ok(tryCount < 20, `${tryCount} tries for 51 writes in 1.2 s`);
  isHeld.value = false;
  let isSettled = false;
  void group.settled("a49").then(() => {
    isSettled = true;
  });
  await clock.advance(500);
  assert.deepEqual(
    await outcomes(others),
    Array.from(others, () => "saved"),
  );
  assert.equal(isSettled, true);
  assert.deepEqual(
    written,
    Array.from(others, (_, index) => `a${index}`),
  );
  assert.deepEqual(log.slice(tryCount), ["begin", "commit"]);
  assert.equal(group.isBlocked, false);
});

test("also when nothing waits any more, it is found out that the database is free again", async () => {
  const { group, clock, isHeld } = setUp();
  isHeld.value = true;
  const late = group.add("late", () => undefined);
  await assert.rejects(Promise.all([late, clock.advance(2000)]), { message: "held" });
  assert.deepEqual([group.isWaiting, group.isBlocked], [false, true]);
  isHeld.value = false;
  await clock.advance(500);
  assert.equal(group.isBlocked, false);
});

test("a group that has reached its maximum is committed at once", async () => {
  const { group, log } = setUp();
  const pending = Array.from({ length: groupWriteCountMax }, () =>
    group.add("keeper", () => undefined),
  );
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
    { numRuns: repetitions(20) },
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
