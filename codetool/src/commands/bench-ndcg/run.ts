import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { errors } from "../../envelope/index.ts";
import { walkFiles, type WalkedFile } from "../../files/index.ts";
import {
  bootstrapInterval,
  type Dataset,
  meanOf,
  type QueryScore,
  readDataset,
  scoreQuery,
} from "../../quality/index.ts";
import { RankedCorpus, type Place, projectWordsOf, SymbolReader } from "../../search/index.ts";
import type { CommandContext, CommandResult } from "../command.ts";
import {
  answerQuery,
  indexByMeaning,
  type MeaningIndex,
  readSearchRequest,
  type SearchedIndex,
} from "../query/index.ts";
import type { BenchNdcgInput } from "./input.ts";
import type { BenchNdcgPayload, Means, RepositoryScores, ScoreOfQuery } from "./payload.ts";
import { readSettings } from "../settings.ts";
import { WrongUsage } from "./wrong-usage.ts";

/** How much NDCG@10 a repository may lose before the command fails. */
const thresholdDefault = 0.02;

/** How many matches each search shows: the first ten are scored. */
const shownCount = 10;

/** Places that are scored of each answer. */
const rankCountMax = 50;

interface ScoredQuery extends QueryScore {
  readonly query: string;
  readonly category: string;
  readonly results: readonly string[];
}

interface ScoredSet {
  readonly dataset: Dataset;
  readonly fileCount: number;
  readonly queries: readonly ScoredQuery[];
}

/**
 * Runs `bench-ndcg`.
 *
 * @throws WrongUsage for a comparison with nothing; file_not_found; invalid_argument for files that are something else.
 */
export async function runBenchNdcg(
  input: BenchNdcgInput,
  context: CommandContext,
): Promise<CommandResult<BenchNdcgPayload>> {
  const { datasets: paths, threshold = thresholdDefault } = input;
  if (paths.length > 1 && input.root !== undefined)
    throw new errors.invalid_argument({
      argument: "root",
      reason: "it is for one set of queries; for several, wanted --repositories",
    });
  const baseline = readBaseline(input, context);
  const datasets = paths.map((path) => openDataset(path, context));
  requireBefore(input, datasets, baseline);
  const sets: ScoredSet[] = [];
  for (const [index, dataset] of datasets.entries()) {
    const path = paths[index] ?? "";
    context.onProgress?.({ done: index, total: paths.length, unit: "sets" });
    sets.push(
      await scoreSet(dataset, treeOf(dataset, { path, input, context }), { input, context }),
    );
  }
  const repos = sets.map((set) => describeSet(set, input.per_query === true));
  const regressions = sets.flatMap(({ dataset }, index) => {
    const before = baseline.get(dataset.name) ?? dataset.baselineNdcg10;
    const now = repos[index]?.ndcg10 ?? 0;
    return before !== null && now < before - threshold ? [{ repo: dataset.name, before, now }] : [];
  });
  const data = { ...describeAll(sets), regressions, repos };
  return { data, ...(regressions.length > 0 ? { exitCode: 1 } : {}) };
}

/**
 * Refuses to compare where there is nothing to compare with.
 *
 * @throws WrongUsage
 */
function requireBefore(
  { datasets: paths, baseline: given, threshold }: BenchNdcgInput,
  datasets: readonly Dataset[],
  baseline: ReadonlyMap<string, number>,
): void {
  if (threshold === undefined && given === undefined) return;
  if (datasets.some(({ name, baselineNdcg10 }) => baseline.has(name) || baselineNdcg10 !== null))
    return;
  const names = datasets.map(({ name }) => name).join(", ");
  const made = `\`codetool bench-ndcg ${paths.join(" ")} > baseline.json\``;
  throw new WrongUsage(
    given === undefined
      ? `--threshold has nothing to compare with: make a baseline with ${made}, then give --baseline baseline.json`
      : `--baseline ${given} has no score of ${names}: make one with ${made}`,
  );
}

function openDataset(path: string, context: CommandContext): Dataset {
  const text = readTextFile(path, context);
  const name = basename(path).replace(/\.json$/i, "");
  const dataset = readDataset(text, name);
  if ("fault" in dataset)
    throw new errors.invalid_argument({ argument: path, reason: dataset.fault });
  return dataset;
}

function readTextFile(path: string, context: CommandContext): string {
  const absolutePath = resolve(context.workingDirectory, path);
  if (!existsSync(absolutePath)) throw new errors.file_not_found({ path });
  if (!statSync(absolutePath).isFile())
    throw new errors.invalid_argument({ argument: path, reason: "it is not a file" });
  return readFileSync(absolutePath, "utf8");
}

