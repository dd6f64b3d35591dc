/**
 * Says whether a name matches a pattern, as `fnmatch` has it: `*` stands for any text, `?` for one character,
 * `[a-z]` for one of a set and `[!a-z]` for one outside of it. Everything else stands for itself, an open bracket
 * without its end too. The work grows with the product of both lengths at most, whatever the pattern.
 *
 * @param pattern The pattern.
 * @param name The name; all of it has to match.
 * @returns True when it matches.
 */
export function matchesGlob(pattern: string, name: string): boolean {
  let patternAt = 0;
  let nameAt = 0;
  // Where to go on when what follows the last star did not match: the star takes one character more.
  let starAt = -1;
  let takenAt = 0;
  while (nameAt < name.length) {
    const next = matchOne(pattern, patternAt, name.charCodeAt(nameAt));
    if (next !== undefined) {
      patternAt = next;
      nameAt += 1;
    } else if (pattern[patternAt] === "*") {
      starAt = patternAt;
      takenAt = nameAt;
      patternAt += 1;
    } else if (starAt !== -1) {
      takenAt += 1;
      nameAt = takenAt;
      patternAt = starAt + 1;
    } else return false;
  }
  while (pattern[patternAt] === "*") patternAt += 1;
  return patternAt === pattern.length;
}

/** Matches one character against the one place of a pattern: where the next place begins, or undefined. */
function matchOne(pattern: string, at: number, code: number): number | undefined {
  const wanted = pattern[at];
  if (wanted === undefined || wanted === "*") return undefined;
  if (wanted === "?") return at + 1;
  if (wanted === "[") {
    const end = setEnd(pattern, at);
    if (end !== -1) return isInSet(pattern.slice(at + 1, end), code) ? end + 1 : undefined;
  }
  return pattern.charCodeAt(at) === code ? at + 1 : undefined;
}

/** Where a set ends; a bracket right at its beginning belongs to it. */
function setEnd(pattern: string, at: number): number {
  const first = pattern[at + 1] === "!" ? at + 2 : at + 1;
  return pattern.indexOf("]", first + 1);
}

function isInSet(set: string, code: number): boolean {
  const isNegated = set.startsWith("!");
  const members = isNegated ? set.slice(1) : set;
  let isFound = false;
  for (let at = 0; at < members.length; at += 1) {
    const first = members.charCodeAt(at);
    const isRange = members[at + 1] === "-" && at + 2 < members.length;
    const last = isRange ? members.charCodeAt(at + 2) : first;
    if (code >= first && code <= last) isFound = true;
    if (isRange) at += 2;
  }
  return isFound !== isNegated;
}
