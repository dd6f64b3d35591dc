import type { LineChange } from "./line-change.ts";

/**
 * Joins neighbouring changes of the same type into one, their lines joined by line feeds. Both sides of a modification
 * have the same number of lines, and each line became the one at the same place.
 *
 * @returns Changes that give `changes` again when they are split at line feeds.
 */
export function joinChanges(changes: readonly LineChange[]): readonly LineChange[] {
  const joined: LineChange[] = [];
  for (let first = 0; first < changes.length;) {
    const type = (changes[first] as LineChange).type;
    let end = first + 1;
    while (changes[end]?.type === type) end += 1;
    const run = changes.slice(first, end);
    joined.push({
      type,
      old: type === "addition" ? null : run.map((change) => change.old).join("\n"),
      new: type === "deletion" ? null : run.map((change) => change.new).join("\n"),
    });
    first = end;
  }
  return joined;
}
