/** The closing report of a test run says why each failure failed, also where a file ended before its tests. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { createTemporaryFolder, runProgram } from "testkit";

const reporter = fileURLToPath(new URL("summary-reporter.ts", import.meta.url));

test("a failed test, a file that threw and one that was killed are each told with their cause", async () => {
  using folder = createTemporaryFolder({
    "failing.test.mjs":
      'import { test } from "node:test"; test("adds", () => { throw new Error("one too many"); });',
    "throwing.test.mjs":
      'import { test } from "node:test"; await test("passes", () => {}); console.error("port 4 is taken"); throw new Error("no server");',
    "killed.test.mjs":
      'process.kill(process.pid, "SIGKILL"); await new Promise(() => setInterval(() => {}, 1000));',
    "skipped.test.mjs":
      'import { test } from "node:test"; test("waits", { skip: "no disk" }, () => {});',
  });
  const { code, stdout } = await runProgram(
    process.execPath,
    ["--test", `--test-reporter=${reporter}`],
    { workingDirectory: folder.path, environment: { NODE_TEST_CONTEXT: undefined } },
  );
  assert.equal(code, 1);
  assert.match(stdout, /failed: adds \(.*failing\.test\.mjs:1\)\nError: one too many\n/);
  assert.match(
    stdout,
    /failed: throwing\.test\.mjs .*\nthe file ended with exit code \d; it said last:\n[^]*port 4 is taken[^]*no server/,
  );
  assert.match(stdout, /failed: killed\.test\.mjs .*\nthe file ended by SIGKILL; it said last:\n/);
  assert.match(stdout, /skipped: waits: no disk\n/);
  assert.match(stdout, /\n1 passed, 3 failed, 1 skipped\n$/);
});
