import { categories, type LabelCategory } from "../label-file.ts";
import { type Cause, causes } from "./causes.ts";
import {
  difference,
  type Estimate,
  estimate,
  type JudgedAnswer,
  type MeasureName,
  measures,
} from "./summarise.ts";

/** A way of searching and its answers; the first of several is what the others are compared with. */
export interface JudgedWay {
  readonly name: string;
  readonly answers: readonly (JudgedAnswer & { readonly cause: Cause })[];
}

const categoryNames = Object.keys(categories) as LabelCategory[];
const measureNames = Object.keys(measures) as MeasureName[];

/** All tables of a run, in Markdown. */
export function drawTables(ways: readonly JudgedWay[]): string {
  const [first] = ways;
  return [
    ...["all", ...categoryNames].map((name) => drawCategory(ways, name)),
    drawDifferences(ways),
    drawLanguages(ways),
    first === undefined ? "" : drawCauses(first),
  ].join("\n\n");
}

function within(answers: JudgedWay["answers"], category: string): JudgedWay["answers"] {
  return answers.filter((answer) => category === "all" || answer.category === category);
}

function drawCategory(ways: readonly JudgedWay[], category: string): string {
  const count = within(ways[0]?.answers ?? [], category).length;
  const rows = ways.map(({ name, answers }) => [
    name,
    ...measureNames.map((measure) =>
      cell(estimate(within(answers, category), measure), measure === "tokens"),
    ),
  ]);
  return drawTable([[`${category} (${count})`, ...measureNames], ...rows]);
}

function drawDifferences(ways: readonly JudgedWay[]): string {
  const [first, ...others] = ways;
  if (first === undefined || others.length === 0) return "";
  const rows = others.flatMap(({ name, answers }) =>
    (["file NDCG@10", "span NDCG@10"] as const).map((measure) => [
      `${name} − ${first.name}: ${measure}`,
      ...["all", ...categoryNames].map((category) =>
        cell(
          difference([within(first.answers, category), within(answers, category)], measure),
          false,
        ),
      ),
    ]),
  );
  return drawTable([["difference", "all", ...categoryNames], ...rows]);
}

function drawLanguages(ways: readonly JudgedWay[]): string {
  const languages = [...new Set(ways[0]?.answers.map(({ language }) => language))].sort();
  const rows = languages.map((language) => [
    language,
    ...ways.map(({ answers }) => {
      const own = answers.filter((answer) => answer.language === language);
      const [file, span] = (["file NDCG@10", "span NDCG@10"] as const).map((measure) =>
        estimate(own, measure).mean.toFixed(3),
      );
      return `${file} / ${span}`;
    }),
  ]);
  return drawTable([["file / span", ...ways.map(({ name }) => name)], ...rows]);
}

/** Where the points of span NDCG@10 are lost: how many questions, and how many points in all. */
function drawCauses({ name, answers }: JudgedWay): string {
  const rows = causes.map((cause) => [
    cause,
    ...categoryNames.map((category) => {
      const own = within(answers, category).filter((answer) => answer.cause === cause);
      const lost = own.reduce((sum, { score }) => sum + 1 - score.span, 0);
      return `${own.length} (${lost.toFixed(1)})`;
    }),
  ]);
  return drawTable([[`${name}: questions (points lost)`, ...categoryNames], ...rows]);
}

function cell({ mean, low, high }: Estimate, isWhole: boolean): string {
  const show = (value: number): string =>
    isWhole ? String(Math.round(value)) : value.toFixed(3).replace(/^(-?)0\./, "$1.");
  return `${show(mean)} (${show(low)} to ${show(high)})`;
}

function drawTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}
