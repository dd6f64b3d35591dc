/**
 * How long does it take to list 75 000 files, from the start of the program to its end, compared with `rg --files`? The tree is
 * made once, in the folder `BENCH_TREES`: 75 000 sources of twenty lines in 5 000 folders, once with an index and once
 * without. Only names are what ripgrep writes (`find --plain`); `lines` is the JSON with lines and languages of each
 * file, for which others start `rg --files` and `wc -l`. All files are warm.
 */
import type { Bench } from "./bench.ts";
import { codetoolLists, ripgrepCountsLines, ripgrepLists } from "./rivals/find.ts";

export const bench: Bench = {
  question: "How long does it take to list 75 000 files, compared with ripgrep?",
  operation: "listing",
  roundCount: 5,
  contenders: [
    codetoolLists({ name: "names", args: ["find", "--plain"], isIndexed: true }),
    codetoolLists({ name: "names, no index", args: ["find", "--plain"], isIndexed: false }),
    codetoolLists({ name: "lines", args: ["find", "--flat"], isIndexed: true }),
    codetoolLists({ name: "lines, no index", args: ["find", "--flat"], isIndexed: false }),
    ripgrepLists(),
    ripgrepCountsLines(),
  ],
  yardstick: "rg and wc",
};
