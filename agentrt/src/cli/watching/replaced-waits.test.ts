import assert from "node:assert/strict";
import { test } from "node:test";
import { replacedWaits } from "./replaced-waits.ts";

const row = (
  name: string,
  kind: string,
  awaited: readonly [kind: string, name: string, since: number],
) => ({
  name,
  kind,
  waits_for: { kind: awaited[0], name: awaited[1], since: awaited[2] },
});

test("who waits for a model or a tool server that was replaced is named, with what to do", () => {
  const agents = [
    row("digest", "agent", ["model", "main", 56]),
    row("reader", "pool", ["model", "main", 80]),
    row("reader/1", "agent", ["model", "main", 80]),
    row("clerk", "agent", ["tool", "mcp://files/read", 70]),
    // It began to wait when the new one was there, or waits for another one.
    row("late", "agent", ["model", "main", 91]),
    row("other", "agent", ["model", "spare", 50]),
    { name: "idle", kind: "agent" },
  ];
  assert.deepEqual(replacedWaits({ timestamp: 100, agents }, ["main", "files"], 90), [
    "digest still waits for the model main that was replaced, for 44 s: agentrt restart digest --no-wait",
    "reader still waits for the model main that was replaced, for 20 s: agentrt restart reader --no-wait",
    "clerk still waits for the tool mcp://files/read that was replaced, for 30 s: agentrt restart clerk --no-wait",
  ]);
  assert.deepEqual(replacedWaits({ timestamp: 100, agents }, [], 90), []);
  assert.deepEqual(replacedWaits("nonsense", ["main"], 90), []);
  const many = Array.from({ length: 30 }, (_, index) =>
    row(`a${index}`, "agent", ["model", "main", 1]),
  );
  const lines = replacedWaits({ timestamp: 100, agents: many }, ["main"], 90);
  assert.deepEqual([lines.length, lines.at(-1)], [21, "10 more wait so: agentrt ps"]);
});
