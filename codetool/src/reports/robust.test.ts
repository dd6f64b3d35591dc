import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { repetitions } from "testkit";
import { cleanText } from "./clean-text.ts";
import { tools } from "./tools.ts";

const fixtures = fileURLToPath(new URL("fixtures", import.meta.url));
const texts = globSync("*/*.txt", { cwd: fixtures })
  .sort()
  .map((path) => readFileSync(join(fixtures, path), "utf8"));

/** Pieces of one or two recordings: cut, without some lines, or one after the other. */
const damaged = fc
  .tuple(
    fc.constantFrom(...texts),
    fc.constantFrom(...texts),
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.integer({ min: 2, max: 9 }),
  )
  .map(([first, second, from, to, step]) => {
    const head = first.slice(Math.floor(from * first.length), Math.ceil(to * first.length));
    const lines = second.split("\n").filter((_, index) => index % step !== 0);
    return `${head}\n${lines.join("\n")}`;
  });

test("no parser throws or counts what cannot be, whatever output it gets", () => {
  fc.assert(
    fc.property(damaged, fc.constantFrom(0, 1, null), (text, exitCode) => {
      const combined = cleanText(text);
      for (const tool of tools) {
        const output = { stdout: combined, stderr: "", combined, exitCode, words: [] };
        const report = tool.parse(output);
        if (report === undefined) continue;
        for (const count of [report.passed, report.failed, report.skipped])
          assert.ok(Number.isSafeInteger(count) && count >= 0, `${tool.id}: ${count}`);
        for (const { name, message } of [...report.failures, ...report.warnings])
          assert.ok(typeof name === "string" && typeof message === "string", tool.id);
      }
    }),
    { seed: 7, numRuns: repetitions(60) },
  );
});
