/**
 * `node lab/rank/train-places.ts <folder of places> [--write] [--into=<folder>] [--without=<repository>,…] [--ablate]
 * [--no=<feature>,…]`: trains the weights of places on what `extract-places.ts` wrote, and tells by cross-validation over
 * repositories how they do: span and file NDCG@10, and how often the first place of a right file is right. With
 * `--without` it trains on the other repositories, and only writes.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { bootstrapInterval, meanOf } from "../../codetool/src/quality/index.ts";
import { fitListwise, type TrainingQuery } from "./listwise.ts";

/** A place of a candidate file. */
interface PlaceRow {
  /** The place of its file in the ranking. */
  readonly file: number;
  /** The answers that its file has, by their numbers. */
  readonly answersHere: readonly number[];
  /** Those of them that its lines show. */
  readonly shown: readonly number[];
  readonly values: readonly number[];
}

interface PlacedQuestion {
  readonly id: string;
  readonly category: string;
  readonly isSymbol: boolean;
  /** Of each answer. */
  readonly paths: readonly string[];
  readonly rows: readonly PlaceRow[];
}

interface PlaceFile {
  readonly repository: string;
  readonly features: readonly string[];
  readonly questions: readonly PlacedQuestion[];
}

const [folder = "", ...flags] = process.argv.slice(2);
const valueOf = (name: string): string | undefined =>
  flags.find((flag) => flag.startsWith(`--${name}=`))?.slice(name.length + 3);
const files = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .sort()
  .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as PlaceFile);
const names = files[0]?.features ?? [];

/** As the product has them: files whose places are compared, and what a second place of a file lacks. */
const placedCountMax = 20;
const secondMargin = Number(valueOf("margin") ?? 1);
const foldCount = Number(valueOf("folds") ?? 6);
/** How much more the order of the files counts than what the questions teach: it was learned from more of them. */
const fileFactor = Number(valueOf("file") ?? 1.5);
const decay = Number(valueOf("decay") ?? 0.02);
/** Messages are found by their text. */
const trainedCategories: ReadonlySet<string> = new Set(["behaviour", "architecture", "symbol"]);
const nearFeatures = ["near", "nearInFile"];
const left = (valueOf("no") ?? "").split(",").filter((name) => name !== "");

function train(chosen: readonly PlaceFile[], without: readonly string[] = []): Float64Array {
  const queries = chosen.flatMap(({ questions }) =>
    questions
      .filter(({ category, isSymbol }) => trainedCategories.has(category) && !isSymbol)
      .map(({ id, category, rows }): TrainingQuery => ({
        query: id,
        category,
        isSymbol: false,
        gains: [],
        weight: 1,
        rows: rows
          .filter(({ file }) => file < placedCountMax)
          .map(({ shown, values }) => ({ path: "", gain: shown.length > 0 ? 1 : 0, values })),
      })),
  );
  const omitted = new Set([...left, ...without].map((name) => names.indexOf(name)));
  const weights = fitListwise(queries, names.length, { decay, omitted, stepCountMax: 120 });
  const fileAt = names.indexOf("fileBelow");
  weights[fileAt] = (weights[fileAt] as number) * fileFactor;
  return weights;
}

/** How the places of a question are shown: all to 1, `null` where no right file is among those compared. */
interface PlaceScores {
  readonly span: number;
  readonly file: number;
  readonly given: number | null;
}

