import assert from "node:assert/strict";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { walkFiles } from "../../files/index.ts";
import { drawBench } from "./draw-bench.ts";
import { makeTasks } from "./make-tasks.ts";
import { pickSubjects, type Subject, wordsOf } from "./pick-subjects.ts";

const filler = "// filler\n".repeat(60);

async function subjectsOf(files: { readonly [path: string]: string }): Promise<readonly Subject[]> {
  using folder = createTemporaryFolder(files);
  return await pickSubjects(
    walkFiles({ root: folder.path, environment: {}, sizeBytesMax: 1_000_000 }).files,
  );
}

test("wordsOf() parts a compound name", () => {
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ["parseCommandLine", ["parse", "command", "line"]],
    ["HTTPServer", ["http", "server"]],
    ["read_all_2", ["read", "all", "2"]],
    ["_x", ["x"]],
  ];
  for (const [name, words] of rows) assert.deepEqual(wordsOf(name), words);
});

test("pickSubjects() takes the longest definitions of sources, of as many files, the same each time", async () => {
  const source = (name: string): string =>
    `export function ab() {}\nexport function ${name}() {\n  return [\n    1,\n  ];\n}\n${filler}`;
  const files = {
    "a.ts": source("openFirstDoor"),
    "b.ts": source("openSecondDoor"),
    "c.py": `def close_third_door():\n    return 1\n${"# filler\n".repeat(60)}`,
    "small.ts": "export function tooSmallAFile() {}\n",
    "table.json": JSON.stringify({ someKeyOfData: "x".repeat(1000) }),
    "test/a.test.ts": source("onlyOfTests"),
  };
  const subjects = await subjectsOf(files);
  assert.deepEqual(subjects, [
    { name: "openFirstDoor", file: "a.ts" },
    { name: "openSecondDoor", file: "b.ts" },
    { name: "close_third_door", file: "c.py" },
  ]);
  assert.deepEqual(await subjectsOf(files), subjects);
  const tests = await subjectsOf({ "test/a.test.ts": source("onlyOfTests") });
  assert.deepEqual(tests, [{ name: "onlyOfTests", file: "test/a.test.ts" }]);
  assert.deepEqual(await subjectsOf({ "README.md": `# Title\n${filler}` }), []);
});

test("makeTasks() asks both the same, and without a subject only what needs none", () => {
  const tasks = makeTasks([{ name: "openDoor", file: "-a.ts" }], { hasCommits: true });
  const unixOf = (name: string): string[] =>
    tasks
      .find((task) => task.name === name)
      ?.unix.map(({ program, args }) => [program, ...args].join(" ")) ?? [];
  assert.deepEqual(unixOf("see_definition"), [
    "grep -rn -I --exclude-dir=.git --exclude-dir=.codetool -F -e openDoor -- .",
    "cat -- -a.ts",
  ]);
  assert.deepEqual(unixOf("search_words"), [
    "grep -rn -I --exclude-dir=.git --exclude-dir=.codetool -F -i -e open -e door -- .",
  ]);
  assert.deepEqual(unixOf("find_files"), [
    "find . -type f -not -path */.git/* ( -name *.ts ) -exec wc -l {} +",
  ]);
  const bare = makeTasks([], { hasCommits: false });
  assert.deepEqual(
    bare.map(({ name }) => name),
    ["find_files"],
  );
});

test("drawBench() draws a table, with what was left out", () => {
  const task = {
    name: "exists",
    query: "a name that is so long that nobody wants to see all of it in a table",
    codetool_command: "codetool exists a",
    baseline_command: "grep -rl a",
    codetool_tokens: 30,
    baseline_tokens: 120,
    savings_pct: 75,
    codetool_ms: 40,
    baseline_ms: 5,
  };
  const summary = {
    total_tasks: 1,
    total_codetool_tokens: 30,
    total_baseline_tokens: 120,
    savings_pct: 75,
    avg_savings_pct: 75,
    codetool_total_ms: 40,
    baseline_total_ms: 5,
  };
  const left_out = [{ name: "diff_commit", reason: "git is not installed" }];
  const head = { root: "/t", path: ".", files: 3, has_index: false };
  assert.equal(
    drawBench({ ...head, tasks: [task], summary, left_out }),
    [
      ".: 3 files, without an index; tokens (bytes / 4) and milliseconds",
      "",
      "task      question                                  codetool  ms  Unix way  ms   saved",
      "exists    a name that is so long that nobody want…        30  40       120   5  75.0 %",
      "together                                                  30  40       120   5  75.0 %",
      "left out: diff_commit: git is not installed",
    ].join("\n"),
  );
});
