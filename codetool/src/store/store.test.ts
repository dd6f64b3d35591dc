import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { IndexFault } from "./index-fault.ts";
import { indexFolder, openGeneration } from "./folder/index-folder.ts";
import { lockIndex } from "./folder/index-lock.ts";
import { readMeta, writeMeta } from "./folder/index-meta.ts";
import { readChunks } from "./segment/chunk-columns.ts";
import { mayHoldAll } from "./segment/bloom-filter.ts";
import { trigramsOf } from "./segment/trigram-set.ts";
import { formatVersion } from "./sections/index.ts";
import { IndexBusy, updateIndex, type UpdateResult } from "./folder/update-index.ts";

const longAgo = new Date("2020-01-01T00:00:00Z");

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  // So that size, times and inode alone tell that nothing changed.
  utimesSync(join(root, path), longAgo, longAgo);
}

async function update(root: string, isRebuild = false): Promise<UpdateResult> {
  return await updateIndex({
    root,
    environment: {},
    chunkSizeCharacters: 200,
    fileSizeBytesMax: 1_000_000,
    isRebuild,
    nowMs: () => Date.parse("2100-01-01T00:00:00Z"),
    process: { id: 1, isAlive: () => true },
  });
}

/** All that an index says, by path: what two indexes of the same tree must have in common. */
function contentOf(root: string): unknown {
  const open = openGeneration(join(root, indexFolder));
  assert.ok(open !== undefined);
  const files: { [path: string]: unknown } = {};
  const terms = ["alpha", "beta", "gamma", "delta", "parse", "config", "f1", "f2"];
  const frequencies: { [key: string]: number } = {};
  for (const segment of open.segments) {
    const { files: table, isRemoved } = segment;
    const fileOfChunk = new Map<number, string>();
    for (const [file, path] of table.paths.entries()) {
      const start = file === 0 ? 0 : (table.chunkEnds[file - 1] as number);
      const end = table.chunkEnds[file] as number;
      for (let chunk = start; chunk < end; chunk += 1) fileOfChunk.set(chunk, path);
      if (isRemoved[file] === 1) continue;
      assert.equal(files[path], undefined, `${path} stands in two segments`);
      const lengths = [...segment.field("body").lengths.subarray(start, end)];
      files[path] = {
        hash: Buffer.from(table.hashes.subarray(16 * file, 16 * file + 16)).toString("hex"),
        language: table.languageOf(file),
        isText: table.isText(file),
        chunks: readChunks(segment.file("chunks"), { start, end }),
        lengths,
        symbols: segment.symbols.inFile(file).map(({ name, kind, startLine1, isExported }) => ({
          name,
          kind,
          startLine1,
          isExported,
        })),
      };
    }
    for (const field of ["body", "names", "comments"] as const)
      for (const term of terms) {
        const found = segment.field(field).postingsOf(term);
        for (const [at, document] of found.documents.entries()) {
          const path = field === "body" ? fileOfChunk.get(document) : table.paths[document];
          assert.ok(path !== undefined);
          if (isRemoved[table.paths.indexOf(path)] === 1) continue;
          const key = `${field} ${term} ${path}`;
          frequencies[key] = (frequencies[key] ?? 0) + (found.frequencies[at] as number);
        }
      }
    segment.close();
  }
  return { files, frequencies, meta: readMeta(join(root, indexFolder))?.file_count };
}

test("an index holds files, chunks, terms of three fields, and definitions", async () => {
  using folder = createTemporaryFolder();
  const root = folder.path;
  write(
    root,
    "src/parse.ts",
    "// Reads alpha\nexport function parseConfig(): number {\n  return beta;\n}\n",
  );
  write(root, "a.bin", "x\0y");
  write(root, "notes.txt", "gamma gamma\n");
  const result = await update(root);
  assert.deepEqual(
    [result.filesIndexed, result.filesChanged, result.filesRemoved, [...result.languages]],
    [3, 3, 0, [["typescript", 1]]],
  );
  const content = contentOf(root) as { readonly frequencies: object };
  assert.deepEqual(content.frequencies, {
    "body alpha src/parse.ts": 1,
    "body beta src/parse.ts": 1,
    "body gamma notes.txt": 2,
    // Once as a part of the name, and twice as the stem of the path.
    "body parse src/parse.ts": 3,
    "body config src/parse.ts": 1,
    "names parse src/parse.ts": 1,
    "names config src/parse.ts": 1,
    "comments alpha src/parse.ts": 1,
  });
  const open = openGeneration(join(root, indexFolder));
  const [segment] = open?.segments ?? [];
  assert.deepEqual(segment?.symbols.named("PARSEconfig"), [
    {
      name: "parseConfig",
      kind: "function",
      startLine1: 2,
      endLine1: 4,
      isExported: true,
      file: 2,
    },
  ]);
  assert.equal(readFileSync(join(root, ".codetool/.gitignore"), "utf8"), "*\n");
  for (const name of readdirSync(join(root, indexFolder)))
    assert.equal(statSync(join(root, indexFolder, name)).mode & 0o077, 0, name);
  segment?.close();
});

