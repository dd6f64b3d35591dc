/** `codetool edit` through the real command line: what it replaces, where, and what it says. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder, runProgram } from "testkit";
import { runCodetool } from "../../cli/test-support/codetool.ts";
import { run, edit, refused, stateOf, source } from "./test-support/edit-command.ts";

test("edit shows what it would do, and does it with --apply", async () => {
  using folder = createTemporaryFolder({ "a.ts": source });
  const flags = ["a.ts", "--find", "return 1;", "--replace", "return 2;"];
  const before = stateOf(folder.path);
  const dry = await edit(folder.path, flags);
  assert.deepEqual(stateOf(folder.path), before);
  assert.deepEqual(Object.keys(dry.data), [
    "root",
    "file",
    "dry_run",
    "applied",
    "changes",
    "total_replacements",
    "total_changes",
    "syntax_valid",
    "syntax_error",
    "hash_before",
    "hash_after",
  ]);
  assert.deepEqual(
    [dry.data.file, dry.data.dry_run, dry.data.applied, dry.data.syntax_valid],
    ["a.ts", true, false, true],
  );
  assert.deepEqual(dry.data.changes, [
    { line: 3, function: "start", before: "    return 1;", after: "    return 2;" },
  ]);
  const { data } = await edit(folder.path, [...flags, "--apply"]);
  assert.deepEqual(
    { ...dry.data, dry_run: false, applied: true },
    { ...data },
    "the dry run tells what is done",
  );
  assert.equal(readFileSync(join(folder.path, "a.ts"), "utf8"), source.replace("1", "2"));
  const read = await runCodetool(["read", "a.ts", "--hash"], {
    workingDirectory: folder.path,
  });
  assert.ok(read.stdout.includes(data.hash_after));
  assert.deepEqual(readdirSync(folder.path), ["a.ts"]);
});

test("edit replaces the first occurrence, or all, of a text or a pattern", async () => {
  using folder = createTemporaryFolder({ "a.ts": source });
  const count = async (...flags: string[]): Promise<[number, number[]]> => {
    const { data } = await edit(folder.path, ["a.ts", ...flags]);
    return [data.total_replacements, data.changes.map(({ line }) => line)];
  };
  assert.deepEqual(await count("--find", "return 1", "--replace", "x = 1"), [1, [3]]);
  assert.deepEqual(await count("--find", "return 1", "--replace", "x = 1", "--all"), [
    3,
    [3, 7, 12],
  ]);
  assert.deepEqual(await count("--regex", "--find", "return \\d", "--replace", "x"), [1, [3]]);
  assert.deepEqual(
    await count("--regex", "--find", "(\\w+)\\(\\)", "--replace", "$1(a)", "--all"),
    [3, [2, 6, 11]],
  );
  assert.deepEqual(await count("--find", "nowhere", "--replace", "x"), [0, []]);
  assert.deepEqual(await count("--find", "1;\n  }\n\n  stop", "--replace", "1;\n  }\n\n  halt"), [
    1,
    [6],
  ]);
});

test("pairs are replaced one after another and written at once", async () => {
  using folder = createTemporaryFolder({ "a.ts": source });
  const { data } = await edit(folder.path, [
    "a.ts",
    "--find",
    "return 1",
    "--replace",
    "return one",
    "--find",
    "one",
    "--replace",
    "uno",
    "--apply",
  ]);
  assert.equal(data.total_replacements, 2);
  assert.deepEqual(data.changes, [
    { line: 3, function: "start", before: "    return 1;", after: "    return uno;" },
  ]);
  const error = await refused(folder.path, [
    "a.ts",
    "--find",
    "a",
    "--find",
    "b",
    "--replace",
    "c",
  ]);
  assert.equal(error.code, "invalid_argument");
  assert.match(error.message, /2 find and 1 replace/);
});

test("a scope bounds an edit; one that is not there or there twice writes nothing", async () => {
  using folder = createTemporaryFolder({
    "a.ts": source,
    "b.go":
      "package b\n\ntype S struct {\n\tn int\n}\n\nfunc (s *S) N() int {\n\treturn s.n\n}\n\nfunc N() int {\n\treturn 1\n}\n",
    "c.cpp": "int A::f() {\n  return 1;\n}\nint B::f() {\n  return 1;\n}\n",
    "d.txt": "return 1;\n",
  });
  const lines = async (file: string, ...flags: string[]): Promise<number[]> =>
    (
      await edit(folder.path, [file, "--find", "return", "--replace", "yield", "--all", ...flags])
    ).data.changes.map(({ line }) => line);
  assert.deepEqual(await lines("a.ts", "--in-function", "stop", "--no-syntax-check"), [7]);
  assert.deepEqual(await lines("a.ts", "--in-function", "Server/start", "--no-syntax-check"), [3]);
  assert.deepEqual(await lines("a.ts", "--in-function", "Server.start", "--no-syntax-check"), [3]);
  assert.deepEqual(await lines("a.ts", "--in-function", "/start", "--no-syntax-check"), [12]);
  assert.deepEqual(await lines("a.ts", "--in-function", "start:11", "--no-syntax-check"), [12]);
  assert.deepEqual(await lines("a.ts", "--in-class", "Server", "--no-syntax-check"), [3, 7]);
  const both = ["--in-class", "Server", "--in-function", "start", "--syntax-check", "false"];
  assert.deepEqual(await lines("a.ts", ...both), [3]);
  assert.deepEqual(await lines("b.go", "--in-function", "S.N", "--no-syntax-check"), [8]);
  assert.deepEqual(await lines("b.go", "--in-class", "S", "--no-syntax-check"), [8]);
  assert.deepEqual(await lines("c.cpp", "--in-function", "A::f", "--no-syntax-check"), [2]);
  assert.deepEqual(await lines("c.cpp", "--in-class", "B", "--no-syntax-check"), [5]);
  for (const [file, flags, message] of [
    ["a.ts", ["--in-function", "stpo"], /no such function; did you mean stop/],
    [
      "a.ts",
      ["--in-function", "start"],
      /2 functions have this name: write one of Server\/start:2, start:11/,
    ],
    ["a.ts", ["--in-function", "Server"], /it is a class, wanted a function/],
    ["a.ts", ["--in-class", "Servr"], /no such class; did you mean Server/],
    ["a.ts", ["--in-class", "Server", "--in-function", "halt"], /no such function/],
    ["d.txt", ["--in-function", "start"], /there is no grammar for/],
  ] as const) {
    const error = await refused(folder.path, [
      file,
      "--find",
      "return",
      "--replace",
      "x",
      "--apply",
      ...flags,
    ]);
    assert.equal(error.code, "invalid_range", message.source);
    assert.match(error.message, message);
  }
});

test("an edit that adds an error of syntax is refused, one beside old errors is not", async () => {
  using folder = createTemporaryFolder({
    "a.ts": source,
    "old.py": "def broken(:\n    pass\n\n\ndef good():\n    return 1\n",
  });
  const bad = ["a.ts", "--find", "stop() {", "--replace", "stop( {"];
  const dry = await edit(folder.path, bad);
  assert.equal(dry.data.syntax_valid, false);
  assert.match(dry.data.syntax_error ?? "", /^line \d+: /);
  const error = await refused(folder.path, [...bad, "--apply"]);
  assert.equal(error.code, "syntax_error");
  assert.deepEqual(
    [error["file"], error["applied"], error["syntax_valid"]],
    ["a.ts", false, false],
  );
  assert.ok(Number(error["line"]) >= 6);
  const unchecked = await edit(folder.path, [...bad, "--apply", "--no-syntax-check"]);
  assert.equal(unchecked.data.applied, true);

  const beside = ["old.py", "--find", "return 1", "--apply", "--replace"];
  const kept = await edit(folder.path, [...beside, "return 2"]);
  assert.deepEqual([kept.data.applied, kept.data.syntax_valid], [true, true]);
  assert.match((kept.warnings ?? []).join(), /had errors of syntax before; the edit adds none/);
  const worse = await refused(folder.path, [
    "old.py",
    "--find",
    "return 2",
    "--apply",
    "--replace",
    "return ((2",
  ]);
  assert.equal(worse.code, "syntax_error");
  const fixed = await edit(folder.path, ["old.py", "--find", "(:", "--apply", "--replace", "():"]);
  assert.deepEqual([fixed.data.applied, fixed.warnings], [true, undefined]);
});

test("the line of an error of syntax is that of the edit where the whole file no longer parses", async () => {
  const head = "/** Says\n * much. */\n".repeat(8);
  const types = "type Handler<E = any> = (c: E, next?: () => void) => E | undefined;\n".repeat(8);
  const body = "export const one: Handler = (c) => {\n  return c\n}\n";
  using folder = createTemporaryFolder({
    "a.ts": `${head}${types}${body}${body.replace("one", "two")}`,
  });
  const args = [
    "a.ts",
    "--find",
    "two: Handler = (c) => {",
    "--replace",
    "two: Handler = (c) => {{",
  ];
  const error = await refused(folder.path, [...args, "--apply"]);
  assert.equal(error.code, "syntax_error");
  const line1 = 8 * 2 + 8 + 4;
  assert.ok(Number(error["line"]) >= line1, `line ${String(error["line"])}: ${error.message}`);
});

