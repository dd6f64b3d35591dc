import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { createTemporaryFolder, createTemporaryRepository } from "testkit";
import {
  type Envelope as CommandEnvelope,
  command,
  firstArgs,
  runCodetool,
} from "../../cli/test-support/codetool.ts";
import { queueUp } from "../../files/replace/claim.ts";
import { writeJournal } from "../../files/replace/journal.ts";
import { place, stageIn } from "../../files/replace/stage.ts";
import { thisProcess } from "../../system/index.ts";
import { countTokens } from "../../text/token-counter.ts";
import type { DiffPayload } from "./payload.ts";

type Envelope = CommandEnvelope<DiffPayload>;

const isWindows = process.platform === "win32";
const plainGit = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };

async function answer(
  args: readonly string[],
  workingDirectory: string,
  environment: { readonly [name: string]: string } = {},
): Promise<Envelope> {
  const { code, stdout, stderr } = await runCodetool(["diff", ...args], {
    workingDirectory,
    environment: { ...plainGit, ...environment },
  });
  assert.equal(stderr, "");
  assert.match(stdout, /^\{[^\n]*\}\n$/);
  const envelope = JSON.parse(stdout) as Envelope;
  assert.equal(code, envelope.status === "ok" ? 0 : 1);
  return envelope;
}

async function diff(
  args: readonly string[],
  workingDirectory: string,
  environment: { readonly [name: string]: string } = {},
): Promise<DiffPayload> {
  const { data, error } = await answer(args, workingDirectory, environment);
  assert.ok(data !== undefined, error?.message ?? "no data");
  return data;
}

async function refusal(
  args: readonly string[],
  workingDirectory: string,
  environment: { readonly [name: string]: string } = {},
): Promise<string> {
  const { error } = await answer(args, workingDirectory, environment);
  assert.ok(error !== undefined);
  assert.doesNotMatch(error.message, /\n/);
  return error.code;
}

const source = `import { readFileSync } from "node:fs";

export function add(a: number, b: number): number {
  return a + b;
}

export class Greeter {
  greet(who: string): string {
    const text = \`hello \${who}\`;
    return text;
  }
}
`;

test("diff attributes additions to the new and deletions to the old function, and says what they mean", async () => {
  using repository = createTemporaryRepository({ "src/a.ts": source });
  repository.write({
    "src/a.ts": source
      .replace("    const text = `hello ${who}`;\n    return text;", "    return `hello ${who}`;")
      .replace("a: number, b: number)", "a: number, b = 1)"),
  });
  const { stats, semantic_notes: notes, hunks, summary } = await diff([], repository.path);
  assert.deepEqual(stats, {
    additions: 2,
    deletions: 3,
    files_changed: 1,
    functions_changed: ["src/a.ts:add", "src/a.ts:Greeter/greet"],
  });
  assert.equal(summary, "1 file changed, +2 -3, 2 functions");
  assert.deepEqual(notes, [
    "src/a.ts: signature of `add` changed: `export function add(a: number, b: number): number` -> `export function add(a: number, b = 1): number`; body changed: `Greeter/greet`",
  ]);
  assert.deepEqual(
    hunks?.map((hunk) => [hunk.function, hunk.old_range, hunk.new_range]),
    [
      ["add", { start: 3, end: 3 }, { start: 3, end: 3 }],
      ["Greeter/greet", { start: 9, end: 10 }, { start: 9, end: 9 }],
    ],
  );
});

test("a deletion alone belongs to the method it stood in", async () => {
  using repository = createTemporaryRepository({ "a.ts": source });
  repository.write({ "a.ts": source.replace("    const text = `hello ${who}`;\n", "") });
  const { hunks, stats } = await diff([], repository.path);
  assert.deepEqual(stats.functions_changed, ["a.ts:Greeter/greet"]);
  assert.deepEqual(hunks, [
    {
      file: "a.ts",
      function: "Greeter/greet",
      old_range: { start: 9, end: 9 },
      new_range: { start: 9, end: 8 },
      changes: [{ type: "deletion", old: "    const text = `hello ${who}`;", new: null }],
    },
  ]);
});

