/** `codetool edit` over folders and globs, and by structure. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { answer, pathsOf } from "../../cli/test-support/answer.ts";
import { edit, refused } from "./test-support/edit-command.ts";

const tree = {
  ".gitignore": "out/\n",
  "src/a.ts": "old();\nold();\n",
  "src/deep/b.ts": "old(1);\n",
  "src/deep/c.py": "old(2)\n",
  "src/none.ts": "other();\n",
  "src/data.bin": "\0old\0",
  "out/made.ts": "old();\n",
};

test("edit of a folder or glob shows each file that changes, and writes all of them", async () => {
  using folder = createTemporaryFolder(tree);
  const flags = ["--find", "old", "--replace", "fresh", "--all"];
  const filesOf = async (...args: string[]): Promise<string[]> =>
    (await edit(folder.path, [...args, ...flags])).data.files?.map(({ file }) => file) ?? [];
  assert.deepEqual(await filesOf("src"), ["src/a.ts", "src/deep/b.ts", "src/deep/c.py"]);
  assert.deepEqual(await filesOf("src", "-g", "*.ts"), ["src/a.ts", "src/deep/b.ts"]);
  assert.deepEqual(await filesOf("src", "-t", "py"), ["src/deep/c.py"]);
  assert.deepEqual(await filesOf("src/**/*.ts"), ["src/a.ts", "src/deep/b.ts"]);
  assert.deepEqual(await filesOf("src/deep", "src/a.ts"), [
    "src/deep/b.ts",
    "src/deep/c.py",
    "src/a.ts",
  ]);
  const dry = await edit(folder.path, ["src", ...flags]);
  assert.deepEqual(
    [dry.data.dry_run, dry.data.applied, dry.data.total_replacements],
    [true, false, 4],
  );
  assert.equal(readFileSync(join(folder.path, "src/a.ts"), "utf8"), tree["src/a.ts"]);
  const { data } = await edit(folder.path, ["src", ...flags, "--apply"]);
  assert.deepEqual([data.applied, data.files?.length], [true, 3]);
  assert.equal(readFileSync(join(folder.path, "src/a.ts"), "utf8"), "fresh();\nfresh();\n");
  assert.equal(readFileSync(join(folder.path, "src/data.bin"), "utf8"), tree["src/data.bin"]);
  assert.equal(readFileSync(join(folder.path, "out/made.ts"), "utf8"), tree["out/made.ts"]);
});

test("a glob of an edit may lead out of the working directory, and means the files that find lists", async () => {
  using folder = createTemporaryFolder({
    "a/x.py": "old\n",
    "b/y.py": "old\n",
    "b/deep/z.py": "old\n",
  });
  const inside = join(folder.path, "a");
  const flags = ["--find", "old", "--replace", "fresh"];
  for (const [glob, expected] of [
    ["../b/*.py", ["../b/y.py"]],
    ["../b/**/*.py", ["../b/deep/z.py", "../b/y.py"]],
    [join(folder.path, "b/*.py"), [join(folder.path, "b/y.py")]],
    ["./*.py", ["x.py"]],
  ] as const) {
    const { data } = await edit(inside, [glob, ...flags]);
    assert.deepEqual(
      data.files?.map(({ file }) => file),
      expected,
      glob,
    );
    const found = await answer(["find", "--flat", glob], inside);
    assert.deepEqual(pathsOf(found), expected, glob);
  }
  const error = await refused(inside, ["x.py/*", ...flags]);
  assert.match(error.message, /no file matches this glob/);
});

test("an edit of a folder says which files it did not look into, because they are large", async () => {
  using folder = createTemporaryFolder({
    "src/a.ts": "old();\n",
    "src/big.ts": "old();\n".repeat(200_000),
    "src/big.txt": "old\n".repeat(300_000),
  });
  const flags = ["--find", "old", "--replace", "fresh"];
  const { data, warnings } = await edit(folder.path, ["src", "-t", "ts", ...flags]);
  assert.deepEqual(
    data.files?.map(({ file }) => file),
    ["src/a.ts"],
  );
  assert.deepEqual(warnings, [
    '1 file was not looked into, larger than 1048576 bytes (CODETOOL_MAX_FILE_SIZE): "src/big.ts"',
  ]);
});

test("edit of a folder without a match is a dry run of nothing, and with --apply no_match", async () => {
  using folder = createTemporaryFolder(tree);
  const flags = ["src", "--find", "nowhere", "--replace", "x"];
  const { data, warnings } = await edit(folder.path, flags);
  assert.deepEqual([data.total_replacements, data.files], [0, []]);
  assert.deepEqual(warnings, ['Nothing was found in "src"']);
  assert.equal((await refused(folder.path, [...flags, "--apply"])).code, "no_match");
  // A file that is named must have the text, one that a folder brings need not.
  const named = ["src/none.ts", "src", "--find", "old", "--replace", "x", "--apply"];
  assert.match((await refused(folder.path, named)).message, /"old" is not in it/);
  const glob = ["*.rb", "--find", "old", "--replace", "x"];
  assert.match((await refused(folder.path, glob)).message, /no file matches this glob/);
});

