import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { runProgram } from "testkit";

const script = fileURLToPath(new URL("run-tests.ts", import.meta.url));

test("run-tests says what its options are, and runs nothing for one that it does not know", async () => {
  const help = await runProgram(process.execPath, [script, "--help"]);
  assert.deepEqual([help.code, help.stderr], [0, ""]);
  assert.match(help.stdout, /^  --long {2,}\w/m);
  const unknown = await runProgram(process.execPath, [script, "--hepl"]);
  assert.deepEqual([unknown.code, unknown.stdout], [2, ""]);
  assert.match(unknown.stderr, /^test: unknown option --hepl\nusage: /);
});
