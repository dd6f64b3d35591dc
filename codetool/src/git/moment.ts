const unitMs: { readonly [unit: string]: number } = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};
const unitOfWord: { readonly [word: string]: string } = {
  s: "s",
  sec: "s",
  second: "s",
  m: "m",
  min: "m",
  minute: "m",
  h: "h",
  hr: "h",
  hour: "h",
  d: "d",
  day: "d",
  w: "w",
  wk: "w",
  week: "w",
  mo: "month",
  month: "month",
  y: "year",
  yr: "year",
  year: "year",
};

/** A larger number is taken as milliseconds. */
const epochSecondsMax = 100_000_000_000;

/**
 * Reads a moment: seconds (or milliseconds) since 1970, an ISO date with or without time, or how long ago: `2d`, `36h`,
 * `2 days ago`, `yesterday`. A date without a zone is local, as in git.
 *
 * @param nowMs What "ago" counts from; milliseconds since 1970.
 * @returns Milliseconds since 1970; `undefined` for what is not a moment.
 */
export function parseMoment(text: string, nowMs: number): number | undefined {
  const trimmed = text.trim();
  if (/^@?\d{9,13}$/.test(trimmed)) {
    const count = Number(trimmed.replace("@", ""));
    return count < epochSecondsMax ? count * 1000 : count;
  }
  return parseIso(trimmed) ?? parseAgo(trimmed.toLowerCase(), nowMs);
}

const isoPattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;

function parseIso(text: string): number | undefined {
  const match = isoPattern.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => (part === undefined ? undefined : Number(part)));
  const date = new Date(year, month - 1, day, hour, minute, second);
  // A day that the month does not have would become a day of the next month.
  const isReal =
    date.getMonth() === month - 1 && date.getDate() === day && minute < 60 && second < 61;
  if (!isReal && match[7] === undefined) return undefined;
  if (match[7] === undefined) return date.getTime();
  const zone = /^z$/i.test(match[7]) ? "Z" : match[7].replace(/^(.{3}):?/, "$1:");
  const at = [hour, minute, second].map((part) => String(part).padStart(2, "0")).join(":");
  const zoned = Date.parse(`${match[1]}-${match[2]}-${match[3]}T${at}${zone}`);
  return Number.isNaN(zoned) ? undefined : zoned;
}

function parseAgo(text: string, nowMs: number): number | undefined {
  if (text === "now") return nowMs;
  const midnight = new Date(nowMs).setHours(0, 0, 0, 0);
  if (text === "today") return midnight;
  if (text === "yesterday") return new Date(midnight).setDate(new Date(midnight).getDate() - 1);
  const match = /^(\d{1,6}|an?|one)[\s._-]*([a-z]+?)s?(?:[\s._-]+ago)?$/.exec(text);
  const word = match?.[2] ?? "";
  const unit = Object.hasOwn(unitOfWord, word) ? unitOfWord[word] : undefined;
  if (match === null || unit === undefined) return undefined;
  const count = /^\d/.test(match[1] ?? "") ? Number(match[1]) : 1;
  const date = new Date(nowMs);
  if (unit === "month") return date.setMonth(date.getMonth() - count);
  if (unit === "year") return date.setFullYear(date.getFullYear() - count);
  return nowMs - count * (unitMs[unit] ?? 0);
}
