import { readFileSync } from "node:fs";
import { join } from "node:path";
import { termsOf } from "../../codetool/src/index/index.ts";
import { stemInPlace } from "../../codetool/src/model/stem.ts";
import { readQueryTerms } from "../../codetool/src/search/query/terms.ts";
import { type LabelFile, type LabelledQuestion, plusName } from "./label-file.ts";

/** The largest median of `shareOfWords` that the behaviour questions of a repository may have. */
export const behaviourShareMax = 0.25;

/** The lines of a file, or `undefined` where it is not there. */
export type ReadLines = (path: string) => readonly string[] | undefined;

/** Reads files of a repository that lies in `<folder>/<owner>+<name>`. */
export function linesBelow(folder: string, file: LabelFile): ReadLines {
  return (path) => {
    try {
      const text = readFileSync(join(folder, plusName(file), path), "utf8");
      return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  };
}

/** The answers whose file or lines are not there, one line each. */
export function faultsOfSpans({ questions }: LabelFile, readLines: ReadLines): string[] {
  return questions.flatMap(({ id, answers }) =>
    answers.flatMap(({ path, from, to }) => {
      const lines = readLines(path);
      if (lines === undefined) return [`${id}: ${path} is not there`];
      if (to > lines.length) return [`${id}: ${path} has ${lines.length} lines, not ${to}`];
      const isBlank = lines.slice(from - 1, to).every((line) => line.trim() === "");
      return isBlank ? [`${id}: ${path}:${from}-${to} is blank`] : [];
    }),
  );
}

/**
 * The share of a question's content words that occur in its answer, from 0 to 1. Words are those of the search: without
 * stop words, names in their parts, common endings off.
 */
export function shareOfWords({ text, answers }: LabelledQuestion, readLines: ReadLines): number {
  const asked = new Set(readQueryTerms(text).words.map(stemOf));
  const spans = answers.map(({ path, from, to }) => (readLines(path) ?? []).slice(from - 1, to));
  const there = new Set(spans.flatMap((lines) => termsOf(lines.join("\n"))).map(stemOf));
  return [...asked].filter((word) => there.has(word)).length / Math.max(asked.size, 1);
}

function stemOf(word: string): string {
  const bytes = Buffer.from(word);
  return bytes.toString("utf8", 0, stemInPlace(bytes, bytes.length));
}

/** The middle of some numbers; of two middles their mean, and `NaN` of none. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = (sorted.length - 1) / 2;
  const low = sorted[Math.floor(middle)] ?? Number.NaN;
  return (low + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}
