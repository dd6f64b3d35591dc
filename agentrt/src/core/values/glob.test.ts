import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { matchesGlob } from "./glob.ts";

const rows: readonly (readonly [pattern: string, name: string, isMatch: boolean])[] = [
  ["*", "worker-1", true],
  ["*", "", true],
  ["", "", true],
  ["", "a", false],
  ["worker-*", "worker-1", true],
  ["worker-*", "worker-", true],
  ["worker-*", "my-worker-1", false],
  ["*-eu", "worker-eu", true],
  ["*-eu", "worker-eu-2", false],
  ["billing/*", "billing/invoices/eu", true],
  ["w?", "w1", true],
  ["w?", "w", false],
  ["w?", "w12", false],
  ["w[123]", "w2", true],
  ["w[123]", "w4", false],
  ["w[1-3]", "w3", true],
  ["w[!1-3]", "w3", false],
  ["w[!1-3]", "w4", true],
  ["w[]]", "w]", true],
  ["w[a-]", "w-", true],
  ["w[", "w[", true],
  ["w[1", "w[1", true],
  ["a*b*c", "a-b-b-c", true],
  ["a*b*c", "a-c-b", false],
  ["a.b", "axb", false],
  ["**", "x", true],
];

test("matchesGlob() matches whole names as fnmatch does", () => {
  for (const [pattern, name, isMatch] of rows) {
    assert.equal(matchesGlob(pattern, name), isMatch, `${pattern} on ${name}`);
  }
});

test("matchesGlob() agrees with a regular expression made from the pattern", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "-"), maxLength: 12 });
  const pattern = fc.string({ unit: fc.constantFrom("a", "b", "-", "*", "?"), maxLength: 8 });
  fc.assert(
    fc.property(pattern, text, (glob, name) => {
      const expression = new RegExp(`^${glob.replaceAll("*", ".*").replaceAll("?", ".")}$`, "s");
      assert.equal(matchesGlob(glob, name), expression.test(name));
    }),
  );
});

test("matchesGlob() with many stars on a long name that does not match ends", () => {
  assert.equal(matchesGlob("a*".repeat(200) + "b", "a".repeat(255)), false);
});
