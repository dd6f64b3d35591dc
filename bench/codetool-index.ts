/**
 * How many megabytes of source does the one-file executable index a second, with how much memory, and how long does a
 * run take after one file changed? The trees are three Debian source packages of about 10, 50 and 300 MB (folder
 * `BENCH_TREES`, fetched when it is not there). As a comparison, ast-grep's native program parses the same trees and does
 * nothing more, and ripgrep reads them and counts their lines: two floors, not rivals. All files are warm; those above
 * 1 MiB, which codetool leaves out, count for nobody (though ast-grep reads them).
 */
import type { Bench } from "./bench.ts";
import {
  astGrepParses,
  codetoolIndexes,
  codetoolIndexesOnOneCore,
  ripgrepReads,
} from "./rivals/indexing.ts";

/** See the header. */
export const bench: Bench = {
  question: "How many megabytes of source are indexed a second, and with how much memory?",
  operation: "megabyte",
  roundCount: 3,
  contenders: [codetoolIndexes(), codetoolIndexesOnOneCore(), astGrepParses(), ripgrepReads()],
};
