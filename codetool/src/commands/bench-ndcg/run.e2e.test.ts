import assert from "node:assert/strict";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { runCodetool } from "../../cli/test-support/codetool.ts";

test("codetool bench-ndcg prints one table, twice the same, and its exit code is the verdict", async () => {
  const query = { query: "JobQueue", relevant_files: ["src/queue.ts"], query_type: "symbol" };
  using folder = createTemporaryFolder({
    "src/queue.ts": "export class JobQueue {}\n",
    "set.json": JSON.stringify({ repo: "o/one", queries: [query] }),
    "before.json": JSON.stringify({ data: { repos: [{ repo: "o/one", ndcg10: 1.5 }] } }),
  });
  const run = async (...more: string[]) =>
    await runCodetool(["bench-ndcg", "set.json", ...more], {
      workingDirectory: folder.path,
    });
  const first = await run("--plain");
  assert.equal(first.code, 0);
  assert.match(first.stdout, /^o\/one +1 +1\.0000/m);
  assert.deepEqual(await run("--plain"), first);
  const regressed = await run("--baseline", "before.json");
  assert.equal(regressed.code, 1);
  const { status, data } = JSON.parse(regressed.stdout) as {
    readonly status: string;
    readonly data: { readonly regressions: readonly object[] };
  };
  assert.equal(status, "ok");
  assert.deepEqual(data.regressions, [{ repo: "o/one", before: 1.5, now: 1 }]);
});

test("codetool bench-ndcg --threshold without anything to compare with is wrong usage, and says how to make a baseline", async () => {
  const query = { query: "JobQueue", relevant_files: ["src/queue.ts"], query_type: "symbol" };
  using folder = createTemporaryFolder({
    "src/queue.ts": "export class JobQueue {}\n",
    "set.json": JSON.stringify({ repo: "o/one", queries: [query] }),
    "scored.json": JSON.stringify({ repo: "o/one", baseline_ndcg10: 0.5, queries: [query] }),
    "other.json": JSON.stringify({ data: { repos: [{ repo: "o/two", ndcg10: 1 }] } }),
  });
  const run = async (...args: string[]) =>
    await runCodetool(["bench-ndcg", ...args], { workingDirectory: folder.path });
  const bare = await run("set.json", "--threshold", "0.02");
  assert.equal(bare.code, 2);
  const { error } = JSON.parse(bare.stdout) as { readonly error: { readonly message: string } };
  assert.match(
    error.message,
    /nothing to compare with: make a baseline with `codetool bench-ndcg set.json > baseline.json`/,
  );
  assert.match(bare.stderr, /^codetool: --threshold has nothing to compare with.*\nUsage: /);
  const other = await run("set.json", "--baseline", "other.json", "--plain");
  assert.deepEqual([other.code, other.stdout], [2, ""]);
  assert.match(other.stderr, /--baseline other.json has no score of o\/one/);
  assert.equal((await run("scored.json", "--threshold", "0.02")).code, 0);
  // What it says to do works.
  const made = await run("set.json");
  folder.write({ "baseline.json": made.stdout });
  const compared = await run("set.json", "--threshold", "0.02", "--baseline", "baseline.json");
  assert.equal(compared.code, 0, compared.stdout);
});
