import assert from "node:assert/strict";
import test from "node:test";
import { repetitions } from "testkit";
import { findTestFiles } from "./test-files.ts";

const repeating = "codetool/src/edits/replace-all.test.ts";

function unitFiles(isLong: boolean): readonly string[] {
  return findTestFiles({ parts: [], isLong, isWholeOnExecutable: false }).unit;
}

test("a file that calls repetitions() runs in npm test and in the long suite, other unit tests in npm test only", () => {
  const [inTest, inLong] = [unitFiles(false), unitFiles(true)];
  assert.ok(inTest.includes(repeating) && inLong.includes(repeating));
  const plain = "scripts/checks/prose.test.ts";
  assert.ok(inTest.includes(plain) && !inLong.includes(plain));
});

test("repetitions() is the whole count in the long suite, a quarter of it otherwise, and never none", () => {
  const before = process.env["LONG_SUITE"];
  try {
    process.env["LONG_SUITE"] = "1";
    assert.deepEqual([1, 25, 2000].map(repetitions), [1, 25, 2000]);
    delete process.env["LONG_SUITE"];
    assert.deepEqual([1, 25, 2000].map(repetitions), [1, 7, 500]);
  } finally {
    if (before !== undefined) process.env["LONG_SUITE"] = before;
  }
});
