import { commentRangesOf } from "../../syntax/index.ts";
import type { LineRange } from "./line-range.ts";

/** How many lines of one pattern `--mode entropy` keeps. */
const patternCountMax = 3;
/** Shorter texts are not checked for repetition. */
const repetitiveLineCountMin = 10;

/**
 * The text of `read --mode aggressive`: lines without comments and without the documentation strings of Python. Of
 * several blank lines in a row one stays, at the start and the end none. The content of other strings stays.
 *
 * @param text The whole file: only the whole file shows where a comment begins.
 * @param range Lines that are asked for.
 */
export function withoutComments(text: string, language: string, range: LineRange): string {
  const ranges = commentRangesOf(text, language, { withDocumentation: true }) ?? [];
  const kept: string[] = [];
  let next = 0;
  let lineStart = 0;
  for (let line1 = 1; line1 <= range.end && lineStart < text.length; line1 += 1) {
    const feed = text.indexOf("\n", lineStart);
    const lineEnd = feed === -1 ? text.length : feed;
    let shown = "";
    let position = lineStart;
    let hasComment = false;
    for (; (ranges[next]?.start ?? text.length) < lineEnd; next += 1) {
      const { start, end, isWholeBody } = ranges[next] as (typeof ranges)[number];
      // A first line that names the interpreter (`#!`) is not a comment for people.
      if (start === 0 && text.startsWith("#!")) continue;
      shown += text.slice(position, Math.max(position, start)) + (isWholeBody ? "..." : "");
      hasComment = true;
      position = Math.max(position, end);
      const joins = /\w$/.test(shown) && /^\w/.test(text.slice(end, end + 1));
      if (joins) shown += " ";
      if (end > lineEnd) break;
    }
    if (position < lineEnd) shown += text.slice(position, lineEnd);
    if (line1 >= range.start && !(hasComment && shown.trim() === ""))
      kept.push(hasComment ? shown.trimEnd() : shown.replace(/\r$/, ""));
    lineStart = lineEnd + 1;
  }
  return collapsed(kept);
}

function collapsed(lines: readonly string[]): string {
  const kept = lines.filter(
    (line, index) => line.trim() !== "" || (lines[index - 1] ?? "").trim() !== "",
  );
  while (kept.at(-1)?.trim() === "") kept.pop();
  return kept.map((line) => `${line}\n`).join("");
}

/**
 * The text of `read --mode entropy`: of lines that differ only in digits and indentation, the first three stay; the last
 * line says how many were left out. Blank lines are not a pattern: they stay or go with the line before them.
 */
export function withoutRepetition(text: string): string {
  const lines = text.split(/(?<=\n)/);
  if (lines.length < repetitiveLineCountMin) return text;
  const counts = new Map<string, number>();
  let filteredCount = 0;
  let isLastKept = true;
  const kept = lines.filter((line) => {
    const pattern = line.trim().replace(/[0-9]/g, "N");
    // Blank lines go with the line before them.
    if (pattern === "") return isLastKept;
    const count = (counts.get(pattern) ?? 0) + 1;
    counts.set(pattern, count);
    isLastKept = count <= patternCountMax;
    if (!isLastKept) filteredCount += 1;
    return isLastKept;
  });
  if (filteredCount === 0) return text;
  const body = kept.join("");
  const lineEnd = body.endsWith("\n") || body === "" ? "" : "\n";
  return `${body}${lineEnd}... (${filteredCount} repetitive lines filtered)\n`;
}