test("staged changes are those of the index, the rest is not shown", async () => {
  using repository = createTemporaryRepository({ "a.txt": "one\ntwo\n" });
  repository.write({ "a.txt": "one\nTWO\n" });
  repository.git("add", "a.txt");
  repository.write({ "a.txt": "ONE\nTWO\n", "untracked.txt": "new\n" });
  const staged = await diff(["--staged"], repository.path);
  assert.deepEqual(staged.files, { "a.txt": "modified +1 -1" });
  assert.deepEqual(staged.hunks?.[0]?.changes, [{ type: "modification", old: "two", new: "TWO" }]);
  const all = await diff([], repository.path);
  assert.deepEqual(all.files, {
    "a.txt": "modified +2 -2",
    "untracked.txt": "untracked +1 -0",
  });
});

test("two refs are compared without the working tree; three dots begin where they parted", async () => {
  using repository = createTemporaryRepository({ "a.txt": "1\n" });
  repository.git("checkout", "-q", "-b", "side");
  repository.write({ "side.txt": "side\n" });
  repository.commit("side");
  repository.git("checkout", "-q", "main");
  repository.write({ "a.txt": "2\n" });
  repository.commit("main");
  repository.write({ "dirty.txt": "x\n" });
  const two = await diff(["--since", "main..side"], repository.path);
  assert.deepEqual(Object.keys(two.files ?? {}), ["a.txt", "side.txt"]);
  const parted = await diff(["--since", "main...side"], repository.path);
  assert.deepEqual(Object.keys(parted.files ?? {}), ["side.txt"]);
  const open = await diff(["--since", "side.."], repository.path);
  assert.deepEqual(open.files, { "a.txt": "modified +1 -1", "side.txt": "deleted +0 -1" });
  const older = await diff(["--since", "HEAD~1"], repository.path);
  assert.deepEqual(Object.keys(older.files ?? {}), ["a.txt", "dirty.txt"]);
});

test(
  "renames, modes, binary files, links and missing last newlines are told",
  { skip: isWindows },
  async () => {
    using repository = createTemporaryRepository({
      "old name.txt": "a\nb\nc\nd\ne\nf\n",
      "run.sh": "echo\n",
      "data.bin": "\0\u0001",
      "link-to-be": "file\n",
      "end.txt": "x\ny",
      "gone.ts": source,
    });
    repository.git("mv", "old name.txt", "new name.txt");
    repository.write({
      "new name.txt": "a\nb\nc\nd\ne\nF\n",
      "data.bin": "\0\u0002",
      "end.txt": "x\ny\n",
    });
    chmodSync(join(repository.path, "run.sh"), 0o755);
    rmSync(join(repository.path, "link-to-be"));
    symlinkSync("end.txt", join(repository.path, "link-to-be"));
    rmSync(join(repository.path, "gone.ts"));
    const { files, semantic_notes: notes, hunks } = await diff([], repository.path);
    assert.deepEqual(files, {
      "data.bin": "modified binary",
      "end.txt": "modified +1 -1",
      "gone.ts": "deleted +0 -12",
      "link-to-be": "modified +1 -1",
      "new name.txt": "renamed from old name.txt +1 -1",
      "run.sh": "modified +0 -0",
    });
    assert.deepEqual(notes, [
      "data.bin: binary file changed",
      "gone.ts: deleted file with function `add`, class `Greeter`",
      "link-to-be: became a symbolic link",
      "new name.txt: renamed from old name.txt",
      "run.sh: mode changed from 100644 to 100755",
    ]);
    const end = hunks?.find((hunk) => hunk.file === "end.txt");
    assert.equal(end?.old_without_newline, true);
    assert.equal(end?.new_without_newline, undefined);
  },
);

