import { errors } from "../../envelope/index.ts";

/** Lines from 1, both ends included; `end` below `start` is the range of an empty file. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads `N` or `N-M`. A range that goes on behind the last line ends there.
 *
 * @param lineCount Lines that the file has.
 * @param warnings Gets a remark where the range was cut.
 * @throws invalid_range for what is not a range, reversed, or begins outside of the file.
 */
export function parseLineRange(range: string, lineCount: number, warnings: string[]): LineRange {
  const match = /^(\d{1,15})(?:-(\d{1,15}))?$/.exec(range.trim());
  const refuse = (reason: string): Error => new errors.invalid_range({ range, reason });
  if (match === null) throw refuse("wanted a line or a range, for example 7 or 7-12");
  const start = Number(match[1]);
  const end = match[2] === undefined ? start : Number(match[2]);
  if (start < 1) throw refuse("lines count from 1");
  if (end < start) throw refuse("the end comes before the start");
  const fileLines = lineCount === 1 ? "1 line" : `${lineCount} lines`;
  if (start > lineCount)
    throw refuse(lineCount === 0 ? "the file is empty" : `the file has ${fileLines}`);
  if (end > lineCount) warnings.push(`The file has ${fileLines}: the range ends there`);
  return { start, end: Math.min(end, lineCount) };
}
