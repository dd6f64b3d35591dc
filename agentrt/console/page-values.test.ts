/** What the pages of the console make of what they are answered: pure values. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { array, assert as assertLaw, constantFrom, property } from "fast-check";
import type { KeyBody, SpanBody, TreeNodeBody } from "../src/control/wire.ts";
import { VirtualClock } from "../src/testing/virtual-clock.ts";
import { figuresAsked } from "./asked.ts";
import { diffLines } from "./diff.ts";
import { countOf, durationText, fieldsText, usdText } from "./format.ts";
import { Poller } from "./poller.ts";
import { latenciesOf, pathOf, ratesOf } from "./series.ts";
import { flatten, keyFilterOf, type TreeFilter } from "./tree-rows.ts";
import { waterfall } from "./waterfall.ts";

test("a difference holds both texts, and says nothing of what is the same", () => {
  const line = constantFrom("a", "b", "c", "");
  const text = array(line, { minLength: 1, maxLength: 12 }).map((lines) => lines.join("\n"));
  assertLaw(
    property(text, text, (before, after) => {
      const lines = diffLines(before, after);
      const without = (kind: string): string =>
        lines
          .filter((each) => each.kind !== kind)
          .map((each) => each.text)
          .join("\n");
      assert.equal(without("new"), before);
      assert.equal(without("gone"), after);
      if (before === after) assert.ok(lines.every(({ kind }) => kind === "same"));
    }),
  );
  assert.deepEqual(
    diffLines("{\n1\n}", "{\n2\n}").map(({ kind, text }) => `${kind} ${text}`),
    ["same {", "gone 1", "new 2", "same }"],
  );
});

function span(
  id: string,
  parent: string | null,
  [start, end]: readonly [number, number],
): SpanBody {
  const rest = { kind: "internal", status: "ok", error_message: null, attributes: {} };
  return {
    ...rest,
    name: id,
    span_id: id,
    parent_span_id: parent,
    start_time: start,
    end_time: end,
  };
}

test("spans are below those that they belong to, by their start; one whose parent is not known is at the top", () => {
  const { rows, seconds } = waterfall([
    span("late", "root", [12, 16]),
    span("root", null, [8, 24]),
    span("early", "root", [9, 11]),
    span("inner", "early", [9, 10]),
    span("stray", "gone", [16, 17]),
  ]);
  assert.equal(seconds, 16);
  assert.deepEqual(
    rows.map(({ span: { name }, depth, from, length }) => [name, depth, from, length]),
    [
      ["root", 0, 0, 1],
      ["early", 1, 1 / 16, 2 / 16],
      ["inner", 2, 1 / 16, 1 / 16],
      ["late", 1, 4 / 16, 4 / 16],
      ["stray", 0, 8 / 16, 1 / 16],
    ],
  );
});

test("spans that name each other as parents are shown once", () => {
  const { rows } = waterfall([
    span("a", "b", [0, 1]),
    span("b", "a", [0, 1]),
    span("c", "c", [0, 1]),
  ]);
  assert.deepEqual(
    rows.map(({ span: { name } }) => name),
    ["c", "a", "b"],
  );
});

function agent(name: string, status: string): TreeNodeBody {
  return {
    name,
    type: "agent",
    status,
    restart_count: 0,
    process_id: "p",
    suspend_category: null,
  } as TreeNodeBody;
}

function supervisor(name: string, children: readonly TreeNodeBody[]): TreeNodeBody {
  return {
    name,
    type: "supervisor",
    strategy: "ONE_FOR_ONE",
    restart_count: 0,
    crashes_in_window: 0,
    process_id: "p",
    children,
  };
}

const tree = supervisor("root", [
  agent("desk", "RUNNING"),
  supervisor("billing", [agent("invoices", "CRASHED"), agent("reminders", "RUNNING")]),
  supervisor("empty", []),
]);

const all: TreeFilter = {
  text: "",
  status: "",
  closed: new Set(),
  opened: new Set(),
  keys: new Map(),
};
const names = (filter: TreeFilter): string[] =>
  flatten(tree, filter).rows.map(({ depth, name }) => `${"  ".repeat(depth)}${name}`);

test("a tree is lines; what is closed hides what is below it, and says how bad that is", () => {
  assert.deepEqual(names(all), [
    "root",
    "  desk",
    "  billing",
    "    invoices",
    "    reminders",
    "  empty",
  ]);
  assert.deepEqual(names({ ...all, closed: new Set(["billing"]) }), [
    "root",
    "  desk",
    "  billing",
    "  empty",
  ]);
  const { rows, counts } = flatten(tree, { ...all, closed: new Set(["billing"]) });
  const billing = rows.find(({ name }) => name === "billing");
  assert.deepEqual([billing?.status, billing?.belowCount, billing?.isOpen], ["CRASHED", 2, false]);
  assert.deepEqual([billing?.position, billing?.siblingCount], [2, 3]);
  assert.deepEqual(
    [...counts],
    [
      ["RUNNING", 2],
      ["CRASHED", 1],
    ],
  );
});

test("a filter leaves what fits and what is above it, whatever is closed", () => {
  const closed = new Set(["billing"]);
  assert.deepEqual(names({ ...all, text: "INV", closed }), ["root", "  billing", "    invoices"]);
  assert.deepEqual(names({ ...all, status: "not RUNNING", closed }), [
    "root",
    "  billing",
    "    invoices",
  ]);
  assert.deepEqual(names({ ...all, text: "desk", status: "CRASHED", closed }), []);
});

const orders: TreeNodeBody = {
  name: "orders",
  type: "keyed",
  status: "RUNNING",
  restart_count: 0,
  crashes_in_window: 0,
  process_id: "p",
  key: "id",
  max_resident: 1000,
  resident_count: 3,
  waiting_count: 1,
  failed_count: 0,
  mailbox_depth: 2,
  suspend_category: null,
  children: [],
};

function key(name: string, status: string): KeyBody {
  const rest = { restart_count: 0, uptime_seconds: 1, mailbox_depth: 0, suspend_category: null };
  return { key: name, name: `orders/${name}`, status, ...rest };
}

test("keys are below their keyed agent once it is opened, with their status, and are no agents", () => {
  const root = supervisor("root", [orders]);
  const body = { agent: "orders", keys: [key("a", "RUNNING"), key("b", "CRASHED")], next: "b" };
  const keys = new Map([["orders", body]]);
  const closed = flatten(root, { ...all, keys });
  assert.deepEqual(
    closed.rows.map(({ name, hasChildren, belowCount }) => [name, hasChildren, belowCount]),
    [
      ["root", true, 1],
      ["orders", true, 4],
    ],
  );
  const opened = new Set(["orders"]);
  const { rows, counts } = flatten(root, { ...all, keys, opened });
  assert.deepEqual(
    rows.map(({ depth, name, status, kind }) => [depth, name, status, kind]),
    [
      [0, "root", "CRASHED", "supervisor"],
      [1, "orders", "RUNNING", "keyed"],
      [2, "orders/a", "RUNNING", "key"],
      [2, "orders/b", "CRASHED", "key"],
    ],
  );
  assert.match(
    rows[1]?.note ?? "",
    /^the first are shown: filter by name, 3 keys in memory, 2 wait$/,
  );
  assert.deepEqual([...counts], [["RUNNING", 1]]);
  const crashed = flatten(root, { ...all, status: "CRASHED", keys, opened }).rows;
  assert.deepEqual(
    crashed.map(({ name }) => name),
    ["root", "orders", "orders/b"],
  );
});

test("a filter by name asks for the keys that it means", () => {
  const asked = ["", "ord", "ORDERS/", "orders/47", "47", "desk"].map((text) =>
    keyFilterOf("orders", text),
  );
  assert.deepEqual(asked, ["", "", "", "47", "47", "desk"]);
});

test("charts are of what came between two moments; a gap and a counter that began again are no line", () => {
  const sample = (at: number, handled: number, times: readonly [sum: number, count: number]) => ({
    at,
    handled,
    errors: 0,
    latencySumMs: times[0],
    latencyCount: times[1],
  });
  const samples = [
    sample(10, 0, [0, 0]),
    sample(12, 8, [40, 4]),
    sample(14, 8, [40, 4]),
    sample(60, 100, [400, 8]),
    sample(62, 2, [4, 1]),
    sample(64, 6, [24, 3]),
  ];
  const valuesOf = (points: readonly { readonly value: number | null }[]): unknown =>
    points.map(({ value }) => value);
  assert.deepEqual(valuesOf(ratesOf(samples, "handled")), [4, 0, null, null, 2]);
  assert.deepEqual(valuesOf(latenciesOf(samples)), [10, null, null, null, 10]);
  const box = { width: 100, height: 10, most: 4 };
  assert.equal(pathOf(ratesOf(samples, "handled"), box), "M0.0 0.0h0.1L3.8 10.0M100.0 5.0h0.1");
  assert.equal(pathOf([], box), "");
});

test("values are short for people", () => {
  assert.deepEqual([0.0004, 0.25, 3.14, 42, 150, 7200, 200_000].map(durationText), [
    "0.4 ms",
    "250 ms",
    "3.1 s",
    "42 s",
    "3 min",
    "2 h",
    "2.3 d",
  ]);
  assert.deepEqual([0, 0.001, 1.5].map(usdText), ["$0", "$0.00100", "$1.50"]);
  assert.deepEqual(
    [countOf(1, "child", "children"), countOf(12_345, "agent")],
    ["1 child", "12 345 agents"],
  );
  assert.equal(fieldsText({ a: "b c", d: { e: 1 } }), 'a=b c d={"e":1}');
});

/** A question whose answers take so long; `begunMs` has when each was asked, `answeredMs` when it was answered. */
function pollerOf({ tookMs, isSeen = () => true }: { tookMs: number; isSeen?: () => boolean }) {
  const clock = new VirtualClock();
  const begunMs: number[] = [];
  const answeredMs: number[] = [];
  const poller = new Poller({
    everyMs: 5000,
    isSeen,
    ask: async () => {
      begunMs.push(clock.monotonicMs());
      await new Promise<void>((resolve) => void clock.setTimer(tookMs, resolve));
      answeredMs.push(clock.monotonicMs());
    },
    clock: {
      nowMs: () => clock.monotonicMs(),
      after: (delayMs, run) => {
        const timer = clock.setTimer(delayMs, run);
        return () => clock.clearTimer(timer);
      },
    },
  });
  return { clock, poller, begunMs, answeredMs };
}

