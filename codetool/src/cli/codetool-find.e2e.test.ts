import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { isWindows, source, answer, findData, pathsOf } from "./test-support/answer.ts";
import { type Envelope, runCodetool } from "./test-support/codetool.ts";

test("search and find say when the file that was named is left out", async () => {
  using folder = createTemporaryFolder({ "bin.ts": "\0needle\n" });
  for (const args of [
    ["search", "needle", "bin.ts"],
    ["search", "--exists", "needle", "bin.ts"],
  ]) {
    const { warnings } = await answer(args, folder.path);
    assert.ok(warnings?.includes('"bin.ts" is binary: it is left out'), args.join(" "));
  }
  const listed = await answer(["find", "bin.ts", "--flat"], folder.path);
  assert.equal(findData(listed).flat[0]?.unsearched, "binary");
  if (isWindows) return;
  execFileSync("mkfifo", [join(folder.path, "pipe")]);
  for (const args of [
    ["search", "x", "pipe"],
    ["find", "pipe"],
    ["outline", "pipe"],
  ]) {
    const { error } = await answer(args, folder.path);
    assert.equal(error?.code, "invalid_argument");
    assert.match(error?.message ?? "", /"pipe": it is not a plain file/);
  }
});

test("a file that was named is searched, listed and read whatever its size", async () => {
  using folder = createTemporaryFolder({ "large.txt": `${"x\n".repeat(600_000)}needle\n` });
  const found = await answer(["search", "needle", "large.txt"], folder.path);
  assert.equal(found.data?.["total_matches"], 1);
  const listed = await answer(["find", "large.txt", "--flat"], folder.path);
  assert.equal(findData(listed).stats.total_files, 1);
  const { flat } = findData(await answer(["find"], folder.path));
  assert.deepEqual([flat.length, flat[0]?.lines, flat[0]?.unsearched], [1, null, "large"]);
});

test(
  "what may not be read is permission_denied, and a closed folder is a warning",
  { skip: isWindows && "needs POSIX permissions" },
  async () => {
    using folder = createTemporaryFolder({ "shut/x": "", secret: "s", open: "o" });
    chmodSync(folder.path, 0o755);
    chmodSync(join(folder.path, "secret"), 0);
    chmodSync(join(folder.path, "shut"), 0);
    // Root may read everything, so it becomes nobody; the checkout must be readable for all then.
    const user = process.getuid?.() === 0 ? { userId: 65_534, groupId: 65_534 } : {};
    const asUser = async (args: readonly string[]): Promise<Envelope> => {
      const { stdout, stderr } = await runCodetool(args, {
        workingDirectory: folder.path,
        ...user,
      });
      assert.equal(stderr, "");
      return JSON.parse(stdout) as Envelope;
    };
    assert.equal((await asUser(["read", "secret"])).error?.code, "permission_denied");
    assert.equal((await asUser(["read", "shut/x"])).error?.code, "permission_denied");
    for (const args of [
      ["find", "shut"],
      ["outline", "shut"],
      ["search", "x", "shut"],
      ["search", "x", "secret"],
      ["find", "secret"],
    ])
      assert.equal((await asUser(args)).error?.code, "permission_denied", args.join(" "));
    const found = await asUser(["find", "--flat"]);
    assert.deepEqual(pathsOf(found), ["open", "secret"]);
    assert.equal(findData(found).flat[1]?.unsearched, "unreadable");
    assert.match(found.warnings?.join() ?? "", /Cannot list the folder .*shut/);
    chmodSync(join(folder.path, "shut"), 0o755);
  },
);

test("find gives tree, list and stats; --tree and --flat null the other", async () => {
  using folder = createTemporaryFolder({
    "src/a.ts": source,
    "src/deep/b.md": "# b\n",
    c: "#!/bin/sh\necho\n",
    "image.png": Buffer.from([0]),
  });
  const { data } = await answer(["find"], folder.path);
  assert.deepEqual(data, {
    root: folder.path,
    tree: {
      c: { lines: 2, symbols: null, language: "bash" },
      "image.png": { lines: null, symbols: null, language: null, unsearched: "binary" },
      "src/": {
        "a.ts": { lines: 10, symbols: null, language: "typescript" },
        "deep/": { "b.md": { lines: 1, symbols: null, language: "markdown" } },
      },
    },
    flat: [
      { path: "c", lines: 2, symbols: null, language: "bash", relevance: null },
      {
        path: "image.png",
        lines: null,
        symbols: null,
        language: null,
        relevance: null,
        unsearched: "binary",
      },
      { path: "src/a.ts", lines: 10, symbols: null, language: "typescript", relevance: null },
      { path: "src/deep/b.md", lines: 1, symbols: null, language: "markdown", relevance: null },
    ],
    stats: {
      total_files: 4,
      returned: 4,
      budget_used: Math.floor(JSON.stringify(data).length / 4),
    },
  });
  assert.equal(findData(await answer(["find", "--tree-only"], folder.path)).flat, null);
  assert.equal(findData(await answer(["find", "--flat-only"], folder.path)).tree, null);
  const counted = await answer(["find", "--outline", "--pattern", "*.ts", "--flat"], folder.path);
  assert.equal(findData(counted).flat[0]?.symbols, 3);
});

