import assert from "node:assert/strict";
import { test } from "node:test";
import { leavesVersionOut } from "./version-range.ts";

test("a range leaves a version out as npm reads it, and nothing where it is not understood", () => {
  const rows: readonly (readonly [range: string, version: string, isOut: boolean])[] = [
    ["^4.3.2", "4.12.1", false],
    ["^4.3.2", "5.0.0", true],
    ["^4.3.2", "4.3.1", true],
    ["^0.3.2", "0.4.0", true],
    ["^0.0.3", "0.0.4", true],
    ["^0", "0.9.1", false],
    ["~1.2.3", "1.2.9", false],
    ["~1.2.3", "1.3.0", true],
    ["~1", "1.9.0", false],
    ["1.2.3", "1.2.3", false],
    ["=1.2.3", "1.2.4", true],
    ["v1.2.3", "1.2.4", true],
    ["1.x", "1.9.9", false],
    ["1", "2.0.0", true],
    ["*", "2.0.0", false],
    ["", "2.0.0", false],
    [">=1.2 <2", "1.9.0", false],
    [">= 1.2 < 2", "2.0.0", true],
    [">1", "1.9.0", true],
    [">1", "2.0.0", false],
    ["<=1", "1.9.0", false],
    ["1.0 - 2.3.4", "2.3.5", true],
    ["1.0 - 2", "2.9.9", false],
    ["^1.0.0 || ^3.0.0", "3.1.0", false],
    ["^1.0.0 || ^3.0.0", "2.1.0", true],
    ["^2.0.0-beta.2", "2.0.0-beta.10", false],
    ["^2.0.0-beta.2", "2.0.0-beta.1", true],
    ["^1.9.0", "2.0.0-beta.1", true],
    ["^1.0.0 || next", "2.1.0", false],
    ["latest", "2.0.0", false],
    ["workspace:^1.0.0", "2.0.0", false],
    ["file:../..", "2.0.0", false],
    ["github:a/b#v1.0.0", "2.0.0", false],
    ["^1.0.0", "0.0.0-development", false],
    ["^1.0.0", "next", false],
  ];
  for (const [range, version, isOut] of rows)
    assert.equal(leavesVersionOut(range, version), isOut, `${range} of ${version}`);
});