test("a pattern that backtracks elsewhere for ever answers here", async () => {
  using folder = createTemporaryFolder({ "a.txt": `${"a".repeat(50_000)}\n` });
  const { data } = await edit(folder.path, [
    "a.txt",
    "--regex",
    "--find",
    "(a*)*b",
    "--replace",
    "x",
  ]);
  assert.equal(data.total_replacements, 0);
  const error = await refused(folder.path, [
    "a.txt",
    "--regex",
    "--all",
    "--find",
    "(?s)a.*z|a",
    "--replace",
    "x",
  ]);
  assert.equal(error.code, "invalid_argument");
  assert.match(error.message, /too costly/);
});

test("a budget keeps as many changes as fit, and says that some are left out", async () => {
  using folder = createTemporaryFolder({ "a.txt": "old line\n".repeat(500) });
  const { data } = await edit(folder.path, [
    "a.txt",
    "--find",
    "old",
    "--replace",
    "new",
    "--all",
    "--budget",
    "400",
  ]);
  assert.deepEqual([data.total_changes, data.truncated], [500, true]);
  assert.ok(data.changes.length > 3 && data.changes.length < 20, String(data.changes.length));
});

test("--plain is a diff that applies", async () => {
  using folder = createTemporaryFolder({ "a.ts": source });
  const exit = await run(folder.path, ["a.ts", "--find", "stop", "--replace", "halt", "--plain"]);
  assert.equal(
    exit.stdout,
    "--- a/a.ts\n+++ b/a.ts\n@@ -3,7 +3,7 @@\n     return 1;\n   }\n \n-  stop() {\n+  halt() {\n     return 1;\n   }\n }\n",
  );
  const git = await runProgram("git", ["apply", "-p1"], {
    workingDirectory: folder.path,
    input: exit.stdout,
  });
  assert.equal(git.code, 0, git.stderr);
  assert.equal(readFileSync(join(folder.path, "a.ts"), "utf8"), source.replace("stop", "halt"));
});

