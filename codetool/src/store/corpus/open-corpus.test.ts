import assert from "node:assert/strict";
import {
  cpSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import * as fc from "fast-check";
import { createTemporaryFolder, repetitions } from "testkit";
import { loadTokenTable, TextEmbedder } from "../../model/index.ts";
import { openCorpus } from "./open-corpus.ts";
import type { IndexedCorpus } from "./indexed-corpus.ts";
import { ResidentCorpora } from "./resident-corpora.ts";
import { updateIndex, type UpdateResult } from "../folder/update-index.ts";

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

async function update(
  root: string,
  {
    isRebuild = false,
    environment = {},
    nowMs = Date.now,
  }: {
    readonly isRebuild?: boolean;
    readonly environment?: { readonly [name: string]: string };
    readonly nowMs?: () => number;
  } = {},
): Promise<UpdateResult> {
  return await updateIndex({
    root,
    environment,
    chunkSizeCharacters: 200,
    fileSizeBytesMax: 1_000_000,
    isRebuild,
    nowMs,
    process: { id: 1, isAlive: () => true },
  });
}

const terms = ["alpha", "beta", "gamma", "delta", "parse", "config", "f1", "f2", "nowhere"];
const fields = ["body", "names", "comments"] as const;

const asked = new TextEmbedder(loadTokenTable()).embedText("parse the config of alpha");

/** Those of a file whose names hold something are read as all of them are. */
function checkHolding(corpus: IndexedCorpus, file: number): void {
  for (const pattern of [/pars|con/gi, /f1f|1f|f/gi, /[^]/g, /(?!)/g, /alphab|alpha/gi]) {
    const held = corpus.symbolsOf(file).filter(({ name }) => new RegExp(pattern, "i").test(name));
    assert.deepEqual(corpus.symbolsHolding(file, pattern), held);
  }
}

/** All that a corpus answers, as plain values. */
async function sayingOf(corpus: IndexedCorpus): Promise<unknown> {
  for (const file of corpus.files.keys()) checkHolding(corpus, file);
  return {
    files: corpus.files.map((file) => ({ ...file, modifiedMs: 0 })),
    hashes: corpus.files.map((_, file) => corpus.hashOf(file)),
    chunkCount: corpus.chunkCount,
    lengths: fields.map((field) => [...corpus.lengthsOf(field)]),
    postings: fields.map((field) =>
      terms.map((term) => {
        const { documents, frequencies } = corpus.postingsOf(field, term);
        return [[...documents], [...frequencies]];
      }),
    ),
    chunks: corpus.files.map((_, file) => corpus.chunksOf(file)),
    symbols: corpus.files.map((_, file) => corpus.symbolsOf(file)),
    graph: graphOf(corpus),
    nearness: [...(await corpus.nearness(asked))],
    named: ["parseconfig", "f1", "f2", "none"].map((name) => corpus.symbolsNamed(name)),
  };
}

function graphOf({ importGraph: { imports, importers, importance } }: IndexedCorpus): unknown {
  const plain = [imports, importers].map(({ starts, files, percents }) => [
    [...starts],
    [...files],
    [...percents],
  ]);
  return { plain, importance: [...importance] };
}

async function openedSaying(root: string): Promise<unknown> {
  using open = await openCorpus({ root, environment: {}, fileSizeBytesMax: 1_000_000 });
  assert.ok(open !== undefined);
  assert.deepEqual(open.warnings, []);
  return await sayingOf(open.corpus);
}

const pathArbitrary = fc.constantFrom(
  "a.ts",
  "b.ts",
  "c/a.ts",
  "c/d.py",
  "c/__init__.py",
  "e.txt",
  "j/One.java",
  "j/Two.java",
);
const textArbitrary = fc
  .array(
    fc.constantFrom(
      "alpha",
      "beta gamma",
      "// delta",
      "export function parseConfig() {}",
      "function f1() {\n  return alpha;\n}",
      "class f2:\n    pass",
      'import "./b.js";',
      'import { alpha } from "#keep";',
      "from c import d",
      "package j;",
      "class Two { One one; }",
      "class One {}",
      "",
      "\0",
    ),
    { maxLength: 12 },
  )
  .map((lines) => lines.join("\n"));
const manifestArbitrary = fc.constantFrom(
  '{"name": "p", "imports": {"#keep": "./keep.ts"}}',
  '{"name": "p", "imports": {"#keep": "./a.ts"}}',
);
const stepArbitrary = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({ path: fc.constant("package.json"), text: manifestArbitrary }),
  },
  { weight: 4, arbitrary: fc.record({ path: pathArbitrary, text: textArbitrary }) },
  { weight: 1, arbitrary: fc.record({ path: pathArbitrary, text: fc.constant(null) }) },
  { weight: 2, arbitrary: fc.constant("update" as const) },
);

