/** `codetool edit` through the real command line: what it writes, and what it leaves as it was. */
import assert from "node:assert/strict";
import {
  chmodSync,
  chownSync,
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
import { codetoolCommand, createTemporaryFolder, runProgram, type ProgramExit } from "testkit";

const { command, args: firstArgs } = codetoolCommand();
const nobody = 65_534;
// The user who may do everything is stopped by no mode.
const user = process.getuid?.() === 0 ? { userId: nobody, groupId: nobody } : {};

interface Payload {
  readonly file: string;
  readonly dry_run: boolean;
  readonly applied: boolean;
  readonly changes: readonly {
    readonly line: number;
    readonly function: string | null;
    readonly before: string;
    readonly after: string;
  }[];
  readonly total_replacements: number;
  readonly total_changes: number;
  readonly syntax_valid: boolean;
  readonly syntax_error: string | null;
  readonly hash_before: string;
  readonly hash_after: string;
  readonly truncated?: boolean;
  readonly files?: readonly Payload[];
}

interface Answer {
  readonly data: Payload;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly [name: string]: unknown;
  };
  readonly warnings?: readonly string[];
}

async function run(folder: string, args: readonly string[], input?: string): Promise<ProgramExit> {
  return await runProgram(command, [...firstArgs, "edit", ...args], {
    workingDirectory: folder,
    ...(input === undefined ? {} : { input }),
  });
}

async function edit(folder: string, args: readonly string[], input?: string): Promise<Answer> {
  const exit = await run(folder, args, input);
  assert.deepEqual([exit.code, exit.stderr], [0, ""], exit.stdout + exit.stderr);
  return JSON.parse(exit.stdout) as Answer;
}

/** Runs an edit that must fail, and checks that no file of the folder was touched. */
async function refused(folder: string, args: readonly string[]): Promise<Answer["error"]> {
  const before = stateOf(folder);
  const exit = await run(folder, args);
  assert.equal(exit.code, 1, exit.stdout + exit.stderr);
  assert.deepEqual(stateOf(folder), before);
  return (JSON.parse(exit.stdout) as Answer).error;
}

/** Names, bytes and times of all files. */
function stateOf(folder: string): unknown {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const { mtimeNs, mode } = statSync(path, { bigint: true });
      return [path, readFileSync(path).toString("latin1"), mtimeNs, mode] as const;
    })
    .sort(([left], [right]) => (left < right ? -1 : 1));
}

const source = `class Server {
  start() {
    return 1;
  }

  stop() {
    return 1;
  }
}

export function start() {
  return 1;
}
`;

test("edit shows what it would do, and does it with --apply", async () => {
  using folder = createTemporaryFolder({ "a.ts": source });
  const flags = ["a.ts", "--find", "return 1;", "--replace", "return 2;"];
  const before = stateOf(folder.path);
  const dry = await edit(folder.path, flags);
  assert.deepEqual(stateOf(folder.path), before);
  assert.deepEqual(Object.keys(dry.data), [
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
  const read = await runProgram(command, [...firstArgs, "read", "a.ts", "--hash"], {
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

test("several files are all written or none", async () => {
  using folder = createTemporaryFolder({
    "a.ts": "let a = 1;\n",
    "b.ts": "let a = 1;\n",
    "c.ts": "let b = 1;\n",
  });
  const flags = ["--find", "let a", "--replace", "let c", "--apply"];
  const { data, warnings } = await edit(folder.path, ["a.ts", "b.ts", "c.ts", ...flags]);
  assert.deepEqual(
    data.files?.map(({ file, applied, total_replacements: count }) => [file, applied, count]),
    [
      ["a.ts", true, 1],
      ["b.ts", true, 1],
      ["c.ts", false, 0],
    ],
  );
  assert.deepEqual([data.applied, data.total_replacements, data.syntax_valid], [true, 2, true]);
  assert.deepEqual(warnings, ['Nothing was found in "c.ts"']);
  for (const [files, replacement, code] of [
    [["a.ts", "b.ts", "missing.ts"], ["let c", "let d"], "file_not_found"],
    [["a.ts", "c.ts"], ["= 1", "= ("], "syntax_error"],
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
  const none = await edit(folder.path, ["a.txt", "--find", "x", "--replace", "y", "--apply"]);
  assert.deepEqual([none.data.applied, none.data.total_replacements], [false, 0]);
  assert.equal(statSync(path).mtimeMs, 1_000_000);
});

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
  assert.equal((await refused(folder.path, ["sub", ...flags])).code, "invalid_argument");
  for (const [find, message] of [
    ["(", /no pattern: at column 1, this "\(" is not closed/],
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
  assert.deepEqual([usage.code, usage.stdout], [2, ""]);
  assert.match(usage.stderr, /--replce is no flag of edit; did you mean --replace/);
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
    const exit = await runProgram(command, [...firstArgs, "edit", name, ...flags], {
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
    'Nothing was found in "a.ts"; with other white space it stands on line 2',
  );
  assert.equal(
    await remark("--find", "CLASS server"),
    'Nothing was found in "a.ts"; in other letter case it stands on line 1',
  );
  assert.equal(
    await remark("--find", "export", "--in-class", "Server"),
    'Nothing was found in "a.ts"; outside of the scope it stands on line 11',
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
