import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { checkGivenBackPaths } from "./test-support/given-back-paths.ts";

test(
  "every path of an answer, given back from the same folder, is the file meant",
  { skip: process.platform === "win32" && "needs cat, and links" },
  async () => {
    const pathCount = await checkGivenBackPaths(21, 1);
    assert.ok(pathCount > 100, `only ${pathCount} paths were looked at`);
  },
);
