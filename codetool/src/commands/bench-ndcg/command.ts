import type { CommandDefinition, CommandResult } from "../command.ts";

/** `codetool bench-ndcg`: how good search is, measured against labelled queries. */
export const benchNdcgCommand: CommandDefinition = {
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
  positionals: [
    {
      name: "datasets",
      aliases: ["dataset"],
      isRequired: true,
      isVariadic: true,
      summary: "files of labelled queries",
    },
  ],
  flags: [
    {
      name: "root",
      kind: "string",
      placeholder: "DIR",
      summary: 'top of the tree, when there is one set of queries (default its "root", else .)',
    },
    {
      name: "repositories",
      kind: "string",
      placeholder: "DIR",
      summary: "folder with a tree for each set, named as the set or its repository",
    },
    {
      name: "whole",
      kind: "boolean",
      summary: 'search the whole tree, not only the "benchmark_root" of a set',
    },
    {
      name: "mode",
      kind: "string",
      placeholder: "MODE",
      choices: ["literal", "bm25", "hybrid", "semantic"],
      summary: "search in this mode (default: what each query suggests)",
    },
    {
      name: "ranker",
      kind: "string",
      placeholder: "NAME",
      choices: ["linear", "rrf"],
      summary: "order answers by words and meaning so (default linear)",
    },
    {
      name: "alpha",
      kind: "number",
      placeholder: "X",
      minimum: 0,
      maximum: 1,
      summary: "ranker rrf, from words alone (0) to meaning alone (1)",
    },
    {
      name: "baseline",
      kind: "string",
      placeholder: "FILE",
      summary: "an earlier answer of this command to compare with",
    },
    {
      name: "threshold",
      kind: "number",
      placeholder: "X",
      minimum: 0,
      summary: "exit code 1 when a repository lost more than this (default 0.02)",
    },
    {
      name: "no_index",
      kind: "boolean",
      summary: "search as where there is no index; without it, each tree is indexed in memory once",
    },
    { name: "per_query", kind: "boolean", summary: "the score and the first files of each query" },
  ],
  isBatchable: false,
  run: async (input, context) => {
    const { benchNdcgPayload } = await import("./run.ts");
    return await benchNdcgPayload(input, context);
  },
  renderPlain,
};

interface PlainRow {
  readonly repo: string;
  readonly queries: number;
  readonly ndcg10: number;
  readonly strict_ndcg10: number;
  readonly by_category: { readonly [category: string]: { readonly ndcg10: number } };
}

/** A table: one line a repository, then the means, what was missed, and what regressed. */
function renderPlain(data: CommandResult["data"]): string {
  const repos = data["repos"] as readonly PlainRow[];
  const total = { ...(data as unknown as PlainRow), repo: "mean" };
  const categories = Object.keys(total.by_category);
  const rows = [
    ["repository", "queries", "NDCG@10", "strict", ...categories],
    ...[...repos, total].map((row) => [
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
  const [low, high] = data["ndcg10_ci95"] as readonly number[];
  lines.push("", `95 % of resamples: ${low?.toFixed(4)} to ${high?.toFixed(4)}`);
  const misses = data["misses"] as readonly { readonly repo: string; readonly query: string }[];
  lines.push(`${misses.length} queries without a wanted file in the first ten`);
  for (const { repo, query } of misses) lines.push(`  ${repo}: ${query}`);
  const regressions = data["regressions"] as readonly {
    readonly repo: string;
    readonly before: number;
    readonly now: number;
  }[];
  for (const { repo, before, now } of regressions)
    lines.push(`REGRESSED ${repo}: ${before.toFixed(4)} to ${now.toFixed(4)}`);
  return lines.join("\n");
}
