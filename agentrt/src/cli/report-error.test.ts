import assert from "node:assert/strict";
import { test } from "node:test";
import { busErrors, supervisionErrors } from "../core/index.ts";
import { reportError } from "./report-error.ts";

function reported(error: unknown): { readonly line: string; readonly exitCode: number } {
  const lines: string[] = [];
  const exitCode = reportError(error, (line) => lines.push(line));
  assert.equal(lines.length, 1);
  return { line: lines[0] ?? "", exitCode };
}

test("reportError() tells a failed start by its innermost reason", () => {
  const { START_FAILED } = supervisionErrors;
  const inner = new busErrors.NO_ROUTE({ address: "clerk" });
  const child = new START_FAILED({ name: "a", reason: inner.message }, { cause: inner });
  const nested = new START_FAILED({ name: "desk", reason: child.message }, { cause: child });
  assert.match(
    reported(nested).line,
    /^agentrt: Cannot start "a": Cannot deliver .*\[AGENTRT_BUS_NO_ROUTE\]$/,
  );
  const plain = new START_FAILED({ name: "a", reason: "boom" }, { cause: new Error("boom") });
  assert.match(
    reported(plain).line,
    /^agentrt: Cannot start "a": boom, at .*report-error\.test\.ts:\d+:\d+\. .*START_FAILED\]$/,
  );
});

test("reportError() ends no question with a full stop, and reports what is no error at all", () => {
  const asked = new busErrors.NO_ROUTE({ address: "clerk" });
  asked.message = 'there is no "clerk"; did you mean "clark"?';
  assert.match(reported(asked).line, /did you mean "clark"\? [A-Z]/);
  assert.deepEqual(reported(null).exitCode, 1);
  assert.match(reported(null).line, /^agentrt: Cannot go on: null\. /);
});
