/** What `ps` and `top` say of the whole. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { budgetLines, healthLines, loopLines, modelLines } from "./trouble.ts";

test("an answer of /health becomes a line for each trouble, and none when all is well", () => {
  assert.deepEqual(healthLines({ status: "ok" }), []);
  assert.deepEqual(healthLines("nonsense"), []);
  const health = {
    status: "degraded",
    failed: ["desk", 7],
    workers_silent: ["heavy/2"],
    halted: ["refunds", null],
    state: { store: "state.db", reason: "another program\u001B[2J holds it" },
    audit: { sink: "audit.jsonl", reason: "the disk is full" },
    approvals: { pending: 2 },
  };
  const lines = healthLines(health);
  assert.equal(
    lines.shift(),
    "! the worker heavy/2 gives no answer: it is busy, or it hangs; see its log",
  );
  assert.match(lines[0] ?? "", /^! desk is given up: agentrt describe desk/);
  assert.equal(
    lines[1],
    "! refunds is halted by an eval agent: agentrt describe refunds, then agentrt resume refunds",
  );
  assert.match(
    lines.join("\n"),
    /^! no state is saved in state\.db: another program.* holds it: /m,
  );
  assert.match(
    lines.join("\n"),
    /^! the audit log audit\.jsonl is not written: the disk is full$/m,
  );
  assert.equal(lines.at(-1), "! 2 approvals wait for a person: agentrt approvals list");
  assert.ok(!lines.join("").includes("\u001B"), "no text commands the terminal");
  assert.ok(!lines.some((line) => line.startsWith("!  ")), "what is not a name is left out");
});

test("an answer of /overview becomes a line for each model that does not answer", () => {
  assert.deepEqual(modelLines({ agents: [] }), []);
  assert.deepEqual(modelLines("nonsense"), []);
  const silent = [
    { name: "main", since: 56, agents: 3 },
    { name: "other", since: 10, agents: 1 },
  ];
  const then = "AT HAND says which, then agentrt describe <agent>";
  assert.deepEqual(modelLines({ timestamp: 100, models_silent: silent }), [
    `! the model main has answered nobody for 44 s, and 3 agents wait for it: ${then}`,
    `! the model other has answered nobody for 1 min, and 1 agent waits for it: ${then}`,
  ]);
});

test("an answer of /processes becomes a line that says for how long, how often and when nobody was served, and by whose fault", () => {
  const lines = (event_loop_delay: unknown): string[] =>
    loopLines({ processes: [{ event_loop_delay }] }, { timestamp: 2000 });
  assert.deepEqual(lines(null), []);
  assert.deepEqual(lines({ max_ms: 3000 }), []);
  const end = ": agentrt logs names who computed";
  const once = { count: 1, first: 1986, last: 1986, max_ms: 3000.4 };
  const often = { count: 3, first: 1900, last: 1986, max_ms: 3000 };
  assert.deepEqual(lines({ blocked: { ...once, max_ms: 999 } }), []);
  assert.deepEqual(lines({ blocked: once }), [`! nobody was served for 3000 ms, 14 s ago${end}`]);
  assert.deepEqual(lines({ blocked: often }), [
    `! nobody was served for 3000 ms, 3 times in the last two minutes, the last 14 s ago${end}`,
  ]);
  const machine =
    ", since the machine gave the process hardly any processor: an agent is to blame only where agentrt logs names the same one each time";
  assert.deepEqual(lines({ max_ms: 9000, blocked: once, starved: { ...often, max_ms: 9000 } }), [
    `! nobody was served for 3000 ms, 14 s ago${end}`,
    `! nobody was served for 9000 ms, 3 times in the last two minutes, the last 14 s ago${machine}`,
  ]);
});

test("an answer of /overview becomes a line for each budget that is used up", () => {
  assert.deepEqual(budgetLines({ agents: [] }), []);
  assert.deepEqual(budgetLines("nonsense"), []);
  const lines = budgetLines({
    budgets_used_up: [
      { name: "digest", per: "hour", frees_at: new Date(2026, 10, 24, 22, 0).getTime() / 1000 },
      { name: "root", per: "run", frees_at: null },
    ],
  });
  assert.deepEqual(lines, [
    "! the budget of digest (per hour) is used up until 22:00: its calls of models are refused: agentrt cost",
    "! the budget of root (per run) is used up until it is raised, or reset while nothing runs: its calls of models are refused: agentrt cost",
  ]);
});
