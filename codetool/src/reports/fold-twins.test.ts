import assert from "node:assert/strict";
import { test } from "node:test";
import { foldTwins } from "./fold-twins.ts";

const location = "tests/test_size.py:7";

test("foldTwins() keeps the first of a test's parameters whole, and of the others what differs", () => {
  const message = (given: number, got: string): string =>
    `given = ${given}\n\n    def test_size(given):\n>       assert size(given) == "1k"\nE       AssertionError: assert '${got}' == '1k'`;
  const folded = foldTwins([
    { name: "test_size[1]", location, message: message(1, "1b") },
    { name: "test_other", location: "tests/test_size.py:20", message: "E  assert 1 == 2" },
    { name: "test_size[1000]", location, message: message(1000, "1000b") },
  ]);
  assert.deepEqual(folded, [
    {
      name: "test_size[1]",
      location,
      message: message(1, "1b"),
      twins: [
        {
          name: "test_size[1000]",
          differs: "given = 1000\nE       AssertionError: assert '1000b' == '1k'",
        },
      ],
    },
    { name: "test_other", location: "tests/test_size.py:20", message: "E  assert 1 == 2" },
  ]);
});

test("foldTwins() folds by what is said at one place, and nothing else", () => {
  const at = "sum.test.js:4:3";
  const one = { name: "adds 1 and 1", location: at, message: "Expected: 2\nReceived: 3" };
  const two = { name: "adds 2 and 2", location: at, message: "Expected: 4\nReceived: 5" };
  assert.deepEqual(foldTwins([one, two]), [
    { ...one, twins: [{ name: two.name, differs: two.message }] },
  ]);
  for (const other of [
    { ...two, location: "sum.test.js:5:3" },
    { ...two, message: "TypeError: sum is not a function" },
    // The same name: two findings of a compiler.
    { ...two, name: one.name },
  ])
    assert.deepEqual(foldTwins([one, other]), [one, other]);
  const nowhere = { ...one, location: null };
  assert.deepEqual(foldTwins([nowhere, { ...nowhere, name: "b" }]).length, 2);
});