function scoreOf({ rows, paths }: PlacedQuestion, weights: Float64Array): PlaceScores {
  const scored = rows
    .filter(({ file }) => file < placedCountMax)
    .map((row) => ({ row, score: dot(weights, row.values) }))
    .sort((a, b) => b.score - a.score);
  const inRightFile = scored.find(({ row }) => row.answersHere.length > 0)?.row;
  const counts = new Map<number, number>();
  const shown = scored
    .flatMap(({ row, score }) => {
      const place = counts.get(row.file) ?? 0;
      counts.set(row.file, place + 1);
      return place > 1 ? [] : [{ row, score: score - place * secondMargin }];
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, 10)
    .map(({ row }) => row);
  const shownFiles = [...new Map(shown.map((row) => [row.file, row])).values()];
  return {
    span: ndcg(
      shown.map((row) => row.shown),
      paths.map((_, at) => at),
    ),
    file: ndcg(
      shownFiles.map(({ answersHere }) => answersHere.map((at) => paths[at])),
      [...new Set(paths)],
    ),
    given: inRightFile === undefined ? null : inRightFile.shown.length > 0 ? 1 : 0,
  };
}

function ndcg<Target>(met: readonly (readonly Target[])[], targets: readonly Target[]): number {
  const open = new Set(targets);
  const discount = (rank: number): number => 1 / Math.log2(rank + 2);
  let gained = 0;
  for (const [rank, some] of met.entries())
    for (const target of some) if (open.delete(target)) gained += discount(rank);
  return Math.min(1, gained / targets.reduce((sum, _, rank) => sum + discount(rank), 0));
}

function dot(weights: Float64Array, values: readonly number[]): number {
  let sum = 0;
  for (const [at, value] of values.entries()) sum += (weights[at] as number) * value;
  return sum;
}

/** Scores each question by weights that were trained without its repository. */
function crossValidate(without: readonly string[] = []): string {
  const results = Array.from({ length: foldCount }, (_, fold) => fold).flatMap((fold) => {
    const held = files.filter((__, at) => at % foldCount === fold);
    const weights = train(
      files.filter((file) => !held.includes(file)),
      without,
    );
    return held.flatMap(({ repository, questions }) =>
      questions
        .filter(({ isSymbol }) => !isSymbol)
        .map((question) => ({
          repository,
          category: question.category,
          ...scoreOf(question, weights),
        })),
    );
  });
  return [...trainedCategories]
    .flatMap((category) => {
      const own = results.filter((one) => one.category === category);
      return (["span", "file", "given"] as const).map((measure) => {
        const means = [...Map.groupBy(own, ({ repository }) => repository).values()].flatMap(
          (rows) => {
            const values = rows.map((one) => one[measure]).filter((value) => value !== null);
            return values.length === 0 ? [] : [meanOf(values)];
          },
        );
        const [low, high] = bootstrapInterval(means);
        const interval = `${low.toFixed(3)} to ${high.toFixed(3)}`;
        return `${category.slice(0, 4)} ${measure} ${meanOf(means).toFixed(4)} (${interval})`;
      });
    })
    .join("  ");
}

function writeWeights(chosen: readonly PlaceFile[]): void {
  const table = (without: readonly string[]): string => {
    const weights = train(chosen, without);
    return names
      .flatMap((name, at) => {
        const weight = Number(weights[at]?.toFixed(4));
        return weight === 0 ? [] : [`    ${name}: ${weight},\n`];
      })
      .join("");
  };
  const text = `/**
 * The weights of places by feature: where the vectors of the chunks are known, and where not. Written by
 * \`lab/rank/train-places.ts --write\` from the questions of ${chosen.length} repositories of \`lab/labels/\`.
 */
export const placeWeights: {
  readonly hybrid: { readonly [feature: string]: number };
  readonly lexical: { readonly [feature: string]: number };
} = {
  hybrid: {
${table([])}  },
  lexical: {
${table(nearFeatures)}  },
};
`;
  const own = fileURLToPath(new URL("../../codetool/src/search/places/", import.meta.url));
  writeFileSync(join(valueOf("into") ?? own, "place-weights.ts"), text);
}

const held = valueOf("without")?.split(",") ?? [];
if (held.length > 0) {
  writeWeights(files.filter(({ repository }) => !held.includes(repository)));
  process.exit(0);
}
process.stdout.write(`${"all".padEnd(20)} ${crossValidate()}\n`);
process.stdout.write(`${"lexical".padEnd(20)} ${crossValidate(nearFeatures)}\n`);
if (flags.includes("--write")) writeWeights(files);
if (flags.includes("--ablate"))
  for (const name of names)
    process.stdout.write(`${`without ${name}`.padEnd(20)} ${crossValidate([name])}\n`);
