/** Counted steps: in a separate process, see `StepCounter`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear, createTemporaryFolder, StepCounter } from "testkit";

const counter = new StepCounter();
const { runCodetool } = await import("../../cli/test-support/codetool.ts");

/** How many matches a search says it shows in a file of so many. */
async function shownOf(count: number): Promise<unknown> {
  using folder = createTemporaryFolder({ "many.py": "def needle():\n    pass\n".repeat(count) });
  const args = ["search", "needle", "--top-k", "1000000"];
  const { stdout } = await runCodetool(args, { workingDirectory: folder.path });
  const { data } = JSON.parse(stdout) as { readonly data: { readonly returned: number } };
  return data.returned;
}

test("search shows all of very many matches in one file without reading it again for each", async () => {
  assert.equal(await shownOf(20_000), 20_000);
  await assertLinear(counter, { name: "matches", count: 2_500, run: shownOf });
});