test(
  "paths with line breaks, quotes and what is no UTF-8 come back right",
  { skip: isWindows },
  async () => {
    using repository = createTemporaryRepository({ "a.ts": source });
    const odd = 'we"ird\n@@ -1 +1 @@ \\ tab\t.ts';
    repository.write({ [odd]: source });
    const bytes = Buffer.concat([
      Buffer.from(`${repository.path}/caf`),
      Buffer.from([0xe9, 0x2e, 0x74, 0x73]),
    ]);
    writeFileSync(bytes, source);
    repository.commit("odd names");
    repository.write({ [odd]: source.replace("return text", "return who") });
    writeFileSync(bytes, source.replace("a + b", "b + a"));
    const { data, warnings } = await answer([], repository.path);
    assert.deepEqual(warnings, [
      "1 file has a name that is not UTF-8: it is shown with U+FFFD, and names no file",
    ]);
    const { hunks, stats } = data ?? {};
    assert.deepEqual(
      hunks?.map((hunk) => [hunk.file, hunk.function]),
      [
        ["caf\uFFFD.ts", "add"],
        [odd, "Greeter/greet"],
      ],
    );
    assert.equal(stats?.additions, 2);
  },
);

test("a file or a folder limits the diff, from any folder, a deleted file too", async () => {
  using repository = createTemporaryRepository({
    "src/a.ts": source,
    "src/deep/b.ts": source,
    "c.ts": source,
  });
  for (const path of ["src/a.ts", "src/deep/b.ts", "c.ts"])
    repository.write({ [path]: source.replace("a + b", "b + a") });
  const namesOf = async (args: readonly string[], folder: string): Promise<string[]> =>
    Object.keys((await diff(args, join(repository.path, folder))).files ?? {});
  assert.deepEqual(await namesOf([], "src"), ["../c.ts", "a.ts", "deep/b.ts"]);
  assert.deepEqual(await namesOf(["."], "src"), ["a.ts", "deep/b.ts"]);
  assert.deepEqual(await namesOf(["deep"], "src"), ["deep/b.ts"]);
  assert.deepEqual(await namesOf(["a.ts"], "src"), ["a.ts"]);
  assert.deepEqual(await namesOf(["../a.ts"], "src/deep"), ["../a.ts"]);
  const absolute = join(repository.path, "c.ts");
  assert.deepEqual(await namesOf([absolute], "src"), [absolute]);
  rmSync(join(repository.path, "src/deep/b.ts"));
  assert.deepEqual(await namesOf(["src/deep/b.ts"], ""), ["src/deep/b.ts"]);
  assert.deepEqual(await namesOf(["b.ts"], "src/deep"), ["b.ts"]);
  const from = join(repository.path, "src");
  for (const [argument, meant] of [
    ["src/deep/b.ts", "deep/b.ts"],
    ["c.ts", "../c.ts"],
  ] as const) {
    const { stdout } = await runCodetool(["diff", argument], { workingDirectory: from });
    const { error } = JSON.parse(stdout) as Envelope;
    assert.equal(error?.code, "file_not_found");
    assert.match(error.message, /does not exist here, only at the root of the tree$/);
    assert.equal(error.suggestion, `Use "${meant}": paths begin at the working directory`);
  }
});

test("before the first commit everything is new, staged or not", async () => {
  using repository = createTemporaryRepository();
  assert.equal((await diff([], repository.path)).summary, "no changes");
  repository.write({ "a.ts": source, "b.txt": "b\n" });
  repository.git("add", "a.ts");
  assert.deepEqual((await diff([], repository.path)).files, {
    "a.ts": "added +12 -0",
    "b.txt": "untracked +1 -0",
  });
  assert.deepEqual((await diff(["--staged"], repository.path)).files, { "a.ts": "added +12 -0" });
});

test("submodules and repositories inside are named by what they are", async () => {
  using inner = createTemporaryRepository({ "in.txt": "1\n" });
  using repository = createTemporaryRepository({ "a.txt": "a\n" });
  repository.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", inner.path, "sub");
  repository.commit("with a submodule");
  inner.write({ "in.txt": "2\n" });
  inner.commit("second");
  const sub = join(repository.path, "sub");
  repository.git("-C", sub, "pull", "-q");
  mkdirSync(join(repository.path, "nested"));
  repository.git("init", "-q", "nested");
  const { semantic_notes: notes, stats } = await diff([], repository.path);
  assert.match(notes[0] ?? "", /^sub: submodule from [0-9a-f]{10} to [0-9a-f]{10}$/);
  assert.deepEqual(notes.slice(1), [
    "nested/: new file, untracked; content left out: it is itself a git repository",
  ]);
  assert.equal(stats.additions, 1);
});