test("the Bloom filter never denies what is there", async () => {
  using folder = createTemporaryFolder();
  const text = "The quick brown Fox jumps over 13 lazy dogs; naïve façade.";
  write(folder.path, "a.txt", text);
  await update(folder.path);
  const open = openGeneration(join(folder.path, indexFolder));
  const bloom = open?.segments[0]?.file("bloom");
  assert.ok(bloom !== undefined);
  for (let start = 0; start + 3 <= text.length; start += 1)
    for (let end = start + 3; end <= text.length; end += 1)
      assert.ok(mayHoldAll(bloom, trigramsOf(Buffer.from(text.slice(start, end)))));
  let wrong = 0;
  for (let number = 0; number < 1000; number += 1)
    if (mayHoldAll(bloom, trigramsOf(Buffer.from(number.toString(36).padStart(3, "z")))))
      wrong += 1;
  assert.ok(wrong < 60, `${wrong} of 1000`);
  for (const segment of open?.segments ?? []) segment.close();
});

test("many small updates are gathered again, and leave no files behind", async () => {
  using folder = createTemporaryFolder();
  const root = folder.path;
  for (let index = 0; index < 100; index += 1) write(root, `f${index}.txt`, `alpha ${index}\n`);
  await update(root);
  let most = 0;
  for (let index = 0; index < 20; index += 1) {
    write(root, `f${index}.txt`, `beta ${index} beta\n`);
    const result = await update(root);
    assert.equal(result.filesChanged, 1);
    const open = openGeneration(join(root, indexFolder));
    most = Math.max(most, open?.segments.length ?? 0);
    for (const segment of open?.segments ?? []) segment.close();
  }
  assert.equal(most, 9);
  const meta = readMeta(join(root, indexFolder));
  assert.deepEqual(
    readdirSync(join(root, indexFolder, "segments")).sort(),
    meta?.segments.slice(1).map(String).sort(),
  );
});

test("a file whose time changed and whose content did not is not indexed again", async () => {
  using folder = createTemporaryFolder();
  write(folder.path, "a.txt", "alpha\n");
  await update(folder.path);
  utimesSync(join(folder.path, "a.txt"), new Date(), new Date());
  const result = await update(folder.path);
  assert.deepEqual([result.filesChanged, result.filesUnchanged], [0, 1]);
});

const skip = process.platform === "win32" ? "such names are refused there" : false;

test(
  "folders with odd names are known again: nothing changed, no new generation",
  { skip },
  async () => {
    using folder = createTemporaryFolder();
    const root = folder.path;
    for (const name of ["new\nline", "\n", "a\\b", "\u2028", " "]) {
      write(root, `${name}/a.txt`, "alpha\n");
      utimesSync(join(root, name), longAgo, longAgo);
    }
    utimesSync(root, longAgo, longAgo);
    assert.equal((await update(root)).generation, 1);
    utimesSync(root, longAgo, longAgo);
    await update(root);
    const { generation, filesIndexed } = await update(root);
    assert.deepEqual([generation, filesIndexed], [2, 5]);
  },
);

test("an index that is damaged counts as missing, and is built anew", async () => {
  using folder = createTemporaryFolder();
  const root = folder.path;
  write(root, "a.txt", "alpha beta\n");
  for (const name of [
    "chunks.bin",
    "sparse.bin",
    "symbols.bin",
    "imports.bin",
    "bloom.bin",
    "meta.json",
  ]) {
    await update(root, true);
    const path = join(root, indexFolder, name);
    truncateSync(path, Math.floor(statSync(path).size / 2));
    assert.throws(() => openGeneration(join(root, indexFolder)), IndexFault, name);
    const result = await update(root);
    assert.equal(result.filesChanged, 1, name);
    contentOf(root);
  }
});

