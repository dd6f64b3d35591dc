import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";
import { after, test } from "node:test";
import { createTemporaryFolder, overAgentrt } from "testkit";

const source = readFileSync(new URL("fixtures/faults.ts", import.meta.url), "utf8");
const folder = createTemporaryFolder({ "faults.ts": overAgentrt(source) });
after(() => folder[Symbol.dispose]());

function run(way: string) {
  const result = spawnSync(process.execPath, ["faults.ts", way], {
    cwd: folder.path,
    encoding: "utf8",
    timeout: 30_000,
  });
  return { ...result, lines: result.stdout.trim().split("\n") };
}

const done = { done: true };
for (const way of ["promise", "later-promise", "timer", "microtask", "revoked-proxy"]) {
  test(`a ${way} that fails uncaught crashes its agent alone, and the process lives`, () => {
    const { status, lines, stderr } = run(way);
    assert.equal(status, 0, stderr);
    const [report, end] = lines.map((line) => JSON.parse(line) as { [key: string]: unknown });
    assert.deepEqual(report?.["first"], [1, 0]);
    assert.deepEqual(report?.["second"], [0, 0]);
    assert.deepEqual(report?.["answers"], done);
    assert.deepEqual(end, { listeners: 0 }, "stop() takes the process handlers away");
  });
}

test("a floating promise that fails while its handler hangs fails the caller at once", () => {
  const { status, lines } = run("hanging");
  assert.equal(status, 0);
  const report = JSON.parse(lines[0] ?? "") as { reply: unknown; first: unknown };
  assert.equal(report.reply, "AGENTRT_AGENT_CRASHED");
  assert.deepEqual(report.first, [1, 0]);
});

for (const [way, fault] of [
  ["nobody", /nobody's fault/],
  ["nobody-alone", /nobody's fault/],
  ["nobody-timer", /nobody's timer/],
] as const) {
  test(`a fault of no agent (${way}) ends the process as it would without a runtime`, () => {
    const { status, stderr } = run(way);
    assert.equal(status, 1);
    assert.match(stderr, fault);
    assert.match(stderr, /^error a fault outside of any agent ends the process error=/);
  });
}

test("an agent that calls process.exit is named in the log", () => {
  const { status, stderr } = run("exit");
  assert.equal(status, 7);
  assert.match(stderr, /^error an agent ends the process agent=careless exitCode=7 [^\n]*\n$/);
});
