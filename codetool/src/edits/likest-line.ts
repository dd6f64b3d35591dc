/** Work of one search, in characters looked at; longer texts are looked at up to there. */
const charactersMax = 4_000_000;
const lineLengthMax = 1000;
/** Lines with less than this share of letter pairs in common are not alike. */
const likenessMin = 0.6;

/**
 * Finds the line of a text that is most like the longest line of another text: the one with the greatest share of pairs
 * of letters in common (Dice's coefficient), white space apart.
 *
 * @returns `undefined` where no line is like it.
 */
export function likestLine(
  text: string,
  wanted: string,
): { readonly line1: number; readonly line: string } | undefined {
  const lines = wanted.split("\n").map(withoutBlanks);
  const longest = lines.reduce((best, line) => (line.length > best.length ? line : best), "");
  if (longest.length < 4 || longest.length > lineLengthMax) return undefined;
  const pairs = pairsOf(longest);
  let best: { readonly line1: number; readonly line: string } | undefined;
  let bestLikeness = likenessMin;
  for (const [index, line] of text.slice(0, charactersMax).split("\n").entries()) {
    if (line.length > lineLengthMax) continue;
    const likeness = likenessOf(withoutBlanks(line), { pairs, length: longest.length });
    if (likeness <= bestLikeness) continue;
    bestLikeness = likeness;
    best = { line1: index + 1, line };
  }
  return best;
}

function withoutBlanks(line: string): string {
  return line.replace(/\s+/g, "");
}

function pairsOf(line: string): ReadonlyMap<string, number> {
  const pairs = new Map<string, number>();
  for (let at = 0; at + 1 < line.length; at += 1) {
    const pair = line.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

function likenessOf(
  line: string,
  wanted: { readonly pairs: ReadonlyMap<string, number>; readonly length: number },
): number {
  const total = line.length + wanted.length - 2;
  // Lines of very different length cannot be alike enough.
  if ((2 * Math.min(line.length, wanted.length)) / total < likenessMin) return 0;
  let common = 0;
  for (const [pair, count] of pairsOf(line)) common += Math.min(count, wanted.pairs.get(pair) ?? 0);
  return (2 * common) / total;
}
