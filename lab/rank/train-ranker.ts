/**
 * `node lab/rank/train-ranker.ts <folder of features> [--write] [--hybrid] [--ablate] [--misses] [--no=feature,…]`:
 * trains the ranker's weights on what `extract-features.ts` wrote, and tells NDCG@10 in five-fold cross-validation by
 * repository. With `--without=<repository>,…` it trains only on the others, and only writes; `--into=<folder>` is where
 * the tables are written, by default the ranker's own folder.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { meanOf } from "../../codetool/src/quality/index.ts";
import { fitListwise, type ListwiseOptions, ndcgOf, type TrainingQuery } from "./listwise.ts";

interface FeatureFile {
  readonly repo: string;
  readonly language: string;
  readonly scope: "root" | "whole";
  readonly features: readonly string[];
  readonly queries: readonly TrainingQuery[];
}

const foldCount = 5;
const [folder = "", ...flags] = process.argv.slice(2);
const valueOf = (name: string): string | undefined =>
  flags.find((flag) => flag.startsWith(`--${name}=`))?.slice(name.length + 3);
const files = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .sort()
  .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as FeatureFile);
const names = files[0]?.features ?? [];
const repositories = [...new Set(files.map(({ repo }) => repo))].sort();
const foldOf = new Map(repositories.map((repo, index) => [repo, index % foldCount]));
const wholeWeight = Number(valueOf("whole") ?? 0.5);
const symbolDecay = Number(valueOf("symbol-decay") ?? 2);
const rowCountMax = Number(valueOf("rows") ?? 60);

/** Two models: one for questions, one for names. */
interface Models {
  readonly question: Float64Array;
  readonly symbol: Float64Array;
}

function train(chosen: readonly FeatureFile[], options: ListwiseOptions): Models {
  const queries = chosen.flatMap(({ scope, queries: list }) => {
    return list.map((query) => ({
      ...query,
      rows: query.rows.filter(({ gain }, row) => gain > 0 || row < rowCountMax),
      weight: scope === "root" ? 1 : wholeWeight,
    }));
  });
  const own = (isSymbol: boolean): TrainingQuery[] =>
    queries.filter((query) => query.isSymbol === isSymbol);
  const question = fitListwise(own(false), names.length, options);
  const start = question;
  const decay = (options.decay ?? 0.002) * symbolDecay;
  return { question, symbol: fitListwise(own(true), names.length, { ...options, start, decay }) };
}

interface Scores {
  readonly all: number;
  readonly byCategory: { readonly [category: string]: number };
  readonly byRepository: ReadonlyMap<string, number>;
}

function score(scope: string, models: (repo: string) => Models): Scores {
  const perRepository = new Map<string, number>();
  const perCategory = new Map<string, number[]>();
  for (const file of files) {
    const isCounted =
      file.scope === scope ||
      (scope === "whole" &&
        !files.some((other) => other.repo === file.repo && other.scope === "whole"));
    if (!isCounted) continue;
    const { question, symbol } = models(file.repo);
    const values = file.queries.map((query) => ({
      category: query.category,
      value: ndcgOf(query, query.isSymbol ? symbol : question),
    }));
    perRepository.set(file.repo, meanOf(values.map(({ value }) => value)));
    for (const [category, members] of Map.groupBy(values, (entry) => entry.category)) {
      const list = perCategory.get(category) ?? [];
      list.push(meanOf(members.map(({ value }) => value)));
      perCategory.set(category, list);
    }
  }
  return {
    all: meanOf([...perRepository.values()]),
    byCategory: Object.fromEntries(
      [...perCategory]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([category, values]) => [category, meanOf(values)]),
    ),
    byRepository: perRepository,
  };
}

function crossValidate(options: ListwiseOptions): {
  root: Scores;
  whole: Scores;
  models: Models[];
} {
  const models = Array.from({ length: foldCount }, (_, fold) =>
    train(
      files.filter(({ repo }) => foldOf.get(repo) !== fold),
      options,
    ),
  );
  const of = (repo: string): Models => models[foldOf.get(repo) ?? 0] as Models;
  return { root: score("root", of), whole: score("whole", of), models };
}

function line(title: string, { root, whole }: { root: Scores; whole: Scores }): string {
  const show = (scores: Scores): string =>
    `${scores.all.toFixed(4)} (${Object.entries(scores.byCategory)
      .map(([category, value]) => `${category.slice(0, 4)} ${value.toFixed(3)}`)
      .join(" ")})`;
  return `${title.padEnd(24)} root ${show(root)}  whole ${show(whole)}\n`;
}

