/** A process that stays sees between two requests what was done to the tree, and to the index. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { command, firstArgs, runCodetool } from "../cli/test-support/codetool.ts";

test("an edit between two requests is seen in the next answer", { timeout: 120_000 }, async () => {
  using folder = createTemporaryFolder({
    "src/retry.ts": "/** Tries again. */\nexport function scheduleRetry() {\n  return 1;\n}\n",
    "src/queue.ts": "/** Waits in line. */\nexport function enterQueue() {\n  return 2;\n}\n",
    "README.md": "# About retries\n",
  });
  const root = folder.path;
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const index = async (): Promise<void> => {
    await runCodetool(["index", "."], { workingDirectory: root });
  };
  await index();
  const child = spawn(command, [...firstArgs, "batch"], { cwd: root, stdio: "pipe" });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const filesFor = async (query: string): Promise<string[]> => {
    child.stdin.write(`${JSON.stringify({ cmd: "search", mode: "bm25", query })}\n`);
    const { value } = (await lines.next()) as { readonly value: string };
    const { data } = JSON.parse(value) as { data: { matches: { readonly file: string }[] } };
    return data.matches.map(({ file }) => file);
  };
  // The first opens, the second begins to watch, the third relies on it.
  for (let count = 0; count < 3; count += 1)
    assert.deepEqual(await filesFor("schedule retry later"), ["src/retry.ts", "README.md"]);
  write("src/queue.ts", "/** Schedules what waits. */\nexport function enterQueue() {}\n");
  assert.ok((await filesFor("schedule waits")).includes("src/queue.ts"), "an edit in place");
  write("src/new/deep/timer.ts", "export function wakeDragon() {}\n");
  assert.deepEqual(await filesFor("dragon"), ["src/new/deep/timer.ts"], "a file in a new folder");
  write("src/new/deep/timer.ts", "export function wakeUnicorn() {}\n");
  assert.deepEqual(await filesFor("dragon"), [], "an edit in the new folder");
  assert.deepEqual(await filesFor("unicorn"), ["src/new/deep/timer.ts"]);
  renameSync(join(root, "src/new"), join(root, "src/old"));
  assert.deepEqual(await filesFor("unicorn"), ["src/old/deep/timer.ts"], "a renamed folder");
  write("src/old/deep/timer.ts", "export function wakeGriffin() {}\n");
  assert.deepEqual(await filesFor("griffin"), ["src/old/deep/timer.ts"]);
  write(".gitignore", "old/\n");
  assert.deepEqual(await filesFor("griffin"), [], "an ignored folder");
  rmSync(join(root, ".gitignore"));
  await index();
  assert.deepEqual(
    await filesFor("griffin"),
    ["src/old/deep/timer.ts"],
    "an index brought up to date",
  );
  rmSync(join(root, "src/old"), { recursive: true });
  assert.deepEqual(await filesFor("griffin"), [], "a removed folder");
  rmSync(join(root, ".codetool"), { recursive: true });
  assert.ok((await filesFor("schedule waits")).includes("src/queue.ts"), "without an index");
  child.stdin.end();
  await once(child, "close");
});
