const unclosedAngleCountMax = 500;
const caseWithoutSwitchCountMax = 1000;

/**
 * Says whether a text is of a form that parsers take hours for and no program has: thousands of `A<A<A<…` (every one
 * may open type arguments or compare), or thousands of `case` labels without a `switch`.
 *
 * Measured: 25,000 of the first take the Java grammar 18 s, 3,500 of the second the TypeScript grammar 2.3 s, both
 * growing with the square of the length or worse. Other nesting, 20,000 deep and more, parses in linear time.
 */
export function isUnparseable(text: string): boolean {
  return hasManyUnclosedAngles(text) || hasManyLooseCases(text);
}

function hasManyUnclosedAngles(text: string): boolean {
  let count = 0;
  let end = 0;
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at + 1)) {
    // Between two that belong together stand names, and nothing that closes or ends anything.
    const isChained = at - end < 100 && /^[\w\s.:,?&*@$]*$/.test(text.slice(end, at));
    count = isChained ? count + 1 : 1;
    if (count > unclosedAngleCountMax) return true;
    end = at + 1;
  }
  return false;
}

function hasManyLooseCases(text: string): boolean {
  let count = 0;
  for (let at = text.indexOf("case "); at >= 0; at = text.indexOf("case ", at + 5)) {
    count += 1;
    if (count > caseWithoutSwitchCountMax) return !/\b(?:switch|match|select)\b/.test(text);
  }
  return false;
}