test("what a hook's environment and the user's configuration say changes nothing", async () => {
  using repository = createTemporaryRepository({ "a.ts": source });
  using other = createTemporaryRepository({ "other.txt": "x\n" });
  repository.write({ "a.ts": source.replace("a + b", "b + a") });
  for (const [name, value] of Object.entries({
    "diff.noprefix": "true",
    "diff.mnemonicPrefix": "true",
    "diff.external": "false",
    "color.ui": "always",
    "diff.context": "7",
    "diff.interHunkContext": "9",
    "diff.renames": "false",
    "core.quotePath": "false",
    "diff.submodule": "log",
    "core.fsmonitor": "false",
  }))
    repository.git("config", name, value);
  const hook = {
    GIT_DIR: join(other.path, ".git"),
    GIT_WORK_TREE: other.path,
    GIT_INDEX_FILE: join(other.path, ".git", "index"),
    GIT_PREFIX: "sub/",
    GIT_EXTERNAL_DIFF: "false",
    GIT_DIFF_OPTS: "-u9",
    GIT_LITERAL_PATHSPECS: "1",
  };
  const { files, hunks } = await diff(["a.ts"], repository.path, hook);
  assert.deepEqual(files, { "a.ts": "modified +1 -1" });
  assert.equal(hunks?.[0]?.changes.length, 1);
});

test(
  "in a hook of git commit -a what is staged is the commit in the making",
  { skip: isWindows },
  async () => {
    using repository = createTemporaryRepository({ "a.ts": source });
    repository.write({ "a.ts": source.replace("a + b", "b + a") });
    const said = join(repository.path, ".git", "said");
    const words = [command, ...firstArgs, "diff", "--staged"].map((word) => `'${word}'`).join(" ");
    const hook = join(repository.path, ".git", "hooks", "pre-commit");
    mkdirSync(dirname(hook), { recursive: true });
    writeFileSync(hook, `#!/bin/sh\n${words} > '${said}'\n`);
    chmodSync(hook, 0o755);
    repository.git("commit", "-q", "-a", "-m", "second");
    const { data } = JSON.parse(readFileSync(said, "utf8")) as Envelope;
    assert.deepEqual(data?.files, { "a.ts": "modified +1 -1" });
  },
);

test("a run of lines of one type is one change, its lines joined by line feeds", async () => {
  using repository = createTemporaryRepository({ "a.txt": "one\n" });
  repository.write({ "a.txt": "zero: the new first\n\none\n" });
  const { hunks } = await diff([], repository.path);
  assert.deepEqual(
    hunks?.map((hunk) => hunk.changes),
    [[{ type: "addition", old: null, new: "zero: the new first\n" }]],
  );
});

test("--stat-only names three functions: of the files with the most changed lines, tests last", async () => {
  const functionsOf = (sizes: readonly number[]): string =>
    sizes
      .map((size, at) => `function f${at}() {\n${`  call(${at});\n`.repeat(size)}}\n`)
      .join("\n");
  using repository = createTemporaryRepository({ "a.js": functionsOf([1, 1, 1, 1, 1]) });
  repository.write({ "a.js": functionsOf([4, 2, 1, 5, 3]) });
  const { stats } = await diff(["--stat-only"], repository.path);
  assert.deepEqual(stats.functions_changed, ["a.js:f0", "a.js:f3", "a.js:f4"]);
  assert.equal(stats.functions_total, 4);
  repository.write({ "b.test.js": functionsOf([9]), "c.js": functionsOf([1]) });
  const several = await diff(["--stat-only"], repository.path);
  assert.deepEqual(several.stats.functions_changed, ["a.js:f0", "a.js:f3", "c.js:f0"]);
});

