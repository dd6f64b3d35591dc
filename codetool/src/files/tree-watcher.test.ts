import assert from "node:assert/strict";
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { TreeWatcher, type TreeWatcherOptions } from "./tree-watcher.ts";

/** A watcher of single folders, and what it has told. */
class Watched implements Disposable {
  readonly watcher: TreeWatcher;
  #toldCount = 0;

  constructor(root: string, options: Partial<TreeWatcherOptions> = {}) {
    const onChange = (): void => {
      this.#toldCount += 1;
    };
    this.watcher = new TreeWatcher({ root, onChange, isRecursive: false, ...options });
  }

  /** Whether something was told since it was asked last; two turns read all that the system has queued. */
  async hasTold(): Promise<boolean> {
    for (let turn = 0; turn < 3; turn += 1)
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    const hasTold = this.#toldCount > 0;
    this.#toldCount = 0;
    return hasTold;
  }

  [Symbol.dispose](): void {
    this.watcher[Symbol.dispose]();
  }
}

test("TreeWatcher tells of changes in the folders it was given, and of no others", async () => {
  using folder = createTemporaryFolder({ "a.txt": "", "in/b.txt": "", "out/c.txt": "" });
  using watched = new Watched(folder.path);
  assert.deepEqual(watched.watcher.watch(["", "in"]), { addedCount: 2, unwatchedCount: 0 });
  assert.equal(watched.watcher.folderCount, 2);
  for (const [path, isTold] of [
    ["a.txt", true],
    ["in/b.txt", true],
    ["in/new.txt", true],
    ["out/c.txt", false],
  ] as const) {
    folder.write({ [path]: "changed" });
    assert.equal(await watched.hasTold(), isTold, path);
  }
  rmSync(join(folder.path, "in/b.txt"));
  assert.equal(await watched.hasTold(), true);
  assert.deepEqual(watched.watcher.watch(["", "out"]), { addedCount: 1, unwatchedCount: 0 });
  await watched.hasTold();
  folder.write({ "in/new.txt": "not any more" });
  assert.equal(await watched.hasTold(), false);
});

test("TreeWatcher counts a folder that was made anew as added, whatever its name", () => {
  using folder = createTemporaryFolder({ "in/a.txt": "" });
  using watched = new Watched(folder.path);
  assert.equal(watched.watcher.watch(["", "in"]).addedCount, 2);
  assert.equal(watched.watcher.watch(["", "in"]).addedCount, 0);
  // The old one stands beside it: its number is not given to the new one.
  renameSync(join(folder.path, "in"), join(folder.path, "old"));
  mkdirSync(join(folder.path, "in"));
  assert.equal(watched.watcher.watch(["", "in"]).addedCount, 1);
});

test("TreeWatcher leaves out folders that are gone, its root among them", async () => {
  using folder = createTemporaryFolder({ "tree/in/a.txt": "" });
  const root = join(folder.path, "tree");
  using watched = new Watched(root);
  watched.watcher.watch(["", "in"]);
  rmSync(root, { recursive: true });
  assert.equal(await watched.hasTold(), true);
  assert.deepEqual(watched.watcher.watch(["", "in"]), { addedCount: 0, unwatchedCount: 0 });
  assert.equal(watched.watcher.folderCount, 0);
});

test("TreeWatcher says how many folders it does not watch", () => {
  using folder = createTemporaryFolder({ "a/x": "", "b/x": "", "c/x": "" });
  using watched = new Watched(folder.path, { folderCountMax: 2 });
  const folders = ["", "a", "b", "c"];
  assert.deepEqual(watched.watcher.watch(folders), { addedCount: 2, unwatchedCount: 2 });
});

test("TreeWatcher is silent once it is disposed, twice without harm", async () => {
  using folder = createTemporaryFolder({ "a.txt": "" });
  using watched = new Watched(folder.path);
  watched.watcher.watch([""]);
  watched.watcher[Symbol.dispose]();
  folder.write({ "a.txt": "changed" });
  assert.equal(await watched.hasTold(), false);
  assert.equal(watched.watcher.folderCount, 0);
});