/** Scores of an earlier answer by repository. */
function readBaseline(input: BenchNdcgInput, context: CommandContext): ReadonlyMap<string, number> {
  const { baseline: path } = input;
  const scores = new Map<string, number>();
  if (path === undefined) return scores;
  let value: unknown;
  try {
    value = JSON.parse(readTextFile(path, context));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const root = value as { repos?: unknown; data?: { repos?: unknown } } | null | undefined;
  const repos = root?.data?.repos ?? root?.repos;
  if (!Array.isArray(repos))
    throw new errors.invalid_argument({
      argument: path,
      reason: "wanted an earlier answer of bench-ndcg",
    });
  for (const row of repos as readonly { repo?: unknown; ndcg10?: unknown }[])
    if (typeof row.repo === "string" && typeof row.ndcg10 === "number")
      scores.set(row.repo, row.ndcg10);
  return scores;
}

/** Finds the tree of a dataset. */
function treeOf(
  dataset: Dataset,
  at: { readonly path: string; readonly input: BenchNdcgInput; readonly context: CommandContext },
): string {
  const { path, input } = at;
  const { workingDirectory } = at.context;
  const candidates: string[] = [];
  if (input.root !== undefined) candidates.push(resolve(workingDirectory, input.root));
  else if (input.repositories !== undefined) {
    const folder = resolve(workingDirectory, input.repositories);
    const stem = basename(path).replace(/\.json$/i, "");
    const repository = (dataset.repository ?? "").replace(/\/+$/, "").split("/").at(-1) ?? "";
    for (const name of [dataset.name, stem, repository])
      if (name !== "") candidates.push(join(folder, name));
  } else if (dataset.root !== null)
    candidates.push(resolve(dirname(resolve(workingDirectory, path)), dataset.root));
  else candidates.push(workingDirectory);
  const tree = candidates.find((candidate) => existsSync(candidate));
  if (tree === undefined) throw new errors.file_not_found({ path: candidates[0] ?? path });
  return tree;
}

async function scoreSet(
  dataset: Dataset,
  tree: string,
  { input, context }: { readonly input: BenchNdcgInput; readonly context: CommandContext },
): Promise<ScoredSet> {
  const prefix = input.whole === true ? "" : dataset.benchmarkRoot;
  const root = join(tree, prefix);
  if (!existsSync(root)) throw new errors.file_not_found({ path: root });
  const settings = readSettings(context.environment);
  const { files } = walkFiles({
    root,
    environment: context.environment,
    sizeBytesMax: settings.fileSizeBytesMax,
  });
  const { chunkSizeCharacters, fileSizeBytesMax } = settings;
  const sizes = { chunkSizeCharacters, fileSizeBytesMax };
  const index = input.no_index === true ? undefined : indexedBy(await indexByMeaning(files, sizes));
  const surroundings = {
    files: {
      walk: () => files,
      narrow: (all: readonly WalkedFile[]) => all,
      filesHolding: () => files,
    },
    ...(index === undefined ? {} : { index }),
    sizes,
    projectWords: projectWordsOf([dataset.name, dataset.repository ?? ""]),
    symbols: new SymbolReader(),
  };
  const queries: ScoredQuery[] = [];
  for (const labelled of dataset.queries) {
    const { query, category } = labelled;
    const { mode, ranker, alpha } = input;
    const request = readSearchRequest({ query, mode, ranker, alpha, top_k: shownCount });
    const answer = await answerQuery(request, { ...surroundings, warnings: [] });
    const ranked = (await answer.places.first(rankCountMax)).slice(0, rankCountMax);
    const places = ranked.map((place) => shownPlace(place, prefix));
    const results = [...new Set(places.map(({ path }) => path))].slice(0, 10);
    queries.push({ query, category, results, ...scoreQuery(labelled, places) });
  }
  return { dataset, fileCount: files.length, queries };
}

function indexedBy(meaning: MeaningIndex): SearchedIndex {
  const { corpus, fileOf, numberOf } = meaning;
  return { meaning, searched: { ranked: new RankedCorpus(corpus), fileOf, numberOf } };
}

/** What an answer shows of a place: the lines of its snippet. */
function shownPlace({ file, line1, window }: Place, prefix: string) {
  const { startLine1, endLine1 } = window ?? { startLine1: line1, endLine1: line1 };
  const path = prefix === "" ? file.relativePath : `${prefix}/${file.relativePath}`;
  return { path, startLine1, endLine1 };
}

/** Figures are given with four digits. */
function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

function groupByCategory(
  queries: readonly ScoredQuery[],
): ReadonlyMap<string, readonly ScoredQuery[]> {
  const byName = Map.groupBy(queries, (query) => query.category);
  return new Map([...byName].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function intervalOf(values: readonly number[]): number[] {
  return bootstrapInterval(values).map(round);
}

type Measure = "ndcg5" | "ndcg10" | "strictNdcg10";

function mean(queries: readonly ScoredQuery[], measure: Measure): number {
  return meanOf(queries.map((query) => query[measure]));
}

function describeSet(
  { dataset, fileCount, queries }: ScoredSet,
  isPerQuery: boolean,
): RepositoryScores {
  const byCategory = Object.fromEntries(
    [...groupByCategory(queries)].map(([name, members]) => [
      name,
      {
        count: members.length,
        ndcg10: round(mean(members, "ndcg10")),
        ndcg10_ci95: intervalOf(members.map(({ ndcg10 }) => ndcg10)),
      },
    ]),
  );
  return {
    repo: dataset.name,
    commit: dataset.commit,
    language: dataset.language,
    files: fileCount,
    queries: queries.length,
    ndcg10: round(mean(queries, "ndcg10")),
    ndcg10_ci95: intervalOf(queries.map(({ ndcg10 }) => ndcg10)),
    ndcg5: round(mean(queries, "ndcg5")),
    strict_ndcg10: round(mean(queries, "strictNdcg10")),
    symbol_ndcg10: byCategory["symbol"]?.ndcg10 ?? null,
    semantic_ndcg10: byCategory["semantic"]?.ndcg10 ?? null,
    architecture_ndcg10: byCategory["architecture"]?.ndcg10 ?? null,
    by_category: byCategory,
    misses: queries.filter(({ isMiss }) => isMiss).map(({ query }) => query),
    ...(isPerQuery ? { per_query: queries.map(describeQuery) } : {}),
  };
}

function describeQuery({
  query,
  category,
  ndcg5,
  ndcg10,
  strictNdcg10,
  results,
}: ScoredQuery): ScoreOfQuery {
  return {
    query,
    category,
    ndcg10: round(ndcg10),
    ndcg5: round(ndcg5),
    strict_ndcg10: round(strictNdcg10),
    top_results: results,
  };
}

/** The mean over sets, each of which counts the same, however many queries it has. */
function meanOfSets(sets: readonly (readonly ScoredQuery[])[], measure: Measure): number {
  return round(meanOf(sets.map((queries) => mean(queries, measure))));
}

function meansOf(sets: readonly (readonly ScoredQuery[])[]): Means {
  return {
    ndcg10: meanOfSets(sets, "ndcg10"),
    strict_ndcg10: meanOfSets(sets, "strictNdcg10"),
  };
}

function describeAll(sets: readonly ScoredSet[]): Omit<BenchNdcgPayload, "regressions" | "repos"> {
  const queriesOfSets = sets.map(({ queries }) => queries);
  const byCategory = Object.fromEntries(
    [...groupByCategory(queriesOfSets.flat())].map(([name, members]) => {
      const ofSets = queriesOfSets.map((all) => all.filter(({ category }) => category === name));
      const holders = ofSets.filter((queries) => queries.length > 0);
      return [name, { count: members.length, ...meansOf(holders) }];
    }),
  );
  const languages = Map.groupBy(sets, ({ dataset }) => dataset.language ?? "unknown");
  const byLanguage = Object.fromEntries(
    [...languages]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, members]) => {
        const ofSets = members.map(({ queries }) => queries);
        return [name, { repos: members.length, ...meansOf(ofSets) }];
      }),
  );
  const [only] = sets;
  const sampled =
    sets.length === 1
      ? (queriesOfSets[0] ?? []).map(({ ndcg10 }) => ndcg10)
      : queriesOfSets.map((queries) => mean(queries, "ndcg10"));
  return {
    ...(only !== undefined && sets.length === 1 ? { repo: only.dataset.name } : {}),
    queries: queriesOfSets.flat().length,
    ndcg10: meanOfSets(queriesOfSets, "ndcg10"),
    ndcg10_ci95: intervalOf(sampled),
    ndcg5: meanOfSets(queriesOfSets, "ndcg5"),
    strict_ndcg10: meanOfSets(queriesOfSets, "strictNdcg10"),
    symbol_ndcg10: byCategory["symbol"]?.ndcg10 ?? null,
    semantic_ndcg10: byCategory["semantic"]?.ndcg10 ?? null,
    architecture_ndcg10: byCategory["architecture"]?.ndcg10 ?? null,
    by_category: byCategory,
    by_language: byLanguage,
    misses: sets.flatMap(({ dataset, queries }) =>
      queries.filter(({ isMiss }) => isMiss).map(({ query }) => ({ repo: dataset.name, query })),
    ),
  };
}
