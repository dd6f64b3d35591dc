/**
 * The tables of `docs/reference` that map cases to tests. A row names a test, `| case | [file](../../path): \`title\` |`:
 * that file has a test whose title begins so in the source. Or it says why there is none; where the reason is that a
 * key of the topology is not served yet, `| case | not served yet: \`kind.key\` |`, that must still be so.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { nodeKinds } from "../../agentrt/src/node-kinds/index.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const testPattern = /^\[([^\]]+)\]\(\.\.\/\.\.\/([^)]+)\): `(.+)`$/;
const unservedPattern = /^not served yet: `(.+)`$/;

const unservedKeys = new Set([
  ...nodeKinds.unservedKeys.map(({ path }) => path),
  ...nodeKinds.kinds.flatMap(({ name, unservedKeys: keys }) =>
    (keys ?? []).map(({ path }) => `${name}.${path}`),
  ),
]);

/** The rows of all tables of a page, without their heads. */
function rowsOf(page: string): (readonly [name: string, answer: string])[] {
  const text = readFileSync(join(repository, page), "utf8");
  const lines = text.split("\n").filter((line) => line.startsWith("|"));
  return lines.flatMap((line, index) => {
    if (line.startsWith("|---") || lines[index + 1]?.startsWith("|---") === true) return [];
    const [, name, answer] = /^\| (.+?) \| (.+) \|$/.exec(line) ?? assert.fail(`${page}: ${line}`);
    return [[name as string, answer as string] as const];
  });
}

/** Whether a file has a test, or a row of a table of cases, whose title begins so. */
function hasTest(path: string, title: string): boolean {
  const source = readFileSync(join(repository, path), "utf8");
  const beforeTitle = /(?:\btest\(|\brow\(|\bname:)\s*["'`]$/;
  for (let at = source.indexOf(title); at !== -1; at = source.indexOf(title, at + 1))
    if (beforeTitle.test(source.slice(Math.max(0, at - 50), at))) return true;
  return false;
}

/** The title of a file's tests that shares the most words with a title: what it may have become. */
function nearestTitle(path: string, title: string): string {
  const source = readFileSync(join(repository, path), "utf8");
  const titles = [...source.matchAll(/(?:\btest\(|\brow\(|\bname:)\s*(["'`])(.+?)\1/g)];
  const words = new Set(title.split(/\W+/));
  const shared = (other: string): number =>
    other.split(/\W+/).filter((word) => words.has(word)).length;
  return titles.map(([, , other]) => other ?? "").sort((a, b) => shared(b) - shared(a))[0] ?? "";
}

function checkPage(page: string, countMin: { readonly tests: number; readonly rows: number }) {
  const rows = rowsOf(page);
  const faults: string[] = [];
  let testCount = 0;
  for (const [name, answer] of rows) {
    const [, , path, title] = testPattern.exec(answer) ?? [];
    const [, key] = unservedPattern.exec(answer) ?? [];
    if (key !== undefined) {
      assert.ok(unservedKeys.has(key), `${page}, ${name}: "${key}" is served, so name its test`);
    } else if (path !== undefined && title !== undefined) {
      if (!hasTest(path, title))
        faults.push(
          `${page}, ${name}: ${path} has no test "${title}"; the nearest is "${nearestTitle(path, title)}"`,
        );
      testCount += 1;
    } else {
      assert.ok(!answer.includes("]("), `${page}, ${name}: not understood: ${answer}`);
    }
  }
  assert.deepEqual(faults, []);
  const counts = `${page} has ${rows.length} rows and names ${testCount} tests`;
  assert.ok(rows.length >= countMin.rows && testCount >= countMin.tests, counts);
}

test("every test that docs/reference/otp-cases.md names exists", () => {
  checkPage("docs/reference/otp-cases.md", { rows: 50, tests: 40 });
});

test("every test that docs/reference/lessons.md names exists, and what it calls unserved is so", () => {
  checkPage("docs/reference/lessons.md", { rows: 150, tests: 140 });
});

test("every test that docs/reference/gateway-security.md names exists", () => {
  checkPage("docs/reference/gateway-security.md", { rows: 90, tests: 85 });
});
