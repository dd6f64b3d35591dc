/** A line of a difference: in both texts, or only in the one before or after. */
export interface DiffLine {
  readonly kind: "same" | "gone" | "new";
  readonly text: string;
}

/** Longer texts are shown as wholly different: the table has this many fields at most. */
const fieldCountMax = 4_000_000;

/** Compares two texts by their lines; of equal ones as many as possible stay. */
export function diffLines(before: string, after: string): DiffLine[] {
  const one = before.split("\n");
  const other = after.split("\n");
  if (one.length * other.length > fieldCountMax)
    return [...one.map(gone), ...other.map((text): DiffLine => ({ kind: "new", text }))];
  const common = commonCounts(one, other);
  const lines: DiffLine[] = [];
  let at = 0;
  let to = 0;
  while (at < one.length || to < other.length) {
    const text = one[at];
    const otherText = other[to];
    if (text !== undefined && text === otherText) {
      lines.push({ kind: "same", text });
      at += 1;
      to += 1;
    } else if (
      otherText === undefined ||
      (text !== undefined && countAt(common, at + 1, to) >= countAt(common, at, to + 1))
    ) {
      lines.push(gone(text ?? ""));
      at += 1;
    } else {
      lines.push({ kind: "new", text: otherText });
      to += 1;
    }
  }
  return lines;
}

function gone(text: string): DiffLine {
  return { kind: "gone", text };
}

function countAt(common: readonly Uint16Array[], at: number, to: number): number {
  return common[at]?.[to] ?? 0;
}

/** How many lines the ends of both texts have in common, by where the ends begin. */
function commonCounts(one: readonly string[], other: readonly string[]): Uint16Array[] {
  const counts = Array.from({ length: one.length + 1 }, () => new Uint16Array(other.length + 1));
  for (let at = one.length - 1; at >= 0; at -= 1)
    for (let to = other.length - 1; to >= 0; to -= 1) {
      const row = counts[at];
      if (row === undefined) continue;
      row[to] =
        one[at] === other[to]
          ? countAt(counts, at + 1, to + 1) + 1
          : Math.max(countAt(counts, at + 1, to), countAt(counts, at, to + 1));
    }
  return counts;
}
