import { join } from "node:path";

/**
 * Where calls are recorded: `CODETOOL_STATS_FILE`, else `~/.codetool/stats.jsonl`; `undefined` where there is no home.
 */
export function usageFile(environment: {
  readonly [name: string]: string | undefined;
}): string | undefined {
  const named = environment["CODETOOL_STATS_FILE"];
  if (named !== undefined && named !== "") return named;
  const home = environment["HOME"] ?? environment["USERPROFILE"];
  return home === undefined || home === "" ? undefined : join(home, ".codetool", "stats.jsonl");
}

/** The folder next to a log that holds its totals, the log that was folded last, and the lock. */
export function totalsFolder(path: string): string {
  return `${path}.d`;
}
