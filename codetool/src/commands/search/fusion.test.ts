import assert from "node:assert/strict";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import type { CommandInput } from "../command.ts";
import { indexCommand } from "../index-folder/command.ts";
import { executeCommand } from "../execute-command.ts";
import { readSearchRequest } from "../query/request.ts";
import { searchCommand } from "./command.ts";

interface FusedAnswer {
  readonly matches: readonly {
    readonly file: string;
    readonly line: number;
    readonly features?: readonly { readonly feature: string; readonly value: number }[];
  }[];
  readonly mode: string;
  readonly total_matches: number;
  readonly continuation_token: string | null;
}

async function search(input: CommandInput, workingDirectory: string) {
  const answer = await executeCommand(searchCommand, input, { workingDirectory, environment: {} });
  if ("error" in answer) throw answer.error;
  return { ...answer, data: answer.data as unknown as FusedAnswer };
}

test("alpha or ranker rrf select fused ranks, alone in the mode hybrid, with one retriever in its own mode", () => {
  const rows: readonly (readonly [CommandInput, string | null, object | null])[] = [
    [{}, null, null],
    [{ ranker: "linear" }, null, null],
    [{ ranker: "linear", mode: "literal" }, "literal", null],
    [{ ranker: "rrf" }, "hybrid", {}],
    [{ alpha: 0.4 }, "hybrid", { alpha: 0.4 }],
    [{ alpha: 0, ranker: "rrf", mode: "hybrid" }, "hybrid", { alpha: 0 }],
    [{ ranker: "rrf", mode: "bm25" }, "bm25", { alpha: 0 }],
    [{ ranker: "rrf", semantic: true }, "semantic", { alpha: 1 }],
    [{ alpha: 1, semantic: true }, "semantic", { alpha: 1 }],
  ];
  for (const [input, way, fusion] of rows) {
    const request = readSearchRequest({ query: "x", ...input });
    assert.deepEqual([request.way, request.fusion], [way, fusion], JSON.stringify(input));
  }
});

test("alpha and ranker are refused where they say nothing or contradict the mode", async () => {
  const rows: readonly (readonly [CommandInput, RegExp])[] = [
    [{ alpha: -0.1 }, /"alpha -0.1": wanted a number from 0 to 1/],
    [{ alpha: 1.5 }, /"alpha 1.5": wanted a number from 0 to 1/],
    [{ ranker: "best" }, /"ranker best": wanted one of linear, rrf/],
    [{ alpha: 0.5, ranker: "linear" }, /alpha is for ranker rrf/],
    [{ alpha: 0.5, literal: true }, /"alpha and mode literal": ranks are fused/],
    [{ ranker: "rrf", regex: true }, /"ranker rrf and regex": ranks are fused/],
    [{ alpha: 0.5, mode: "bm25" }, /"alpha and mode bm25": mode bm25 has alpha 0/],
    [{ alpha: 0, semantic: true }, /"alpha and mode semantic": mode semantic has alpha 1/],
  ];
  using folder = createTemporaryFolder({});
  for (const [input, message] of rows)
    await assert.rejects(search({ query: "x", ...input }, folder.path), {
      code: "invalid_argument",
      message,
    });
});

const tree = {
  "src/retry.ts": "export function scheduleRetry(count: number) {\n  return count;\n}\n",
  "src/session.ts":
    "import { scheduleRetry } from './retry.ts';\nexport class Session {\n  start() {\n    return scheduleRetry(1);\n  }\n}\n",
  "tests/retry.test.ts": "export function scheduleRetry() {}\nscheduleRetry();\n",
  "docs/retries.md": "# Retries\n\nscheduleRetry plans the next try.\n",
};

test("ranker rrf answers the same with an index and without, definitions of a symbol first, and says why", async () => {
  using folder = createTemporaryFolder(tree);
  const input = { query: "scheduleRetry", ranker: "rrf", explain: true };
  const without = await search(input, folder.path);
  assert.match(String(without.warnings), /No index/);
  await executeCommand(indexCommand, {}, { workingDirectory: folder.path, environment: {} });
  const { data, warnings } = await search(input, folder.path);
  assert.deepEqual(warnings, []);
  assert.deepEqual(data.matches, without.data.matches);
  assert.equal(data.mode, "hybrid");
  assert.deepEqual(
    data.matches.slice(0, 2).map(({ file, line }) => `${file}:${line}`),
    ["src/retry.ts:1", "tests/retry.test.ts:1"],
  );
  const [first, second] = data.matches;
  assert.deepEqual(
    first?.features?.map(({ feature }) => feature),
    ["lexicalRank", "semanticRank", "coherence", "definition", "path", "symbol"],
  );
  assert.equal(second?.features?.find(({ feature }) => feature === "noise")?.value, 0.3);
  const importing = data.matches.find(({ file }) => file === "src/session.ts");
  assert.equal(importing?.features?.find(({ feature }) => feature === "imports")?.value, 1);
});

test("ranker rrf pages through five times what is shown of each retriever, and no page of another size goes on", async () => {
  using folder = createTemporaryFolder(
    Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`src/part-${index}.ts`, "const delay = 1;\n"]),
    ),
  );
  const input = { query: "delay", alpha: 0, top_k: 2 };
  const seen: string[] = [];
  let token: string | null = null;
  do {
    const page = await search(
      { ...input, ...(token === null ? {} : { continue: token }) },
      folder.path,
    );
    seen.push(...page.data.matches.map(({ file }) => file));
    token = page.data.continuation_token;
    if (seen.length === 2)
      await assert.rejects(
        search({ ...input, top_k: 3, continue: token ?? "" }, folder.path),
        /continues another search/,
      );
  } while (token !== null);
  assert.equal(seen.length, 10);
  assert.equal(new Set(seen).size, 10);
});
