import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as fc from "fast-check";
import { createTemporaryFolder, createTemporaryRepository, repetitions } from "testkit";
import { compileFilePatterns } from "../file-pattern.ts";
import { findFilesCommand } from "./command.ts";
import { indexCommand } from "../index-folder/command.ts";
import { executeCommand } from "../execute-command.ts";

interface Found {
  readonly flat: readonly {
    readonly path: string;
    readonly lines: number;
    readonly relevance: number | null;
  }[];
}

async function find(folder: string, input: object, isPlain = false): Promise<Found> {
  const context = { workingDirectory: folder, environment: {}, isPlain };
  const outcome = await executeCommand(findFilesCommand, { ...input }, context);
  assert.ok(!("error" in outcome), JSON.stringify(outcome));
  if (!isPlain) return outcome.data as unknown as Found;
  return { flat: [], ...outcome.data };
}

async function index(folder: string): Promise<void> {
  const outcome = await executeCommand(
    indexCommand,
    {},
    { workingDirectory: folder, environment: {} },
  );
  assert.ok(!("error" in outcome), JSON.stringify(outcome));
}

test("find --depth shows the folders that it does not enter, with an index or without, in a tree alone", async () => {
  using folder = createTemporaryRepository({
    "top.ts": "let a;\n",
    "lib/core/deep.ts": "let b;\n",
    "lib/here.ts": "let c;\n",
    "lib/zero/x.md": "x\n",
    "web/a.css": "a{}\n",
    "out/b.ts": "let d;\n",
    ".gitignore": "out/\n",
  });
  const treeOf = async (input: object, isPlain = false): Promise<unknown> => {
    const { tree } = (await find(folder.path, input, isPlain)) as unknown as { tree: object };
    const keysOf = (node: object): object =>
      Object.entries(node).map(([key, child]: [string, object]) =>
        key.endsWith("/") ? [key, keysOf(child)] : key,
      );
    return keysOf(tree);
  };
  const check = async (): Promise<void> => {
    const two = [".gitignore", ["lib/", [["core/", []], "here.ts", ["zero/", []]]], "top.ts"];
    const expected = [...two, ["web/", ["a.css"]]];
    assert.deepEqual(await treeOf({ depth: 2, tree: true }), expected);
    assert.deepEqual(await treeOf({ depth: 2 }), expected);
    assert.deepEqual(await treeOf({ depth: 2, tree: true }, true), expected);
    assert.deepEqual(await treeOf({ depth: 2, tree: true, budget: 5000 }), expected);
    assert.deepEqual(await treeOf({ depth: 1, tree: true, pattern: "*.ts" }), [
      ["lib/", []],
      "top.ts",
    ]);
    assert.deepEqual(await treeOf({ path: "lib", depth: 1, tree: true }), [
      ["lib/", [["core/", []], "here.ts", ["zero/", []]]],
    ]);
    const { flat } = await find(folder.path, { depth: 1 });
    assert.deepEqual(
      flat.map(({ path }) => path),
      [".gitignore", "top.ts"],
    );
  };
  await check();
  await index(folder.path);
  await check();
});

const name = fc.constantFrom("a", "b", "Ab", "deep", "x y", "ü", "n\nl");
const filePath = fc
  .tuple(
    fc.array(name, { maxLength: 3 }),
    name,
    fc.constantFrom(".ts", ".py", ".md", "", ".tsx", ".bin", ".d.ts"),
  )
  // Folders have no dot, and files may be named like one.
  .map(([folders, base, ending]) => [...folders, `${base}.f${ending}`].join("/"));
const content = fc.constantFrom(
  "",
  "x",
  "x\n",
  "x\r\ny\r\n",
  "\n\n",
  "export function f() {}\nclass A { m() {} }\n",
  "#!/usr/bin/env python\nprint(1)\n",
  "a\0b\n",
  "\uFEFFbom\nlast",
  "é\u2028é\n",
);
const tree = fc.dictionary(filePath, content, { minKeys: 1, maxKeys: 12 });

test("find says the same without an index, with one, and with one that is older than the files", async () => {
  await fc.assert(
    fc.asyncProperty(tree, content, fc.nat(), async (files, changed, at) => {
      using folder = createTemporaryFolder(files);
      const inputs = [{}, { outline: true }, { depth: 2 }, { path: ".", pattern: "*.ts" }];
      const all = async (): Promise<unknown[]> => {
        const answers: unknown[] = [];
        for (const input of inputs) answers.push(await find(folder.path, input));
        return answers;
      };
      const before = await all();
      const plain = await find(folder.path, {}, true);
      await index(folder.path);
      assert.deepEqual(await all(), before);
      const paths = ({ flat }: Found): string[] => flat.map(({ path }) => path);
      assert.deepEqual(paths(await find(folder.path, {}, true)), paths(plain));
      const paths0 = Object.keys(files);
      const some = paths0[at % paths0.length] as string;
      writeFileSync(join(folder.path, some), `${changed}\nchanged\n`);
      writeFileSync(join(folder.path, "new.f.ts"), "let later;\n");
      const stale = await all();
      const fresh = createTemporaryFolder({
        ...files,
        [some]: `${changed}\nchanged\n`,
        "new.f.ts": "let later;\n",
      });
      using other = fresh;
      const expected: unknown[] = [];
      for (const input of inputs)
        expected.push({ ...(await find(other.path, input)), root: folder.path });
      assert.deepEqual(stale, expected);
    }),
    { seed: 61, numRuns: repetitions(25) },
  );
});

