/** A pattern that ends in `{name*}`, which stands for the rest of a path. */
export interface RestPattern {
  /** Upper-case. */
  readonly method: string;
  /** What is before the rest: text, or `undefined` for a placeholder. */
  readonly before: readonly (string | undefined)[];
}

/** Two systems separate with these: a segment that holds one would become several in a path of files. */
const separator = /[/\\\0]/;

/**
 * Says whether a pattern fits a path: at least one segment is left for the rest, and none of those is empty or holds a
 * separator, so that the rest joined with `/` means what the path said.
 *
 * @param pattern The pattern.
 * @param segments Decoded; none is `.` or `..`.
 */
export function fitsRest({ before }: RestPattern, segments: readonly string[]): boolean {
  if (segments.length <= before.length) return false;
  return segments.every((segment, index) => {
    if (index >= before.length) return segment !== "" && !separator.test(segment);
    const wanted = before[index];
    return wanted === undefined ? segment !== "" : segment === wanted;
  });
}
