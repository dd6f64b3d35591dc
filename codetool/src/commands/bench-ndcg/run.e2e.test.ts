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
