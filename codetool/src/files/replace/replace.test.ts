import assert from "node:assert/strict";
import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { walkFiles } from "../walk.ts";
import { queueUp } from "./claim.ts";
import type { EditingProcess } from "./edit-folder.ts";
import { finishInterrupted } from "./finish-interrupted.ts";
import { writeJournal } from "./journal.ts";
import { lockFolders } from "./locked-folders.ts";
import { ReplaceError } from "./replace-error.ts";
import { place, stageIn, type StagedFile } from "./stage.ts";

const us: EditingProcess = { id: 10, mark: "1", isAlive: (id) => id === 10 || id === 11 };
const other: EditingProcess = { ...us, id: 11, mark: "2" };
const deadId = "99999-7-1";
const byName = (left: string | Buffer, right: string | Buffer): number => (left < right ? -1 : 1);
const bytes = (text: string): Buffer => Buffer.from(text);

async function replace(
  files: readonly { readonly path: string; readonly before: string; readonly after: string }[],
  process = us,
): Promise<void> {
  const paths = files.map(({ path }) => path);
  using locked = await lockFolders(paths, { process, waitMs: 0 });
  locked.replace(
    files.map(({ path, before, after }) => ({ path, before: bytes(before), after: bytes(after) })),
  );
}

const failureOf = async (made: Promise<unknown>): Promise<string> =>
  await made.then(
    () => "none",
    (error: unknown) => (error instanceof ReplaceError ? error.failure : String(error)),
  );

/** A set of files of a process that was killed when its journal was written and some files were in place. */
function interruptedSet(
  folder: string,
  options: { readonly names: readonly string[]; readonly placedCount: number },
): StagedFile[] {
  const paths = options.names.map((name) => join(folder, name));
  const folders = [...new Set(paths.map((path) => dirname(path)))].toSorted();
  const dead = { id: 99_999, mark: "7", isAlive: () => true };
  const staged = folders.flatMap((each) => {
    queueUp(each, deadId, dead);
    const own = paths.filter((path) => dirname(path) === each);
    return stageIn(
      each,
      deadId,
      own.map((path) => ({ path, before: readFileSync(path), after: bytes(`new ${path}`) })),
    );
  });
  writeJournal(folders, deadId, staged);
  for (const file of staged.slice(0, options.placedCount)) place(file);
  return staged;
}

const walk = (root: string): string[] =>
  walkFiles({ root, environment: {}, sizeBytesMax: 1000 }).files.map((file) => file.relativePath);

test("several files are replaced, with their modes, and nothing is left next to them", async () => {
  using folder = createTemporaryFolder({ a: "old a", "sub/b": "old b" });
  const [a, b] = [join(folder.path, "a"), join(folder.path, "sub/b")];
  chmodSync(a, 0o4711);
  await replace([
    { path: a, before: "old a", after: "new a" },
    { path: b, before: "old b", after: "new b" },
  ]);
  assert.deepEqual([readFileSync(a, "utf8"), readFileSync(b, "utf8")], ["new a", "new b"]);
  assert.equal(statSync(a).mode & 0o7777, 0o4711);
  assert.deepEqual(readdirSync(folder.path, { recursive: true }).toSorted(byName), [
    "a",
    "sub",
    "sub/b",
  ]);
});

test("where one file cannot be replaced, all are as they were", async () => {
  using folder = createTemporaryFolder({ a: "old a", b: "odd" });
  const [a, b] = [join(folder.path, "a"), join(folder.path, "b")];
  const first = { path: a, before: "old a", after: "new a" };
  const second = { path: b, before: "old b", after: "new b" };
  assert.equal(await failureOf(replace([first, second])), "changed");
  const missing = { ...second, path: join(folder.path, "none") };
  assert.equal(await failureOf(replace([first, missing])), "missing");
  assert.equal(readFileSync(a, "utf8"), "old a");
  assert.deepEqual(readdirSync(folder.path), ["a", "b"]);
});

