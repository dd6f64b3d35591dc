/** A file that changes while a rename reads it: it is renamed as it is then, or nothing is. */
import assert from "node:assert/strict";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { executeCommand } from "../execute-command.ts";
import { ChangeAtOpening } from "../test-support/change-at-opening.ts";
import { renameCommand } from "./index.ts";

interface Case {
  readonly old: string;
  readonly before: string;
  /** How often a rename that is written opens the file. */
  readonly openingCount: number;
}

const cases: readonly Case[] = [
  {
    old: "load",
    before: "export function load() {\n  return 1;\n}\nexport const one = load();\n",
    openingCount: 7,
  },
  {
    old: "Loader.load",
    before:
      "export class Loader {\n  load() {\n    return 1;\n  }\n}\nexport const one = new Loader().load();\n",
    openingCount: 6,
  },
];

/** What is in the file from some moment on: the name stands at other places. */
function later(before: string): string {
  return `// More than before.\nconst loaded = "load";\n${before}export const two = loaded + one;\n`;
}

function renamed(text: string): string {
  return text.replaceAll("load()", "fetchAll()");
}

for (const { old, before, openingCount } of cases)
  test(`a file that changes at any moment of a rename of ${old} is renamed as it is, or not at all`, async () => {
    const after = later(before);
    let countMax = 1;
    let refusedCount = 0;
    for (let moment = 1; moment <= countMax; moment += 1) {
      using folder = createTemporaryFolder({ "a.ts": before });
      const path = join(folder.path, "a.ts");
      using change = new ChangeAtOpening(path, (count) => {
        if (count !== moment) return;
        writeFileSync(`${path}~`, after);
        renameSync(`${path}~`, path);
      });
      const input = { old, new: "fetchAll", apply: true };
      const context = { workingDirectory: folder.path, environment: {}, isFallbackOff: true };
      const outcome = await executeCommand(renameCommand, input, context);
      countMax = Math.max(countMax, change.count);
      const found = readFileSync(path, "utf8");
      if ("error" in outcome) {
        refusedCount += 1;
        assert.equal(outcome.error.code, "file_changed", JSON.stringify(outcome));
        assert.equal(found, after);
      } else {
        const isWhole = [renamed(before), renamed(after), after].includes(found);
        assert.ok(isWhole, `changed at opening ${moment}: ${found}`);
      }
    }
    assert.equal(countMax, openingCount, "times that the file is opened");
    assert.ok(refusedCount > 0, `${refusedCount} of ${countMax} refused`);
  });
