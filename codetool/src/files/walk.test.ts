import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import process from "node:process";
import { createTemporaryFolder } from "testkit";
import { walkFiles, type WalkOptions } from "./walk.ts";

type Files = { readonly [relativePath: string]: string };

function walk(root: string, options: Partial<WalkOptions> = {}): string[] {
  const result = walkFiles({ root, environment: {}, sizeBytesMax: 1_000_000, ...options });
  return result.files.map((file) => file.relativePath);
}

/** Walks a tree of the given files and compares what is listed. */
function check(
  files: Files,
  expected: readonly string[],
  options: Partial<WalkOptions> = {},
): void {
  using folder = createTemporaryFolder(files);
  assert.deepEqual(walk(folder.path, options), expected);
}

test("walkFiles() sorts by the bytes of whole paths", () => {
  check({ "a/x": "", "a-b/x": "", "a.c": "", a0: "", é: "", Z: "" }, [
    "Z",
    "a-b/x",
    "a.c",
    "a/x",
    "a0",
    "é",
  ]);
});

test("walkFiles() lists hidden files and never enters .git and .codetool", () => {
  check(
    { ".env": "", ".github/x.yml": "", ".git/HEAD": "", ".codetool/index/a": "", "s/.git/x": "" },
    [".env", ".github/x.yml"],
  );
});

test("walkFiles() lists a root that is ignored itself, by the rules in it alone", () => {
  using folder = createTemporaryFolder({
    ".git/HEAD": "",
    ".gitignore": "node_modules/\ndist/\n*.log\n",
    "node_modules/yaml/dist/a.js": "",
    "node_modules/yaml/a.log": "",
    "node_modules/yaml/.gitignore": "local\n",
    "node_modules/yaml/local": "",
    "src/dist/a.js": "",
    "src/a.log": "",
    "src/a.js": "",
  });
  for (const root of ["node_modules/yaml", "node_modules/yaml/dist", "src", "src/dist"])
    assert.deepEqual(
      walk(join(folder.path, root)),
      {
        "node_modules/yaml": [".gitignore", "a.log", "dist/a.js"],
        "node_modules/yaml/dist": ["a.js"],
        src: ["a.js"],
        "src/dist": ["a.js"],
      }[root],
    );
  assert.deepEqual(walk(folder.path), [".gitignore", "src/a.js"]);
});

test("walkFiles() follows git's ignore rules, nearest file and last line first", () => {
  const rows: readonly (readonly [Files, readonly string[]])[] = [
    [{ ".gitignore": "*.log\n!keep.log\n", "a.log": "", "keep.log": "" }, ["keep.log"]],
    [
      { ".gitignore": "*.log", "s/.gitignore": "!b.log", "s/a.log": "", "s/b.log": "" },
      ["s/b.log"],
    ],
    [{ ".gitignore": "/a\n", a: "", "s/a": "" }, ["s/a"]],
    [{ ".gitignore": "s/a\n", "s/a": "", "t/s/a": "" }, ["t/s/a"]],
    [{ ".gitignore": "build/\n", "build/x": "", "s/build": "" }, ["s/build"]],
    [{ ".gitignore": "d/\n!d/x\n", "d/x": "", "d/y": "" }, []],
    [{ ".gitignore": "d/*\n!d/x\n", "d/x": "", "d/y": "" }, ["d/x"]],
    [
      { ".gitignore": "**/z\nq/**/r\n", "a/z": "", z: "", "q/r": "", "q/1/2/r": "", "q/s": "" },
      ["q/s"],
    ],
    [
      { ".gitignore": "a \nb\\ \n\\#c\n\\!d\n#e\n", a: "", "b ": "", "#c": "", "!d": "", e: "" },
      ["e"],
    ],
    [{ ".gitignore": "a\r\nb\r\n", a: "", b: "", c: "" }, ["c"]],
    [{ ".gitignore": "\uFEFFa\n", a: "", b: "" }, ["b"]],
    [{ ".gitignore": "[ab]x\n[!c]y\n", ax: "", cx: "", cy: "", dy: "" }, ["cx", "cy"]],
    [{ ".gitignore": "{a,b}\n", a: "", "{a,b}": "" }, ["a"]],
    [{ ".gitignore": "[\n\\\n!\n/\n", a: "" }, ["a"]],
  ];
  for (const [files, expected] of rows)
    check(
      files,
      [
        ".gitignore",
        ...Object.keys(files).filter((path) => path === "s/.gitignore"),
        ...expected,
      ].sort(),
    );
});

test("walkFiles() lets .codetoolignore overrule .gitignore, in both directions", () => {
  check(
    { ".gitignore": "dist/\n", ".codetoolignore": "!dist/\n*.md\n", "dist/a": "", "b.md": "" },
    [".codetoolignore", ".gitignore", "dist/a"],
  );
});

