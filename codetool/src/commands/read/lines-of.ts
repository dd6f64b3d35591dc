import type { LineRange } from "./line-range.ts";

/**
 * The text of lines, their line ends kept, that of the last only when asked for.
 *
 * @param text Of a whole file.
 * @param range Lines of it, from 1.
 * @param options `withLastEnd`: whether the end of the last line is there too; default false.
 * @returns What is between the start of the first line and the end of the last.
 */
export function linesOf(
  text: string,
  range: LineRange,
  { withLastEnd = false }: { readonly withLastEnd?: boolean } = {},
): string {
  let start = 0;
  for (let line = 1; line < range.start; line += 1) start = text.indexOf("\n", start) + 1;
  let end = start - 1;
  for (let line = range.start; line <= range.end && end !== text.length; line += 1) {
    const next = text.indexOf("\n", end + 1);
    end = next === -1 ? text.length : next;
  }
  if (withLastEnd) return text.slice(start, end + 1);
  if (text[end - 1] === "\r" && end > start && end < text.length) end -= 1;
  return text.slice(start, end);
}

/**
 * Each line with its number and a tab before it, as `cat -n` writes them, without its spaces.
 *
 * @param text Of the lines, as {@link linesOf} gives it, or of the whole file with the end of its last line.
 * @param range The lines; their count says whether what follows the last line feed is a line, empty as it may be.
 * @returns The text with the numbers, the line ends as they were.
 */
export function numberedLines(text: string, { start, end }: LineRange): string {
  return text
    .split("\n")
    .map((line, index) => (start + index <= end ? `${start + index}\t${line}` : line))
    .join("\n");
}
