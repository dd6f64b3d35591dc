/**
 * The tables of `docs/reference` that map cases to tests: a row `| case | [file](../../path): \`title\` |` names a test
 * that exists, by a part of its title as it stands in the source.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("..", import.meta.url));
const rowPattern = /^\| (.+?) \| \[[^\]]+\]\(\.\.\/\.\.\/([^)]+)\): `(.+)` \|$/gm;

function checkTable(page: string, testCountMin: number): void {
  const text = readFileSync(join(repository, page), "utf8");
  const rows = [...text.matchAll(rowPattern)];
  assert.ok(rows.length >= testCountMin, `${page} names ${rows.length} tests`);
  for (const [, name, path = "", title = ""] of rows) {
    const source = readFileSync(join(repository, path), "utf8");
    assert.ok(source.includes(title), `${page}, ${name}: ${path} has no test "${title}"`);
  }
}

test("every test that docs/reference/otp-cases.md names exists", () => {
  checkTable("docs/reference/otp-cases.md", 40);
});

test("every test that docs/reference/lessons.md names exists", () => {
  checkTable("docs/reference/lessons.md", 80);
});