test("after any sequence of edits an index answers as one built anew, brought up to date or not", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(stepArbitrary, { minLength: 3, maxLength: 30, size: "max" }),
      async (steps) => {
        using folder = createTemporaryFolder();
        const root = folder.path;
        write(root, "keep.ts", "export const alpha = 1;\n");
        await update(root);
        for (const step of steps) {
          if (step === "update") await update(root);
          else if (step.text === null) rmSync(join(root, step.path), { force: true });
          else write(root, step.path, step.text);
        }
        const opened = await openedSaying(root);
        await update(root);
        assert.deepEqual(await openedSaying(root), opened);
        await update(root, { isRebuild: true });
        assert.deepEqual(await openedSaying(root), opened);
      },
    ),
    { numRuns: repetitions(8) },
  );
});

test("a corpus that stays open answers after every edit as one opened anew", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(stepArbitrary, { minLength: 3, maxLength: 12, size: "max" }),
      async (steps) => {
        using folder = createTemporaryFolder();
        const root = folder.path;
        write(root, "keep.ts", "export const alpha = 1;\n");
        await update(root);
        using resident = new ResidentCorpora();
        const options = { root, environment: {}, fileSizeBytesMax: 1_000_000 };
        for (const step of [null, null, ...steps]) {
          if (step === "update") await update(root);
          else if (step?.text === null) rmSync(join(root, step.path), { force: true });
          else if (step !== null) write(root, step.path, step.text);
          using open = await resident.open(options);
          assert.ok(open !== undefined);
          assert.deepEqual(await sayingOf(open.corpus), await openedSaying(root));
        }
      },
    ),
    { numRuns: repetitions(6) },
  );
});

/** The folders and files that the system watches for this process. */
function watchCount(): number {
  let count = 0;
  for (const name of readdirSync("/proc/self/fdinfo")) {
    try {
      const info = readFileSync(`/proc/self/fdinfo/${name}`, "utf8");
      count += info.match(/^inotify wd:/gm)?.length ?? 0;
    } catch {
      // Closed meanwhile.
    }
  }
  return count;
}

test(
  "a corpus that stays open watches the tree also where the index was written again before the second question",
  { skip: process.platform !== "linux" },
  async () => {
    using folder = createTemporaryFolder();
    const root = folder.path;
    write(root, "a/b/a.ts", "alpha\n");
    await update(root);
    using resident = new ResidentCorpora();
    const ask = async (): Promise<void> => {
      using open = await resident.open({ root, environment: {}, fileSizeBytesMax: 1_000_000 });
      assert.ok(open !== undefined);
    };
    const before = watchCount();
    await ask();
    write(root, "a/b/a.ts", "alpha beta\n");
    await update(root);
    await ask();
    assert.equal(watchCount(), before);
    await ask();
    assert.ok(watchCount() >= before + 3);
  },
);

test("a corpus that stays open keeps what was worked out until the tree changes, and closes after its last user", async () => {
  using folder = createTemporaryFolder();
  const root = folder.path;
  write(root, "a.ts", "alpha\n");
  await update(root);
  const resident = new ResidentCorpora();
  const options = { root, environment: {}, fileSizeBytesMax: 1_000_000 };
  const kept = async (): Promise<unknown> => {
    using open = await resident.open(options);
    return open?.keep("thing", () => ({}));
  };
  const first = await kept();
  assert.equal(await kept(), first);
  assert.equal(await kept(), first);
  write(root, "made/b.ts", "beta\n");
  const second = await kept();
  assert.notEqual(second, first);
  assert.equal(await kept(), second);
  write(root, "made/b.ts", "gamma\n");
  assert.notEqual(await kept(), second);
  using used = await resident.open(options);
  await update(root);
  using next = await resident.open(options);
  resident[Symbol.dispose]();
  assert.equal(used?.corpus.postingsOf("body", "gamma").documents.length, 1);
  assert.equal(next?.corpus.postingsOf("body", "gamma").documents.length, 1);
  rmSync(join(root, ".codetool"), { recursive: true });
  using none = await new ResidentCorpora().open(options);
  assert.equal(none, undefined);
});

