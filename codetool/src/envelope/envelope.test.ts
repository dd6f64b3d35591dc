import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as fc from "fast-check";
import { countTokens } from "../text/token-counter.ts";
import { estimateTokens, renderEnvelope, settleCount } from "./envelope.ts";
import { errors } from "./errors.ts";
import { version } from "../system/version.ts";

test("version is that of the package", () => {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  assert.equal(version, (JSON.parse(text) as { version: string }).version);
});

test("renderEnvelope() writes the keys in their fixed order, on one line", () => {
  const line = renderEnvelope({
    command: "read",
    id: "7",
    outcome: { data: { text: "a\nb" }, warnings: ["w"], isFallback: true },
  });
  assert.deepEqual(Object.keys(JSON.parse(line) as object), [
    "id",
    "version",
    "command",
    "status",
    "fallback",
    "tokens",
    "data",
    "warnings",
  ]);
  assert.equal(line.includes("\n"), false);
});

test("renderEnvelope() leaves out what there is not", () => {
  const line = renderEnvelope({ command: "read", outcome: { data: {}, warnings: [] } });
  assert.deepEqual(JSON.parse(line), {
    version,
    command: "read",
    status: "ok",
    tokens: estimateTokens(line),
    data: {},
  });
});

test("renderEnvelope() of an error has code, message and suggestion, and no data", () => {
  const error = new errors.file_not_found({ path: 'a "b".ts' });
  const line = renderEnvelope({ command: "read", outcome: { error, warnings: ["w"] } });
  assert.deepEqual(JSON.parse(line), {
    version,
    command: "read",
    status: "error",
    tokens: estimateTokens(line),
    error: {
      code: "file_not_found",
      message: 'Cannot read "a "b".ts": it does not exist',
      suggestion: "List what is there with `codetool find`",
    },
    warnings: ["w"],
  });
});

test("renderEnvelope() counts the whole line, its own digits included", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 400 }), fc.boolean(), (text, isExact) => {
      const line = renderEnvelope({
        command: "read",
        outcome: { data: { text } },
        ...(isExact ? { countTokens } : {}),
      });
      const count = isExact ? countTokens : estimateTokens;
      assert.equal((JSON.parse(line) as { tokens: number }).tokens, count(line));
    }),
    { seed: 3, numRuns: 300 },
  );
});

test("settleCount() ends where no number counts itself", () => {
  assert.equal(
    settleCount((candidate) => (candidate === 9 ? 10 : 9)),
    10,
  );
});
