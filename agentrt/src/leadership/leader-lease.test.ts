/** Of several processes one leads, at no time two, whatever the way to the cell does. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createTextLog } from "../core/index.ts";
import { VirtualClock } from "../testing/virtual-clock.ts";
import { LeaderLease, leaseMs, renewIntervalMs } from "./leader-lease.ts";
import { leadershipErrors } from "./errors.ts";
import type { CellEntry, LeaseCell } from "./lease-cell.ts";

/** A cell of one process, whose ways can be cut. */
class MemoryCell {
  #entry: CellEntry | undefined;
  readonly cut = new Set<string>();
  /** Whose writes go well while their answers do not come. */
  readonly mute = new Set<string>();
  /** Whose writes go well, and are answered when this settles. */
  readonly slow = new Map<string, Promise<void>>();
  isUnusable = false;

  wayOf(name: string): LeaseCell {
    const fail = (): void => {
      if (this.isUnusable)
        throw new leadershipErrors.UNUSABLE({ where: "here", reason: "it is off" });
      if (this.cut.has(name)) throw new Error("the server is away");
    };
    return {
      read: async () => {
        fail();
        return this.#entry;
      },
      write: async (text, after) => {
        fail();
        if ((this.#entry?.revision ?? 0) !== after) return undefined;
        this.#entry = { text, revision: after + 1 };
        if (this.mute.has(name)) throw new Error("no answer came");
        await this.slow.get(name);
        return after + 1;
      },
      close: async () => {},
    };
  }
}

function make() {
  const clock = new VirtualClock();
  const cell = new MemoryCell();
  const lines: string[] = [];
  const log = createTextLog({ write: (line) => void lines.push(line) });
  const lead: string[] = [];
  const leases = new Map<string, LeaderLease>();
  const start = (name: string): void => {
    const holder = { processId: name, host: `host-${name}`, pid: 7 };
    const legacy = (): { from: string } => ({ from: name });
    const lease = new LeaderLease({ cell: cell.wayOf(name), system: clock, log, holder, legacy });
    leases.set(name, lease);
    void lease.acquire().then(
      (isLeader) => isLeader && lead.push(name),
      (error: unknown) => lead.push(`${name} failed: ${(error as Error).message}`),
    );
    void lease.lost.then(() => lead.push(`${name} lost`));
  };
  const held = (): string[] => [...leases].flatMap(([name, { isHeld }]) => (isHeld ? [name] : []));
  /** Lets time pass, and looks at each step that no two lead. */
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 50) {
      await clock.advance(50);
      assert.ok(held().length <= 1, held().join(" and "));
    }
  };
  return { clock, cell, lines, lead, leases, start, held, pass };
}

test("the first leads, the second waits and says for whom, and takes over within three intervals when it is gone", async () => {
  const { cell, lines, lead, start, held, pass } = make();
  start("a");
  await pass(100);
  start("b");
  await pass(60_000);
  assert.deepEqual([lead, held()], [["a"], ["a"]]);
  assert.equal(lines.filter((line) => line.includes("host=host-a")).length, 1);
  cell.cut.add("a");
  await pass(leaseMs + 2 * renewIntervalMs);
  assert.deepEqual([lead, held()], [["a", "b"], ["b"]]);
  cell.cut.delete("a");
  await pass(renewIntervalMs);
  assert.deepEqual(lead, ["a", "b", "a lost"]);
});

test("a leader that is cut off is not certain, and goes on to lead where nobody took over", async () => {
  const { cell, leases, lines, lead, start, held, pass } = make();
  start("a");
  await pass(5000);
  cell.cut.add("a");
  await pass(60_000);
  assert.deepEqual(held(), []);
  let isCertain: boolean | undefined;
  void leases
    .get("a")
    ?.whenHeld()
    .then((value) => (isCertain = value));
  await pass(1000);
  assert.equal(isCertain, undefined);
  cell.cut.delete("a");
  await pass(renewIntervalMs);
  assert.deepEqual([isCertain, held(), lead], [true, ["a"], ["a"]]);
  assert.equal(lines.filter((line) => line.includes("it saves nothing")).length, 1);
});

test("who gives up the lead is followed within one interval, and each lead has a higher number", async () => {
  const { leases, lead, start, pass } = make();
  start("a");
  await pass(100);
  start("b");
  await pass(5000);
  const before = leases.get("a")?.term ?? 0;
  await leases.get("a")?.release();
  await pass(renewIntervalMs + 50);
  assert.deepEqual(lead, ["a", "b"]);
  assert.ok((leases.get("b")?.term ?? 0) > before);
  const { value, ageMs } = leases.get("b")?.legacy ?? {};
  assert.deepEqual([leases.get("a")?.legacy, value], [undefined, { from: "a" }]);
  assert.ok(Number(ageMs) <= renewIntervalMs);
});

test("a leader whose answers are lost for a while goes on to lead", async () => {
  const { cell, lead, start, held, pass } = make();
  start("a");
  start("b");
  await pass(5000);
  const [leader = ""] = held();
  cell.mute.add(leader);
  await pass(1500);
  cell.mute.delete(leader);
  await pass(60_000);
  assert.deepEqual([lead, held()], [[leader], [leader]]);
});

test("a process that can read nothing asks on, however long that takes, and fails where another try is of no use", async () => {
  const { cell, lead, lines, leases, start, pass } = make();
  cell.cut.add("a");
  start("a");
  await pass(600_000);
  assert.deepEqual(lead, []);
  assert.ok(lines.some((line) => line.includes("it is not known who leads")));
  cell.cut.delete("a");
  await pass(2000);
  assert.deepEqual(lead, ["a"]);
  await leases.get("a")?.release();
  cell.isUnusable = true;
  start("b");
  await pass(100);
  assert.match(
    lead[1] ?? "",
    /b failed: Cannot find out which supervisor leads at here: it is off/,
  );
});

test("a process that waits ends when it is asked to", async () => {
  const { leases, lead, start, pass } = make();
  start("a");
  await pass(100);
  start("b");
  await pass(2000);
  await leases.get("b")?.release();
  await leases.get("a")?.release();
  await pass(10_000);
  assert.deepEqual(lead, ["a"]);
});

test("of three that are cut off in turn at random no two ever lead", async () => {
  const { cell, start, pass } = make();
  for (const name of ["a", "b", "c"]) start(name);
  let seed = 1;
  const next = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  for (let round = 0; round < 200; round += 1) {
    for (const name of ["a", "b", "c"])
      if (next() < 0.5) cell.cut.add(name);
      else cell.cut.delete(name);
    await pass(next() * 6000);
  }
});

test("a renewal that took longer than it holds makes nobody certain, and does not say so", async () => {
  const { cell, lines, lead, start, held, pass } = make();
  start("a");
  await pass(5000);
  cell.cut.add("a");
  await pass(4000);
  const answered = Promise.withResolvers<void>();
  cell.slow.set("a", answered.promise);
  cell.cut.delete("a");
  await pass(4000);
  cell.slow.delete("a");
  answered.resolve();
  await pass(50);
  const still = (): string[] =>
    lines.filter((line) => line.includes("still leads") && line.startsWith("info"));
  assert.deepEqual([held(), still()], [[], []]);
  await pass(renewIntervalMs + 100);
  assert.deepEqual([held(), still().length, lead], [["a"], 1, ["a"]]);
});
