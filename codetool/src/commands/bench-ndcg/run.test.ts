import assert from "node:assert/strict";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { benchNdcgCommand } from "./command.ts";
import { executeCommand } from "../execute-command.ts";

const tree = {
  "src/retry.ts": "export function retryLater(job) {\n  return schedule(job);\n}\n",
  "src/queue.ts": "export class JobQueue {\n  push(job) {}\n}\n",
  "docs/retry.md": "Retries are scheduled.\n",
};
const queries = [
  { query: "JobQueue", relevant_files: ["src/queue.ts"], query_type: "symbol" },
  { query: "retryLater", relevant_files: ["src/retry.ts"], query_type: "symbol" },
  { query: "no such word anywhere", relevant_files: ["src/queue.ts"], query_type: "semantic" },
];

function write(value: unknown): string {
  return JSON.stringify(value);
}

test("bench-ndcg scores each repository, names misses, and compares with an earlier answer", async () => {
  using folder = createTemporaryFolder({
    ...Object.fromEntries(Object.entries(tree).map(([path, text]) => [`trees/one/${path}`, text])),
    "trees/n/a.py": "def parse_config():\n    pass\n",
    "one.json": write({ name: "one", repo: "o/one", language: "typescript", queries }),
    "two.json": write({
      repo: "o/n",
      queries: [{ query: "parse_config", relevant: ["a.py"], category: "symbol" }],
    }),
    "before.json": write({ data: { repos: [{ repo: "one", ndcg10: 0.9 }] } }),
  });
  const context = { workingDirectory: folder.path, environment: {} };
  const datasets = ["one.json", "two.json"];
  // By meaning there is always a nearest file.
  const input = { datasets, repositories: "trees", baseline: "before.json", mode: "bm25" };
  const outcome = await executeCommand(benchNdcgCommand, input, context);
  assert.ok("data" in outcome, JSON.stringify(outcome));
  const { data } = outcome;
  const [one] = data["repos"] as readonly { readonly [key: string]: unknown }[];
  assert.equal(one?.["symbol_ndcg10"], 1);
  assert.equal(one?.["semantic_ndcg10"], 0);
  assert.equal(one?.["ndcg10"], 0.6667);
  assert.deepEqual(one?.["misses"], ["no such word anywhere"]);
  assert.equal(data["ndcg10"], 0.8333);
  assert.equal(data["symbol_ndcg10"], 1);
  assert.deepEqual(data["regressions"], [{ repo: "one", before: 0.9, now: 0.6667 }]);
  assert.equal(outcome.exitCode, 1);
  const again = await executeCommand(benchNdcgCommand, { ...input, threshold: 0.3 }, context);
  assert.ok("data" in again);
  assert.equal(again.exitCode, undefined);
  assert.deepEqual(again.data["repos"], data["repos"]);
  assert.match(outcome.plain?.() ?? "", /^REGRESSED one: 0.9000 to 0.6667$/m);
});

test("bench-ndcg says what is wrong with its files in one line", async () => {
  using folder = createTemporaryFolder({
    "empty.json": "{}",
    "good.json": write({ repo: "o/gone", queries }),
  });
  const context = { workingDirectory: folder.path, environment: {} };
  const rows: readonly (readonly [{ readonly [name: string]: unknown }, string, RegExp])[] = [
    [{ datasets: ["gone.json"] }, "file_not_found", /"gone.json"/],
    [{ datasets: ["empty.json"] }, "invalid_argument", /no list "queries"/],
    [{ datasets: ["good.json"], root: "nowhere" }, "file_not_found", /nowhere/],
    [{ datasets: ["good.json"], repositories: "." }, "file_not_found", /gone/],
    [{ datasets: ["good.json"], baseline: "empty.json" }, "invalid_argument", /earlier answer/],
    [{ datasets: ["good.json", "good.json"], root: "." }, "invalid_argument", /one set/],
  ];
  for (const [input, code, message] of rows) {
    const outcome = await executeCommand(benchNdcgCommand, input, context);
    assert.ok("error" in outcome, JSON.stringify(input));
    assert.equal(outcome.error.code, code);
    assert.match(outcome.error.message, message);
  }
});