test("--stat-only has counts and few names, --functions the functions, and neither lines", async () => {
  using repository = createTemporaryRepository({ "a.ts": source });
  repository.write({ "a.ts": source.replace("a + b", "b + a"), "b.ts": source });
  const stat = await diff(["--stat-only"], repository.path);
  assert.deepEqual(stat, {
    root: repository.path,
    summary: "2 files changed, +13 -1",
    stats: {
      additions: 13,
      deletions: 1,
      files_changed: 2,
      functions_changed: ["a.ts:add", "b.ts:add", "b.ts:Greeter/greet"],
    },
    semantic_notes: [],
    hunks: null,
  });
  const { functions, hunks } = await diff(["--functions"], repository.path);
  assert.equal(hunks, null);
  assert.deepEqual(functions?.[0], {
    file: "a.ts",
    function: "add",
    change: "body",
    lines: { start: 3, end: 5 },
    additions: 1,
    deletions: 1,
  });
  assert.deepEqual(
    functions?.map((entry) => entry.function),
    ["add", "add", "Greeter/greet"],
  );
});

test("a budget holds for the whole answer; hunks are left out whole", async () => {
  const many = Array.from(
    { length: 30 },
    (_, index) => `export function f${index}(): number {\n  return ${index};\n}\n`,
  ).join("\n");
  using repository = createTemporaryRepository({ "a.ts": many, "b.ts": source });
  repository.write({
    "a.ts": many.replaceAll(/return (\d+);/g, "return 100 + $1;"),
    "b.ts": source.replace("a + b", "b + a"),
  });
  const whole = await diff([], repository.path);
  assert.equal(whole.hunks?.length, 31);
  for (const budget of [120, 300, 700, 1500, 100_000]) {
    const data = await diff(["--budget", String(budget)], repository.path);
    assert.ok(countTokens(JSON.stringify(data)) <= budget, `within ${budget}`);
    const isCut = (data.hunks ?? []).length < 31;
    assert.equal(data.truncated, isCut ? true : undefined);
    for (const hunk of data.hunks ?? [])
      assert.ok(whole.hunks?.some((each) => JSON.stringify(each) === JSON.stringify(hunk)));
    assert.equal(data.stats.additions, 31);
  }
});

test("an answer of more than 10 000 tokens says how to ask for less", async () => {
  const many = Array.from({ length: 9000 }, (_, index) => `line ${index}\n`).join("");
  using repository = createTemporaryRepository({ "a.txt": "one\n" });
  repository.write({ "new.txt": many });
  const { warnings } = await answer([], repository.path);
  assert.match(
    warnings?.join("\n") ?? "",
    /about \d{5} tokens; for less: a file or a folder .*, --functions or --stat-only .*--budget/,
  );
  for (const flags of [["--stat-only"], ["--budget", "500"]]) {
    const short = await answer([...flags], repository.path);
    assert.doesNotMatch(short.warnings?.join("\n") ?? "", /for less/);
  }
});

test("every error of diff comes with its code", async () => {
  using repository = createTemporaryRepository({ "a.ts": source, "gone.ts": source });
  using bare = createTemporaryFolder({ "a.txt": "x\n" });
  const at = repository.path;
  assert.equal(await refusal([], bare.path), "git_error");
  assert.equal(await refusal(["a.txt"], bare.path), "git_error");
  assert.equal(await refusal(["nothing.txt"], bare.path), "file_not_found");
  assert.equal(await refusal(["nothing.ts"], at), "file_not_found");
  assert.equal(await refusal(["no/such/folder.ts"], at), "file_not_found");
  assert.equal(await refusal(["--since", "nosuchref"], at), "git_error");
  for (const commit of ["HEAD", "HEAD..HEAD"]) {
    const { error } = await answer([commit], at);
    assert.equal(error?.code, "file_not_found");
    assert.match(error?.message ?? "", /is a commit, and no file/);
    assert.equal(error?.suggestion, `Compare with it by \`--since ${commit}\``);
  }
  assert.equal(await refusal(["--since", "main..nosuchref"], at), "git_error");
  assert.equal(await refusal(["--since=--output=/tmp/x"], at), "invalid_argument");
  assert.equal(await refusal(["--since=main..--output=x"], at), "invalid_argument");
  assert.equal(await refusal(["--since="], at), "invalid_argument");
  assert.equal(await refusal(["--since=^HEAD"], at), "invalid_argument");
  assert.equal(await refusal(["--staged", "--since", "HEAD..main"], at), "invalid_argument");
  assert.equal(await refusal(["--functions", "--stat-only"], at), "invalid_argument");
  assert.equal(await refusal([""], at), "invalid_argument");
  assert.equal(await refusal(["--budget", "10"], at), "budget_exceeded");
  assert.equal(await refusal([], at, { PATH: "/nowhere" }), "git_error");
  rmSync(join(at, ".git", "HEAD"));
  assert.equal(await refusal([], at), "git_error");
});