test("what is ignored from now on is not answered any more, and what is no longer ignored is", async () => {
  using folder = createTemporaryFolder();
  const root = folder.path;
  write(root, ".gitignore", "out/\n");
  write(root, "a.txt", "alpha\n");
  write(root, "out/b.txt", "alpha\n");
  await update(root);
  const pathsOf = async (): Promise<string[]> => {
    using open = await openCorpus({ root, environment: {}, fileSizeBytesMax: 1_000_000 });
    return open?.corpus.files.map(({ path }) => path) ?? [];
  };
  assert.deepEqual(await pathsOf(), [".gitignore", "a.txt"]);
  write(root, ".gitignore", "a.txt\n");
  assert.deepEqual(await pathsOf(), [".gitignore", "out/b.txt"]);
});

/** Rules that are in no file of an index: each lets `a.txt` out, or in again. */
const otherRules = {
  "of the user": "home/git/ignore",
  "of the repository": "work/.git/info/exclude",
  "above the root": "work/.gitignore",
  "in a file that they leave out": "work/tree/part/.gitignore",
};

for (const [what, path] of Object.entries(otherRules))
  for (const isNested of [false, true])
    test(`rules ${what} that changed are seen before the next run of the index${isNested ? ", beside a repository inside" : ""}`, async () => {
      // Only a walk tells what a repository inside leaves out: of other rules inside nothing is known then.
      if (isNested && path.startsWith("work/tree/")) return;
      using folder = createTemporaryFolder({
        "home/git/ignore": "",
        "work/.git/HEAD": "",
        "work/.git/info/exclude": "",
        "work/.gitignore": "",
        "work/tree/b.txt": "alpha\n",
        "work/tree/part/.gitignore": ".gitignore\n",
        "work/tree/part/a.txt": "alpha\n",
        ...(isNested ? { "work/tree/inner/.git/HEAD": "" } : {}),
      });
      const root = join(folder.path, "work/tree");
      const environment = { XDG_CONFIG_HOME: join(folder.path, "home") };
      // Long after the files were made: their times are certain.
      await update(root, { environment, nowMs: () => Date.parse("2100-01-01T00:00:00Z") });
      using resident = new ResidentCorpora();
      const options = { root, environment, fileSizeBytesMax: 1_000_000 };
      const check = async (expected: readonly string[], when: string): Promise<void> => {
        using open = await openCorpus(options);
        assert.deepEqual(
          open?.corpus.files.map((file) => file.path),
          expected,
          when,
        );
        using kept = await resident.open(options);
        assert.deepEqual(
          kept?.corpus.files.map((file) => file.path),
          expected,
          `${when}, kept open`,
        );
      };
      await check(["b.txt", "part/a.txt"], "before");
      await check(["b.txt", "part/a.txt"], "asked again");
      write(folder.path, path, ".gitignore\na.txt\n");
      await check(["b.txt"], "left out");
      write(folder.path, path, ".gitignore\n");
      await check(["b.txt", "part/a.txt"], "there again");
    });

test("a file of the same size whose content changed within the same moment is seen", async () => {
  using folder = createTemporaryFolder();
  const root = folder.path;
  write(root, "a.txt", "alpha\n");
  await update(root);
  const { mtime, atime } = statSync(join(root, "a.txt"));
  write(root, "a.txt", "gamma\n");
  utimesSync(join(root, "a.txt"), atime, mtime);
  using open = await openCorpus({ root, environment: {}, fileSizeBytesMax: 1_000_000 });
  assert.equal(open?.freshCount, 1);
  assert.equal(open.corpus.postingsOf("body", "gamma").documents.length, 1);
  assert.equal(open.corpus.postingsOf("body", "alpha").documents.length, 0);
});

test("more changed files than are read for one answer are named in a warning", async () => {
  using folder = createTemporaryFolder();
  const root = folder.path;
  write(root, "a.txt", "alpha\n");
  await update(root);
  for (let index = 0; index < 510; index += 1) write(root, `b${index}.txt`, "beta\n");
  using open = await openCorpus({ root, environment: {}, fileSizeBytesMax: 1_000_000 });
  assert.equal(open?.freshCount, 500);
  assert.match(
    open.warnings[0] ?? "",
    /^510 files changed .*: the answer has the earlier state of 10 of them/,
  );
});

test("where there is no index there is nothing to open", async () => {
  using folder = createTemporaryFolder();
  const open = await openCorpus({ root: folder.path, environment: {}, fileSizeBytesMax: 1000 });
  assert.equal(open, undefined);
});

