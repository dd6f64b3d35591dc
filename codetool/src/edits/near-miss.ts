import { likestLine } from "./likest-line.ts";

/** Longer texts are not searched for again. */
const findLengthMax = 2000;
const textLengthMax = 10_000_000;
const shownLengthMax = 200;

/** A place with a text similar to one that was not found, and the difference. */
export interface NearMiss {
  readonly line1: number;
  /** The words for people: `outside of the scope`, `with other quotes`, `in other letter case`; for a similar line `null`. */
  readonly how: string | null;
  /** The line, cut where it is long. */
  readonly line: string;
}

const quotes = "[\"'`\u2018\u2019\u201C\u201D]";

/**
 * Looks for what was probably meant by a text that was not found.
 *
 * @param options.isScoped It was looked for in a part of the text.
 */
export function nearMissOf(
  text: string,
  find: string,
  { isScoped }: { readonly isScoped: boolean },
): NearMiss | undefined {
  const isTooLong = find.length > findLengthMax || text.length > textLengthMax;
  if (isTooLong || find.trim() === "") return undefined;
  const words = find.trim().split(/\s+/).map(escaped);
  const lines = find
    .trim()
    .split(/[ \t]*\r?\n[ \t]*/)
    .map(escaped);
  // Words with white space between: nothing in them can be matched in two ways.
  const spaced = words.join("\\s+");
  const quoted = spaced.replace(/["'`\u2018\u2019\u201C\u201D]/g, quotes);
  for (const [pattern, how] of [
    [new RegExp(lines.join("[ \\t]*\\r?\\n[ \\t]*")), "with other indentation"],
    [new RegExp(spaced), "with other white space"],
    [new RegExp(quoted), "with other quotes"],
    [new RegExp(quoted, "i"), "in other letter case"],
  ] as const) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const line1 = text.slice(0, found.index).split("\n").length;
    const isOutside =
      isScoped && text.replaceAll("\r\n", "\n").includes(find.replaceAll("\r\n", "\n"));
    return {
      line1,
      how: isOutside ? "outside of the scope" : how,
      line: lineAt(text, found.index),
    };
  }
  const likest = likestLine(text, find);
  return likest === undefined
    ? undefined
    : { line1: likest.line1, how: null, line: shown(likest.line) };
}

/** Says it in words: `it is on line 2, with other quotes: ...`. */
export function describeNearMiss({ line1, how, line }: NearMiss): string {
  return how === null
    ? `line ${line1} is the nearest: \`${line}\``
    : `it is on line ${line1}, ${how}: \`${line}\``;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

function lineAt(text: string, offset: number): string {
  const start = offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
  const feed = text.indexOf("\n", offset);
  return shown(text.slice(start, feed === -1 ? text.length : feed));
}

function shown(line: string): string {
  const whole = line.trimEnd();
  return whole.length <= shownLengthMax
    ? whole
    : `${whole.slice(0, shownLengthMax).toWellFormed()}…`;
}
