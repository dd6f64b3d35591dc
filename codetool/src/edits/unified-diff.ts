import type { LineHunk } from "./line-changes.ts";

/** A run of lines before and after. */
interface Block {
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Lines from 0 at which the block begins in the two texts. */
  readonly beforeStart: number;
  readonly afterStart: number;
}

const contextLineCount = 3;

/**
 * Writes edits as a unified diff of one file, with three lines around each.
 *
 * @param texts The text before and after.
 * @param hunks Whole lines, in order.
 * @returns An empty text where nothing differs.
 */
export function unifiedDiff(
  file: string,
  texts: { readonly before: string; readonly after: string },
  hunks: readonly LineHunk[],
): string {
  if (hunks.length === 0) return "";
  const before = linesOf(texts.before);
  const lineAt = lineCounter(texts.before);
  let shift = 0;
  const blocks = hunks.map((hunk): Block => {
    const removed = linesOf(texts.before.slice(hunk.before.start, hunk.before.end));
    const added = linesOf(texts.after.slice(hunk.after.start, hunk.after.end));
    const beforeStart = lineAt(hunk.before.start);
    const block = { before: removed, after: added, beforeStart, afterStart: beforeStart + shift };
    shift += added.length - removed.length;
    return block;
  });
  const parts = [`--- a/${file}\n+++ b/${file}\n`];
  for (const group of groupsOf(blocks)) parts.push(writeGroup(group, before));
  return parts.join("");
}

/** Blocks whose context lines touch share one header. */
function groupsOf(blocks: readonly Block[]): Block[][] {
  const groups: Block[][] = [];
  for (const block of blocks) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const lastEnd = last === undefined ? 0 : last.beforeStart + last.before.length;
    if (group !== undefined && block.beforeStart - lastEnd <= 2 * contextLineCount)
      group.push(block);
    else groups.push([block]);
  }
  return groups;
}

function writeGroup(group: readonly Block[], lines: readonly string[]): string {
  const first = group[0] as Block;
  const last = group.at(-1) as Block;
  const start = Math.max(0, first.beforeStart - contextLineCount);
  const lead = first.beforeStart - start;
  const lastEnd = last.beforeStart + last.before.length;
  const end = Math.min(lines.length, lastEnd + contextLineCount);
  const body: string[] = [];
  let position = start;
  let added = 0;
  let removed = 0;
  for (const block of group) {
    for (; position < block.beforeStart; position += 1)
      body.push(write(" ", lines[position] ?? ""));
    for (const line of block.before) body.push(write("-", line));
    for (const line of block.after) body.push(write("+", line));
    removed += block.before.length;
    added += block.after.length;
    position += block.before.length;
  }
  for (; position < end; position += 1) body.push(write(" ", lines[position] ?? ""));
  const beforeCount = end - start;
  const afterCount = beforeCount - removed + added;
  const beforeRange = range(start, beforeCount);
  const afterRange = range(first.afterStart - lead, afterCount);
  return `@@ -${beforeRange} +${afterRange} @@\n${body.join("")}`;
}

/** Lines from 1; a stretch without lines is named by the line before it. */
function range(start: number, count: number): string {
  return count === 1 ? `${start + 1}` : `${count === 0 ? start : start + 1},${count}`;
}

function write(sign: string, line: string): string {
  return line.endsWith("\n") ? `${sign}${line}` : `${sign}${line}\n\\ No newline at end of file\n`;
}

/** Lines with their ends. */
function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

/** Makes a function from offsets of lines, in rising order, to their number from 0. */
function lineCounter(text: string): (offset: number) => number {
  let line = 0;
  let position = 0;
  return (offset) => {
    for (
      let at = text.indexOf("\n", position);
      at !== -1 && at < offset;
      at = text.indexOf("\n", at + 1)
    )
      line += 1;
    position = offset;
    return line;
  };
}