test("a run that ended before the rename leaves the index as it was, and the next one clears up", async () => {
  using folder = createTemporaryFolder();
  const root = folder.path;
  write(root, "a.txt", "alpha\n");
  await update(root);
  const before = contentOf(root);
  const left = join(root, indexFolder, "segments", "2");
  mkdirSync(left);
  writeFileSync(join(left, "chunks.bin"), "half");
  writeFileSync(join(root, indexFolder, "meta.json.new"), '{"version": 1,');
  assert.deepEqual(contentOf(root), before);
  write(root, "b.txt", "beta\n");
  const result = await update(root);
  assert.equal(result.filesIndexed, 2);
  contentOf(root);
});

test("one process writes at a time, and one that is gone does not hinder", async () => {
  using folder = createTemporaryFolder();
  const root = folder.path;
  write(root, "a.txt", "alpha\n");
  await update(root);
  const lockPath = join(root, indexFolder, "lock");
  assert.ok(!existsSync(lockPath));
  const process = { id: 1, isAlive: (id: number) => id === 77 };
  const lock = lockIndex(join(root, indexFolder), { ...process, id: 77 });
  assert.ok("release" in lock);
  await assert.rejects(
    updateIndex({
      root,
      environment: {},
      chunkSizeCharacters: 200,
      fileSizeBytesMax: 1000,
      isRebuild: false,
      nowMs: () => 0,
      process,
    }),
    (error) => error instanceof IndexBusy && error.holder === 77,
  );
  // Gone; empty, as a crash leaves it on some file systems; of an earlier process with the same id; of us before.
  for (const left of ["78\n", "", "77 4711\n", "1\n", "1 4711\n"]) {
    writeFileSync(lockPath, left);
    writeFileSync(`${lockPath}.4711`, "4711\n");
    const isAlive = (id: number, mark: string): boolean => id === 77 && mark !== "4711";
    const taken = lockIndex(join(root, indexFolder), { id: 1, mark: "2", isAlive });
    assert.ok("release" in taken, JSON.stringify(left));
    assert.equal(taken.takenBy(), undefined);
    const again = lockIndex(join(root, indexFolder), { id: 1, mark: "2", isAlive });
    assert.deepEqual(again, { holder: 1 });
    taken.release();
    assert.deepEqual(
      readdirSync(join(root, indexFolder)).filter((name) => name.startsWith("lock")),
      [],
    );
  }
});

test("a root that is removed while its files are read does not come back", async () => {
  using folder = createTemporaryFolder({ "tree/a.ts": "export const alpha = 1;\n" });
  const root = join(folder.path, "tree");
  const running = updateIndex({
    root,
    environment: {},
    chunkSizeCharacters: 200,
    fileSizeBytesMax: 1_000_000,
    isRebuild: false,
    nowMs: () => 0,
    process: { id: 1, isAlive: () => true },
    onProgress: () => rmSync(root, { recursive: true, force: true }),
  });
  await assert.rejects(running, { code: "ENOENT" });
  assert.deepEqual(readdirSync(folder.path), []);
});

test("a run whose lock was taken over gives up what it wrote", async () => {
  using folder = createTemporaryFolder();
  const root = folder.path;
  write(root, "a.txt", "alpha\n");
  await update(root);
  const before = readMeta(join(root, indexFolder));
  write(root, "b.txt", "beta\n");
  const running = updateIndex({
    root,
    environment: {},
    chunkSizeCharacters: 200,
    fileSizeBytesMax: 1000,
    isRebuild: true,
    nowMs: () => 0,
    process: { id: 1, isAlive: () => true },
    onProgress: () => writeFileSync(join(root, indexFolder, "lock"), "99\n"),
  });
  await assert.rejects(running, (error) => error instanceof IndexBusy && error.holder === 99);
  assert.deepEqual(readMeta(join(root, indexFolder)), before);
  assert.ok(existsSync(join(root, indexFolder, "lock")), "it is the other's now");
});

test("readMeta() reads a head of any length, without the hashes behind it", () => {
  using folder = createTemporaryFolder();
  for (const segmentCount of [1, 400, 1000, 5000]) {
    const meta = {
      version: formatVersion,
      generation: 1,
      timestamp: "2026-01-01T00:00:00.000Z",
      chunk_size: 200,
      file_size_max: 1000,
      file_count: 1,
      segments: Array.from({ length: segmentCount }, (_, number) => number),
    };
    writeMeta(folder.path, meta, [["é".repeat(100), "0".repeat(32)]]);
    assert.deepEqual(readMeta(folder.path), meta, `${segmentCount} segments`);
  }
});
