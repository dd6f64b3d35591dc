import assert from "node:assert/strict";
import { once } from "node:events";
import { linkSync, lstatSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { createTemporaryFolder } from "testkit";
import { stampOf } from "../../files/index.ts";
import { columnsOf } from "../segment/index.ts";
import { endsOfPaths } from "./changed-files.ts";
import { TreeLook } from "./tree-look.ts";

const folders = ["", "a", "a/ü"];
/** More than one part, and a last part that is not full. */
const files = Array.from({ length: 2100 }, (_, at) => `a/ü/f${String(at).padStart(4, "0")}`);

/** Makes a tree and describes it as it is now. */
function makeTree(root: string): TreeLook {
  mkdirSync(join(root, "a/ü"), { recursive: true });
  for (const path of files) writeFileSync(join(root, path), path);
  return lookAt(root);
}

function lookAt(root: string): TreeLook {
  const stampsOf = (paths: readonly string[]) =>
    columnsOf(paths.map((path) => stampOf(lstatSync(join(root, path)))));
  const bytesOf = (paths: readonly string[]): Uint8Array =>
    Buffer.from(paths.map((path) => `${path}\0`).join(""), "utf8");
  const paths = bytesOf(files);
  return TreeLook.of(
    root,
    { folderCount: folders.length, paths: bytesOf(folders), stamps: stampsOf(folders) },
    {
      fileCount: files.length,
      paths,
      pathEnds: endsOfPaths(paths, files.length),
      sizes: Float64Array.from(files, (path) => lstatSync(join(root, path)).size),
      stamps: stampsOf(files),
    },
  );
}

/** Has other threads take part until all of them are done. */
async function inThreads(look: TreeLook, count: number): Promise<void> {
  const address = new URL("./test-support/look-thread.ts", import.meta.url);
  const threads = Array.from(
    { length: count },
    () => new Worker(address, { workerData: look.shared }),
  );
  await Promise.all(threads.map(async (thread) => await once(thread, "exit")));
}

for (const threadCount of [0, 1, 2])
  test(`a look by ${threadCount} other threads tells the files that changed, and whether a folder did`, async () => {
    using folder = createTemporaryFolder();
    const root = folder.path;
    const unchanged = makeTree(root);
    await inThreads(unchanged, threadCount);
    assert.deepEqual(unchanged.finish(), {
      isAnyFolderChanged: false,
      changed: [],
      isAnyLinked: false,
    });

    const written = lookAt(root);
    const { atime, mtime } = lstatSync(join(root, files[7] as string));
    // As long as before, at the time of before: only the inode tells.
    writeFileSync(join(root, files[7] as string), "other text");
    utimesSync(join(root, files[7] as string), atime, mtime);
    writeFileSync(join(root, files[2099] as string), "longer than it was before");
    await inThreads(written, threadCount);
    assert.deepEqual(written.finish().changed, [7, 2099]);

    const linked = lookAt(root);
    linkSync(join(root, files[2000] as string), join(root, "a", "another name"));
    await inThreads(linked, threadCount);
    assert.equal(linked.finish().isAnyFolderChanged, true);
    const known = lookAt(root);
    await inThreads(known, threadCount);
    assert.deepEqual(known.finish(), {
      isAnyFolderChanged: false,
      changed: [],
      isAnyLinked: true,
    });
  });

test("what other threads found is there once they have looked at all, for each look from the start", async () => {
  using folder = createTemporaryFolder();
  const first = makeTree(folder.path);
  assert.equal(first.found(), undefined);
  await inThreads(first, 1);
  assert.deepEqual(first.found()?.changed, []);

  writeFileSync(join(folder.path, files[1500] as string), "longer than it was before");
  const second = first.again();
  assert.equal(second.found(), undefined);
  await inThreads(second, 1);
  assert.deepEqual(second.found()?.changed, [1500]);
  assert.deepEqual(first.found()?.changed, []);
});

test("parts at which other threads failed are looked at by the one that asks", () => {
  using folder = createTemporaryFolder();
  const root = folder.path;
  const look = makeTree(root);
  writeFileSync(join(root, files[3] as string), "longer than it was before");
  writeFileSync(join(root, files[1500] as string), "longer than it was before");
  // All four parts are taken, and left.
  look.shared.control.set([4, 0, 0, 3, 3, 3, 3]);
  assert.equal(look.found(), undefined);
  assert.deepEqual(look.finish().changed, [3, 1500]);
});
