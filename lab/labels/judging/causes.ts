import { classOfPath } from "../../../codetool/src/files/index.ts";
import type { AnswerSpan } from "../label-file.ts";
import { isShown, type ShownPlace } from "./score-answer.ts";

/** What an answer tells of a place besides the lines that it shows. */
export interface JudgedPlace extends ShownPlace {
  /** The kind of the innermost definition around its line; `null` outside of any. */
  readonly contextType: string | null;
  readonly contextName: string | null;
  /** The text of its line. */
  readonly match: string;
}

/** Why an answer lost points, the most basic first. */
export const causes = [
  "right file not among ten",
  "right file, header of the class around it",
  "right file, other place below the answer",
  "right file, other place above the answer",
  "right place behind tests, docs, entries or copies",
  "right place behind other code",
  "one place of several found",
  "nothing lost",
] as const;

/** One of `causes`. */
export type Cause = (typeof causes)[number];

const containerKinds: ReadonlySet<string> = new Set([
  "class",
  "struct",
  "enum",
  "trait",
  "interface",
  "module",
  "type",
]);

const entryFile =
  /(?:^|\/)(?:index|__init__|mod|lib|main|init|package-info|all|prelude|exports?)\.[^./]*$/;

/** Says why an answer lost points. */
export function causeOf(answers: readonly AnswerSpan[], places: readonly JudgedPlace[]): Cause {
  const shown = places.slice(0, 10);
  const rank = shown.findIndex((place) => answers.some((span) => isShown(span, place)));
  if (rank < 0) return causeOfMiss(answers, shown);
  if (rank === 0)
    return answers.every((span) => shown.some((place) => isShown(span, place)))
      ? "nothing lost"
      : "one place of several found";
  const before = shown.slice(0, rank);
  return before.some(({ path }) => isCode(path))
    ? "right place behind other code"
    : "right place behind tests, docs, entries or copies";
}

function causeOfMiss(answers: readonly AnswerSpan[], shown: readonly JudgedPlace[]): Cause {
  const inFile = shown.find((place) => answers.some(({ path }) => path === place.path));
  if (inFile === undefined) return "right file not among ten";
  const own = answers.filter(({ path }) => path === inFile.path);
  const isBelow = own.some(({ from }) => from > inFile.line);
  const { contextType, contextName, match } = inFile;
  const isHeader =
    contextType !== null && containerKinds.has(contextType) && match.includes(contextName ?? "");
  if (isBelow && isHeader) return "right file, header of the class around it";
  return isBelow
    ? "right file, other place above the answer"
    : "right file, other place below the answer";
}

function isCode(path: string): boolean {
  const fileClass = classOfPath(path);
  return fileClass === "source" && !entryFile.test(path);
}
