/** Each error code of the table, by the real command line: its exit code, its envelope, and nothing changed on the disk. */
import assert from "node:assert/strict";
import { chmodSync, chownSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { createTemporaryFolder, type ProgramExit } from "testkit";
import { type Envelope, runCodetool } from "../cli/test-support/codetool.ts";
import { errors } from "../envelope/index.ts";

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

const files = {
  "a.ts": "export function first() {\n  return 1;\n}\n",
  "closed.ts": "export const closed = 1;\n",
  "data.bin": "\0\0\0\0",
};

/** Command lines by the code that they end with. */
const rows: { readonly [code: string]: readonly (readonly string[])[] } = {
  file_not_found: [
    ["search", "x", "nowhere"],
    ["read", "nowhere.ts"],
    ["find", "nowhere"],
    ["outline", "nowhere.ts"],
    ["exists", "x", "nowhere"],
    ["context", "nowhere"],
    ["impact", "nowhere.ts"],
    ["explain", "a", "nowhere.ts"],
    ["map", "nowhere"],
    ["edit", "nowhere.ts", "--find", "a", "--replace", "b", "--apply"],
    ["index", "nowhere"],
    ["run", "no-such-program-anywhere"],
  ],
  permission_denied: [
    ["read", "closed.ts"],
    ["outline", "closed.ts"],
    ["edit", "closed.ts", "--find", "a", "--replace", "b", "--apply"],
  ],
  parse_error: [["outline", "data.bin"]],
  invalid_range: [
    ["read", "a.ts", "--lines", "9-12"],
    ["read", "a.ts", "--lines", "3-1"],
    ["read", "a.ts:9"],
    ["read", "a.ts", "--symbol", "nothing"],
    ["edit", "a.ts", "--find", "1", "--replace", "2", "--in-function", "nothing", "--apply"],
    ["edit", "a.ts", "--replace-body", "nothing", "--text", "x", "--apply"],
  ],
  syntax_error: [["edit", "a.ts", "--find", "return 1;", "--replace", "return (", "--apply"]],
  file_changed: [
    ["edit", "a.ts", "--find", "1", "--replace", "2", "--expect-hash", "0".repeat(32), "--apply"],
  ],
  no_match: [["edit", "a.ts", "--find", "second", "--replace", "third", "--apply"]],
  budget_exceeded: [["read", "a.ts", "--budget", "1"]],
  index_missing: [["index", "--stats", "."]],
  git_error: [["diff"], ["diff", "--since", "nothing"], ["find", "--changed-since", "nothing"]],
  invalid_argument: [
    ["search", "", "."],
    ["read", "a.ts", "--if-changed", "12"],
    ["exists", ""],
    ["edit", "a.ts", "--find", "a", "--find", "b", "--replace", "c", "--apply"],
    ["edit", "a.ts", "--find", "(", "--replace", "c", "--regex", "--apply"],
    ["impact", "a.ts", "--symbol", "nothing"],
    ["explain", "nothing"],
  ],
};

/** Names, content and times of all files. */
function stateOf(folder: string): unknown[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => {
      const stats = statSync(path);
      return [path, stats.mtimeMs, stats.mode, stats.isFile() && readFileSync(path, "latin1")];
    });
}

test("each error code is one envelope, exit code 1, and changes nothing", async () => {
  using folder = createTemporaryFolder(files);
  chmodSync(join(folder.path, "closed.ts"), 0);
  if (isRoot)
    for (const path of [folder.path, ...Object.keys(files).map((name) => join(folder.path, name))])
      chownSync(path, nobody, nobody);
  const path = process.platform === "win32" ? process.env["PATH"] : "/usr/bin:/bin";
  // Outside of any repository.
  const run = async (
    args: readonly string[],
    { input = "", user = {} } = {},
  ): Promise<ProgramExit> =>
    await runCodetool(args, {
      workingDirectory: folder.path,
      input,
      // A folder on the path that this user may not enter would count as a program he may not run.
      environment: { GIT_CEILING_DIRECTORIES: folder.path, PATH: path },
      ...user,
    });
  const before = stateOf(folder.path);
  for (const [code, commandLines] of Object.entries(rows))
    for (const args of commandLines) {
      if (code === "permission_denied" && process.platform === "win32") continue;
      // Only a user whom modes stop is refused.
      const user =
        code === "permission_denied" && isRoot ? { userId: nobody, groupId: nobody } : {};
      const { code: exitCode, stdout, stderr } = await run(args, { user });
      const told = `${args.join(" ")}: ${stdout}${stderr}`;
      assert.equal(stdout.trim().split("\n").length, 1, told);
      const { status, error } = JSON.parse(stdout) as Envelope;
      assert.deepEqual([exitCode, status, error?.code], [1, "error", code], told);
      assert.match(error?.message ?? "", /^[^\n]{10,300}$/, told);
      assert.doesNotMatch(stdout + stderr, /\n\s+at /, told);
    }
  const batch = await run(["batch"], { input: '{"id":"1","cmd":"nothing"}\n' });
  const { error } = JSON.parse(batch.stdout) as Envelope;
  assert.equal(error?.code, "invalid_command");
  assert.deepEqual(stateOf(folder.path), before);
});

test("no code of the table is without a row here, but those that say what the machine lacks", () => {
  const elsewhere = ["index_busy", "disk_full", "internal_error", "invalid_command"];
  assert.deepEqual(
    Object.keys(errors).filter((code) => rows[code] === undefined && !elsewhere.includes(code)),
    [],
  );
});

test("a wrong flag of any command ends with 2, usage on standard error and the nearest flag", async () => {
  const mistyped: readonly (readonly [args: string[], nearest: string])[] = [
    [["search", "x", "--litteral"], "--literal"],
    [["read", "a.ts", "--skeletn"], "--skeleton"],
    [["find", "--patern", "*.ts"], "--pattern"],
    [["outline", "a.ts", "--kinds", "class"], "--kind"],
    [["exists", "x", "--exakt"], "--exact"],
    [["edit", "a.ts", "--fnd", "x"], "--find"],
    [["diff", "--staget"], "--staged"],
    [["context", ".", "--no-edge"], "--no-edges"],
    [["impact", "a.ts", "--symbl", "x"], "--symbol"],
    [["run", "--timout", "3", "true"], "--timeout"],
    [["index", "--rebuilt"], "--rebuild"],
  ];
  using folder = createTemporaryFolder(files);
  for (const [args, nearest] of mistyped) {
    const { code, stdout, stderr } = await runCodetool(args, {
      workingDirectory: folder.path,
    });
    const { error } = JSON.parse(stdout) as Envelope;
    assert.deepEqual([code, error?.code], [2, "invalid_argument"], stderr);
    assert.match(error?.message ?? "", new RegExp(`did you mean ${nearest}\\b`));
    assert.match(stderr, new RegExp(`did you mean ${nearest}\\b`));
    assert.match(stderr, /\nUsage: codetool /);
  }
});
