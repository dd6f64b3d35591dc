import assert from "node:assert/strict";
import { test } from "node:test";
import { codetoolCommand, createTemporaryRepository, runProgram } from "testkit";
import type { DiffPayload } from "./payload.ts";

const { command, args: firstArgs } = codetoolCommand();

/** Name, file and change of each function that `diff --functions` lists. */
async function changesIn(
  workingDirectory: string,
): Promise<readonly (readonly [string, string, string])[]> {
  const args = [...firstArgs, "diff", "--functions"];
  const { stdout, stderr } = await runProgram(command, args, {
    workingDirectory,
    environment: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
  });
  assert.equal(stderr, "");
  const { data } = JSON.parse(stdout) as { readonly data: DiffPayload };
  assert.equal(data.hunks, null);
  return (data.functions ?? []).map((entry) => [entry.file, entry.function, entry.change]);
}

const total = `export function total(items) {
  let sum = 0;
  for (const item of items) sum += item.price * item.count;
  return sum;
}
`;
const label = `export function label(item) {
  const name = item.name.trim().toUpperCase();
  return name + ": " + item.price;
}
`;

test("diff --functions says of a function in another file that it moved, on both sides", async () => {
  using repository = createTemporaryRepository({ "a.js": `${total}\n${label}`, "b.js": "" });
  repository.write({ "a.js": label, "b.js": total });
  assert.deepEqual(await changesIn(repository.path), [
    ["a.js", "total", "moved"],
    ["b.js", "total", "moved"],
  ]);
});

test("diff --functions says of a function in another place of its file that it moved", async () => {
  using repository = createTemporaryRepository({ "a.js": `${total}\n${label}` });
  repository.write({ "a.js": `${label}\n${total}` });
  const changes = await changesIn(repository.path);
  assert.deepEqual(new Set(changes.map(([, , change]) => change)), new Set(["moved"]));
});

test("diff --functions tells what was added, removed, renamed and changed apart", async () => {
  using repository = createTemporaryRepository({ "a.js": `${total}\n${label}` });
  repository.write({
    "a.js": `${total.replace("total", "sumOf")}\n${label.replace("(item)", "(item, _unit)")}\nfunction more() {\n  return 1;\n}\n`,
  });
  assert.deepEqual(await changesIn(repository.path), [
    ["a.js", "sumOf", "renamed"],
    ["a.js", "label", "signature"],
    ["a.js", "more", "added"],
  ]);
  repository.write({ "a.js": label });
  assert.deepEqual(await changesIn(repository.path), [["a.js", "total", "removed"]]);
});
