import type { DiffPayload } from "./payload.ts";

/** The diff for people: the summary, the notes, then lines under the name of their file and function. */
export function renderPlainDiff(payload: DiffPayload): string {
  const lines = [payload.summary];
  if (payload.hunks === null && payload.functions === undefined) {
    lines.push(...payload.stats.functions_changed.map((name) => `  ${name}`));
  }
  for (const note of payload.semantic_notes) lines.push(`  ${note}`);
  for (const entry of payload.functions ?? []) {
    const { start, end } = entry.lines;
    lines.push(
      `${entry.file}:${start}-${end}\t${entry.function}\t${entry.change}\t+${entry.additions} -${entry.deletions}`,
    );
  }
  let file = "";
  for (const hunk of payload.hunks ?? []) {
    if (hunk.file !== file) lines.push("", `${hunk.file}:`);
    file = hunk.file;
    const { old_range: old, new_range: next } = hunk;
    const place = `@@ -${spanOf(old)} +${spanOf(next)} @@`;
    lines.push(hunk.function === null ? place : `${place} ${hunk.function}`);
    for (const change of hunk.changes) {
      lines.push(...linesOf("-", change.old), ...linesOf("+", change.new));
    }
  }
  if (payload.truncated === true) lines.push("", "not all fits the budget");
  return `${lines.join("\n")}\n`;
}

function linesOf(sign: string, text: string | null): readonly string[] {
  return text === null ? [] : text.split("\n").map((line) => `${sign}${line}`);
}

/** Lines as `first,count`, as in patches. */
function spanOf({ start, end }: { readonly start: number; readonly end: number }): string {
  const count = end - start + 1;
  return count === 1 ? `${start}` : `${count === 0 ? start - 1 : start},${count}`;
}
