import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { isStagedName, ReplaceError, stageFile, type ReplacingProcess } from "./replace-file.ts";
import { walkFiles } from "./walk.ts";

const us: ReplacingProcess = { id: 10, mark: "1", isAlive: (id) => id === 10 || id === 11 };
const other: ReplacingProcess = { ...us, id: 11, mark: "2" };
const bytes = (text: string): Buffer => Buffer.from(text);

function failureOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    assert.ok(error instanceof ReplaceError, String(error));
    return error.failure;
  }
  return "none";
}

test("stageFile() leaves the file alone until it is committed, and keeps its mode", () => {
  using folder = createTemporaryFolder({ a: "old" });
  const path = join(folder.path, "a");
  chmodSync(path, 0o4711);
  const staged = stageFile({ path, before: bytes("old"), after: bytes("new"), process: us });
  assert.equal(readFileSync(path, "utf8"), "old");
  assert.equal(readdirSync(folder.path).length, 2);
  const walked = walkFiles({ root: folder.path, environment: {}, sizeBytesMax: 1000 });
  assert.deepEqual(
    walked.files.map(({ relativePath }) => relativePath),
    ["a"],
  );
  staged.commit();
  assert.equal(readFileSync(path, "utf8"), "new");
  assert.equal(statSync(path).mode & 0o7777, 0o4711);
  assert.deepEqual(readdirSync(folder.path), ["a"]);
  staged.discard();
  assert.throws(() => staged.commit(), /not staged any more/);
});

test("stageFile() refuses a file that changed, before it is staged and after", () => {
  using folder = createTemporaryFolder({ a: "old" });
  const path = join(folder.path, "a");
  const stage = (): ReturnType<typeof stageFile> =>
    stageFile({ path, before: bytes("old"), after: bytes("new"), process: us });
  writeFileSync(path, "odd");
  assert.equal(failureOf(stage), "changed");
  writeFileSync(path, "old");
  const staged = stage();
  writeFileSync(path, "odd");
  assert.equal(
    failureOf(() => staged.commit()),
    "changed",
  );
  assert.deepEqual([readdirSync(folder.path), readFileSync(path, "utf8")], [["a"], "odd"]);
  assert.equal(
    failureOf(() =>
      stageFile({
        path: join(folder.path, "none"),
        before: bytes(""),
        after: bytes(""),
        process: us,
      }),
    ),
    "missing",
  );
});

test("stageFile() goes beside nobody at the same file, and takes away what the dead have left", () => {
  using folder = createTemporaryFolder({ a: "old", b: "old" });
  const at = (name: string, process: ReplacingProcess): ReturnType<typeof stageFile> =>
    stageFile({
      path: join(folder.path, name),
      before: bytes("old"),
      after: bytes("new"),
      process,
    });
  const first = at("a", us);
  assert.equal(
    failureOf(() => at("a", other)),
    "busy",
  );
  assert.equal(
    failureOf(() => at("a", us)),
    "busy",
    "the same process, twice",
  );
  const beside = at("b", other);
  first.commit();
  assert.equal(
    failureOf(() => at("a", other)),
    "changed",
  );
  beside.commit();
  for (const name of [
    ".codetool-edit-0-12-1-0.tmp",
    ".codetool-edit-0-12--0.tmp",
    ".codetool-edit-ff-99-7-3.tmp",
  ]) {
    assert.ok(isStagedName(name));
    writeFileSync(join(folder.path, name), "half");
  }
  for (const name of [".codetool-edit-notes", ".codetool-edit-0-12-1-0.tmp.md"]) {
    assert.ok(!isStagedName(name));
    writeFileSync(join(folder.path, name), "mine");
  }
  stageFile({
    path: join(folder.path, "a"),
    before: bytes("new"),
    after: bytes("newer"),
    process: us,
  }).commit();
  assert.deepEqual(readdirSync(folder.path).sort(), [
    ".codetool-edit-0-12-1-0.tmp.md",
    ".codetool-edit-notes",
    "a",
    "b",
  ]);
});

test("stageFile() puts a file in the place of one name, and other names of the old one keep it", () => {
  using folder = createTemporaryFolder({ a: "old" });
  const [path, otherName] = [join(folder.path, "a"), join(folder.path, "b")];
  linkSync(path, otherName);
  stageFile({ path, before: bytes("old"), after: bytes("new"), process: us }).commit();
  assert.deepEqual([readFileSync(path, "utf8"), readFileSync(otherName, "utf8")], ["new", "old"]);
  assert.ok(existsSync(otherName));
});
