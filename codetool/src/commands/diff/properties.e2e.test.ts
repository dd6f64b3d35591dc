import assert from "node:assert/strict";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import * as fc from "fast-check";
import { createTemporaryRepository, repetitions, type TemporaryRepository } from "testkit";
import type { DiffPayload, HunkEntry } from "./payload.ts";
import { executeCommand } from "../execute-command.ts";
import { findCommand } from "../table.ts";
import { applyHunks } from "./test-support/apply-hunks.ts";

const isWindows = process.platform === "win32";
const plainGit = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };

async function diff(
  repository: TemporaryRepository,
  raw: { readonly [name: string]: unknown },
): Promise<DiffPayload> {
  const definition = findCommand("diff");
  assert.ok(definition !== undefined);
  const environment = { ...process.env, ...plainGit };
  const context = { workingDirectory: repository.path, environment };
  const outcome = await executeCommand(definition, raw, context);
  assert.ok("data" in outcome, "error" in outcome ? outcome.error.message : "");
  return outcome.data as unknown as DiffPayload;
}

/** Lines added and deleted by path, as git counts them. */
function countsByGit(
  repository: TemporaryRepository,
  args: readonly string[],
): Map<string, readonly [string, string]> {
  const fields = repository.git("diff", "-M", "--numstat", "-z", ...args).split("\0");
  const found = new Map<string, readonly [string, string]>();
  for (let at = 0; at + 1 < fields.length;) {
    const [, added = "", deleted = "", inline = ""] =
      /^([^\t]*)\t([^\t]*)\t([^]*)$/.exec(fields[at] ?? "") ?? [];
    found.set(inline === "" ? (fields[at + 2] ?? "") : inline, [added, deleted]);
    at += inline === "" ? 3 : 1;
  }
  return found;
}

/** The same from our answer, untracked files left aside. */
function countsOf(payload: DiffPayload): Map<string, readonly [string, string]> {
  const found = new Map<string, readonly [string, string]>();
  for (const [path, text] of Object.entries(payload.files ?? {})) {
    if (text.startsWith("untracked ")) continue;
    const match = / (?:\+(\d+) -(\d+)|binary)$/.exec(text);
    assert.ok(match !== null, text);
    found.set(path, match[1] === undefined ? ["-", "-"] : [match[1], match[2] ?? ""]);
  }
  return found;
}

/** Of a binary file that only got another name git writes dashes; no line changed either way. */
function assertSameCounts(payload: DiffPayload, git: ReturnType<typeof countsByGit>): void {
  const ours = countsOf(payload);
  for (const [path, [added]] of git) {
    const isRenamed = payload.files?.[path]?.startsWith("renamed ") === true;
    if (added === "-" && isRenamed) ours.set(path, ["-", "-"]);
  }
  assert.deepEqual(ours, git);
  const sum = (side: 0 | 1): number =>
    [...git.values()].reduce((total, counts) => total + (Number(counts[side]) || 0), 0);
  const untracked = (payload.hunks ?? [])
    .filter(({ file }) => payload.files?.[file]?.startsWith("untracked ") === true)
    .flatMap(({ changes }) => changes.flatMap((change) => change.new?.split("\n") ?? [])).length;
  assert.equal(payload.stats.additions, sum(0) + untracked);
  assert.equal(payload.stats.deletions, sum(1));
}

/** Every file's hunks, applied to what it was, must give what it is. */
function assertApplies(
  payload: DiffPayload,
  texts: { readonly old: (path: string) => string; readonly next: (path: string) => string },
): void {
  const byFile = new Map<string, HunkEntry[]>();
  for (const hunk of payload.hunks ?? [])
    byFile.set(hunk.file, [...(byFile.get(hunk.file) ?? []), hunk]);
  for (const [path, hunks] of byFile) {
    const status = payload.files?.[path] ?? "";
    const oldPath = /^renamed from ([^]*) \+\d+ -\d+$/.exec(status)?.[1] ?? path;
    const old = /^(added|untracked) /.test(status) ? "" : texts.old(oldPath);
    const next = status.startsWith("deleted ") ? "" : texts.next(path);
    assert.equal(applyHunks(old, hunks), next, path);
  }
}

const names = [
  "a.ts",
  "src/b.py",
  "src/c d.txt",
  'quo"te.txt',
  "ünï.ts",
  ...(isWindows ? [] : ["line\nbreak.txt", " lead.txt", "tab\t.txt"]),
];
const line = fc.constantFrom(
  "",
  "function a() {",
  "  return 1;",
  "}",
  "def f(x):",
  "    return x",
  "-- minus",
  "+++ plus",
  "@@ -1 +1 @@",
  "\\ No newline at end of file",
  "diff --git a/x b/x",
  "é 😀",
  "carriage\r",
);
const text = fc
  .tuple(fc.array(line, { maxLength: 14 }), fc.boolean())
  .map(([lines, isEnded]) => lines.join("\n") + (isEnded && lines.length > 0 ? "\n" : ""));
