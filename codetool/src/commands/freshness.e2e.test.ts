/** Changes that keep size, time or inode are seen in the next answer of every command. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { repetitions, skipUnless } from "testkit";
import { judgeFreshness } from "./test-support/judge-freshness.ts";

/** Numbers that are the same in every run. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const skip = skipUnless("rg");
const changeCount = repetitions(40);

for (const [way, title] of [
  [
    "opened",
    "search, exists and outline say what rg says after every change that keeps size, time or inode",
  ],
  ["kept", "so they do from an index that stays open"],
] as const)
  test(title, { skip }, async () => {
    const judged = await judgeFreshness({ changeCount, random: makeRandom(way.length), way });
    assert.ok(judged.effectiveCount >= changeCount / 3, JSON.stringify(judged));
    assert.ok(judged.answerCount >= 4 * changeCount, JSON.stringify(judged));
  });