test("find lists by name alone what came, went and is ignored since the index", async () => {
  using folder = createTemporaryRepository({
    "a.ts": "1\n",
    "out/b.ts": "2\n",
    ".gitignore": "none\n",
  });
  await index(folder.path);
  const plain = async (): Promise<string[]> =>
    (await find(folder.path, {}, true)).flat.map(({ path }) => path);
  assert.deepEqual(await plain(), [".gitignore", "a.ts", "out/b.ts"]);
  writeFileSync(join(folder.path, ".gitignore"), "out/\n");
  assert.deepEqual(await plain(), [".gitignore", "a.ts"]);
  writeFileSync(join(folder.path, "c.ts"), "3\n");
  assert.deepEqual(await plain(), [".gitignore", "a.ts", "c.ts"]);
});

test("find by name alone lists every file, whatever is in it", async () => {
  using folder = createTemporaryRepository({
    "picture.png": "\0",
    "notes.txt": "text\n",
    "stream.ts": "\0",
    "large.json": " ".repeat(2_000_000),
    "large.log": " ".repeat(2_000_000),
    Makefile: "all:\n",
  });
  const expected = ["Makefile", "large.json", "large.log", "notes.txt", "picture.png", "stream.ts"];
  const plain = async (): Promise<string[]> =>
    (await find(folder.path, {}, true)).flat.map(({ path }) => path);
  assert.deepEqual(await plain(), expected);
  await index(folder.path);
  assert.deepEqual(await plain(), expected);
  const both = await find(folder.path, { pattern: ["*.ts", "*.png"] }, true);
  assert.deepEqual(
    both.flat.map(({ path }) => path),
    ["picture.png", "stream.ts"],
  );
});

test("patterns match the files that git's own globs match", async () => {
  const part = fc.constantFrom("*", "?", "a", "A?", "[ab]", "[!a]", "deep", "*e*", "[[:upper:]]b");
  const last = fc.constantFrom("*.f", "*.f.ts", "?.f.*", "[!b].f.ts*", "*.[tp][sy]", "Ab.f*");
  const pattern = fc
    .tuple(fc.array(fc.oneof(part, fc.constant("**")), { maxLength: 3 }), last)
    .map(([parts, end]) => [...parts, end].join("/"));
  using folder = createTemporaryRepository(
    Object.fromEntries(
      ["", "a/", "b/", "Ab/", "deep/", "a/b/", "a/deep/", "a/b/deep/", "deep/a/b/"].flatMap(
        (parent) =>
          ["a.f", "b.f.ts", "Ab.f.ts", "x.f.py", "u.f.tsx"].map((file) => [parent + file, "x\n"]),
      ),
    ),
  );
  const paths = (await find(folder.path, { flat: true })).flat.map(({ path }) => path);
  await fc.assert(
    fc.asyncProperty(pattern, async (glob) => {
      const asked = glob.includes("/") ? glob : `**/${glob}`;
      const listed = folder.git("ls-files", "-z", "-co", `:(glob)${asked}`).split("\0");
      const expected = listed.filter((path) => path !== "").sort();
      assert.deepEqual(paths.filter(compileFilePatterns([glob])).sort(), expected, glob);
      await Promise.resolve();
    }),
    { seed: 62, numRuns: repetitions(60) },
  );
});

test("several patterns add up, and those with ! leave out", async () => {
  const files = { "a.ts": "", "a.test.ts": "", "b/c.py": "", "b/d.test.py": "", "e.md": "" };
  using folder = createTemporaryFolder(files);
  for (const [pattern, expected] of [
    [
      ["*.ts", "*.py"],
      ["a.test.ts", "a.ts", "b/c.py", "b/d.test.py"],
    ],
    [
      ["*.{ts,py}", "!*.test.*"],
      ["a.ts", "b/c.py"],
    ],
    [["!b/**"], ["a.test.ts", "a.ts", "e.md"]],
    ["!*.ts", ["b/c.py", "b/d.test.py", "e.md"]],
    [["[!a]*"], ["b/c.py", "b/d.test.py", "e.md"]],
    [["*.TS"], []],
  ] as const) {
    const { flat } = await find(folder.path, { pattern });
    assert.deepEqual(
      flat.map(({ path }) => path),
      expected,
      String(pattern),
    );
  }
});

test("find --related-to orders by what files are about, within the pattern", async () => {
  const files = {
    "src/retry.ts":
      "/** Tries a failed request again after a delay. */\nexport function scheduleRetry() {}\n",
    "src/paint.ts": "/** Fills a rectangle with colour. */\nexport function fillRectangle() {}\n",
    "src/retry.test.ts": "scheduleRetry();\n",
    "docs/retry.md": "# Retry\n\nA failed request is tried again.\n",
  };
  using folder = createTemporaryRepository(files);
  const query = "retry failed requests";
  for (const hasIndex of [false, true]) {
    if (hasIndex) await index(folder.path);
    const { flat } = await find(folder.path, { related_to: query });
    assert.match(flat[0]?.path ?? "", /retry/);
    for (const [at, { relevance }] of flat.entries()) {
      assert.ok(relevance !== null && relevance > 0 && relevance <= 1, String(relevance));
      assert.ok(relevance <= (flat[at - 1]?.relevance ?? 1));
    }
    const typed = await find(folder.path, { related_to: query, pattern: "*.md" });
    assert.deepEqual(
      typed.flat.map(({ path }) => path),
      ["docs/retry.md"],
    );
    const narrow = await find(folder.path, { related_to: query, path: "src", depth: 1 });
    assert.ok(narrow.flat.every(({ path }) => path.startsWith("src/")));
    assert.match(narrow.flat[0]?.path ?? "", /retry/);
  }
  const context = { workingDirectory: folder.path, environment: {} };
  const empty = await executeCommand(findFilesCommand, { related_to: " " }, context);
  assert.ok("error" in empty && empty.error.code === "invalid_argument");
});
