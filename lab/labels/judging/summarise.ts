import { bootstrapInterval, meanOf } from "../../../codetool/src/quality/index.ts";
import type { LabelCategory } from "../label-file.ts";
import type { AnswerScore } from "./score-answer.ts";

/** One question as one way of searching answered it. */
export interface JudgedAnswer {
  readonly repository: string;
  readonly language: string;
  readonly category: LabelCategory;
  readonly score: AnswerScore;
  /** Where the search was given the right file as its path: whether its first place, and one of the first three, is right. */
  readonly inRightFile: { readonly first: 0 | 1; readonly third: 0 | 1 };
  /** Of the whole answer, as it is printed. */
  readonly tokens: number;
}

/** What is measured, and how it is read from an answer; `null` where it does not apply. */
export const measures = {
  "file NDCG@10": ({ score }: JudgedAnswer) => score.file,
  "span NDCG@10": ({ score }: JudgedAnswer) => score.span,
  MRR: ({ score }: JudgedAnswer) => score.reciprocalRank,
  "place, file found": ({ score }: JudgedAnswer) => score.placeInFile,
  "place, file given": ({ inRightFile }: JudgedAnswer) => inRightFile.first,
  "of three, file given": ({ inRightFile }: JudgedAnswer) => inRightFile.third,
  tokens: ({ tokens }: JudgedAnswer) => tokens,
} as const;

/** One of `measures`. */
export type MeasureName = keyof typeof measures;

/** A mean over repositories, each of which counts the same, with its 95 % interval over repositories. */
export interface Estimate {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** The mean of a measure over repositories; those to which it applies nowhere are left out. */
export function estimate(answers: readonly JudgedAnswer[], measure: MeasureName): Estimate {
  return estimateOf([...meansByRepository(answers, measure).values()]);
}

/** How much more a measure is in the second list than in the first, over the repositories of both. */
export function difference(
  [before, after]: readonly [readonly JudgedAnswer[], readonly JudgedAnswer[]],
  measure: MeasureName,
): Estimate {
  const old = meansByRepository(before, measure);
  const rows = [...meansByRepository(after, measure)].flatMap(([repository, value]) => {
    const other = old.get(repository);
    return other === undefined ? [] : [value - other];
  });
  return estimateOf(rows);
}

function estimateOf(values: readonly number[]): Estimate {
  const [low, high] = bootstrapInterval(values);
  return { mean: meanOf(values), low, high };
}

function meansByRepository(
  answers: readonly JudgedAnswer[],
  measure: MeasureName,
): ReadonlyMap<string, number> {
  const read = measures[measure];
  const means = new Map<string, number>();
  for (const [repository, own] of Map.groupBy(answers, (answer) => answer.repository)) {
    const values = own.map(read).filter((value) => value !== null);
    if (values.length > 0) means.set(repository, meanOf(values));
  }
  return means;
}
