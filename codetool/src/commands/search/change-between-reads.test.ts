/** A file that changes between two reads of it: what is said of it was true of one of its versions. */
import assert from "node:assert/strict";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { createTemporaryFolder } from "testkit";
import { executeCommand } from "../execute-command.ts";
import { indexCommand } from "../index-folder/index.ts";
import { ChangeAtOpening } from "../test-support/change-at-opening.ts";
import { searchCommand } from "./index.ts";

const long = `// What a long file begins with.
// It has more lines than the other.

export function outer(): number {
  const prepared = 1;
  return needle(prepared);
}

export function needle(value: number): number {
  return value + 1;
}

export function later(): number {
  return needle(2);
}
`;
/** Shorter, its matches on other lines. */
const short = `export function needle(value: number): number {
  return value;
}
export const once = needle(7);
`;
/** As long as the long one, other functions around the same lines. */
const renamed = long.replace("outer", "inner").replace("later", "after");

const changes = [
  [long, short],
  [short, long],
  [long, renamed],
] as const;

const searches: readonly { readonly [name: string]: string | number | boolean }[] = [
  { query: "needle" },
  { query: "needle(", literal: true },
  { query: "ne+dle\\(", regex: true },
  { query: "needle", mode: "bm25" },
  { query: "where is the needle prepared", mode: "hybrid" },
  { query: "where is the needle prepared", semantic: true },
  { query: "where is the needle prepared", ranker: "rrf" },
  { query: "needle($A)" },
];

function isQuick({ query }: (typeof searches)[number]): boolean {
  return String(query).includes("needle") && !String(query).includes(" ");
}

interface Tree {
  readonly root: string;
  readonly path: string;
}

/** The version that a file has from now on. */
function put({ path }: Tree, text: string): void {
  writeFileSync(`${path}~`, text);
  renameSync(`${path}~`, path);
}

interface Match {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly match: string;
  readonly context_name: string | null;
  readonly snippet: string;
  readonly snippet_lines?: { readonly start: number; readonly end: number };
}

interface Said {
  readonly matches: readonly Match[];
  readonly total_matches: number;
  readonly mode: string;
  readonly warnings: readonly string[];
}

async function ask({ root }: Tree, search: (typeof searches)[number]): Promise<Said> {
  const context = { workingDirectory: root, environment: {}, isFallbackOff: true };
  const input = { top_k: 20, context: "function", ...search };
  const outcome = await executeCommand(searchCommand, input, context);
  assert.ok(!("error" in outcome), JSON.stringify(outcome));
  const said = outcome.data as unknown as Said;
  return { ...said, warnings: outcome.warnings ?? [] };
}

/** The matches in the file that changes. */
function matchesIn({ matches }: Said): readonly Match[] {
  return matches.filter(({ file }) => file === "a.ts");
}

/** Whether a version reads as a match says; every line of the versions is at most in one definition. */
function isTrueOf(version: string, match: Match): boolean {
  const lines = version.split("\n");
  const { line, column, snippet_lines: shown = { start: line, end: line } } = match;
  const at = lines.findLastIndex((text, index) => index < line && text.startsWith("export"));
  const end = lines.findIndex((text, index) => index >= at && /^\}|;$/.test(text));
  const isInside = at >= 0 && lines.slice(at, line - 1).every((text) => text !== "}");
  const name = isInside && end >= at ? /(?:function|const) (\w+)/.exec(lines[at] ?? "")?.[1] : null;
  return (
    lines[line - 1]?.startsWith(match.match, column - 1) === true &&
    lines.slice(shown.start - 1, shown.end).join("\n") === match.snippet &&
    match.context_name === (name ?? null)
  );
}

/** What a search that reads files found: all of it, in the order of lines. */
function foundBy(said: Said): unknown {
  const { total_matches: count, mode } = said;
  if (mode !== "literal" && mode !== "structural") return mode;
  return [
    count,
    matchesIn(said)
      .map(({ line, match }) => `${line} ${match}`)
      .sort(),
  ];
}

for (const hasIndex of [false, true])
  test(`a file changed at any moment of a search ${hasIndex ? "with" : "without"} an index: what is said of it is true of one version`, async () => {
    let momentCount = 0;
    for (const [number, [before, after]] of changes.entries()) {
      using folder = createTemporaryFolder({ "a.ts": before, "b.ts": "export const other = 1;\n" });
      const tree = { root: folder.path, path: join(folder.path, "a.ts") };
      if (hasIndex) await index(tree);
      // To rank takes longer, and differs less.
      for (const search of number === 0 ? searches : searches.filter(isQuick)) {
        put(tree, after);
        const late = await ask(tree, search);
        put(tree, before);
        const early = await ask(tree, search);
        for (let moment = 1; ; moment += 1) {
          put(tree, before);
          using watched = new ChangeAtOpening(tree.path, (count) => {
            if (count === moment) put(tree, after);
          });
          const said = await ask(tree, search);
          if (watched.count < moment) break;
          momentCount += 1;
          const when = `${JSON.stringify(search)}, changed before opening ${moment}: ${JSON.stringify(said)}`;
          const version = [before, after].find((text) =>
            matchesIn(said).every((match) => isTrueOf(text, match)),
          );
          assert.ok(version !== undefined, when);
          const isFound = [early, late].some((each) =>
            isDeepStrictEqual(foundBy(each), foundBy(said)),
          );
          assert.ok(isFound, when);
          assert.ok(matchesIn(said).length > 0, when);
          assert.ok(!said.warnings.some((warning) => warning.includes("changing")), when);
        }
      }
    }
    assert.ok(momentCount > 40, `only ${momentCount} moments`);
  });

async function index({ root }: Tree): Promise<void> {
  await executeCommand(indexCommand, {}, { workingDirectory: root, environment: {} });
}

test("of a file that changes whenever it is read, only what is true is said, and that matches are left out", async () => {
  using folder = createTemporaryFolder({ "a.ts": long });
  const tree = { root: folder.path, path: join(folder.path, "a.ts") };
  const versions = [long, short];
  for (const search of searches) {
    put(tree, long);
    using _ = new ChangeAtOpening(tree.path, (count) => put(tree, versions[count % 2] ?? ""));
    const said = await ask(tree, search);
    const { warnings } = said;
    const matches = matchesIn(said);
    for (const match of matches)
      assert.ok(
        versions.some((version) => isTrueOf(version, match)),
        JSON.stringify(match),
      );
    const remarks = warnings.filter((warning) => warning.includes("kept changing"));
    assert.ok(matches.length > 0 || remarks.length === 1, JSON.stringify([search, warnings]));
  }
});

test("of a file that is removed before its matches are shown, none is", async () => {
  using folder = createTemporaryFolder({ "a.ts": long, "b.ts": short });
  const tree = { root: folder.path, path: join(folder.path, "a.ts") };
  for (let moment = 1; ; moment += 1) {
    put(tree, long);
    using watched = new ChangeAtOpening(tree.path, (count) => {
      if (count === moment) renameSync(tree.path, `${folder.path}.gone`);
    });
    const said = await ask(tree, { query: "needle(", literal: true });
    if (watched.count < moment) break;
    const files = said.matches.map(({ file }) => file);
    assert.deepEqual([files, said.total_matches], [["b.ts", "b.ts"], 2], `opening ${moment}`);
    assert.ok(moment < 20);
  }
  rmSync(`${folder.path}.gone`, { force: true });
});
