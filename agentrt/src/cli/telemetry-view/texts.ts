import { printable } from "../../core/index.ts";
import type { SpanRecord } from "../../telemetry/index.ts";
import { agentOf } from "./picture.ts";

/** Writes how long something took: `12.3 ms`, `4.56 s`, `3.2 min`. */
export function millisecondsText(milliseconds: number): string {
  const value = Math.max(0, milliseconds);
  if (value < 1000) return `${value.toFixed(1)} ms`;
  return value < 60_000 ? `${(value / 1000).toFixed(2)} s` : `${(value / 60_000).toFixed(1)} min`;
}

/** Writes what something cost. */
export function dollarsText(costUsd: number): string {
  return `$${costUsd.toFixed(costUsd !== 0 && costUsd < 1 ? 4 : 2)}`;
}

/** Writes a count: `950`, `12.3k`, `4.5M`. */
export function countText(count: number): string {
  if (count < 10_000) return String(Math.round(count));
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

/** Writes how long a bucket is: `minute`, `5 min`, `hour`, `6 h`, `day`. */
export function bucketText(bucketMs: number): string {
  const minutes = bucketMs / 60_000;
  if (minutes < 60) return minutes === 1 ? "minute" : `${minutes} min`;
  if (minutes === 60) return "hour";
  return minutes === 1440 ? "day" : `${minutes / 60} h`;
}

/** Writes a moment at this place: `11-28 14:05`. */
export function dayAndTime(ms: number): string {
  const at = new Date(ms);
  const [month, day, hours, minutes] = [
    at.getMonth() + 1,
    at.getDate(),
    at.getHours(),
    at.getMinutes(),
  ].map((part) => String(part).padStart(2, "0"));
  return `${month}-${day} ${hours}:${minutes}`;
}

/** The cells of a line of the feed: time, event, agent, status, duration. */
export function feedCells(span: SpanRecord): [string, string, string, string, string] {
  const at = new Date(span.startMs);
  const seconds = `:${String(at.getSeconds()).padStart(2, "0")}`;
  return [
    `${dayAndTime(span.startMs)}${seconds}`,
    printable(span.name),
    printable(agentOf(span)),
    span.status,
    millisecondsText(span.endMs - span.startMs),
  ];
}
