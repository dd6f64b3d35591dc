/** How often a piece of text may occur in a row. */
const repeatCountMax = 1000;
/** The same limit for brackets and for lines drawn in comments, which parsers read in linear time. */
const plainRepeatCountMax = 20_000;
const unitLengthMax = 32;

/**
 * Says whether a short piece of text occurs in a row so often that no program has it, and parsers that look for an error's
 * end take the square of the length or worse: 10,000 of `->`, `<!--` or `%w(` take minutes in most languages, 1,000 at
 * most half a second.
 *
 * What programs do have in a row is let through: blanks, words, data with commas, escapes, statements, lines.
 *
 * A run is so long that a look at every thousandth place finds it.
 */
export function hasLongRepetition(text: string): boolean {
  for (let at = 0; at + 3 * unitLengthMax < text.length; at += repeatCountMax) {
    const period = periodAt(text, at);
    if (period === 0) continue;
    const { start, end } = runAround(text, at, period);
    const count = (end - start) / period;
    if (count > repeatCountMax && !isOrdinary(text.slice(at, at + period), count)) return true;
    at = Math.max(at, end - repeatCountMax);
  }
  return false;
}

/** Length of the piece that repeats from a place on; 0 when none does. */
function periodAt(text: string, at: number): number {
  for (let period = 1; period <= unitLengthMax; period += 1) {
    let length = 0;
    while (
      length < 2 * unitLengthMax &&
      text.charCodeAt(at + length) === text.charCodeAt(at + length + period)
    )
      length += 1;
    if (length === 2 * unitLengthMax) return period;
  }
  return 0;
}

function runAround(
  text: string,
  at: number,
  period: number,
): { readonly start: number; readonly end: number } {
  let start = at;
  while (start > 0 && text.charCodeAt(start - 1) === text.charCodeAt(start - 1 + period))
    start -= 1;
  let end = at + period;
  while (end < text.length && text.charCodeAt(end) === text.charCodeAt(end - period)) end += 1;
  return { start, end };
}

function isOrdinary(unit: string, count: number): boolean {
  // Prose and identifiers, also those of other scripts; what words cost is the business of `wordRunMax`.
  if (/^[\w\s\u0080-\uffff]*$/.test(unit)) return true;
  if (/^(?:[()[\]{}\s]*|[-=*#/~+]{1,2}\s*)$/.test(unit)) return count <= plainRepeatCountMax;
  if (unit.includes(";") || /^(?=[^]*\n)(?=[^]*\w)/.test(unit)) return true;
  const twice = unit + unit;
  if (unit.includes(",") && !/\w\s+\w/.test(twice)) return true;
  return /^[\\xu\da-f]*$/i.test(unit) && /\\(?:[xu][\da-f]|[0-7])/i.test(twice);
}
