/** A hunk as `codetool diff` prints it, as far as applying it takes. */
export interface AppliedHunk {
  readonly old_range: { readonly start: number; readonly end: number };
  readonly new_range: { readonly start: number; readonly end: number };
  readonly changes: readonly { readonly old: string | null; readonly new: string | null }[];
  readonly old_without_newline?: true;
  readonly new_without_newline?: true;
}

/**
 * Applies the hunks of one file to its earlier text.
 *
 * @throws when a line is not what stands in the text, or a range is not where its changes are.
 */
export function applyHunks(text: string, hunks: readonly AppliedHunk[]): string {
  const lines = text.split("\n");
  let isEnded = lines.at(-1) === "";
  if (isEnded) lines.pop();
  const made: string[] = [];
  let next1 = 1;
  for (const hunk of hunks) {
    const { old_range: old, new_range: next } = hunk;
    while (next1 < old.start) made.push(lines[next1++ - 1] ?? "");
    if (next.start !== made.length + 1)
      throw new Error(`new_range begins at ${next.start}, not ${made.length + 1}`);
    for (const change of hunk.changes) {
      for (const line of change.old?.split("\n") ?? [])
        if (lines[next1++ - 1] !== line)
          throw new Error(`line ${next1 - 1} is not ${JSON.stringify(line)}`);
      made.push(...(change.new?.split("\n") ?? []));
    }
    if (next1 !== old.end + 1) throw new Error(`old_range ends at ${old.end}, not ${next1 - 1}`);
    if (made.length !== next.end)
      throw new Error(`new_range ends at ${next.end}, not ${made.length}`);
    if (hunk.old_without_newline === true) isEnded = true;
    if (hunk.new_without_newline === true) isEnded = false;
  }
  while (next1 <= lines.length) made.push(lines[next1++ - 1] ?? "");
  return made.length === 0 ? "" : `${made.join("\n")}${isEnded ? "\n" : ""}`;
}
