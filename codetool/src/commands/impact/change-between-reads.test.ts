/** A file that changes while impact or context reads it, or while git compares it: what is said is true of one version. */
import assert from "node:assert/strict";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder, createTemporaryRepository } from "testkit";
import { executeCommand } from "../execute-command.ts";
import { indexCommand } from "../index-folder/command.ts";
import { readCommand } from "../read/command.ts";
import { ChangeAtOpening } from "../test-support/change-at-opening.ts";
import { impactCommand } from "./command.ts";

const before = 'import * as a from "./a";\nexport const one = a.load();\n';
const after = 'import * as b from "./b";\nexport const load = b.load;\n';

function replace(path: string, text: string): void {
  writeFileSync(`${path}~`, text);
  renameSync(`${path}~`, path);
}

function contextOf(workingDirectory: string): Parameters<typeof executeCommand>[2] {
  return { workingDirectory, environment: {}, isFallbackOff: true };
}

async function impactOn(root: string): Promise<{ data: string; warnings: string }> {
  const input = { file: "a.ts", symbol: "load" };
  const outcome = await executeCommand(impactCommand, input, contextOf(root));
  if ("error" in outcome) throw outcome.error;
  const { dependents } = outcome.data as { readonly dependents: readonly object[] };
  return { data: JSON.stringify(dependents), warnings: (outcome.warnings ?? []).join("\n") };
}

for (const isIndexed of [false, true])
  test(`impact ${isIndexed ? "with" : "without"} an index says of a file that changes meanwhile what it was or is`, async () => {
    const files = { "a.ts": "export function load() {}\n", "b.ts": "export const load = 1;\n" };
    using folder = createTemporaryFolder({ ...files, "user.ts": after });
    const path = join(folder.path, "user.ts");
    if (isIndexed) await executeCommand(indexCommand, {}, contextOf(folder.path));
    const then = (await impactOn(folder.path)).data;
    let countMax = 0;
    for (let moment = 1; moment <= Math.max(2, countMax); moment += 1) {
      replace(path, before);
      const now = (await impactOn(folder.path)).data;
      assert.notEqual(now, then);
      using change = new ChangeAtOpening(path, (count) => {
        if (count === moment) replace(path, after);
      });
      const found = await impactOn(folder.path);
      assert.ok([now, then].includes(found.data), `changed at opening ${moment}: ${found.data}`);
      countMax = Math.max(countMax, change.count);
    }
    assert.ok(countMax > 1, "it is read twice");
    replace(path, before);
    using _change = new ChangeAtOpening(path, (count) => {
      replace(path, `${before}// ${"!".repeat(count)}\n`);
    });
    assert.match((await impactOn(folder.path)).warnings, /1 file changed while this was answered/);
  });

test("read --mode diff refuses a file that changes each time that git compares it", async () => {
  using repository = createTemporaryRepository({ "a.txt": "one\n" });
  const path = join(repository.path, "a.txt");
  const read = async (until: number): Promise<string> => {
    replace(path, "two\n");
    using _change = new ChangeAtOpening(path, (count) => {
      // The first opening of each reading, and the one behind git.
      if (count % 2 === 0 && count <= until) replace(path, "two\n".repeat(count));
    });
    const input = { file: "a.txt", mode: "diff" };
    const outcome = await executeCommand(readCommand, input, contextOf(repository.path));
    if ("error" in outcome) return outcome.error.code;
    return (outcome.data as { readonly content: { readonly text: string } }).content.text;
  };
  assert.equal(await read(0), "-L1: one\n+L1: two\n");
  assert.equal(await read(2), "-L1: one\n+L1: two\n+L2: two\n");
  assert.equal(await read(100), "file_changed");
});