test("find keeps to pattern, depth and size", async () => {
  using folder = createTemporaryFolder({
    "a.ts": "1",
    "s/b.ts": "22",
    "s/t/c.tsx": "333",
    "s/d.md": "4444",
  });
  const rows: readonly (readonly [readonly string[], readonly string[]])[] = [
    [
      ["--pattern", "*.ts"],
      ["a.ts", "s/b.ts"],
    ],
    [
      ["--pattern", "**/*.{ts,tsx}"],
      ["a.ts", "s/b.ts", "s/t/c.tsx"],
    ],
    [
      ["--pattern", "s/*"],
      ["s/b.ts", "s/d.md"],
    ],
    [["--depth", "1"], ["a.ts"]],
    [
      ["s", "--depth", "1"],
      ["s/b.ts", "s/d.md"],
    ],
    [["--pattern", "nothing"], []],
  ];
  for (const [args, expected] of rows) {
    const found = await answer(["find", "--flat", ...args], folder.path);
    assert.deepEqual(pathsOf(found), expected, args.join(" "));
  }
  const small = await answer(["find", "--flat"], folder.path, { CODETOOL_MAX_FILE_SIZE: "3" });
  assert.equal(findData(small).stats.total_files, 4);
  assert.equal(findData(small).flat.find(({ path }) => path === "s/d.md")?.unsearched, "large");
});

test("find takes a glob in place of the folder", async () => {
  using folder = createTemporaryFolder({
    "a.ts": "",
    "src/b.ts": "",
    "src/deep/c.ts": "",
    "src/deep/d.tsx": "",
    "[id].md": "",
  });
  const rows: readonly (readonly [readonly string[], readonly string[]])[] = [
    [["*.ts"], ["a.ts", "src/b.ts", "src/deep/c.ts"]],
    [["src/*.ts"], ["src/b.ts"]],
    [["src/**/*.{ts,tsx}"], ["src/b.ts", "src/deep/c.ts", "src/deep/d.tsx"]],
    [["**/deep/*"], ["src/deep/c.ts", "src/deep/d.tsx"]],
    [
      ["src/**", "--pattern", "!*.tsx"],
      ["src/b.ts", "src/deep/c.ts"],
    ],
    [[join(folder.path, "src/*.ts")], [join(folder.path, "src/b.ts")]],
    [["[id].md"], ["[id].md"]],
  ];
  for (const [args, expected] of rows) {
    const found = await answer(["find", "--flat", ...args], folder.path);
    assert.deepEqual(pathsOf(found), expected, args.join(" "));
  }
});

test("a large answer of find says how to ask for less, and one without files what is nearest", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [
      `folder-${index % 9}/some-long-name-${index}.ts`,
      "",
    ]),
  );
  using folder = createTemporaryFolder(files);
  const { warnings } = await answer(["find"], folder.path);
  assert.match(
    warnings?.join() ?? "",
    /about \d{5} tokens; for less: --flat or --tree .*--budget 2000/,
  );
  assert.equal((await answer(["find", "--budget", "500"], folder.path)).warnings, undefined);
  const none = await answer(["find", "*-nam-7.ts"], folder.path);
  assert.equal(none.warnings, undefined);
  const near = await answer(["find", "--pattern", "some-long-nmae-7.ts"], folder.path);
  assert.match(near.warnings?.join() ?? "", /the nearest is "folder-7\/some-long-name-7.ts"/);
});

test("what is not found names what is nearest: a file, a word", async () => {
  using folder = createTemporaryFolder({ "src/server.ts": "function parseConfig() {}\n" });
  const missing = await answer(["read", "src/sever.ts"], folder.path);
  assert.equal(missing.error?.suggestion, 'Did you mean "src/server.ts"?');
  for (const args of [["parseConfg"], ["parseconfig"], ["--literal", "parsConfig"]]) {
    const { warnings } = await answer(["search", ...args], folder.path);
    assert.match(
      warnings?.join() ?? "",
      /nearest word in the files is "parseConfig"/,
      args.join(" "),
    );
  }
  const other = await answer(["search", "zzzzzzzz"], folder.path);
  assert.doesNotMatch(other.warnings?.join() ?? "", /nearest/);
});