test("walkFiles() of a folder inside a work tree obeys the rules above it", () => {
  using folder = createTemporaryFolder({
    ".git/info/exclude": "secret\n",
    ".gitignore": "*.log\n/s/x\n",
    "s/.gitignore": "y\n",
    "s/t/a.log": "",
    "s/t/secret": "",
    "s/t/x": "",
    "s/t/y": "",
    "s/x": "",
  });
  assert.deepEqual(walk(join(folder.path, "s")), [".gitignore", "t/x"]);
  assert.deepEqual(walk(join(folder.path, "s/t")), ["x"]);
});

test("walkFiles() outside of a work tree starts with the rules of its root", () => {
  using folder = createTemporaryFolder({
    ".gitignore": "a\n",
    "s/a": "",
    "s/b": "",
    "s/.gitignore": "b\n",
  });
  assert.deepEqual(walk(join(folder.path, "s")), [".gitignore", "a"]);
});

test("walkFiles() walks a repository inside a repository by its own rules", () => {
  check({ ".git/HEAD": "", ".gitignore": "a\n", "sub/.git": "gitdir: nowhere\n", "sub/a": "" }, [
    ".gitignore",
    "sub/a",
  ]);
});

test("walkFiles() reads the excludes of a linked work tree from the common folder", () => {
  using folder = createTemporaryFolder({
    "main/.git/info/exclude": "hidden\n",
    "main/.git/worktrees/w/commondir": "../..\n",
    "w/.git": "gitdir: ../main/.git/worktrees/w\n",
    "w/hidden": "",
    "w/shown": "",
  });
  assert.deepEqual(walk(join(folder.path, "w")), ["shown"]);
});

test("walkFiles() obeys the user's own ignore file, where git's configuration says it is", () => {
  using folder = createTemporaryFolder({
    "home/.gitconfig": '[core] # mine\n\texcludesFile = "~/my ignore"\n',
    "home/my ignore": "*.swp\n",
    "home2/.config/git/ignore": "*.tmp\n",
    "tree/a.swp": "",
    "tree/a.tmp": "",
  });
  const root = join(folder.path, "tree");
  assert.deepEqual(walk(root, { environment: { HOME: join(folder.path, "home") } }), ["a.tmp"]);
  assert.deepEqual(walk(root, { environment: { HOME: join(folder.path, "home2") } }), ["a.swp"]);
});

test("walkFiles() keeps to depth and size, which is inclusive", () => {
  const files = { a: "12345", b: "123456", "s/c": "", "s/t/d": "" };
  check(files, ["a", "s/c", "s/t/d"], { sizeBytesMax: 5 });
  check(files, ["a", "b"], { depthMax: 1 });
  check(files, ["a", "b", "s/c"], { depthMax: 2 });
});

test(
  "walkFiles() lists a file once whose name is what shows of another's, which is not UTF-8",
  { skip: process.platform !== "linux" && "such names are only there" },
  () => {
    using folder = createTemporaryFolder({ "a.ts": "", "\uFFFD.ts": "" });
    for (const byte of ["\xe9", "\xff"])
      writeFileSync(Buffer.from(`${folder.path}/${byte}.ts`, "latin1"), "");
    const options = { root: folder.path, environment: {}, sizeBytesMax: 1_000_000 };
    const { files, warnings } = walkFiles(options);
    assert.deepEqual(
      files.map(({ relativePath }) => relativePath),
      ["a.ts", "\uFFFD.ts"],
    );
    assert.deepEqual(warnings.length, 1);
    assert.match(warnings[0] ?? "", /^2 files have names that are not UTF-8/);
  },
);

test("walkFiles() ends at its file count with a warning", () => {
  using folder = createTemporaryFolder({ a: "", b: "", c: "" });
  const result = walkFiles({
    root: folder.path,
    environment: {},
    sizeBytesMax: 9,
    fileCountMax: 2,
  });
  assert.equal(result.files.length, 2);
  assert.match(result.warnings.join(), /ended after 2 files/);
});

test(
  "walkFiles() neither follows links nor opens what is no file",
  { skip: process.platform === "win32" },
  () => {
    using folder = createTemporaryFolder({ "a/x": "", b: "" });
    symlinkSync("..", join(folder.path, "a/loop"));
    symlinkSync("b", join(folder.path, "link"));
    symlinkSync("nowhere", join(folder.path, "dangling"));
    assert.deepEqual(walk(folder.path), ["a/x", "b"]);
  },
);

test("walkFiles() of a file lists that file, of nothing nothing", () => {
  using folder = createTemporaryFolder({ ".gitignore": "a\n", a: "text" });
  assert.deepEqual(walk(join(folder.path, "a"), { sizeBytesMax: 1 }), ["a"]);
  assert.deepEqual(walk(join(folder.path, "none")), []);
});

test("walkFiles() goes 500 folders deep", () => {
  using folder = createTemporaryFolder();
  let path = folder.path;
  for (let depth = 0; depth < 500; depth += 1) {
    path = `${path}/d`;
    mkdirSync(path);
  }
  writeFileSync(`${path}/leaf`, "");
  assert.equal(walk(folder.path)[0]?.split("/").length, 501);
});
