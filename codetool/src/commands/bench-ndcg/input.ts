import type { InputDefinition, InputOf } from "../command.ts";

/** What `bench-ndcg` takes. */
export const benchNdcgInput = {
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
      summary: "how to combine words and meaning in the order of answers (default linear)",
    },
    {
      name: "alpha",
      kind: "number",
      placeholder: "X",
      minimum: 0,
      maximum: 1,
      summary: "ranker rrf, from only words (0) to only meaning (1)",
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
      summary: "search as if there were no index (default: index each tree in memory once)",
    },
    { name: "per_query", kind: "boolean", summary: "the score and the first files of each query" },
  ],
} as const satisfies InputDefinition;

/** The input of `bench-ndcg`, checked. */
export type BenchNdcgInput = InputOf<typeof benchNdcgInput>;
