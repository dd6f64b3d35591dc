import assert from "node:assert/strict";
import { test } from "node:test";
import { createTones, type KeyName } from "../../terminal/index.ts";
import { Dashboard } from "./dashboard.ts";
import type { Intent } from "./intent.ts";
import { ToldChanges } from "./plain-picture.ts";
import { Tab } from "./tab.ts";
import { wrappedLines } from "./wrapped-lines.ts";

const size = { columns: 90, rows: 14 };

function agent(name: string, status = "RUNNING"): object {
  return { name, type: "agent", status, restart_count: 0, uptime_seconds: 1 };
}

function treeOf(count: number, status = "RUNNING"): object {
  const floor = Array.from({ length: count }, (_, index) => agent(`desk-${index}`, status));
  return {
    name: "root",
    type: "supervisor",
    strategy: "ONE_FOR_ONE",
    restart_count: 0,
    children: [
      { name: "floor", type: "supervisor", restart_count: 0, children: floor },
      agent("door"),
    ],
  };
}

interface Shown {
  readonly dashboard: Dashboard;
  readonly tab: Tab;
  readonly press: (...keys: readonly (KeyName | { readonly text: string })[]) => Intent[];
  readonly tree: () => readonly string[];
}

function show(body: object): Shown {
  const tab = new Tab("shop", "http://127.0.0.1:1");
  tab.take("/topology", { kind: "body", body });
  const options = { tones: createTones(false), refreshSeconds: 1, nowSeconds: () => 1000 };
  const dashboard = new Dashboard({ tabs: [tab], ...options });
  return {
    dashboard,
    tab,
    press: (...keys) =>
      keys.flatMap((key) =>
        dashboard.press(
          typeof key === "string" ? { kind: "key", key } : { kind: "text", text: key.text },
          size,
        ),
      ),
    tree: () => (dashboard.frame(size).panes[0]?.lines ?? []).map((line) => line.trimEnd()),
  };
}

test("only rows that are seen are drawn, and the selection stays among them", () => {
  const { press, tree, tab } = show(treeOf(100));
  assert.equal(tree().length, 9, "as many as fit");
  assert.equal(tree()[2], " │  ├─ ● desk-0 RUNNING");
  press("end");
  assert.equal(tree().at(-1), "›└─ ● door RUNNING");
  press("pageUp");
  assert.equal(tab.selected?.name, "desk-91", "a page is what is seen");
  press("home");
  assert.equal(tree()[0], "›▾ ▪ root");
});

test("a folded node hides what is below it; what is looked for is found there all the same", () => {
  const { press, tree, dashboard } = show(treeOf(3));
  press("down", "down", "left");
  assert.deepEqual(tree(), [" ▾ ▪ root", "›├─ ▸ ▪ floor (3)", " └─ ● door RUNNING"]);
  press(
    { text: "/" },
    { text: "D" },
    { text: "e" },
    { text: "s" },
    { text: "k" },
    { text: "-" },
    { text: "2" },
  );
  assert.deepEqual(tree(), [" ▾ ▪ root", "›└─ ▾ ▪ floor", "    └─ ● desk-2 RUNNING"]);
  assert.match(dashboard.frame(size).bottom[0] ?? "", /^\/Desk-2/);
  press("escape");
  assert.equal(tree().length, 3, "still folded");
});

test("an act is asked about before, only for agents, and an answer that is neither yes nor no is none", () => {
  const { press, dashboard } = show(treeOf(1));
  press({ text: "R" });
  assert.match(dashboard.frame(size).bottom[0] ?? "", /select an agent first/);
  press("down", "down", { text: "R" });
  assert.match(
    dashboard.frame(size).bottom[0] ?? "",
    /select an agent first/,
    "a supervisor is none",
  );
  press("down", { text: "R" });
  assert.equal(dashboard.frame(size).overlay?.title, 'Restart "desk-0"?');
  assert.deepEqual(press({ text: "x" }), []);
  const [intent] = press({ text: "y" });
  assert.ok(intent?.kind === "post");
  assert.equal(intent.operation.route, "/agents/desk-0/restart");
});

test("focus mode wants a selected node, and gives half of the width to the detail", () => {
  const { press, dashboard } = show(treeOf(1));
  const widths = (): number[] => dashboard.frame(size).panes.map(({ width }) => width);
  press({ text: "f" });
  assert.deepEqual(widths(), [30, 30, 30]);
  press("down", { text: "f" });
  assert.deepEqual(widths(), [22, 46, 22]);
});

test("endpoints that fail are named with the reason, and what was known goes on being shown", () => {
  const { tab, dashboard, tree } = show(treeOf(1));
  for (const route of ["/topology", "/snapshot"])
    tab.take(route, { kind: "failure", reason: "nothing listens there" });
  const top = dashboard.frame({ columns: 200, rows: 20 }).top.join("\n");
  assert.match(
    top,
    /unreachable: http:\/\/127\.0\.0\.1:1 \/topology, \/snapshot: nothing listens there/,
  );
  assert.equal(tree().length, 4);
  tab.take("/topology", { kind: "same" });
  tab.take("/snapshot", { kind: "body", body: { agents: {} } });
  assert.doesNotMatch(dashboard.frame(size).top.join("\n"), /unreachable/);
});

test("a tree of 10 000 agents is asked for by its revision, and counters of the selected agent only", () => {
  const { tab, press } = show({ ...treeOf(10_000), revision: "e-7" });
  assert.equal(tab.agentCount, 10_001);
  assert.equal(tab.questionOf("/topology", false), "/topology?since=e-7");
  assert.equal(tab.questionOf("/topology", true), "/topology");
  press("end");
  assert.equal(tab.questionOf("/snapshot", false), "/snapshot?agent=door");
});

test("what controls a terminal or turns the reading direction is written out, wherever it comes from", () => {
  const { tree, press, dashboard } = show({
    name: "root\u001B[2J",
    type: "supervisor",
    restart_count: 0,
    children: [agent("desk\u202E", "\u001B]0;x\u0007")],
  });
  press("down", "down");
  const all = [...tree(), ...dashboard.frame(size).panes.flatMap(({ lines }) => lines)].join("\n");
  assert.doesNotMatch(all, /[\u0007\u001B\u202E]/);
  assert.match(all, /desk\\u202e/);
});

test("for screen readers each change is one line", () => {
  const told = new ToldChanges();
  const tab = new Tab("shop", "http://127.0.0.1:1");
  tab.take("/topology", { kind: "body", body: treeOf(1) });
  assert.equal(told.changesOf(tab).length, 4);
  assert.deepEqual(told.changesOf(tab), []);
  tab.take("/topology", { kind: "body", body: treeOf(1, "CRASHED") });
  tab.take("/processes", { kind: "failure", reason: "gone" });
  assert.deepEqual(told.changesOf(tab), [
    "unreachable: http://127.0.0.1:1/processes: gone",
    "desk-0: RUNNING, now CRASHED",
  ]);
  tab.take("/topology", { kind: "body", body: treeOf(0) });
  tab.take("/processes", { kind: "body", body: {} });
  assert.deepEqual(told.changesOf(tab), [
    "reachable again: http://127.0.0.1:1/processes",
    "desk-0: gone",
  ]);
});

test("long texts are broken between words, and words that are too long inside", () => {
  assert.deepEqual(wrappedLines("one two three", 7), ["one two", "three"]);
  assert.deepEqual(wrappedLines("unauthenticated user", 6), ["unauth", "entica", "ted", "user"]);
  assert.deepEqual(wrappedLines("", 6), [""]);
});
