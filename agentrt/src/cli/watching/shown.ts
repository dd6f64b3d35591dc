import { printable } from "../../core/index.ts";

/** @returns A text of a server that cannot command a terminal; what is not a text is empty. */
export function textIn(value: unknown): string {
  return typeof value === "string" ? printable(value) : "";
}

/** @returns A number of a server; 0 for what is not one. */
export function numberIn(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

const units = [
  { name: "d", seconds: 86_400 },
  { name: "h", seconds: 3600 },
  { name: "min", seconds: 60 },
] as const;

/**
 * Writes how long something takes or is ago: `0.4 s`, `12 s`, `3 min`, `2 h`, `5 d`.
 *
 * @param seconds 0 or more.
 */
export function durationText(seconds: number): string {
  const unit = units.find((each) => seconds >= each.seconds);
  if (unit !== undefined) return `${Math.floor(seconds / unit.seconds)} ${unit.name}`;
  return seconds < 10 ? `${Math.max(0, seconds).toFixed(1)} s` : `${Math.floor(seconds)} s`;
}

/**
 * Writes how long ago a moment is.
 *
 * @param timestamp Seconds since the Unix epoch, as a server gave it.
 * @param nowSeconds The clock of that server.
 * @returns Empty when it is not a number.
 */
export function ageText(timestamp: unknown, nowSeconds: number): string {
  if (typeof timestamp !== "number") return "";
  return durationText(Math.max(0, nowSeconds - timestamp));
}

/** Writes a moment: `2026-11-24T13:45:05.294Z`. */
export function momentText(timestamp: unknown): string {
  const milliseconds = Math.round(numberIn(timestamp) * 1000);
  return Math.abs(milliseconds) > 8.64e15 ? "?" : new Date(milliseconds).toISOString();
}

/** Writes the rest of a mapping as `name=value` pairs: only texts and numbers. */
export function pairsText(fields: { readonly [name: string]: unknown }): string {
  return Object.entries(fields)
    .filter(([, value]) => ["string", "number", "boolean"].includes(typeof value))
    .map(([name, value]) => {
      const text = String(value);
      return `${printable(name)}=${/^[\w./:-]+$/.test(text) ? text : printable(JSON.stringify(text))}`;
    })
    .join(" ");
}

/** The time of day at this place, hours and minutes, of seconds since the Unix epoch. */
export function clockOf(seconds: number): string {
  return new Date(seconds * 1000).toTimeString().slice(0, 5);
}
