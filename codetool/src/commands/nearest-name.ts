/**
 * Finds the name that the caller most likely meant.
 *
 * @returns The candidate with the fewest edits (insert, delete, replace, swap of neighbours), the first of equals; or
 * `undefined` when all are further than a third of the name, and at least one edit is always allowed. Where none is
 * near, a candidate that begins with the name (of two letters or more) is taken.
 */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  const bound = { editsMax: editsMaxOf(name) };
  let nearest: string | undefined;
  for (const { candidate, edits } of measured(name, candidates, bound)) {
    if (edits > bound.editsMax) continue;
    nearest = candidate;
    // Another one must be nearer.
    bound.editsMax = edits - 1;
  }
  if (nearest === undefined && name.length > 1)
    return candidates.find((candidate) => candidate.startsWith(name));
  return nearest;
}

/**
 * Orders names by how near they are to one, as `nearestName` measures it.
 *
 * @returns Those that are near: with the fewest edits first, equals by their letters, then those that begin with the name.
 */
export function nearNames(name: string, candidates: readonly string[]): string[] {
  const editsMax = editsMaxOf(name);
  return [...measured(name, candidates, { editsMax })]
    .filter(({ candidate, edits }) => edits <= editsMax || candidate.startsWith(name))
    .toSorted((one, other) => one.edits - other.edits || (one.candidate < other.candidate ? -1 : 1))
    .map(({ candidate }) => candidate);
}

/** Edits that a name which is meant may be away. */
function editsMaxOf(name: string): number {
  return Math.max(1, Math.floor(name.length / 3));
}

/** Each candidate with its edits: more than the bound where they are more. The bound may become smaller meanwhile. */
function* measured(
  name: string,
  candidates: readonly string[],
  bound: { readonly editsMax: number },
): Generator<{ readonly candidate: string; readonly edits: number }> {
  for (const candidate of candidates)
    yield { candidate, edits: editDistance(name, candidate, bound.editsMax) };
}

/** Rows of the matrix: the current one and the two before it. They grow with the longest name. */
let rows: readonly [Uint16Array, Uint16Array, Uint16Array] = rowsOf(64);

function rowsOf(length: number): readonly [Uint16Array, Uint16Array, Uint16Array] {
  return [new Uint16Array(length), new Uint16Array(length), new Uint16Array(length)];
}

/**
 * Restricted Damerau-Levenshtein distance, as far as it matters: only cells near the diagonal can be within the bound, and
 * after two rows beyond it none can.
 *
 * @param editsMax At least -1, where every distance is more.
 * @returns More than `editsMax` where the distance is more.
 */
export function editDistance(left: string, right: string, editsMax: number): number {
  if (Math.abs(left.length - right.length) > editsMax) return editsMax + 1;
  if (rows[0].length <= right.length) rows = rowsOf(2 * right.length + 1);
  let [beforePrevious, previous, current] = rows;
  for (let column = 0; column <= right.length; column += 1) previous[column] = column;
  let previousLeast = 0;
  for (let row = 1; row <= left.length; row += 1) {
    const from = Math.max(1, row - editsMax);
    const to = Math.min(right.length, row + editsMax);
    current[from - 1] = from === 1 ? row : editsMax + 1;
    if (to < right.length) previous[to + 1] = editsMax + 1;
    if (row > 1 && to === row + editsMax) previous[to] = editsMax + 1;
    let least = current[from - 1] as number;
    for (let column = from; column <= to; column += 1) {
      const isSame = left.charCodeAt(row - 1) === right.charCodeAt(column - 1);
      let edits = Math.min(
        (previous[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (previous[column - 1] as number) + (isSame ? 0 : 1),
      );
      const isSwap =
        row > 1 &&
        column > 1 &&
        left.charCodeAt(row - 1) === right.charCodeAt(column - 2) &&
        left.charCodeAt(row - 2) === right.charCodeAt(column - 1);
      if (isSwap) edits = Math.min(edits, (beforePrevious[column - 2] as number) + 1);
      current[column] = edits;
      if (edits < least) least = edits;
    }
    if (least > editsMax && previousLeast > editsMax) return editsMax + 1;
    previousLeast = least;
    [beforePrevious, previous, current] = [previous, current, beforePrevious];
  }
  return previous[right.length] as number;
}