test("who comes second waits for the first, in the order of their coming", async () => {
  using folder = createTemporaryFolder({ a: "old", "sub/b": "b" });
  const path = join(folder.path, "a");
  const first = await lockFolders([path], { process: us, waitMs: 0 });
  assert.equal(await failureOf(lockFolders([path], { process: other, waitMs: 0 })), "busy");
  assert.equal(await failureOf(lockFolders([path], { process: us, waitMs: 0 })), "busy");
  (await lockFolders([join(folder.path, "sub/b")], { process: other, waitMs: 0 }))[
    Symbol.dispose
  ]();
  const order: number[] = [];
  const waiting = [1, 2, 3].map(async (number) => {
    using _locked = await lockFolders([path], { process: other, waitMs: 60_000 });
    order.push(number);
  });
  first[Symbol.dispose]();
  await Promise.all(waiting);
  assert.deepEqual(order, [1, 2, 3]);
  assert.deepEqual(readdirSync(folder.path), ["a", "sub"]);
});

test("a claim whose number is not written yet goes first, and one of a dead process does not count", () => {
  using folder = createTemporaryFolder({ a: "old" });
  const claim = queueUp(folder.path, "10-1-1", us);
  assert.ok(claim.isFirst());
  for (const id of ["11-2-1", "12-5-1"])
    writeFileSync(join(folder.path, ".codetool-edit", `${id}.claim`), "");
  assert.ok(!claim.isFirst());
  writeFileSync(join(folder.path, ".codetool-edit/11-2-1.claim"), "2\n");
  assert.ok(claim.isFirst());
});

test("what a killed process staged without a journal is undone by who comes next", async () => {
  using folder = createTemporaryFolder({ a: "old", "b/c": "old" });
  const dead = { id: 99_999, mark: "7", isAlive: () => true };
  const path = join(folder.path, "a");
  for (const next of ["a walk", "an edit"]) {
    queueUp(folder.path, deadId, dead);
    stageIn(folder.path, deadId, [{ path, before: bytes("old"), after: bytes("half") }]);
    if (next === "a walk") assert.deepEqual(walk(folder.path), ["a", "b/c"]);
    else await replace([{ path, before: "old", after: "new" }]);
    assert.deepEqual(readdirSync(folder.path), ["a", "b"], next);
  }
  assert.equal(readFileSync(path, "utf8"), "new");
});

test("an empty edit folder, as a process leaves it that is killed at its first step, is taken away", () => {
  using folder = createTemporaryFolder({ a: "old", ".codetool-edit/x": "" });
  rmSync(join(folder.path, ".codetool-edit/x"));
  assert.deepEqual(walk(folder.path), ["a"]);
  assert.deepEqual(readdirSync(folder.path), ["a"]);
});

test("a set whose journal was written is finished in all its folders, whichever is met first", async () => {
  const names = ["a", "sub/b", "sub/c", "z/d"];
  for (const placedCount of [0, 1, 2, 3, 4])
    for (const next of ["walk", "z", "sub", "edit"]) {
      using folder = createTemporaryFolder(Object.fromEntries(names.map((name) => [name, "old"])));
      const root = folder.path;
      interruptedSet(root, { names, placedCount });
      if (next === "walk") walk(root);
      else if (next === "edit")
        await replace([{ path: join(root, "z/d"), before: `new ${root}/z/d`, after: "newer" }]);
      else assert.ok(finishInterrupted(join(root, next), us));
      for (const name of names.slice(0, -1))
        assert.equal(readFileSync(join(root, name), "utf8"), `new ${root}/${name}`, next);
      assert.deepEqual(
        readdirSync(root, { recursive: true }).toSorted(byName),
        [...names, "sub", "z"].sort(),
      );
    }
});

test("a set is left to the process that is editing in one of its folders", async () => {
  using folder = createTemporaryFolder({ a: "old", "sub/b": "old" });
  using locked = await lockFolders([join(folder.path, "sub/b")], { process: other, waitMs: 0 });
  interruptedSet(folder.path, { names: ["a", "sub/b"], placedCount: 0 });
  assert.ok(!finishInterrupted(folder.path, us));
  assert.equal(readFileSync(join(folder.path, "a"), "utf8"), "old");
  locked[Symbol.dispose]();
  assert.ok(finishInterrupted(folder.path, us));
  assert.equal(readFileSync(join(folder.path, "sub/b"), "utf8"), `new ${folder.path}/sub/b`);
});

