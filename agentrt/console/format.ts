/** Values as people read them. */

/** @returns A duration, short: `340 ms`, `12 s`, `3 min`, `2 h`, `5 d`. */
export function durationText(seconds: number): string {
  const whole = Math.abs(seconds);
  if (whole < 0.01) return `${Math.round(whole * 10_000) / 10} ms`;
  if (whole < 1) return `${Math.round(whole * 1000)} ms`;
  if (whole < 60) return `${whole < 10 ? Math.round(whole * 10) / 10 : Math.round(whole)} s`;
  if (whole < 3600) return `${Math.round(whole / 60)} min`;
  if (whole < 86_400) return `${Math.round(whole / 360) / 10} h`;
  return `${Math.round(whole / 8640) / 10} d`;
}

/** @returns How long ago a moment of the server is, by the clock of this machine. */
export function agoText(timestamp: number): string {
  const seconds = Date.now() / 1000 - timestamp;
  return seconds < 1 ? "now" : `${durationText(seconds)} ago`;
}

/** @returns How long it is until a moment of the server. */
export function untilText(timestamp: number): string {
  const seconds = timestamp - Date.now() / 1000;
  return seconds <= 0 ? "over" : `in ${durationText(seconds)}`;
}

/** @returns A moment in full, in the time of this machine. */
export function timeText(timestamp: number): string {
  const time = new Date(timestamp * 1000);
  if (Number.isNaN(time.getTime())) return String(timestamp);
  const two = (value: number, width = 2): string => String(value).padStart(width, "0");
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  const clock = `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
  return `${day} ${clock}.${two(time.getMilliseconds(), 3)}`;
}

/** @returns An amount of money. */
export function usdText(usd: number): string {
  if (usd === 0) return "$0";
  return usd < 0.01 ? `$${usd.toFixed(5)}` : `$${usd.toFixed(2)}`;
}

/** @returns A number with its thousands parted. */
export function countText(count: number): string {
  return String(Math.round(count)).replaceAll(/\B(?=(\d{3})+$)/g, " ");
}

/** @returns A value as JSON, indented. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? "";
}

/** @returns A text as it is, and any other value as JSON. */
export function valueText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** @returns Members as `name=value`, parted by spaces. */
export function fieldsText(fields: { readonly [name: string]: unknown }): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${valueText(value)}`)
    .join(" ");
}

/** @returns `1 agent`, `2 agents`; `several` is the noun for more than one. */
export function countOf(count: number, noun: string, several = `${noun}s`): string {
  return `${countText(count)} ${count === 1 ? noun : several}`;
}
