/** Places are compared over files by their scores; a chunk that was found another way has none. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { executeCommand } from "../execute-command.ts";
import { indexCommand } from "../index-folder/command.ts";
import { searchCommand } from "./command.ts";

interface Match {
  readonly file: string;
  readonly line: number;
  readonly relevance: number;
  readonly features?: readonly { readonly feature: string }[];
}

/** A function of several chunks, each of which holds words of the question. */
function longFunction(name: string): string {
  const lines = Array.from(
    { length: 160 },
    (_, at) => `  plan.push({ step: ${at}, delivery: "failed", retry: schedule(${at}) });`,
  );
  return `export function ${name}(plan: object[]): void {\n${lines.join("\n")}\n}\n`;
}

async function search(
  workingDirectory: string,
  input: { readonly [name: string]: unknown },
): Promise<readonly Match[]> {
  const context = { workingDirectory, environment: {} };
  const outcome = await executeCommand(searchCommand, { top_k: 40, ...input }, context);
  if ("error" in outcome) throw outcome.error;
  return (outcome.data as unknown as { readonly matches: readonly Match[] }).matches;
}

test("a chunk that is no place comes behind all places that were compared, with no more relevance", async () => {
  const files: { [path: string]: string } = { "src/long.ts": longFunction("fillPlan") };
  for (let part = 0; part < 15; part += 1)
    files[`src/part-${part}.ts`] =
      `import { limit } from "./limits.ts";\n\nexport const delivery${part} = limit(${part});\n\n` +
      `export function open${part}(host: string): string {\n  return host + " failed";\n}\n`;
  using tree = createTemporaryFolder(files);
  const context = { workingDirectory: tree.path, environment: {} };
  await executeCommand(indexCommand, {}, context);
  for (const query of [
    "how is a failed delivery scheduled for a retry",
    "where does a retry fail",
  ]) {
    const matches = await search(tree.path, { query, explain: true });
    const isPlace = ({ features = [] }: Match): boolean =>
      features.some(({ feature }) => feature === "fileBelow" || feature === "fileRank");
    const kinds = matches.map(isPlace);
    assert.ok(kinds.includes(true) && kinds.includes(false), JSON.stringify(matches));
    assert.equal(kinds.lastIndexOf(true) < kinds.indexOf(false), true, JSON.stringify(kinds));
    const lowest = Math.min(...matches.filter(isPlace).map(({ relevance }) => relevance));
    for (const { relevance } of matches.slice(kinds.indexOf(false)))
      assert.ok(relevance <= lowest, `${relevance} after ${lowest}`);
  }
});