test("what is not found comes with where something like it stands", async () => {
  using folder = createTemporaryFolder({
    "a.ts": source,
    "b.json": '{ "a": 1 }\n',
    "c.json": "{ // c\n}\n",
  });
  const remark = async (...flags: string[]): Promise<string> =>
    ((await edit(folder.path, ["a.ts", ...flags, "--replace", "x"])).warnings ?? []).join();
  assert.equal(
    await remark("--find", "start()  {"),
    'Nothing was found in "a.ts"; it is on line 2, with other white space: `  start() {`',
  );
  assert.equal(
    await remark("--find", "CLASS server"),
    'Nothing was found in "a.ts"; it is on line 1, in other letter case: `class Server {`',
  );
  assert.equal(
    await remark("--find", "export", "--in-class", "Server"),
    'Nothing was found in "a.ts"; it is on line 11, outside of the scope: `export function start() {`',
  );
  assert.equal(await remark("--find", "(a.b"), 'Nothing was found in "a.ts"');
  const two = await edit(folder.path, [
    "a.ts",
    "--find",
    "stop",
    "--replace",
    "a",
    "--find",
    "none",
    "--replace",
    "b",
  ]);
  assert.deepEqual(
    [two.data.total_replacements, two.warnings],
    [1, ['Text 2 was not found in "a.ts"']],
  );
  const json = await refused(folder.path, ["b.json", "--find", "1 }", "--replace", "1", "--apply"]);
  assert.equal(json.code, "syntax_error");
  const odd = await edit(folder.path, ["c.json", "--find", "// c", "--replace", "// d", "--apply"]);
  assert.equal(odd.data.applied, true);
});