test("an index knows which files import which, before and after it is brought up to date", async () => {
  using folder = createTemporaryFolder();
  const root = folder.path;
  write(root, "package.json", '{"name": "p", "imports": {"#core": "./b.ts"}}');
  write(root, "a.ts", 'import { b } from "#core";\n');
  write(root, "b.ts", "export const b = 1;\n");
  write(root, "c.ts", 'import { b } from "./b.js";\n');
  await update(root);
  const importersOfB = async (): Promise<string[]> => {
    using open = await openCorpus({ root, environment: {}, fileSizeBytesMax: 1_000_000 });
    assert.ok(open !== undefined);
    const { files, importGraph } = open.corpus;
    const b = files.findIndex(({ path }) => path === "b.ts");
    const { starts, files: numbers } = importGraph.importers;
    return [...numbers.subarray(starts[b], starts[b + 1])].map((file) => files[file]?.path ?? "");
  };
  assert.deepEqual(await importersOfB(), ["a.ts", "c.ts"]);
  // The manifest alone changes what a.ts means.
  write(root, "package.json", '{"name": "p", "imports": {"#core": "./c.ts"}}');
  assert.deepEqual(await importersOfB(), ["c.ts"]);
  await update(root);
  assert.deepEqual(await importersOfB(), ["c.ts"]);
  write(root, "c.ts", "");
  assert.deepEqual(await importersOfB(), []);
  write(root, "d.ts", 'import "./b.ts";\n');
  assert.deepEqual(await importersOfB(), ["d.ts"]);
});

/** Ways to another content that keep size and time: `touch -r`; `cp -p`, `rsync -t` or `tar` over a file; a hard link. */
const quietChanges: { readonly [way: string]: (path: string, aside: string) => void } = {
  "written in place": (path) => writeKeepingTime(path, path),
  "renamed over": (path, aside) => {
    writeKeepingTime(aside, path);
    renameSync(aside, path);
  },
  "written through another name": (path, aside) => {
    linkSync(path, aside);
    writeKeepingTime(aside, path);
  },
};

function writeKeepingTime(path: string, like: string): void {
  const { atime, mtime } = statSync(like);
  writeFileSync(path, "gamma\n");
  utimesSync(path, atime, mtime);
}

test("a change that keeps size and time is seen, and a run of the index takes it up", async () => {
  for (const [way, change] of Object.entries(quietChanges)) {
    using folder = createTemporaryFolder();
    const root = join(folder.path, "tree");
    write(root, "a.txt", "alpha\n");
    const longAgo = new Date("2020-01-02T03:04:05.678Z");
    utimesSync(join(root, "a.txt"), longAgo, longAgo);
    await update(root);
    change(join(root, "a.txt"), join(folder.path, "aside"));
    using open = await openCorpus({ root, environment: {}, fileSizeBytesMax: 1_000_000 });
    assert.equal(open?.corpus.postingsOf("body", "gamma").documents.length, 1, way);
    assert.equal((await update(root)).filesChanged, 1, way);
    using again = await openCorpus({ root, environment: {}, fileSizeBytesMax: 1_000_000 });
    assert.deepEqual([again?.freshCount, again?.isWhole], [0, true], way);
    assert.equal(again?.corpus.postingsOf("body", "gamma").documents.length, 1, way);
  }
});

test("a file that came into a folder is seen where the folder got its time back", async () => {
  using folder = createTemporaryFolder();
  const root = folder.path;
  write(root, "a/a.txt", "alpha\n");
  const longAgo = new Date("2020-01-02T03:04:05.678Z");
  utimesSync(join(root, "a"), longAgo, longAgo);
  await update(root);
  write(root, "a/b.txt", "beta\n");
  utimesSync(join(root, "a"), longAgo, longAgo);
  using open = await openCorpus({ root, environment: {}, fileSizeBytesMax: 1_000_000 });
  assert.equal(open?.corpus.postingsOf("body", "beta").documents.length, 1);
});

test("the index of a copied tree is used as it is: its files are compared with their hashes", async () => {
  using folder = createTemporaryFolder();
  const [root, copy] = [join(folder.path, "tree"), join(folder.path, "copy")];
  for (let index = 0; index < 600; index += 1) write(root, `a/${index}.txt`, `alpha ${index}\n`);
  await update(root);
  cpSync(root, copy, { recursive: true, preserveTimestamps: true });
  const options = { root: copy, environment: {}, fileSizeBytesMax: 1_000_000 };
  using open = await openCorpus(options);
  assert.deepEqual([open?.warnings, open?.freshCount, open?.isWhole], [[], 0, true]);
  assert.equal((await update(copy)).filesChanged, 0);
  using again = await openCorpus(options);
  assert.deepEqual([again?.freshCount, again?.isWhole], [0, true]);
});
