import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { type EconomyTask, problemsOf, readTaskFiles, taskKinds } from "./task.ts";

const files = readTaskFiles(fileURLToPath(new URL("tasks", import.meta.url)));

test("the task files are five repositories of twenty tasks each, all well formed", () => {
  assert.equal(files.length, 5);
  assert.equal(files.flatMap(({ tasks }) => tasks).length, 100);
  assert.deepEqual(files.flatMap(problemsOf), []);
});

test("no question is asked twice of a repository", () => {
  for (const { name, tasks } of files)
    assert.equal(new Set(tasks.map(({ codetool }) => codetool)).size, 20, name);
});

const [first] = files;

function problemsWith(change: Partial<EconomyTask>): readonly string[] {
  assert.ok(first !== undefined);
  return problemsOf({
    ...first,
    tasks: first.tasks.map((task, index) => (index === 3 ? { ...task, ...change } : task)),
  });
}

test("problemsOf() names what a task lacks", () => {
  const where = `${first?.name}: ${taskKinds[3]}: `;
  assert.deepEqual(problemsWith({ proof: [] }), [
    `${where}no proof for codetool`,
    `${where}no proof for unix`,
  ]);
  assert.deepEqual(problemsWith({ proof: { codetool: ["("], unix: ["a"] } }), [
    `${where}no pattern: (`,
  ]);
  assert.deepEqual(problemsWith({ unix: [] }), [`${where}no command line of the Unix side`]);
  assert.deepEqual(problemsWith({ unix: ["cat a | codetool read a"] }), [
    `${where}codetool on the Unix side`,
  ]);
  assert.deepEqual(problemsWith({ codetool: "rg a" }), [
    `${where}the command line is not codetool's`,
  ]);
  assert.deepEqual(problemsWith({ kind: taskKinds[4] }), [
    `${first?.name}: not each kind once, in order`,
  ]);
});