test("git missing from PATH is told in one line", { skip: isWindows }, async () => {
  using repository = createTemporaryRepository({ "a.ts": source });
  const { error } = await answer([], repository.path, { PATH: "/nowhere" });
  assert.match(
    error?.message ?? "",
    /^Cannot compare with "HEAD": git says nothing: it is not installed, or not in PATH$/,
  );
});

test("diff in a batch answers as on the command line, and a bad line harms no other", async () => {
  using repository = createTemporaryRepository({ "src/a.ts": source });
  repository.write({ "src/a.ts": source.replace("a + b", "b + a") });
  const environment = plainGit;
  const lines = [
    { id: 1, cmd: "diff", file: "src/a.ts" },
    { id: 2, cmd: "diff", since: "nosuchref" },
    { id: 3, cmd: "diff", path: "src", stat_only: true },
  ];
  const { stdout } = await runCodetool(["batch"], {
    workingDirectory: repository.path,
    environment,
    input: lines.map((line) => JSON.stringify(line)).join("\n"),
  });
  const [first, second, third] = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Envelope);
  assert.deepEqual(first?.data, await diff(["src/a.ts"], repository.path));
  assert.equal(second?.error?.code, "git_error");
  assert.deepEqual(third?.data, await diff(["src", "--stat-only"], repository.path));
});

test("--plain is for people: summary, notes, lines below their file and function", async () => {
  using repository = createTemporaryRepository({ "a.ts": source });
  repository.write({ "a.ts": source.replace("a + b", "b + a"), "new.txt": "one\n" });
  const { stdout } = await runCodetool(["diff", "--plain"], {
    workingDirectory: repository.path,
    environment: plainGit,
  });
  assert.equal(
    stdout,
    `2 files changed, +2 -1, 1 function
  a.ts: body changed: \`add\`
  new.txt: new file, untracked

a.ts:
@@ -4 +4 @@ add
-  return a + b;
+  return b + a;

new.txt:
@@ -0,0 +1 @@
+one
`,
  );
});

test("diff finishes the edit of a killed process before it compares, and shows nothing of an edit's own files", async () => {
  using repository = createTemporaryRepository({ "a/one.txt": "old\n", "b/two.txt": "old\n" });
  const at = repository.path;
  const [folderA, folderB] = [join(at, "a"), join(at, "b")] as const;
  const dead = { id: 99_999_999, mark: "1", isAlive: () => true };
  const id = "99999999-1-1";
  const staged = [folderA, folderB].flatMap((folder) => {
    queueUp(folder, id, dead);
    const path = join(folder, folder === folderA ? "one.txt" : "two.txt");
    return stageIn(folder, id, [
      { path, before: Buffer.from("old\n"), after: Buffer.from("new\n") },
    ]);
  });
  writeJournal([folderA, folderB], id, staged);
  for (const file of staged.slice(0, 1)) place(file);
  const { files } = await diff([], at);
  assert.deepEqual(Object.keys(files ?? {}), ["a/one.txt", "b/two.txt"]);
  assert.equal(readFileSync(join(at, "b/two.txt"), "utf8"), "new\n");
  const own = `${process.pid}-${thisProcess().mark}-1`;
  queueUp(folderB, own, thisProcess());
  assert.deepEqual((await diff([], at)).files, files);
});
