/** More scenes than those of `paths.test.ts`. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { checkGivenBackPaths } from "./test-support/given-back-paths.ts";

test(
  "every path of every answer, given back from the same folder, is the file meant",
  { skip: process.platform === "win32" && "needs cat, and links" },
  async () => {
    const pathCount = await checkGivenBackPaths(21, 9);
    assert.ok(pathCount > 500, `only ${pathCount} paths were looked at`);
  },
);
