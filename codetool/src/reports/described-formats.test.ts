/** Formats of tools that could not be run to record them: written after what their documentation shows. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readReport } from "./read-report.ts";

function read(command: string, stdout: string, exitCode: number) {
  const output = { stdout, stderr: "", combined: stdout, exitCode };
  const { tool, report } = readReport(command.split(" "), output, { readScript: () => undefined });
  assert.ok(report !== undefined, `${command}: nothing recognised`);
  return {
    tool,
    counts: [report.passed, report.failed, report.skipped],
    failures: report.failures.map(({ name, location }) => `${name} @ ${location ?? "-"}`),
    messages: report.failures.map(({ message }) => message),
  };
}

const nextestOutput = `    Finished \`test\` profile [unoptimized + debuginfo] target(s) in 0.02s
────────────
 Nextest run ID 2f1c with nextest profile: default
    Starting 5 tests across 2 binaries (1 test skipped)
        PASS [   0.003s] (1/5) shop tests::adds
  TRY 1 FAIL [   0.004s] (2/5) shop tests::flaky
  TRY 2 PASS [   0.004s] (2/5) shop tests::flaky
        FAIL [   0.005s] (3/5) shop tests::wrong
  stdout ───

    running 1 test
    test tests::wrong ... FAILED

  stderr ───

    thread 'tests::wrong' (12) panicked at src/lib.rs:13:46:
    assertion failed

     TIMEOUT [  60.003s] (4/5) shop::integration slow
────────────
     Summary [  60.020s] 5 tests run: 3 passed (1 flaky), 1 failed, 1 timed out, 1 skipped
        FAIL [   0.005s] (3/5) shop tests::wrong
     TIMEOUT [  60.003s] (4/5) shop::integration slow
error: test run failed
`;

test("cargo nextest: counts of the summary, output of what failed, retries by their last attempt", () => {
  const found = read("cargo nextest run", nextestOutput, 100);
  assert.equal(found.tool, "cargo_nextest");
  assert.deepEqual(found.counts, [3, 2, 1]);
  assert.deepEqual(found.failures, [
    "shop tests::wrong @ src/lib.rs:13:46",
    "shop::integration slow @ -",
  ]);
  assert.match(found.messages[0] ?? "", /assertion failed/);
});

test("golangci-lint: text and JSON come to the same", () => {
  const text = `a/main.go:10:2: ineffectual assignment to err (ineffassign)
\terr := f()
\t^
a/main.go:12: Error return value of \`f\` is not checked (errcheck)
2 issues:
* errcheck: 1
* ineffassign: 1
`;
  const json = JSON.stringify({
    Issues: [
      {
        FromLinter: "ineffassign",
        Text: "ineffectual assignment to err",
        Pos: { Filename: "a/main.go", Line: 10, Column: 2 },
      },
      {
        FromLinter: "errcheck",
        Text: "Error return value of `f` is not checked",
        Pos: { Filename: "a/main.go", Line: 12, Column: 0 },
      },
    ],
    Report: {},
  });
  const byText = read("golangci-lint run", text, 1);
  assert.deepEqual(byText.failures, ["ineffassign @ a/main.go:10:2", "errcheck @ a/main.go:12"]);
  assert.deepEqual(
    read("golangci-lint run", `level=warning msg="x"\n${json}\n2 issues:\n`, 1),
    byText,
  );
});
