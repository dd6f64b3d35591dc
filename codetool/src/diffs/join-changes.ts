import type { LineChange } from "./line-change.ts";

/**
 * Makes one change of neighbouring ones of the same type, their lines joined by line feeds. Of a modification both
 * sides have as many lines, and each became the one at its place.
 *
 * @returns What split at its line feeds gives `changes` again.
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
