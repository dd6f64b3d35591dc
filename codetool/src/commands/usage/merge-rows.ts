import type { UsageRow } from "./usage-row.ts";

export const hourSeconds = 3600;
export const daySeconds = 24 * hourSeconds;

/**
 * Merges rows that nobody will ask apart any more: those of the last hour by the minute, those of the last day by the quarter
 * of an hour, older ones all; each by command. So there are at most 157 rows for a command.
 */
export function mergeRows(rows: Iterable<UsageRow>, nowSeconds: number): UsageRow[] {
  const merged = new Map<string, UsageRow>();
  for (const row of rows) {
    const tsSeconds = timeOf(row.tsSeconds, nowSeconds);
    const key = `${tsSeconds} ${row.command}`;
    const before = merged.get(key);
    merged.set(key, before === undefined ? { ...row, tsSeconds } : sumOf(before, row));
  }
  return [...merged.values()];
}

/** The first moment of the time that a row is counted with; 0 for all that is older than a day. */
function timeOf(tsSeconds: number, nowSeconds: number): number {
  const ageSeconds = nowSeconds - tsSeconds;
  // The clock was set back: what is ahead of it counts as of now.
  if (ageSeconds < 0) return floorTo(nowSeconds, 60);
  if (ageSeconds < hourSeconds) return floorTo(tsSeconds, 60);
  return ageSeconds < daySeconds ? floorTo(tsSeconds, 900) : 0;
}

function floorTo(seconds: number, step: number): number {
  return Math.floor(seconds / step) * step;
}

/** The sum of two rows, of the time and the command of the first. */
export function sumOf(one: UsageRow, other: UsageRow): UsageRow {
  return {
    tsSeconds: one.tsSeconds,
    command: one.command,
    calls: one.calls + other.calls,
    actualBytes: one.actualBytes + other.actualBytes,
    baselineBytes: one.baselineBytes + other.baselineBytes,
    tokensSaved: one.tokensSaved + other.tokensSaved,
    wallMs: one.wallMs + other.wallMs,
  };
}
