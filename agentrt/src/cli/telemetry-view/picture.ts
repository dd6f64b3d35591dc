import type { HourPoint, SpanRecord } from "../../telemetry/index.ts";

/** What is known of a folder for a range: all that is shown. */
export interface Picture {
  readonly directory: string;
  /** As it was asked for: `24h`. */
  readonly range: string;
  /** Wall-clock milliseconds. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Milliseconds of a point of the charts. */
  readonly bucketMs: number;
  /** The most expensive first, 6 at most. */
  readonly costs: readonly Series[];
  /** Messages handled: the busiest agent first, 6 at most. */
  readonly rates: readonly Series[];
  readonly totals: Totals;
  readonly costTable: readonly CostRow[];
  /** The newest first. */
  readonly spans: readonly SpanRecord[];
  /** What is wrong with the folder, one line each. */
  readonly notices: readonly string[];
}

/** One line of a chart. */
export interface Series {
  readonly name: string;
  readonly total: number;
  /** One for each bucket, oldest first. */
  readonly values: readonly number[];
}

/** What all of a range adds up to. */
export interface Totals {
  readonly costUsd: number;
  readonly messageCount: number;
  /** Messages whose handling failed. */
  readonly errorCount: number;
  /** The agent that cost most, or handled most where nothing cost anything; empty for none. */
  readonly topAgent: string;
}

/** What an agent's calls of one model cost. */
export interface CostRow {
  readonly agent: string;
  readonly model: string;
  readonly callCount: number;
  readonly costUsd: number;
}

/** Series of a chart at most. */
export const seriesMax = 6;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** @returns How long a point of a chart is, for a range: milliseconds. */
export function bucketOf(rangeMs: number): number {
  if (rangeMs <= 90 * minuteMs) return minuteMs;
  if (rangeMs <= 6 * hourMs) return 5 * minuteMs;
  if (rangeMs <= 36 * hourMs) return hourMs;
  return rangeMs <= 240 * hourMs ? 6 * hourMs : 24 * hourMs;
}

/** A range of a chart, and how it is divided: milliseconds. */
export interface Buckets {
  readonly fromMs: number;
  readonly toMs: number;
  readonly bucketMs: number;
}

/** Buckets of a chart at most: a range of many years has longer ones at its begin. */
const bucketCountMax = 4000;

/**
 * Adds up points to the lines of a chart.
 *
 * @param valueOf What of a point is shown.
 * @param nameOf Which line it is of.
 * @returns The lines with the largest totals; none for those whose total is 0.
 */
export function seriesOf(
  points: readonly HourPoint[],
  { fromMs, toMs, bucketMs }: Buckets,
  { valueOf, nameOf }: PointLooks,
): Series[] {
  const first = Math.floor(fromMs / bucketMs);
  const count = Math.min(bucketCountMax, Math.max(1, Math.floor(toMs / bucketMs) - first + 1));
  const byName = new Map<string, { total: number; values: number[] }>();
  for (const point of points) {
    const name = nameOf(point);
    const found = byName.get(name) ?? { total: 0, values: Array<number>(count).fill(0) };
    byName.set(name, found);
    const index = Math.min(count - 1, Math.max(0, Math.floor(point.hourMs / bucketMs) - first));
    found.total += valueOf(point);
    found.values[index] = (found.values[index] ?? 0) + valueOf(point);
  }
  return Array.from(byName, ([name, { total, values }]) => ({ name, total, values }))
    .filter(({ total }) => total > 0)
    .toSorted((one, other) => other.total - one.total || (one.name < other.name ? -1 : 1))
    .slice(0, seriesMax);
}

/** How points become lines. */
interface PointLooks {
  readonly valueOf: (point: HourPoint) => number;
  readonly nameOf: (point: HourPoint) => string;
}

/** @returns Which agent of a span: its own, who sent it, or which child was restarted. */
export function agentOf({ attributes }: SpanRecord): string {
  for (const name of ["agentrt.agent.name", "agentrt.sender", "child"]) {
    const value = attributes[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return "";
}
