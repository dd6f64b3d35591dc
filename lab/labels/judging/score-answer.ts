import type { AnswerSpan } from "../label-file.ts";

/** A place that an answer of search shows. */
export interface ShownPlace {
  /** Relative to the top of the repository, with forward slashes. */
  readonly path: string;
  /** Where the answer points; 1-based. */
  readonly line: number;
  /** The last line that its snippet shows. */
  readonly snippetEnd: number;
}

/** How well the places of one answer fit a label; all from 0 to 1. */
export interface AnswerScore {
  /** NDCG@10 over distinct files. */
  readonly file: number;
  /** NDCG@10 over places: one counts where it shows a line of the label. */
  readonly span: number;
  /** One over the rank of the first place that shows a line of the label; 0 where none of the first ten does. */
  readonly reciprocalRank: number;
  /**
   * Where a file of the label is among the first ten: whether its first place shows a line of the label. `null` where no
   * such file is there.
   */
  readonly placeInFile: 0 | 1 | null;
}

/** Lines of a snippet that count, from the line that the answer points at. */
const shownLinesMax = 20;
const rankCountMax = 10;

/**
 * Whether a place shows a line of a span. Only the lines from `line` to the end of the snippet count, 20 at most: what a
 * wider range of the answer names is not shown.
 */
export function isShown({ path, from, to }: AnswerSpan, place: ShownPlace): boolean {
  const last = Math.min(Math.max(place.line, place.snippetEnd), place.line + shownLinesMax - 1);
  return path === place.path && from <= last && place.line <= to;
}

/**
 * Scores the places of one answer, best first. Each span of the label counts once, at the first place that shows it;
 * the same holds for files.
 */
export function scoreAnswer(
  answers: readonly AnswerSpan[],
  places: readonly ShownPlace[],
): AnswerScore {
  const paths = [...new Set(answers.map(({ path }) => path))];
  const files = [...new Set(places.map(({ path }) => path))];
  const shown = places.slice(0, rankCountMax);
  const first = shown.findIndex((place) => answers.some((span) => isShown(span, place)));
  const inFile = shown.find(({ path }) => paths.includes(path));
  return {
    file: ndcg10(files, paths, (path, file) => path === file),
    span: ndcg10(places, answers, isShown),
    reciprocalRank: first < 0 ? 0 : 1 / (first + 1),
    placeInFile:
      inFile === undefined ? null : answers.some((span) => isShown(span, inFile)) ? 1 : 0,
  };
}

/** Each target has the gain 1, at the first item that meets it; several that one item meets add up. */
function ndcg10<Item, Target>(
  items: readonly Item[],
  targets: readonly Target[],
  isMet: (target: Target, item: Item) => boolean,
): number {
  const open = new Set(targets);
  let gained = 0;
  for (const [rank, item] of items.slice(0, rankCountMax).entries())
    for (const target of open)
      if (isMet(target, item)) {
        open.delete(target);
        gained += discountOf(rank);
      }
  let ideal = 0;
  for (let rank = 0; rank < targets.length; rank += 1) ideal += discountOf(rank);
  return Math.min(1, gained / ideal);
}

function discountOf(rank: number): number {
  return 1 / Math.log2(rank + 2);
}
