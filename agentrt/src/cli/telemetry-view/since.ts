/** Which spans are shown. */
export type Since =
  /** The latest milliseconds, whenever it is looked. */
  | { readonly kind: "sliding"; readonly text: string; readonly lengthMs: number }
  /** All since a moment: wall-clock milliseconds. */
  | { readonly kind: "fixed"; readonly text: string; readonly fromMs: number };

const hourMs = 3_600_000;
const unitsMs: { readonly [unit: string]: number } = {
  h: hourMs,
  d: 24 * hourMs,
  w: 7 * 24 * hourMs,
  m: 30 * 24 * hourMs,
};
const slidingPattern = /^(\d{1,5})([hdwm])$/;
const momentPattern =
  /^\d{4}-\d\d-\d\d(?:(?<time>T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?:Z|[+-]\d\d:\d\d)?)?$/;

/**
 * Reads a range.
 *
 * @param text `1h`, `24h`, `7d`, `2w`, `1m` (30 days), or an ISO date or time: at this place where it has no zone.
 * @returns Undefined for what is neither.
 */
export function parseSince(text: string): Since | undefined {
  const [, count, unit] = slidingPattern.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) {
    const lengthMs = Number(count) * (unitsMs[unit] ?? 0);
    return lengthMs > 0 ? { kind: "sliding", text, lengthMs } : undefined;
  }
  const moment = momentPattern.exec(text);
  if (moment === null) return undefined;
  // A date without a time would be one of UTC.
  const fromMs = Date.parse(moment.groups?.["time"] === undefined ? `${text}T00:00` : text);
  return Number.isNaN(fromMs) ? undefined : { kind: "fixed", text, fromMs };
}

/** @returns When a range begins: wall-clock milliseconds. */
export function beginOf(since: Since, nowMs: number): number {
  return since.kind === "fixed" ? since.fromMs : nowMs - since.lengthMs;
}