test("a file that somebody else wrote to since is left as it is", () => {
  using folder = createTemporaryFolder({ a: "old", b: "old" });
  interruptedSet(folder.path, { names: ["a", "b"], placedCount: 0 });
  writeFileSync(join(folder.path, "a"), "by hand");
  assert.ok(finishInterrupted(folder.path, us));
  assert.equal(readFileSync(join(folder.path, "a"), "utf8"), "by hand");
  assert.equal(readFileSync(join(folder.path, "b"), "utf8"), `new ${folder.path}/b`);
});

test("a file with several names is written into, and finished when it was half written", () => {
  const whole = `${"old ".repeat(3000)}end`;
  for (const isForeign of [false, true]) {
    using folder = createTemporaryFolder({ a: whole });
    const [path, second] = [join(folder.path, "a"), join(folder.path, "second")];
    linkSync(path, second);
    const content = `${"new and longer ".repeat(3000)}end`;
    queueUp(folder.path, deadId, { ...us, id: 99_999 });
    const staged = stageIn(folder.path, deadId, [
      { path, before: bytes(whole), after: bytes(content) },
    ]);
    writeJournal([folder.path], deadId, staged);
    const half = content.slice(0, 5000) + whole.slice(5000);
    writeFileSync(path, isForeign ? `${half}more` : half);
    assert.ok(finishInterrupted(folder.path, us));
    assert.equal(readFileSync(second, "utf8"), isForeign ? `${half}more` : content);
    assert.equal(statSync(path).nlink, 2);
  }
});

test("a journal that came with a copied tree is not carried out", () => {
  using folder = createTemporaryFolder({ "from/a": "old", "from/b": "old" });
  interruptedSet(join(folder.path, "from"), { names: ["a", "b"], placedCount: 0 });
  const copy = join(folder.path, "copy");
  cpSync(join(folder.path, "from"), copy, { recursive: true, preserveTimestamps: true });
  assert.deepEqual(walk(copy), ["a", "b"]);
  assert.deepEqual(
    ["a", "b"].map((name) => readFileSync(join(copy, name), "utf8")),
    ["old", "old"],
  );
  assert.ok(!existsSync(join(copy, ".codetool-edit")));
  renameSync(join(folder.path, "from"), join(folder.path, "moved"));
  walk(join(folder.path, "moved"));
  assert.match(
    readFileSync(join(folder.path, "moved/b"), "utf8"),
    /^new /,
    "moved with its journal",
  );
});

test("an edit folder that is a link is not followed", async () => {
  using folder = createTemporaryFolder({ "tree/a": "old", "elsewhere/99999-7-1.new": "kept" });
  symlinkSync("../elsewhere", join(folder.path, "tree/.codetool-edit"));
  assert.deepEqual(walk(join(folder.path, "tree")), ["a"]);
  const path = join(folder.path, "tree/a");
  assert.equal(await failureOf(replace([{ path, before: "old", after: "new" }])), "denied");
  assert.deepEqual(readdirSync(join(folder.path, "elsewhere")), ["99999-7-1.new"]);
});

test("names of one file in different folders have one queue", async () => {
  using folder = createTemporaryFolder({ "one/a": "text", "two/other": "" });
  const [one, two] = [join(folder.path, "one/a"), join(folder.path, "two/b")];
  linkSync(one, two);
  {
    using locked = await lockFolders([one], { process: us, waitMs: 0 });
    const second = lockFolders([two], { process: other, waitMs: 0 });
    assert.equal(await failureOf(second), "busy");
    locked.replace([{ path: one, before: bytes("text"), after: bytes("first") }]);
  }
  await replace([{ path: two, before: "first", after: "second" }], other);
  assert.equal(readFileSync(one, "utf8"), "second");
});
