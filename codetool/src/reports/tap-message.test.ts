import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parseNodeTest } from "./parsers/index.ts";

test("the message of a test that failed in TAP begins with its error, without what TAP adds", () => {
  const path = new URL("fixtures/node_test/failing-tap.txt", import.meta.url);
  const combined = readFileSync(path, "utf8");
  const output = { stdout: combined, stderr: "", combined, exitCode: 1, words: ["node", "--test"] };
  const messages = parseNodeTest(output)?.failures.map(({ message }) => message) ?? [];
  assert.ok(messages.length > 3);
  assert.equal(messages[0], "test failed\nexitCode: 1\ncode: ERR_TEST_FAILURE");
  assert.match(
    messages[1] ?? "",
    /^Expected values to be loosely deep-equal:\n\n\{\n {2}a: 4\n\}\n/,
  );
  for (const message of messages)
    assert.doesNotMatch(message, /^ *(?:duration_ms|failureType|type|location|error|signal): /m);
});
