/** `codetool edit` through the real command line: what it writes, and what it leaves as it was. */
import assert from "node:assert/strict";
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { createTemporaryFolder, runProgram, skipUnless } from "testkit";
import { runCodetool } from "../../cli/test-support/codetool.ts";
import {
  nobody,
  user,
  type Answer,
  run,
  edit,
  refused,
  source,
} from "./test-support/edit-command.ts";

test("several files are all written or none", async () => {
  using folder = createTemporaryFolder({
    "a.ts": "let a = 1;\n",
    "b.ts": "let a = 1;\n",
    "c.ts": "let b = 1;\n",
  });
  const flags = ["--find", "let a", "--replace", "let c", "--apply"];
  const { data, warnings } = await edit(folder.path, ["a.ts", "b.ts", ...flags]);
  assert.deepEqual(
    data.files?.map(({ file, applied, total_replacements: count }) => [file, applied, count]),
    [
      ["a.ts", true, 1],
      ["b.ts", true, 1],
    ],
  );
  assert.deepEqual([data.applied, data.total_replacements, data.syntax_valid], [true, 2, true]);
  assert.equal(warnings, undefined);
  for (const [files, replacement, code] of [
    [["a.ts", "b.ts", "missing.ts"], ["let c", "let d"], "file_not_found"],
    [["a.ts", "c.ts"], ["= 1", "= ("], "syntax_error"],
    [["a.ts", "c.ts"], ["let c", "let d"], "no_match"],
  ] as const) {
    const [find, replace] = replacement;
    const error = await refused(folder.path, [
      ...files,
      "--find",
      find,
      "--replace",
      replace,
      "--apply",
    ]);
    assert.equal(error.code, code);
  }
});

test("line ends, marks, encodings, modes, links and last lines stay as they are", async () => {
  using folder = createTemporaryFolder();
  const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, "utf16le");
  const cases: readonly (readonly [string, Buffer, Buffer])[] = [
    ["crlf.txt", Buffer.from("a\r\nold\r\nb"), Buffer.from("a\r\nnew\r\né\r\nb")],
    ["mixed.txt", Buffer.from("a\nold\r\nb\n"), Buffer.from("a\nnew\r\né\r\nb\n")],
    ["mark.txt", Buffer.from("\ufeffold\n"), Buffer.from("\ufeffnew\né\n")],
    ["le.txt", utf16("ü\r\nold"), utf16("ü\r\nnew\r\né")],
    ["be.txt", utf16("old\n").swap16(), utf16("new\né\n").swap16()],
    [
      "latin.txt",
      Buffer.from("caf\xe9 old \xff", "latin1"),
      Buffer.from("caf\xe9 new\n\xe9 \xff", "latin1"),
    ],
    [
      "stray.txt",
      Buffer.from([0xc3, 0xa9, 0xfe, ...Buffer.from(" old")]),
      Buffer.from([0xc3, 0xa9, 0xfe, ...Buffer.from(" new\né")]),
    ],
    ["nul.bin", Buffer.from("\0old\0"), Buffer.from("\0new\né\0")],
    [
      "line.txt",
      Buffer.from(`${"x".repeat(1_000_000)}old`),
      Buffer.from(`${"x".repeat(1_000_000)}new\né`),
    ],
    ["a\nb.txt", Buffer.from("old"), Buffer.from("new\né")],
    ["-dash", Buffer.from("old"), Buffer.from("new\né")],
  ];
  for (const [name, before, after] of cases) {
    const path = join(folder.path, name);
    writeFileSync(path, before, { mode: 0o751 });
    chmodSync(path, 0o751);
    const { data } = await edit(folder.path, [
      "--find",
      "old",
      "--replace",
      "new\né",
      "--apply",
      "--",
      name,
    ]);
    assert.deepEqual(readFileSync(path).toString("latin1"), after.toString("latin1"), name);
    assert.equal(statSync(path).mode & 0o7777, 0o751, name);
    assert.ok(JSON.stringify(data.changes).length < 20_000, name);
  }
  const latin = await refused(folder.path, [
    "latin.txt",
    "--find",
    "new",
    "--replace",
    "€",
    "--apply",
  ]);
  assert.match(latin.message, /"€": "latin.txt" is latin-1, which has no such character/);

  mkdirSync(join(folder.path, "links"));
  symlinkSync("../crlf.txt", join(folder.path, "links/to"));
  symlinkSync("loop", join(folder.path, "links/loop"));
  await edit(folder.path, ["links/to", "--find", "new", "--replace", "linked", "--apply"]);
  assert.ok(lstatSync(join(folder.path, "links/to")).isSymbolicLink());
  assert.equal(readFileSync(join(folder.path, "crlf.txt"), "utf8"), "a\r\nlinked\r\né\r\nb");
  const loop = await refused(folder.path, [
    "links/loop",
    "--find",
    "a",
    "--replace",
    "b",
    "--apply",
  ]);
  assert.equal(loop.code, "file_not_found");
});

