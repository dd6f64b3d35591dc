import assert from "node:assert/strict";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { Measured } from "./measured.ts";

const row = (contender: string, rate: number, figures: { [name: string]: number } = {}): string =>
  `${JSON.stringify({ contender, rate, figures })}\n`;
const ofCall = (us: number) => ({
  "supervisor, us a call": us,
  "workers, us a call": us,
  "broker, us a call": us,
});

test("of each bench the newest results count, by their median, and what is not there is not a number", () => {
  using folder = createTemporaryFolder({
    "2026-01-01-x/agentrt-scale-wait.jsonl": row("pool-1", 1),
    "2026-01-02-x/agentrt-scale-wait.jsonl": row("pool-1", 5) + row("pool-1", 3) + row("pool-1", 9),
    "2026-01-01-x/agentrt-scale-handler.jsonl": row("processes-1", 7),
  });
  const measured = new Measured(folder.path);
  assert.equal(measured.of("agentrt-scale-wait", "pool-1"), 5);
  assert.equal(measured.of("agentrt-scale-handler", "processes-1"), 7);
  assert.equal(measured.of("agentrt-scale-wait", "pool-2"), Number.NaN);
  assert.equal(measured.has("agentrt-scale-compute"), false);
});

test("a message and a turn together cost what was measured: of many calls in one turn, and of one", () => {
  using folder = createTemporaryFolder({
    "day/agentrt-scale-nothing.jsonl":
      row("pool-1", 0, ofCall(20)) + row("pool-1-one", 0, ofCall(146)),
  });
  const costs = new Measured(folder.path).costs({ target: "pool", isForwarded: false });
  const { messageUs, turnUs } = costs.worker;
  assert.equal(messageUs + turnUs, 146);
  assert.equal(messageUs + turnUs / 64, 20);
  // Of two messages of each call.
  assert.equal(costs.broker.messageUs + costs.broker.turnUs, 73);
});
