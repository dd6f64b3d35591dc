import type { TraceQuery } from "../../runtime/index.ts";
import type { ControlRequest } from "../elsewhere/index.ts";
import { wholeNumberOf } from "../whole-number.ts";

/** Traces of a list: by default, and at most. */
const [traceCountDefault, traceCountMax] = [50, 200];
/** A place in a list. */
export type Place = NonNullable<TraceQuery["before"]>;

/** @returns What is asked for; a text that says what is wrong with it. */
export function traceQueryOf({ queryParams }: ControlRequest): TraceQuery | string {
  const { before, agent, status, min_duration: duration = "0" } = queryParams;
  const limit = wholeNumberOf(queryParams["limit"] ?? String(traceCountDefault));
  if (!(limit >= 1 && limit <= traceCountMax))
    return `limit must be a whole number of 1 to ${traceCountMax}`;
  if (status !== undefined && status !== "ok" && status !== "error")
    return "status must be ok or error";
  if (!/^\d{1,9}(?:\.\d{1,9})?$/.test(duration))
    return "min_duration must be a number of seconds, such as 0.5";
  const place = placeOf(before);
  if (before !== undefined && place === undefined)
    return "before must be the next of an earlier answer";
  return { limit, before: place, agent, status, durationMinMs: Number(duration) * 1000 };
}

/** Reads a place; undefined for a text that is none. */
export function placeOf(text = ""): Place | undefined {
  const [, startMs, traceId = ""] = /^(\d{1,16}(?:\.\d{1,9})?)-(.{0,128})$/s.exec(text) ?? [];
  return startMs === undefined ? undefined : { startMs: Number(startMs), traceId };
}

/** Writes a place. */
export function placeText({ startMs, traceId }: Place): string {
  return `${startMs}-${traceId}`;
}
