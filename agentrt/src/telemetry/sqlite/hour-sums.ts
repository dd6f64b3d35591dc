import type { SpanRow } from "./span-row.ts";

/** What the spans of one hour, agent, name and model add up to; the order is that of the columns. */
export type HourSum = readonly [
  hour: number,
  agentName: string,
  name: string,
  model: string,
  spanCount: number,
  errorCount: number,
  durationSeconds: number,
  tokensIn: number,
  tokensOut: number,
  costUsd: number,
];

/** Seconds of the hour that a sum is of. */
export const hourSeconds = 3600;

/**
 * Adds up spans by hour.
 *
 * @param rows The spans.
 * @returns A sum for each hour, agent, name and model among them.
 */
export function hourSumsOf(rows: readonly SpanRow[]): HourSum[] {
  const sums = new Map<string, [...HourSum]>();
  for (const row of rows) {
    const hour = Math.floor(row[5] / hourSeconds) * hourSeconds;
    const [name, agent, model] = [row[0], row[9] ?? "", row[10] ?? ""];
    const key = `${hour}\n${agent}\n${name}\n${model}`;
    let sum = sums.get(key);
    if (sum === undefined) {
      sum = [hour, agent, name, model, 0, 0, 0, 0, 0, 0];
      sums.set(key, sum);
    }
    sum[4] += 1;
    if (row[7] === "error") sum[5] += 1;
    sum[6] += Math.max(0, row[6] - row[5]);
    sum[7] += row[11] ?? 0;
    sum[8] += row[12] ?? 0;
    sum[9] += row[13] ?? 0;
  }
  return [...sums.values()];
}
