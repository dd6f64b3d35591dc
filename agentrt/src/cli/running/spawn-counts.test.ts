import assert from "node:assert/strict";
import { test } from "node:test";
import { readSpawnCounts } from "./spawn-counts.ts";

const [groups, shared] = [["back", "heavy", "wide"], new Set(["heavy", "wide"])];
const labels = (text: string | undefined) =>
  readSpawnCounts(text, groups, shared).map(({ label }) => label);

test("a number is for each group that several workers may join, others have one", () => {
  assert.deepEqual(labels(undefined), ["back", "heavy", "wide"]);
  assert.deepEqual(labels("1"), ["back", "heavy", "wide"]);
  assert.deepEqual(labels("2"), ["back", "heavy#1", "heavy#2", "wide#1", "wide#2"]);
  assert.deepEqual(labels("heavy=3"), ["back", "heavy#1", "heavy#2", "heavy#3", "wide"]);
  assert.deepEqual(labels("heavy=2,wide=1,back=1"), ["back", "heavy#1", "heavy#2", "wide"]);
});

test("what is no number, or for a group that takes one worker, is refused with what is wanted", () => {
  const reasons: { readonly [text: string]: RegExp } = {
    "0": /--spawn-workers=0: want a whole number from 1 to 64, or group=number/,
    "65": /whole number from 1 to 64/,
    "x.yaml": /whole number from 1 to 64/,
    "heavy=": /whole number from 1 to 64/,
    "back=2": /process group "back" takes one worker: it has no pool and no keyed agent/,
    "none=2": /there is no process group "none", known are: back, heavy, wide/,
  };
  for (const [text, reason] of Object.entries(reasons))
    assert.throws(() => labels(text), { code: "AGENTRT_CLI_SPAWN_COUNT", message: reason });
  assert.throws(() => readSpawnCounts("2", ["back"], new Set()), /"back" takes one worker/);
});
