import assert from "node:assert/strict";
import { test } from "node:test";
import { reasonOf } from "./fault-reason.ts";

test("a fault that cannot be shown is named by what it is", () => {
  assert.equal(reasonOf(new Error("away")), "away");
  assert.equal(reasonOf(Object.create(null)), "an object that cannot be shown");
  const hostile = Object.assign(() => undefined, { toString: null, valueOf: null });
  assert.equal(reasonOf(hostile), "a function that cannot be shown");
});
