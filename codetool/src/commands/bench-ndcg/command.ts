import { defineCommand } from "../define-command.ts";
import { benchNdcgInput } from "./input.ts";
import type { BenchNdcgPayload } from "./payload.ts";

/** `codetool bench-ndcg`: how good search is, measured against labelled queries. */
export const benchNdcgCommand = defineCommand({
  name: "bench-ndcg",
  summary: "measure search against labelled queries: NDCG@10, by category, with misses",
  examples: [
    {
      commandLine: "codetool bench-ndcg queries.json --root ../their-project",
      remark: "one set of queries over one tree",
    },
    {
      commandLine: "codetool bench-ndcg sets/*.json --repositories trees --plain",
      remark: "many sets, each over the tree trees/<name>",
    },
    {
      commandLine: "codetool bench-ndcg sets/*.json --repositories trees --baseline before.json",
      remark: "exit code 1 when a repository lost more than 0.02 since that answer",
    },
  ],
  ...benchNdcgInput,
  isBatchable: false,
  run: async (input, context) => {
    const { runBenchNdcg } = await import("./run.ts");
    return await runBenchNdcg(input, context);
  },
  renderPlain,
});

/** A table: one line a repository, then the means, what was missed, and what regressed. */
function renderPlain(payload: BenchNdcgPayload): string {
  const { repos, misses, regressions } = payload;
  const categories = Object.keys(payload.by_category);
  const rows = [
    ["repository", "queries", "NDCG@10", "strict", ...categories],
    ...[...repos, { ...payload, repo: "mean" }].map((row) => [
      row.repo,
      String(row.queries),
      row.ndcg10.toFixed(4),
      row.strict_ndcg10.toFixed(4),
      ...categories.map((name) => row.by_category[name]?.ndcg10.toFixed(4) ?? "-"),
    ]),
  ];
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  "),
  );
  const [low, high] = payload.ndcg10_ci95;
  lines.push("", `95 % of resamples: ${low?.toFixed(4)} to ${high?.toFixed(4)}`);
  lines.push(`${misses.length} queries without a wanted file in the first ten`);
  for (const { repo, query } of misses) lines.push(`  ${repo}: ${query}`);
  for (const { repo, before, now } of regressions)
    lines.push(`REGRESSED ${repo}: ${before.toFixed(4)} to ${now.toFixed(4)}`);
  return lines.join("\n");
}