test("a question that is wished again and again while it is asked is answered, and takes its share of the time", async () => {
  const { clock, poller, begunMs, answeredMs } = pollerOf({ tookMs: 3000 });
  poller.askNow();
  for (let atMs = 0; atMs < 102_000; atMs += 1500) {
    await clock.advance(1500);
    poller.askSoon();
  }
  assert.deepEqual(begunMs, [0, 33_000, 66_000, 99_000]);
  assert.deepEqual(answeredMs, [3000, 36_000, 69_000, 102_000]);
});

test("what is wished of a server that is fast is asked soon, also while somebody scrolls on", async () => {
  const { clock, poller, begunMs } = pollerOf({ tookMs: 10 });
  poller.askNow();
  await clock.advance(1000);
  for (let atMs = 1000; atMs < 1600; atMs += 50) {
    poller.askSoon();
    await clock.advance(50);
  }
  await clock.advance(10_000);
  // The last wish was at 1550, and the pauses after it are the usual ones.
  assert.deepEqual(begunMs, [0, 1200, 1410, 1650, 6660]);
});

test("a question is asked at once where somebody wants that, and not at all while nobody sees the page", async () => {
  let isSeen = true;
  const { clock, poller, begunMs } = pollerOf({ tookMs: 100, isSeen: () => isSeen });
  poller.askNow();
  await clock.advance(50);
  poller.askNow();
  await clock.advance(50);
  assert.deepEqual(begunMs, [0, 100]);
  isSeen = false;
  await clock.advance(60_000);
  poller.askSoon();
  await clock.advance(60_000);
  assert.deepEqual(begunMs, [0, 100]);
  poller.askNow();
  await clock.advance(100);
  isSeen = true;
  poller.askSoon();
  poller.end();
  await clock.advance(60_000);
  assert.deepEqual(begunMs, [0, 100, 120_100]);
});

test("figures are asked from the middle of the rows outwards, for names that are too long for all to fit, too", () => {
  assert.equal(figuresAsked(["a", "b", "c", "d", "e"]).path, "/overview?agent=c,b,d,a,e");
  const names = Array.from({ length: 61 }, (_, index) => `${"机".repeat(30)}${index}`);
  const { path } = figuresAsked(names);
  assert.ok(path.length < 8100, path.length.toString());
  const asked = decodeURIComponent(path.replace("/overview?agent=", "")).split(",");
  assert.ok(asked.length < names.length);
  const places = asked.map((name) => names.indexOf(name)).toSorted((one, other) => one - other);
  const [first = 0] = places;
  assert.deepEqual(
    places,
    Array.from(places, (_, offset) => first + offset),
  );
  assert.ok(Math.abs(first - (names.length - 1 - (places.at(-1) ?? 0))) <= 1);
});
