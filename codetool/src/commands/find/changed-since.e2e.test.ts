import assert from "node:assert/strict";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { createTemporaryFolder, createTemporaryRepository } from "testkit";
import { type Envelope as CommandEnvelope, runCodetool } from "../../cli/test-support/codetool.ts";

type Envelope = CommandEnvelope<{ readonly flat: readonly { path: string; modified?: number }[] }>;

async function find(args: readonly string[], workingDirectory: string): Promise<Envelope> {
  const { stdout } = await runCodetool(["find", "--flat", ...args], {
    workingDirectory,
    environment: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
  });
  return JSON.parse(stdout) as Envelope;
}

async function changed(
  since: string,
  workingDirectory: string,
  more: readonly string[] = [],
): Promise<string[] | string> {
  const { data, error } = await find(["--changed-since", since, ...more], workingDirectory);
  return data === undefined ? (error?.code ?? "") : data.flat.map(({ path }) => path);
}

/** Sets when a file was written. */
function touch(path: string, secondsAgo: number): void {
  const at = Date.now() / 1000 - secondsAgo;
  utimesSync(path, at, at);
}

function commitAt(repository: { git(...args: string[]): string }, daysAgo: number): void {
  const date = `@${Math.floor(Date.now() / 1000) - daysAgo * 86_400} +0000`;
  repository.git("add", "-A");
  process.env["GIT_COMMITTER_DATE"] = date;
  process.env["GIT_AUTHOR_DATE"] = date;
  repository.git("commit", "-q", "-m", `${daysAgo} days ago`);
  delete process.env["GIT_COMMITTER_DATE"];
  delete process.env["GIT_AUTHOR_DATE"];
}

test("find --changed-since a ref lists committed, uncommitted and untracked files, from any folder", async () => {
  using repository = createTemporaryRepository({
    "src/a.ts": "1\n",
    "src/b.ts": "1\n",
    "c d.txt": "1\n",
    "same.txt": "1\n",
  });
  repository.git("tag", "2020-01-01");
  repository.write({ "src/a.ts": "2\n" });
  repository.commit("second");
  repository.write({ "c d.txt": "2\n", "src/new.ts": "new\n" });
  const at = repository.path;
  assert.deepEqual(await changed("HEAD", at), ["c d.txt", "src/new.ts"]);
  assert.deepEqual(await changed("HEAD~1", at), ["c d.txt", "src/a.ts", "src/new.ts"]);
  assert.deepEqual(await changed("HEAD~1..HEAD", at), ["src/a.ts"]);
  assert.deepEqual(await changed("HEAD~1", join(at, "src")), ["a.ts", "new.ts"]);
  assert.deepEqual(await changed("HEAD~1", at, ["src"]), ["src/a.ts", "src/new.ts"]);
  assert.deepEqual(await changed("HEAD~1", at, ["src/a.ts"]), ["src/a.ts"]);
  assert.deepEqual(await changed("HEAD~1", at, ["src/b.ts"]), []);
  assert.deepEqual(await changed("HEAD~1", at, ["--pattern", "*.txt"]), ["c d.txt"]);
  // The tag is meant, not the day.
  assert.deepEqual(await changed("2020-01-01", at), ["c d.txt", "src/a.ts", "src/new.ts"]);
  const { data } = await find(["--changed-since", "HEAD"], at);
  assert.ok(data?.flat.every(({ modified }) => Number.isInteger(modified)));
});

test("find --changed-since a time lists what younger commits changed and what was written since", async () => {
  using repository = createTemporaryRepository();
  repository.write({ "old.ts": "1\n", "mid.ts": "1\n", "open.ts": "1\n", "stale.ts": "1\n" });
  commitAt(repository, 10);
  repository.write({ "mid.ts": "2\n" });
  commitAt(repository, 4);
  repository.write({ "open.ts": "2\n", "stale.ts": "2\n", "new.ts": "new\n", "lying.ts": "x\n" });
  const at = repository.path;
  touch(join(at, "stale.ts"), 8 * 86_400);
  touch(join(at, "lying.ts"), 8 * 86_400);
  const epoch = String(Math.floor(Date.now() / 1000) - 5 * 86_400);
  const iso = new Date(Date.now() - 5 * 86_400_000).toISOString();
  for (const since of ["5d", "5 days ago", epoch, iso])
    assert.deepEqual(await changed(since, at), ["mid.ts", "new.ts", "open.ts"], since);
  assert.deepEqual(await changed("1 hour ago", at), ["new.ts", "open.ts"]);
  assert.deepEqual(await changed("9 days ago", at), [
    "lying.ts",
    "mid.ts",
    "new.ts",
    "open.ts",
    "stale.ts",
  ]);
  assert.equal((await changed("3 weeks", at)).length, 6);
});

test("before the first commit everything that was written since has changed", async () => {
  using repository = createTemporaryRepository();
  repository.write({ "a.ts": "1\n" });
  assert.deepEqual(await changed("1h", repository.path), ["a.ts"]);
  assert.deepEqual(await changed("HEAD", repository.path), ["a.ts"]);
});

test("outside of a work tree a time counts by the file, and a ref is an error", async () => {
  using folder = createTemporaryFolder({ "a.ts": "1\n", "b.ts": "1\n" });
  touch(join(folder.path, "a.ts"), 3 * 86_400);
  assert.deepEqual(await changed("1d", folder.path), ["b.ts"]);
  assert.equal(await changed("main", folder.path), "git_error");
});

test("a ref that is not there is an error, never the whole list", async () => {
  using repository = createTemporaryRepository({ "a.ts": "1\n" });
  const at = repository.path;
  for (const since of ["nosuchref", "HEAD~9", "2 parsecs ago", "main..nosuchref"])
    assert.equal(await changed(since, at), "git_error", since);
  for (const since of ["", "--output=x"])
    assert.equal(await changed(since, at), "invalid_argument", since);
  const { error } = await find(["--changed-since", "nosuchref"], at);
  assert.match(error?.message ?? "", /^[^\n]*nosuchref[^\n]*no such commit[^\n]*$/);
});
