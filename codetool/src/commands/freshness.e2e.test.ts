/** Changes that keep size, time or inode are seen in the next answer of every command. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { skipUnless } from "testkit";
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
const changeCount = 40;

test(
  "search, exists, index and outline say what rg says after every change that keeps size, time or inode",
  { skip },
  async () => {
    const options = { changeCount, random: makeRandom(1), isResident: false };
    assert.equal(await judgeFreshness(options), 4 * changeCount);
  },
);

test("so they do from an index that stays open", { skip }, async () => {
  const options = { changeCount, random: makeRandom(2), isResident: true };
  assert.equal(await judgeFreshness(options), 4 * changeCount);
});