const rewrites: readonly (readonly [
  file: string,
  text: string,
  pattern: string,
  replacement: string,
  expected: string,
])[] = [
  ["a.ts", "f(1);\nf(f(2));\n", "f($X)", "f($X, 1)", "f(1, 1);\nf(f(2, 1), 1);\n"],
  ["a.ts", "f();\nf(a, b);\nf(a,);\n", "f($$$A)", "f($$$A, 1)", "f(1);\nf(a, b, 1);\nf(a, 1);\n"],
  ["a.ts", "f();\nf(a);\n", "f($$$A)", "f(x, $$$A)", "f(x);\nf(x, a);\n"],
  ["a.ts", "a.get().b.get();\n", "$X.get()", "$X.take()", "a.take().b.take();\n"],
  [
    "a.ts",
    "// f(1)\nconst s = 'f(1)';\nf(1);\n",
    "f($X)",
    "g($X)",
    "// f(1)\nconst s = 'f(1)';\ng(1);\n",
  ],
  [
    "a.ts",
    "if (x) {\r\n  f(1);\r\n}\r\n",
    "f($X);",
    "f($X);\ng();",
    "if (x) {\r\n  f(1);\r\ng();\r\n}\r\n",
  ],
  ["a.py", "x = len(a) + len(len(b))\n", "len($X)", "size($X)", "x = size(a) + size(size(b))\n"],
  [
    "a.go",
    'package a\n\nfunc f() { g(1, "ü"); g(2, x) }\n',
    "g($A, $B)",
    "g($B, $A)",
    'package a\n\nfunc f() { g("ü", 1); g(x, 2) }\n',
  ],
];

test("a structural edit replaces all code that matches, and what is inside of it", async () => {
  for (const [file, text, pattern, replacement, expected] of rewrites) {
    using folder = createTemporaryFolder({ [file]: text });
    const flags = [file, "--structural", pattern, "--replace", replacement, "--apply"];
    await edit(folder.path, flags);
    assert.equal(readFileSync(join(folder.path, file), "utf8"), expected, pattern);
  }
});

/** Per language what only a list of all arguments keeps: line breaks, comments and the last comma. */
const edges: readonly (readonly [file: string, before: string, after: string])[] = [
  ["a.ts", "f(\n  a, // one\n  b,\n);\n", "g(\n  a, // one\n  b,\n);\n"],
  ["a.ts", "f( /* in */ a );\nf();\nf(b)\n", "g( /* in */ a );\ng();\ng(b)\n"],
  ["a.ts", "f(\n  a,\n  b, // last\n  // end\n);\n", "g(\n  a,\n  b, // last\n  // end\n);\n"],
  ["a.ts", "f(\n  f(\n    1,\n  ),\n);\n", "g(\n  g(\n    1,\n  ),\n);\n"],
  ["a.py", "f(\n    a,  # one\n    b,\n)\n", "g(\n    a,  # one\n    b,\n)\n"],
  [
    "a.go",
    "package a\n\nfunc x() {\n\tf(\n\t\ta, // one\n\t\tb,\n\t)\n}\n",
    "package a\n\nfunc x() {\n\tg(\n\t\ta, // one\n\t\tb,\n\t)\n}\n",
  ],
];

test("a structural edit keeps the lines, comments and last comma of a list that fills its brackets", async () => {
  for (const [file, before, after] of edges) {
    using folder = createTemporaryFolder({ [file]: before });
    const flags = [file, "--structural", "f($$$ARGS)", "--replace", "g($$$ARGS)", "--apply"];
    const { warnings } = await edit(folder.path, flags);
    assert.equal(readFileSync(join(folder.path, file), "utf8"), after);
    assert.deepEqual(warnings ?? [], []);
  }
});

