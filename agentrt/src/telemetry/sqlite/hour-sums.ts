import type { SpanRow } from "./span-row.ts";
import type { SpanShape } from "./span-shape.ts";

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
 * @returns A sum for each hour and shape among them: several may be of the same agent, name and model.
 */
export function hourSumsOf(rows: readonly SpanRow[]): HourSum[] {
  const hours = new Map<number, Map<SpanShape, [...HourSum]>>();
  // Nearly all of a batch are of one hour.
  let lastHour = Number.NaN;
  let sums = new Map<SpanShape, [...HourSum]>();
  for (const row of rows) {
    const { shape, startTime } = row;
    const hour = Math.floor(startTime / hourSeconds) * hourSeconds;
    if (hour !== lastHour) {
      sums = hours.get(hour) ?? new Map<SpanShape, [...HourSum]>();
      hours.set(hour, sums);
      lastHour = hour;
    }
    let sum = sums.get(shape);
    if (sum === undefined) {
      sum = [hour, shape.agentName ?? "", shape.name, shape.model ?? "", 0, 0, 0, 0, 0, 0];
      sums.set(shape, sum);
    }
    sum[4] += 1;
    if (shape.status === "error") sum[5] += 1;
    sum[6] += Math.max(0, row.endTime - startTime);
    sum[7] += row.tokensIn ?? 0;
    sum[8] += row.tokensOut ?? 0;
    sum[9] += row.costUsd ?? 0;
  }
  return [...hours.values()].flatMap((sums) => [...sums.values()]);
}