/** What is weighed by hand. */
const handWeighed = "isTestAsked,isVendored";
const omittedNames = new Set(
  `${handWeighed},${valueOf("no") ?? ""}`.split(",").filter((name) => name !== ""),
);
const omittedOf = (list: Iterable<string>): Set<number> =>
  new Set([...list].map((name) => names.indexOf(name)));
const base: ListwiseOptions = {
  omitted: omittedOf(omittedNames),
  stepCountMax: Number(valueOf("steps") ?? 80),
  decay: Number(valueOf("decay") ?? 0.03),
};
/** Writes a table of weights as source. */
function writeWeights(models: Models): void {
  const table = (weights: Float64Array): string =>
    names.map((name, index) => `    ${name}: ${Number(weights[index]?.toFixed(4))},\n`).join("");
  const isHybrid = flags.includes("--hybrid");
  const [name, what, command] = isHybrid
    ? ["hybridWeights", "The same where the vectors of the chunks are known.", "--write --hybrid"]
    : ["rankWeights", "The ranker's weights by feature: for questions, and for names.", "--write"];
  const text = `/**
 * ${what} Written by \`lab/rank/train-ranker.ts ${command}\`
 * from the queries of ${repositories.length - held.length} public repositories, each searched as a whole and in its sources.
 */
export const ${name}: {
  readonly question: { readonly [feature: string]: number };
  readonly symbol: { readonly [feature: string]: number };
} = {
  question: {
${table(models.question)}  },
  symbol: {
${table(models.symbol)}  },
};
`;
  const folder =
    valueOf("into") ?? fileURLToPath(new URL("../../codetool/src/search/ranker/", import.meta.url));
  writeFileSync(join(folder, isHybrid ? "hybrid-weights.ts" : "rank-weights.ts"), text);
}

const held = valueOf("without")?.split(",") ?? [];
if (held.length > 0) {
  writeWeights(
    train(
      files.filter(({ repo }) => !held.includes(repo)),
      base,
    ),
  );
  process.exit(0);
}
const result = crossValidate(base);
process.stdout.write(line("all", result));
const recall = (scope: string): number =>
  meanOf(
    files
      .filter((file) => file.scope === scope)
      .flatMap(({ queries }) =>
        queries.map(
          ({ rows, gains }) =>
            rows.filter(({ gain }) => gain > 0).length / Math.max(1, gains.length),
        ),
      ),
  );
process.stdout.write(
  `recall of candidates: root ${recall("root").toFixed(4)} whole ${recall("whole").toFixed(4)}\n`,
);
if (flags.includes("--repos"))
  for (const repo of repositories)
    process.stdout.write(
      `${repo.padEnd(22)} ${result.root.byRepository.get(repo)?.toFixed(4)} ${result.whole.byRepository.get(repo)?.toFixed(4)}\n`,
    );
const full = train(files, base);
process.stdout.write(
  line("fit", { root: score("root", () => full), whole: score("whole", () => full) }),
);
if (flags.includes("--write")) writeWeights(full);
if (flags.includes("--weights"))
  for (const [index, name] of names.entries())
    process.stdout.write(
      `${name.padEnd(18)} ${full.question[index]?.toFixed(3).padStart(8)} ${full.symbol[index]?.toFixed(3).padStart(8)}\n`,
    );
if (flags.includes("--ablate"))
  for (const name of names) {
    if (omittedNames.has(name)) continue;
    process.stdout.write(
      line(
        `without ${name}`,
        crossValidate({ ...base, omitted: omittedOf([...omittedNames, name]) }),
      ),
    );
  }
if (flags.includes("--misses"))
  for (const file of files) {
    const models = result.models[foldOf.get(file.repo) ?? 0] as Models;
    for (const query of file.queries) {
      const weights = query.isSymbol ? models.symbol : models.question;
      const value = ndcgOf(query, weights);
      if (value > 0.5) continue;
      const scored = query.rows
        .map((row) => ({
          row,
          score: row.values.reduce((sum, x, index) => sum + x * (weights[index] as number), 0),
        }))
        .sort((a, b) => b.score - a.score);
      const ranks = scored.flatMap(({ row }, rank) =>
        row.gain > 0 ? [`${rank + 1}:${row.path}`] : [],
      );
      process.stdout.write(
        `${file.repo} ${file.scope} ${value.toFixed(2)} "${query.query}" wanted ${ranks.join(" ")} of ${query.gains.length}; first ${scored
          .slice(0, 3)
          .map(({ row }) => row.path)
          .join(" ")}\n`,
      );
    }
  }
