import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder, repetitions } from "testkit";
import { type Answer, command, firstArgs, runCodetool } from "../../cli/test-support/codetool.ts";

async function answer(args: readonly string[], workingDirectory: string): Promise<Answer> {
  const { stdout, stderr } = await runCodetool(args, {
    workingDirectory,
  });
  assert.equal(stderr, "");
  return JSON.parse(stdout) as Answer;
}

const files = {
  "src/retry.ts": "/** Tries again. */\nexport function scheduleRetry() {}\n",
  "src/wait.py": "class Timer:\n    def wait(self):\n        pass\n",
  "README.md": "# Retries\n",
};

test("index builds, updates and describes the index of the project around", async () => {
  using folder = createTemporaryFolder(files);
  mkdirSync(join(folder.path, ".git"));
  const missing = await answer(["index", "--stats"], folder.path);
  assert.equal(missing.error?.code, "index_missing");
  const built = await answer(["index"], join(folder.path, "src"));
  const { duration_ms: durationMs, ...data } = built.data;
  assert.equal(typeof durationMs, "number");
  assert.deepEqual(data, {
    path: folder.path,
    generation: 1,
    files_indexed: 3,
    files_changed: 3,
    files_unchanged: 0,
    files_removed: 0,
    chunks: 3,
    languages: { markdown: 1, python: 1, typescript: 1 },
  });
  writeFileSync(join(folder.path, "src/more.ts"), "export const more = 1;\n");
  const updated = await answer(["index", "."], folder.path);
  assert.deepEqual([updated.data["files_changed"], updated.data["files_unchanged"]], [1, 3]);
  const stats = await answer(["index", "--stats"], folder.path);
  // A function, a class with its method, a constant, and the heading of the README.
  assert.deepEqual(
    [stats.data["generation"], stats.data["files"], stats.data["symbols"], stats.data["segments"]],
    [2, 4, 5, 2],
  );
  const plain = await runCodetool(["index", "--plain"], {
    workingDirectory: folder.path,
  });
  // What was younger than a few hundredths of a second is looked at again, and a generation says that it is the same.
  assert.match(
    plain.stdout,
    /: generation [23], 4 files, 4 chunks, \d+ ms\n0 changed, 0 removed, 4 unchanged\n/,
  );
});

test("an index run that is killed loses only itself", async () => {
  using folder = createTemporaryFolder();
  for (let index = 0; index < 400; index += 1)
    writeFileSync(join(folder.path, `f${index}.ts`), `export function f${index}() {}\n`.repeat(20));
  await answer(["index"], folder.path);
  const rounds = repetitions(6);
  for (let round = 0; round < rounds; round += 1) {
    const child = spawn(command, [...firstArgs, "index", "--rebuild"], { cwd: folder.path });
    const exit = once(child, "exit");
    // The moment differs by round: during the walk, the reading, the writing.
    const timer = setTimeout(() => child.kill("SIGKILL"), 60 + (360 / rounds) * round);
    await exit;
    clearTimeout(timer);
    const stats = await answer(["index", "--stats"], folder.path);
    assert.equal(stats.data["files"], 400);
    const after = await answer(["index"], folder.path);
    assert.equal(after.data["files_indexed"], 400);
  }
});
