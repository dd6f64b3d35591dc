/** `bench` on trees of its own: what is measured is what both really print. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { createTemporaryFolder, type ProgramExit, runProgram } from "testkit";
import { type Answer, command, firstArgs } from "../../cli/test-support/codetool.ts";
import type { BenchPayload } from "./payload.ts";

const files = {
  "src/door.ts": `export function openFrontDoor() {\n  return 1;\n}\n${"// filler\n".repeat(60)}`,
};

interface Place {
  readonly folder: string;
  readonly environment?: { readonly [name: string]: string };
}

/** A process: a bench starts this program once more. */
async function bench(
  args: readonly string[],
  { folder, environment }: Place,
): Promise<ProgramExit> {
  return await runProgram(command, [...firstArgs, "bench", ...args], {
    workingDirectory: folder,
    ...(environment === undefined ? {} : { environment }),
  });
}

async function benchData(place: Place): Promise<BenchPayload> {
  const { code, stdout, stderr } = await bench([], place);
  assert.deepEqual([code, stderr], [0, ""], stdout);
  return (JSON.parse(stdout) as Answer<BenchPayload>).data;
}

/** A folder with links to programs: all of a search path. */
function pathOf(folder: string, programs: readonly string[]): string {
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  for (const program of programs) {
    const found = (process.env["PATH"] ?? "")
      .split(delimiter)
      .map((each) => join(each, program))
      .find((path) => existsSync(path));
    if (found !== undefined) symlinkSync(found, join(bin, program));
  }
  return bin;
}

test("bench measures both sides on names that the tree has, and its calls are not recorded", async () => {
  using folder = createTemporaryFolder(files);
  using home = createTemporaryFolder();
  const stats = join(home.path, "stats.jsonl");
  const environment = { CODETOOL_STATS_FILE: stats };
  const git = async (...args: string[]): Promise<ProgramExit> =>
    await runProgram("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], {
      workingDirectory: folder.path,
    });
  await git("init", "-q");
  for (const message of ["one", "two"]) {
    folder.write({ "NOTES.md": `${message}\n` });
    await git("add", ".");
    await git("commit", "-qm", message);
  }
  const data = await benchData({ folder: folder.path, environment });
  assert.deepEqual(
    data.tasks.map(({ name }) => name),
    [
      "search_name",
      "see_definition",
      "search_words",
      "read_whole",
      "read_symbol",
      "read_skeleton",
      "outline_file",
      "exists",
      "find_files",
      "diff_commit",
    ],
  );
  assert.deepEqual(data.left_out, []);
  const [search] = data.tasks;
  assert.equal(search?.query, "openFrontDoor");
  const grep = "./src/door.ts:1:export function openFrontDoor() {\n".length;
  assert.equal(search.baseline_tokens, Math.floor(grep / 4));
  const cat = Math.floor(statSync(join(folder.path, "src/door.ts")).size / 4);
  for (const { name, ...task } of data.tasks) {
    if (/^(?:read|outline)_/.test(name)) assert.equal(task.baseline_tokens, cat, name);
    assert.ok(task.codetool_tokens > 0 && task.codetool_ms > 0, name);
    const saved = (100 * (task.baseline_tokens - task.codetool_tokens)) / task.baseline_tokens;
    assert.ok(Math.abs(task.savings_pct - saved) < 0.06, name);
  }
  const sum = data.tasks.reduce((total, task) => total + task.codetool_tokens, 0);
  assert.deepEqual(
    [data.summary.total_tasks, data.summary.total_codetool_tokens],
    [data.tasks.length, sum],
  );
  assert.equal(existsSync(stats), false);
});

test("programs that are not installed are left out and named", async () => {
  using folder = createTemporaryFolder(files);
  using other = createTemporaryFolder();
  const environment = { PATH: pathOf(other.path, ["cat", "wc"]) };
  const data = await benchData({ folder: folder.path, environment });
  const reasons = new Map(data.left_out.map(({ name, reason }) => [name, reason]));
  for (const name of ["search_name", "see_definition", "search_words", "exists"])
    assert.equal(reasons.get(name), "grep is not installed", name);
  assert.equal(reasons.get("find_files"), "find is not installed");
  assert.match(reasons.get("diff_commit") ?? "", /git knows no commit/);
  assert.deepEqual(
    data.tasks.map(({ name }) => name),
    ["read_whole", "read_symbol", "read_skeleton", "outline_file"],
  );
});

test("a tree without symbols is measured as far as that goes; what is not a folder is an error", async () => {
  using folder = createTemporaryFolder({ "notes.txt": "a\n" });
  const { code, stdout } = await bench(["--plain"], { folder: folder.path });
  assert.equal(code, 0);
  assert.match(stdout, /^\.: 1 files, without an index/);
  assert.match(stdout, /^find_files +\* +\d/m);
  assert.match(stdout, /^left out: search, read, outline: no file of the tree has symbols$/m);
  const file = await bench(["notes.txt"], { folder: folder.path });
  assert.equal(file.code, 1);
  assert.match(file.stdout, /invalid_argument.*wanted a folder/);
  const gone = await bench(["nowhere"], { folder: folder.path });
  assert.match(gone.stdout, /file_not_found/);
});
