/** `index --watch` against real trees; the tests wait for its lines. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  createTemporaryFolder,
  createTemporaryRepository,
  type Program,
  repetitions,
  startProgram,
} from "testkit";
import { type Answer, command, firstArgs, runCodetool } from "../../cli/test-support/codetool.ts";

/** The answers of a watching run, one after the other. */
class Watching implements AsyncDisposable {
  readonly program: Program;
  #readCount = 0;

  constructor(workingDirectory: string, ...flags: string[]) {
    this.program = startProgram(command, [...firstArgs, "index", "--watch", ...flags], {
      workingDirectory,
      timeoutMs: 120_000,
    });
  }

  async next(): Promise<Answer> {
    const lines = new RegExp(`^(?:.*\\n){${this.#readCount}}(.*)\\n`);
    const [, line = ""] = await this.program.waitFor(lines);
    this.#readCount += 1;
    return JSON.parse(line) as Answer;
  }

  /** Reads answers until one satisfies. */
  async until(isIt: (data: Answer["data"]) => boolean): Promise<Answer["data"]> {
    for (;;) {
      const { status, data } = await this.next();
      assert.equal(status, "ok");
      if (isIt(data)) return data;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.program[Symbol.asyncDispose]();
  }
}

async function answer(workingDirectory: string, ...args: string[]): Promise<Answer> {
  const exit = await runCodetool(args, { workingDirectory });
  return JSON.parse(exit.stdout) as Answer;
}

/** Nothing is newer than the index, and it says what one built anew would say. */
async function assertCurrent(root: string, fileCount: number): Promise<void> {
  const before = await answer(root, "index", "--stats");
  assert.equal(before.data["files"], fileCount);
  const once = await answer(root, "index");
  assert.deepEqual([once.data["files_changed"], once.data["files_removed"]], [0, 0]);
}

const source = (name: string): string => `export function ${name}() {\n  return "${name}";\n}\n`;

/** Removes a folder that another process writes into: a file that vanishes meanwhile ends one attempt, without an error. */
function removeBusy(path: string): void {
  while (existsSync(path)) rmSync(path, { recursive: true, maxRetries: 20, retryDelay: 50 });
}

test("index --watch answers once for each burst of changes, and ends by a signal", async () => {
  using folder = createTemporaryFolder({ "src/a.ts": source("alpha"), "notes.txt": "one\n" });
  await using watching = new Watching(folder.path);
  const first = await watching.next();
  assert.deepEqual(
    [first.data["generation"], first.data["files_indexed"], first.data["files_changed"]],
    [1, 2, 2],
  );
  assert.ok(Number(first.data["folders_watched"]) > 0);
  // Many at once are gathered; a folder in a folder is new to the watcher.
  mkdirSync(join(folder.path, "deep/er"), { recursive: true });
  for (let index = 0; index < 50; index += 1)
    writeFileSync(join(folder.path, `deep/er/f${index}.ts`), source(`f${index}`));
  let changed = 0;
  let answerCount = 0;
  await watching.until((data) => {
    changed += Number(data["files_changed"]);
    answerCount += 1;
    return data["files_indexed"] === 52 && changed >= 50;
  });
  assert.ok(answerCount <= 5, `${answerCount} answers`);
  writeFileSync(join(folder.path, "deep/er/f7.ts"), source("renewed"));
  await watching.until((data) => data["files_changed"] === 1);
  renameSync(join(folder.path, "deep"), join(folder.path, "other"));
  await watching.until((data) => data["files_indexed"] === 52 && Number(data["files_removed"]) > 0);
  // What was renamed is watched by its new name.
  writeFileSync(join(folder.path, "other/er/f7.ts"), source("again"));
  await watching.until((data) => data["files_changed"] === 1);
  const found = await answer(folder.path, "search", "--mode", "bm25", "again");
  const matches = found.data["matches"] as readonly { readonly file: string }[];
  assert.equal(matches[0]?.file, "other/er/f7.ts");
  rmSync(join(folder.path, "other"), { recursive: true });
  await watching.until((data) => data["files_indexed"] === 2);
  watching.program.kill("SIGINT");
  const exit = await watching.program.exited();
  assert.deepEqual([exit.code, exit.signal, exit.stderr], [130, null, ""]);
  await assertCurrent(folder.path, 2);
  assert.ok(!readdirSync(join(folder.path, ".codetool/index")).includes("lock"));
});

test("index --watch follows git from branch to branch and back", async () => {
  const fileCount = 800;
  const first = Object.fromEntries(
    Array.from({ length: fileCount }, (_, index) => [
      `m${index % 20}/f${index}.ts`,
      source(`first${index}`),
    ]),
  );
  using repository = createTemporaryRepository(first);
  repository.write({ ".gitignore": "ignored/\n" });
  repository.commit("ignore");
  repository.git("checkout", "-q", "-b", "other");
  for (let index = 0; index < 20; index += 1)
    rmSync(join(repository.path, `m${index}`), { recursive: true });
  for (let index = 0; index < fileCount; index += 1)
    if (index % 2 === 0)
      repository.write({ [`n${index % 30}/g${index}.ts`]: source(`other${index}`) });
    else repository.write({ [`m${index % 20}/f${index}.ts`]: source(`second${index}`) });
  repository.commit("other");
  repository.git("checkout", "-q", "main");
  await using watching = new Watching(repository.path);
  assert.equal((await watching.next()).data["files_indexed"], fileCount + 1);
  for (const branch of Array.from({ length: repetitions(2) }, () => ["other", "main"]).flat()) {
    repository.git("checkout", "-q", branch);
    const wanted = branch === "main" ? "first" : "second";
    // How many changed is not asked: what git writes behind the look at a file is read, and counts as unchanged.
    await watching.until((data) => data["files_indexed"] === fileCount + 1);
    const found = await answer(repository.path, "exists", "--exact", `${wanted}1`);
    assert.equal(found.data["exists"], true, branch);
  }
  // What git ignores is not told.
  repository.write({ "ignored/big.ts": source("never") });
  repository.write({ "last.ts": source("last") });
  await watching.until((data) => data["files_indexed"] === fileCount + 2);
  watching.program.kill("SIGTERM");
  assert.equal((await watching.program.exited()).code, 0);
  await assertCurrent(repository.path, fileCount + 2);
});

test("index beside index --watch, and two watching the same tree: each change is indexed once", async () => {
  using folder = createTemporaryFolder({ "a.ts": source("alpha") });
  await using one = new Watching(folder.path);
  await one.next();
  await using two = new Watching(folder.path, "--plain");
  await two.program.waitFor(/generation 1, 1 files/);
  const fileCount = 1 + repetitions(4);
  for (let round = 2; round <= fileCount; round += 1) {
    writeFileSync(join(folder.path, `f${round}.ts`), source(`f${round}`));
    const beside = await answer(folder.path, "index");
    assert.equal(beside.status, "ok", JSON.stringify(beside));
    assert.equal(beside.data["files_indexed"], round);
  }
  one.program.kill("SIGTERM");
  two.program.kill("SIGTERM");
  assert.deepEqual([(await one.program.exited()).code, (await two.program.exited()).code], [0, 0]);
  await assertCurrent(folder.path, fileCount);
});

test("index --watch ends with its root, and does not make it anew", async () => {
  using folder = createTemporaryFolder({ "tree/src/a.ts": source("alpha") });
  const root = join(folder.path, "tree");
  await using watching = new Watching(folder.path, "tree");
  assert.equal((await watching.next()).data["path"], root);
  // It looks once more after its first answer, and may be about to make a file there.
  removeBusy(root);
  const exit = await watching.program.exited();
  assert.equal(exit.code, 1);
  const last = JSON.parse(exit.stdout.trimEnd().split("\n").at(-1) ?? "") as Answer;
  assert.equal(last.error?.code, "file_not_found");
  assert.deepEqual(readdirSync(folder.path), []);
});

test("index --watch heals: an index that is removed or damaged meanwhile is made again", async () => {
  using folder = createTemporaryFolder({ "a.ts": source("alpha"), "b.ts": source("beta") });
  await using watching = new Watching(folder.path);
  await watching.next();
  // It looks once more after its first answer, and may be about to make a file there.
  removeBusy(join(folder.path, ".codetool"));
  assert.equal((await watching.next()).data["files_changed"], 2);
  writeFileSync(join(folder.path, ".codetool/index/chunks.bin"), "x");
  writeFileSync(join(folder.path, "c.ts"), source("gamma"));
  const healed = await watching.until((data) => data["files_indexed"] === 3);
  assert.equal(healed["files_changed"], 3);
  watching.program.kill("SIGTERM");
  await watching.program.exited();
  await assertCurrent(folder.path, 3);
});

test("index --watch tells of files that went together with its index", async () => {
  using folder = createTemporaryFolder({ "src/a.ts": source("alpha"), "src/b.ts": source("beta") });
  await using watching = new Watching(folder.path);
  assert.equal((await watching.next()).data["files_indexed"], 2);
  watching.program.kill("SIGSTOP");
  for (const name of ["src", ".codetool"]) removeBusy(join(folder.path, name));
  watching.program.kill("SIGCONT");
  assert.equal((await watching.until((data) => data["files_indexed"] === 0))["path"], folder.path);
  await assertCurrent(folder.path, 0);
});
