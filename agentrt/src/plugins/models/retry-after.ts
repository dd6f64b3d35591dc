/**
 * Reads how long a server asks to wait: `retry-after-ms`, or `Retry-After` in seconds or as an HTTP date.
 *
 * @param headers The answer's headers.
 * @param nowMs Wall clock, for dates of a server that does not date its answer.
 * @returns Milliseconds, 0 or more; `undefined` when it does not say.
 */
export function retryAfterMs(headers: Headers | undefined, nowMs: number): number | undefined {
  const milliseconds = headers?.get("retry-after-ms");
  if (isNumber(milliseconds)) return Math.ceil(Number(milliseconds));
  const text = headers?.get("retry-after")?.trim();
  if (text === undefined || text === "") return undefined;
  if (isNumber(text)) return Math.ceil(Number(text) * 1000);
  // A date begins with its weekday; Date.parse takes much else for a date.
  const untilMs = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(untilMs)) return undefined;
  // The server's own clock, where it tells it: the two need not agree.
  const serverMs = Date.parse(headers?.get("date") ?? "");
  return Math.max(0, untilMs - (Number.isNaN(serverMs) ? nowMs : serverMs));
}

function isNumber(text: string | null | undefined): text is string {
  return text !== null && text !== undefined && /^\d+(?:\.\d+)?$/.test(text);
}
