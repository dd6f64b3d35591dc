import assert from "node:assert/strict";
import { test } from "node:test";
import { array, assert as assertProperty, property, string } from "fast-check";
import { didYouMean, nearestName } from "./nearest-name.ts";

const known = ["greeter", "greetings", "web", "max_restarts", "ONE_FOR_ONE"];

const rows: readonly (readonly [found: string, nearest: string | undefined])[] = [
  ["greter", "greeter"],
  ["rgeeter", "greeter"],
  ["GREETER", "greeter"],
  ["wbe", "web"],
  ["max_restart", "max_restarts"],
  ["one_for_on", "ONE_FOR_ONE"],
  ["nothing", undefined],
  ["", undefined],
  ["x".repeat(10_000), undefined],
];

for (const [found, nearest] of rows)
  test(`nearestName() of ${JSON.stringify(found.slice(0, 20))} is ${String(nearest)}`, () =>
    assert.equal(nearestName(found, known), nearest));

test("nearestName() gives a known name or nothing, and a known name for itself", () => {
  assertProperty(
    property(string(), array(string({ minLength: 1, maxLength: 64 })), (found, names) => {
      const nearest = nearestName(found, names);
      assert.ok(nearest === undefined || names.includes(nearest));
      for (const name of names)
        assert.equal(nearestName(name, names)?.toLowerCase(), name.toLowerCase());
    }),
  );
});

test("didYouMean() ends a message with the nearest name, or with nothing", () => {
  assert.equal(didYouMean("greter", known), '; did you mean "greeter"?');
  assert.equal(didYouMean("nothing", known), "");
});