/** What is between placeholders and around them, where the replacement has it as the pattern does. */
const layouts: readonly (readonly [
  file: string,
  before: string,
  pattern: string,
  replacement: string,
  after: string,
])[] = [
  [
    "a.ts",
    "f(\n  [\n    1, // one\n  ],\n  // two\n  b,\n);\nf(a, /* why */ b);\n",
    "f($X, $Y)",
    "g($X, $Y)",
    "g(\n  [\n    1, // one\n  ],\n  // two\n  b,\n);\ng(a, /* why */ b);\n",
  ],
  [
    "a.ts",
    "f(\n  a,\n  b, // two\n);\n",
    "f($X, $Y)",
    "f(0, $X, $Y, 1)",
    "f(\n  0, a,\n  b, 1, // two\n);\n",
  ],
  ["a.ts", "f(\n  f(\n    1,\n  ),\n);\n", "f($X)", "g($X)", "g(\n  g(\n    1,\n  ),\n);\n"],
  [
    "a.ts",
    "f(\n  a,\n).g(\n  b,\n);\n",
    "f($X).g($Y)",
    "h($X).i($Y)",
    "h(\n  a,\n).i(\n  b,\n);\n",
  ],
  ["a.ts", "f(\n  a,\n);\n", "f($X)", 'f("(", $X)', 'f("(", a);\n'],
  [
    "a.ts",
    "if (\n  a // why\n) {\n  b();\n}\n",
    "if ($C) { $X }",
    "while ($C) { $X }",
    "while (\n  a // why\n) {\n  b();\n}\n",
  ],
  [
    "a.py",
    "f(\n    a,  # one\n    b,\n)\n",
    "f($X, $Y)",
    "g($X, $Y)",
    "g(\n    a,  # one\n    b,\n)\n",
  ],
  // Outside of brackets a line break would end it.
  ["a.py", "f(\n    a,\n    b,\n)\n", "f($X, $Y)", "assert $X, $Y", "assert a, b\n"],
  [
    "a.go",
    "package a\n\nfunc x() {\n\tf(\n\t\ta, // one\n\t\tb,\n\t)\n}\n",
    "f($X, $Y)",
    "g($X, $Y, 1)",
    "package a\n\nfunc x() {\n\tg(\n\t\ta, // one\n\t\tb, 1,\n\t)\n}\n",
  ],
];

test("a structural edit keeps lines and comments between placeholders where the replacement has the same there", async () => {
  for (const [file, before, pattern, replacement, after] of layouts) {
    using folder = createTemporaryFolder({ [file]: before });
    const flags = [file, "--structural", pattern, "--replace", replacement, "--apply"];
    const { warnings } = await edit(folder.path, flags);
    assert.equal(readFileSync(join(folder.path, file), "utf8"), after, replacement);
    assert.deepEqual(warnings ?? [], []);
  }
});

test("a structural edit says which comments its replacement leaves out", async () => {
  const text = "f(a, /* one */ b);\n// f(x, y)\nf(\n  c, // two\n  d,\n);\nf(e /* e */ + 1, 2);\n";
  using folder = createTemporaryFolder({ "a.ts": text });
  const flags = ["a.ts", "--structural", "f($X, $Y)", "--replace", "g($Y, $X)", "--apply"];
  const { warnings = [] } = await edit(folder.path, flags);
  assert.deepEqual(warnings, [
    'The replacement leaves out 2 comments of "a.ts": "/* one */" on line 1 is the first',
  ]);
  assert.equal(
    readFileSync(join(folder.path, "a.ts"), "utf8"),
    "g(b, a);\n// f(x, y)\ng(d, c);\ng(2, e /* e */ + 1);\n",
  );
});

test("a structural edit takes folders and scopes, and says what cannot be", async () => {
  using folder = createTemporaryFolder({
    ...tree,
    "src/s.ts": "function a() { old(); }\nfunction b() { old(); }\n",
  });
  const flags = ["--structural", "old($$$A)", "--replace", "now($$$A)"];
  const { data } = await edit(folder.path, ["src", ...flags]);
  assert.deepEqual(
    data.files?.map(({ file, total_replacements: count }) => [file, count]),
    [
      ["src/a.ts", 2],
      ["src/deep/b.ts", 1],
      ["src/deep/c.py", 1],
      ["src/s.ts", 2],
    ],
  );
  const scoped = await edit(folder.path, ["src", ...flags, "--in-function", "b"]);
  assert.deepEqual(
    scoped.data.files?.map(({ file, changes }) => [file, changes[0]?.line]),
    [["src/s.ts", 2]],
  );
  const pattern = ["src/a.ts", "--structural", "gone($X)", "--replace"];
  assert.equal((await refused(folder.path, [...pattern, "$X", "--apply"])).code, "no_match");
  assert.match(
    (await refused(folder.path, [...pattern, "$Y"])).message,
    /no placeholder that is called "Y", it has X/,
  );
  const broken = ["src", "--structural", "old($$$A)", "--replace", "now($$$A", "--apply"];
  assert.equal((await refused(folder.path, broken)).code, "syntax_error");
  const two = ["src", "--structural", "a", "--find", "b", "--replace", "c"];
  assert.match((await refused(folder.path, two)).message, /cannot go with structural/);
});
