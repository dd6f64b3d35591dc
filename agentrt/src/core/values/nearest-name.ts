/** Longest name that is compared; a longer one has no nearest name. */
const comparedLengthMax = 64;

/**
 * Finds the known name that a misspelt one most likely meant.
 *
 * @param found The name as written.
 * @param known The names that would have been right.
 * @returns The nearest known name within a third of its length in edits (at least one, case not counted), or `undefined`.
 */
export function nearestName(found: string, known: Iterable<string>): string | undefined {
  if (found.length > comparedLengthMax) return undefined;
  let nearest: string | undefined;
  let nearestDistance = Number.POSITIVE_INFINITY;
  for (const name of known) {
    if (name.length > comparedLengthMax) continue;
    const allowed = Math.max(1, Math.floor(Math.max(name.length, found.length) / 3));
    if (Math.abs(name.length - found.length) > allowed) continue;
    const distance = editDistance(found.toLowerCase(), name.toLowerCase());
    if (distance > allowed || distance >= nearestDistance) continue;
    nearest = name;
    nearestDistance = distance;
  }
  return nearest;
}

/**
 * Renders the ending of a message that offers a nearest name.
 *
 * @param found The name as written.
 * @param known The names that would have been right.
 * @returns `; did you mean "x"?`, or the empty string when nothing is near.
 */
export function didYouMean(found: string, known: Iterable<string>): string {
  const nearest = nearestName(found, known);
  return nearest === undefined ? "" : `; did you mean "${nearest}"?`;
}

/** Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours cost one. */
function editDistance(left: string, right: string): number {
  let twoBack: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const isSame = left[i - 1] === right[j - 1];
      let cost = Math.min(
        (previous[j] ?? 0) + 1,
        (current[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1])
        cost = Math.min(cost, (twoBack[j - 2] ?? 0) + 1);
      current.push(cost);
    }
    twoBack = previous;
    previous = current;
  }
  return previous[right.length] ?? 0;
}