const content = fc.oneof(
  { weight: 8, arbitrary: text },
  { weight: 1, arbitrary: fc.constant("\0\u0001") },
);
const name = fc.constantFrom(...names);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("write" as const), name, content }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("edit" as const),
      name,
      at: fc.nat({ max: 20 }),
      count: fc.nat({ max: 3 }),
      lines: fc.array(line, { maxLength: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("remove" as const), name }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("rename" as const), name, to: name }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("stage" as const), name }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

function perform(repository: TemporaryRepository, each: Step): void {
  const path = join(repository.path, each.name);
  const read = (): string | undefined => {
    try {
      return readFileSync(path, "utf8");
    } catch {
      // Not there in this state: the step does nothing.
      return undefined;
    }
  };
  const before = read();
  switch (each.kind) {
    case "write":
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, each.content);
      return;
    case "edit": {
      if (before === undefined) return;
      const lines = before.split("\n");
      lines.splice(each.at, each.count, ...each.lines);
      writeFileSync(path, lines.join("\n"));
      return;
    }
    case "remove":
      rmSync(path, { force: true });
      return;
    case "rename":
      if (before === undefined) return;
      mkdirSync(dirname(join(repository.path, each.to)), { recursive: true });
      renameSync(path, join(repository.path, each.to));
      return;
    case "stage":
      repository.git(
        "add",
        "-A",
        "--",
        ...(before === undefined ? ["."] : [`:(literal)${each.name}`]),
      );
  }
}

test("any mixture of edits, renames and staging: counts are git's, and hunks give the new text", async () => {
  const first = fc.array(fc.tuple(name, content), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      first,
      fc.array(step, { minLength: 1, maxLength: 12 }),
      async (files, steps) => {
        using repository = createTemporaryRepository(Object.fromEntries(files));
        for (const each of steps) perform(repository, each);
        const show = (revision: string, path: string): string =>
          repository.git("cat-file", "blob", `${revision}:${path}`);
        const working = await diff(repository, {});
        assertSameCounts(working, countsByGit(repository, ["HEAD"]));
        assertApplies(working, {
          old: (path) => show("HEAD", path),
          next: (path) => readFileSync(join(repository.path, path), "utf8"),
        });
        const staged = await diff(repository, { staged: true });
        assertSameCounts(staged, countsByGit(repository, ["--cached", "HEAD"]));
        assertApplies(staged, {
          old: (path) => show("HEAD", path),
          next: (path) => show("", path),
        });
        const untracked = repository.git("ls-files", "-o", "--exclude-standard", "-z").split("\0");
        assert.deepEqual(
          Object.entries(working.files ?? {})
            .flatMap(([path, status]) => (status.startsWith("untracked ") ? [path] : []))
            .sort(),
          untracked.filter(Boolean).sort(),
        );
        repository.commit("second");
        const committed = await diff(repository, { since: "HEAD~1..HEAD" });
        assertSameCounts(committed, countsByGit(repository, ["HEAD~1", "HEAD"]));
        assertApplies(committed, {
          old: (path) => show("HEAD~1", path),
          next: (path) => show("HEAD", path),
        });
      },
    ),
    { seed: 17, numRuns: repetitions(20) },
  );
});

test("a diff within a budget has the whole counts, and hunks of the whole diff", async () => {
  using repository = createTemporaryRepository({ "a.ts": "let a = 1;\n" });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(name, text), { maxLength: 6 }),
      fc.integer({ min: 60, max: 900 }),
      async (files, budget) => {
        for (const [path, body] of files)
          perform(repository, { kind: "write", name: path, content: body });
        const whole = await diff(repository, {});
        const definition = findCommand("diff");
        assert.ok(definition !== undefined);
        const outcome = await executeCommand(
          definition,
          { budget },
          {
            workingDirectory: repository.path,
            environment: { ...process.env, ...plainGit },
          },
        );
        if ("error" in outcome) {
          assert.equal(outcome.error.code, "budget_exceeded");
          return;
        }
        const data = outcome.data as unknown as DiffPayload;
        assert.equal(data.summary, whole.summary);
        const all = new Set((whole.hunks ?? []).map((hunk) => JSON.stringify(hunk)));
        for (const hunk of data.hunks ?? []) assert.ok(all.has(JSON.stringify(hunk)));
        const isWhole = JSON.stringify(data) === JSON.stringify(whole);
        assert.equal(data.truncated, isWhole ? undefined : true);
      },
    ),
    { seed: 23, numRuns: repetitions(12) },
  );
});
