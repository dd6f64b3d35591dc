import assert from "node:assert/strict";
import { test } from "node:test";
import type { FaultKind, RunReport, Violation } from "../../testing/index.ts";
import { type RunParts, shrinkRun } from "./shrink.ts";

const violation: Violation = { invariant: "holds", reason: "it does not", atMs: 5 };
const counts = {
  messages: 40,
  injectedCrashes: 0,
  ownCrashes: 0,
  restarts: 0,
  exhausted: 0,
  faults: 9,
  steps: 9,
  virtualMs: 9,
};

function report(found: Violation | undefined): RunReport {
  const faultKinds: readonly FaultKind[] = ["storeFails", "startThrows", "handlerIsSlow"];
  const nothing = { outsideUse: undefined, ownCrash: undefined, startFailure: undefined };
  return { seed: 1, violation: found, counts, faultKinds, ...nothing, trace: [] };
}

const failed = { ...report(violation), violation };
const always = { hasOwnWorkload: false, isTimeLeft: () => true };

test("what a run does not need to fail is left out", async () => {
  const tried: RunParts[] = [];
  const smallest = await shrinkRun(
    failed,
    async (parts) => {
      tried.push(parts);
      const { onlyFaults, messageCountMax = 0 } = parts;
      return report(
        onlyFaults.includes("startThrows") && messageCountMax >= 7 ? violation : undefined,
      );
    },
    always,
  );
  assert.deepEqual([smallest.onlyFaults, smallest.messageCountMax], [["startThrows"], 7]);
  assert.equal(smallest.runCount, tried.length);
  assert.ok(tried.length <= 12, `${tried.length} runs`);
});

test("a run that fails in another way is not the same find", async () => {
  const other = { ...violation, invariant: "another" };
  const smallest = await shrinkRun(failed, async () => report(other), always);
  assert.deepEqual([smallest.onlyFaults, smallest.messageCountMax], [failed.faultKinds, 40]);
});

test("messages of the user's own workload stay, and nothing is tried when the time is over", async () => {
  const own = await shrinkRun(failed, async () => failed, { ...always, hasOwnWorkload: true });
  assert.deepEqual(own, { onlyFaults: [], messageCountMax: undefined, runCount: 1 });
  const late = await shrinkRun(failed, () => assert.fail("it is run"), {
    hasOwnWorkload: false,
    isTimeLeft: () => false,
  });
  assert.deepEqual([late.onlyFaults, late.runCount], [failed.faultKinds, 0]);
});