test("an edit that changes nothing writes nothing", async () => {
  using folder = createTemporaryFolder({ "a.txt": "old\n" });
  const path = join(folder.path, "a.txt");
  utimesSync(path, 1000, 1000);
  const same = await edit(folder.path, ["a.txt", "--find", "old", "--replace", "old", "--apply"]);
  assert.deepEqual(
    [same.data.applied, same.data.total_replacements, same.data.changes],
    [false, 1, []],
  );
  const none = await refused(folder.path, ["a.txt", "--find", "x", "--replace", "y", "--apply"]);
  assert.equal(none.code, "no_match");
  assert.equal(statSync(path).mtimeMs, 1_000_000);
});

test("an applied edit of which a text is found nowhere changes nothing, and names the nearest line", async () => {
  using folder = createTemporaryFolder({ "human.py": 'if s < 1024:\n    print("small")\n' });
  const pairs = ["--find", "s < 1024:", "--replace", "s <= 1024:"];
  for (const [find, message, suggestion] of [
    ["nope", /Cannot edit "human.py": text 2 \("nope"\) is not in it/, /codetool read/],
    ["print('small')", /text 2/, /line 2, with other quotes: `    print\("small"\)`/],
    ["  print( 'smal')", /text 2/, /line 2 is the nearest: `    print\("small"\)`/],
  ] as const) {
    const flags = ["human.py", ...pairs, "--find", find, "--replace", "y"];
    const error = await refused(folder.path, [...flags, "--apply"]);
    assert.equal(error.code, "no_match");
    assert.match(error.message, message);
    assert.match(String(error["suggestion"]), suggestion);
    const { data, warnings } = await edit(folder.path, flags);
    assert.equal(data.total_replacements, 1);
    assert.match((warnings ?? []).join(), /Text 2 was not found in "human.py"/);
  }
});

test("an edit of the first of several places says how many more there are", async () => {
  using folder = createTemporaryFolder({ "a.py": "import a\nimport b\nimport c\n" });
  const first = ["a.py", "--find", "import", "--replace", "use"];
  const { data, warnings } = await edit(folder.path, first);
  assert.equal(data.total_replacements, 1);
  assert.deepEqual(warnings, [
    '"import" is at 2 more places in "a.py", the next on line 2; --all replaces all of them',
  ]);
  assert.equal((await edit(folder.path, [...first, "--all"])).warnings, undefined);
});

test("where counting the further places ends early, an edit says that there are at least so many", async () => {
  using folder = createTemporaryFolder({ "a.txt": "x\n".repeat(20_000) });
  const { warnings } = await edit(folder.path, ["a.txt", "--find", "x", "--replace", "y"]);
  assert.deepEqual(warnings, [
    '"x" is at 10000 or more other places in "a.txt", the next on line 2; --all replaces all of them',
  ]);
});

test("a syntax that was not checked is neither valid nor broken", async () => {
  using folder = createTemporaryFolder({ "a.ts": source, "b.txt": "old\n" });
  const unchecked = ["a.ts", "--find", "return 1", "--replace", "return (", "--no-syntax-check"];
  assert.equal((await edit(folder.path, unchecked)).data.syntax_valid, null);
  const text = ["b.txt", "--find", "old", "--replace", "new"];
  assert.equal((await edit(folder.path, text)).data.syntax_valid, null);
  const both = ["a.ts", "b.txt", "--regex", "--find", "old|stop", "--replace", "x"];
  const { data } = await edit(folder.path, both);
  assert.deepEqual(
    [data.syntax_valid, ...(data.files ?? []).map(({ syntax_valid: isValid }) => isValid)],
    [null, true, null],
  );
});

test("all names of a file have the edit, and stay names of one file", async () => {
  using folder = createTemporaryFolder({ "a.txt": "old and long\n", "sub/other.txt": "x\n" });
  const [path, otherName] = [join(folder.path, "a.txt"), join(folder.path, "sub/b.txt")];
  linkSync(path, otherName);
  chmodSync(path, 0o640);
  const { ino } = statSync(path);
  await edit(folder.path, ["a.txt", "--find", "old and long", "--replace", "new", "--apply"]);
  assert.equal(readFileSync(otherName, "utf8"), "new\n");
  const stat = statSync(otherName);
  assert.deepEqual([stat.ino, stat.nlink, stat.mode & 0o7777], [ino, 2, 0o640]);
  assert.deepEqual(readdirSync(folder.path).sort(), ["a.txt", "sub"]);
});

