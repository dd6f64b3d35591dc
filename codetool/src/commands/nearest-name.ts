/**
 * Finds the name that the caller most likely meant.
 *
 * @returns The candidate with the fewest edits (insert, delete, replace, swap of neighbours), the first of equals; or
 * `undefined` when all are further than a third of the name, and at least one edit is always allowed. Where none is
 * near, a candidate that begins with the name (of two letters or more) is taken.
 */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  const editsMax = Math.max(1, Math.floor(name.length / 3));
  let nearest: string | undefined;
  let nearestEdits = editsMax + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= nearestEdits) continue;
    const edits = editDistance(name, candidate);
    if (edits < nearestEdits) {
      nearest = candidate;
      nearestEdits = edits;
    }
  }
  if (nearest === undefined && name.length > 1)
    return candidates.find((candidate) => candidate.startsWith(name));
  return nearest;
}

/** Restricted Damerau-Levenshtein distance, three rows at a time. */
function editDistance(left: string, right: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      let edits = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (isSame ? 0 : 1),
      );
      const isSwap =
        row > 1 &&
        column > 1 &&
        left[row - 1] === right[column - 2] &&
        left[row - 2] === right[column - 1];
      if (isSwap) edits = Math.min(edits, at(beforePrevious, column - 2) + 1);
      current.push(edits);
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, right.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? 0;
}
