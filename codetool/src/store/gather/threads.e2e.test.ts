import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { walkFiles } from "../../files/index.ts";
import { gatherFiles } from "./gather-files.ts";
import { indexFolder } from "../folder/index-folder.ts";
import { updateIndex } from "../folder/update-index.ts";

const longAgo = new Date("2020-01-01T00:00:00Z");
const extensions = ["ts", "py", "c", "go", "rs", "md"] as const;

function writeTree(root: string): void {
  for (let index = 0; index < 60; index += 1) {
    const path = join(root, `f${index}.${extensions[index % extensions.length]}`);
    writeFileSync(path, `int f${index}(int a) { return word${index % 5}(a); }\n`.repeat(20));
    utimesSync(path, longAgo, longAgo);
  }
}

async function indexBytes(root: string, threadCount: number): Promise<Map<string, Buffer>> {
  await updateIndex({
    root,
    environment: {},
    chunkSizeCharacters: 300,
    fileSizeBytesMax: 1_000_000,
    isRebuild: true,
    nowMs: () => Date.parse("2100-01-01T00:00:00Z"),
    process: { id: 1, isAlive: () => true },
    gathering: { threadCount, runBytes: threadCount === 0 ? 1e9 : 5000 },
  });
  const folder = join(root, indexFolder);
  const names = readdirSync(folder).filter((name) => name.endsWith(".bin"));
  return new Map(names.map((name) => [name, readFileSync(join(folder, name)).subarray(4096)]));
}

test("an index is the same byte for byte whatever the number of threads", async () => {
  using folder = createTemporaryFolder();
  writeTree(folder.path);
  const alone = await indexBytes(folder.path, 0);
  for (const threadCount of [1, 3]) {
    const made = await indexBytes(folder.path, threadCount);
    for (const [name, bytes] of made)
      assert.ok(bytes.equals(alone.get(name) as Buffer), `${name} by ${threadCount} threads`);
  }
});

test("what a thread cannot write is the error of the run, with its code, and no thread stays", async () => {
  using folder = createTemporaryFolder();
  writeTree(folder.path);
  const { files } = walkFiles({ root: folder.path, environment: {}, sizeBytesMax: 1_000_000 });
  const directory = join(folder.path, "out");
  mkdirSync(directory);
  const made = gatherFiles(
    files,
    {
      chunkSizeCharacters: 300,
      fileSizeBytesMax: 1_000_000,
      directory,
      threadCount: 2,
      runBytes: 5000,
    },
    () => {
      // Another run begins where this one's folder was taken away.
      writeFileSync(join(directory, "runs", "9"), "in the way", { flag: "w" });
    },
  );
  await assert.rejects(made, { code: "EEXIST" });
  assert.deepEqual(readdirSync(directory), []);
});
