import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { faultsOfForm, faultsOfOrigin, faultsOfRepeats, plusName } from "../labels/label-file.ts";
import { readLabelFiles } from "../labels/read-labels.ts";

const files = readLabelFiles(import.meta.dirname);
const lab = join(import.meta.dirname, "..");

test("the messages are sixty, five a repository, well formed, and none is asked twice", () => {
  for (const { name, file } of files) {
    const ids = [1, 2, 3, 4, 5].map((number) => `${plusName(file)}/m${number}`);
    assert.deepEqual(faultsOfForm(file, ids), [], name);
    assert.equal(name, `${plusName(file)}.json`);
    assert.ok(file.questions.every(({ category }) => category === "message"));
  }
  assert.equal(files.flatMap(({ file }) => file.questions).length, 60);
  assert.deepEqual(faultsOfRepeats(files.map(({ file }) => file)), []);
});

test("no repository of the messages was trained on, labelled or measured elsewhere", () => {
  const read = (path: string): string => readFileSync(join(lab, path), "utf8");
  const trained = JSON.parse(read("training/repositories.json")) as { readonly name: string }[];
  const labelled = readLabelFiles(join(lab, "labels")).map(({ file }) => file.repository);
  const excluded = read("training/excluded.txt").split("\n").filter(Boolean);
  const known = [...trained.map(({ name }) => name), ...labelled, ...excluded];
  for (const { file } of files) assert.deepEqual(faultsOfOrigin(file, known), []);
});
