import assert from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { indexOnce } from "./index-once.ts";

/** Indexes a tree of two files, and does something once while they are read. */
async function indexWhile(root: string, meanwhile: () => void): ReturnType<typeof indexOnce> {
  let isDone = false;
  const onProgress = (): void => {
    if (isDone) return;
    isDone = true;
    meanwhile();
  };
  const context = { workingDirectory: root, environment: {}, onProgress };
  return await indexOnce({ root, context, isRebuild: false });
}

const files = { "tree/a.ts": "export const alpha = 1;\n", "tree/b.ts": "export const beta = 2;\n" };

test("an index that is removed while it is written is written once more", async () => {
  using folder = createTemporaryFolder(files);
  const root = join(folder.path, "tree");
  const { result } = await indexWhile(root, () => {
    rmSync(join(root, ".codetool"), { recursive: true, force: true });
  });
  assert.deepEqual([result.data["files_indexed"], result.data["files_changed"]], [2, 2]);
  assert.ok(existsSync(join(root, ".codetool/index/meta.json")));
});

test("a root that is removed while its index is written stays removed", async () => {
  using folder = createTemporaryFolder(files);
  const root = join(folder.path, "tree");
  const running = indexWhile(root, () => rmSync(root, { recursive: true, force: true }));
  await assert.rejects(running, { code: "file_not_found" });
  assert.ok(!existsSync(root));
});
