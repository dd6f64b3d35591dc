/**
 * How long does one search take, from the start of the executable to its end, by itself and answered by a service of the
 * tree, and in a process that stays (`batch`, `mcp`), on indexed trees of some 5 000 and 50 000 files; what does ripgrep take
 * for the same literals, and semble, in a process that stays, for the others?
 *
 * `CODETOOL_BENCH_TREES` names the trees, separated as in `PATH`; README.md says how those of the published figures
 * are made. Each tree is indexed before it is measured. The files are warm.
 */
import { delimiter } from "node:path";
import process from "node:process";
import type { Bench, Contender } from "./bench.ts";
import {
  batchSearches,
  mcpSearches,
  processSearches,
  ripgrepSearches,
  sembleSearches,
  serviceSearches,
} from "./rivals/search.ts";

const trees = (process.env["CODETOOL_BENCH_TREES"] ?? "").split(delimiter).filter(Boolean);

const noTrees: Contender = {
  name: "codetool",
  prepare: () => "CODETOOL_BENCH_TREES names no trees",
  run: () => ({ operationCount: 0, seconds: 0 }),
};

const [first = noTrees, ...others] = trees.flatMap((tree) => [
  processSearches(tree),
  serviceSearches(tree),
  batchSearches(tree),
  mcpSearches(tree),
  ripgrepSearches(tree),
  sembleSearches(tree),
]);

export const bench: Bench = {
  question:
    "How long does a search take, as a separate process, with a service, and in one that stays?",
  operation: "answer",
  roundCount: 3,
  contenders: [first, ...others],
};