test(
  "an edit keeps who may read a file and what is attached to it",
  { skip: process.platform !== "linux" || skipUnless("python3") },
  async () => {
    using folder = createTemporaryFolder({ "a.txt": "old\n" });
    // An access list: owner rw, user 1 rw, group nothing, mask rw, others nothing.
    const set = `import os, struct
entries = [(1, 6, 0xffffffff), (2, 6, 1), (4, 0, 0xffffffff), (16, 6, 0xffffffff), (32, 0, 0xffffffff)]
os.setxattr("a.txt", "system.posix_acl_access", struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *each) for each in entries))
os.setxattr("a.txt", "user.note", b"kept")`;
    const show = `import os
print({name: os.getxattr("a.txt", name) for name in sorted(os.listxattr("a.txt"))}, oct(os.stat("a.txt").st_mode))`;
    const python = async (script: string): Promise<string> =>
      (await runProgram("python3", ["-c", script], { workingDirectory: folder.path })).stdout;
    await python(set);
    const before = await python(show);
    assert.match(before, /posix_acl_access.*user\.note.*kept/s);
    await edit(folder.path, ["a.txt", "--find", "old", "--replace", "new", "--apply"]);
    assert.equal(readFileSync(join(folder.path, "a.txt"), "utf8"), "new\n");
    assert.equal(await python(show), before);
  },
);

test("a hash that is not the file's any more keeps it from being edited", async () => {
  using folder = createTemporaryFolder({ "a.txt": "old\n" });
  const flags = ["a.txt", "--find", "old", "--replace", "new", "--apply", "--expect-hash"];
  const { data } = await edit(folder.path, ["a.txt", "--find", "old", "--replace", "x"]);
  const error = await refused(folder.path, [...flags, "0".repeat(32)]);
  assert.equal(error.code, "file_changed");
  assert.equal(
    (await edit(folder.path, [...flags, data.hash_before.toUpperCase()])).data.applied,
    true,
  );
  assert.equal((await refused(folder.path, [...flags, "abc"])).code, "invalid_argument");
});

test("what cannot be read or written says so, and wrong flags name the nearest", async () => {
  using folder = createTemporaryFolder({ "a.txt": "old\n", "sub/b.txt": "old\n" });
  const flags = ["--find", "old", "--replace", "new", "--apply"];
  assert.equal((await refused(folder.path, ["none.txt", ...flags])).code, "file_not_found");
  for (const [find, message] of [
    ["(", /not a pattern: at column 1, this "\(" is not closed/],
    ["(?=a)", /look-around is not offered/],
  ] as const) {
    const error = await refused(folder.path, [
      "a.txt",
      "--regex",
      "--find",
      find,
      "--replace",
      "x",
    ]);
    assert.equal(error.code, "invalid_argument");
    assert.match(error.message, message);
  }
  const usage = await run(folder.path, ["a.txt", "--find", "a", "--replce", "b"]);
  assert.equal(usage.code, 2);
  assert.match(usage.stderr, /--replce is not a flag of edit; did you mean --replace/);
  assert.equal((await run(folder.path, [])).code, 2);
  if (process.platform === "win32") return;
  if ("userId" in user) chownSync(folder.path, nobody, nobody);
  for (const [name, mode, inFolder] of [
    ["closed.txt", 0o000, 0o755],
    ["readonly.txt", 0o444, 0o755],
    ["fixed/c.txt", 0o644, 0o555],
  ] as const) {
    const path = join(folder.path, name);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, "old\n");
    if ("userId" in user) chownSync(path, nobody, nobody);
    if ("userId" in user) chownSync(join(path, ".."), nobody, nobody);
    chmodSync(path, mode);
    chmodSync(join(path, ".."), inFolder);
    const exit = await runCodetool(["edit", name, ...flags], {
      workingDirectory: folder.path,
      ...user,
    });
    const { error } = JSON.parse(exit.stdout) as Answer;
    assert.deepEqual([exit.code, error.code], [1, "permission_denied"], name);
    chmodSync(join(path, ".."), 0o755);
    assert.deepEqual(
      readdirSync(join(path, "..")).filter((each) => each.startsWith(".codetool")),
      [],
    );
    chmodSync(path, 0o644);
    assert.equal(readFileSync(path, "utf8"), "old\n");
  }
});
