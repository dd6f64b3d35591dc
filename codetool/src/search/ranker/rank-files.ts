import {
  type FeatureRow,
  featureRows,
  type RankedCorpus,
  type RankSources,
} from "./feature-rows.ts";
import { features } from "./features.ts";
import { hybridWeights } from "./hybrid-weights.ts";
import type { NameMatcher } from "./name-words.ts";
import type { RankQuery } from "./query.ts";
import { rankWeights } from "./rank-weights.ts";

/** A file with its place in the ranking. */
export interface RankedFile {
  readonly file: number;
  readonly bestChunk: number;
  /** Sum of features times weights: comparable within an answer. */
  readonly score: number;
  /** 0 to 1, falling with the score. */
  readonly relevance: number;
  readonly row: FeatureRow;
  /** What its features were multiplied with. */
  readonly weights: Float64Array;
}

/** Files in their order, and what tells the words of the query in a text. */
export interface RankedFiles {
  /** Best first. */
  readonly files: readonly RankedFile[];
  readonly matcher: NameMatcher;
}

/** Files whose features are worked out. */
const candidateCountMax = 60;
/** Files of those that are read. */
const textCountMax = 12;
/** A file so much below the best has relevance 1/e of it. */
const relevanceScale = 6;

/** Added for a text that holds a statement as it is written: labelled questions teach little about such queries. */
const statementBonus = 5;

/** Weights of what the labels cannot teach: tests where tests are asked for, and copies of others' code. */
const handWeights: { readonly [feature: string]: number } = { isTestAsked: 2, isVendored: -10 };

const names = Object.keys(features);
const phraseIndex = names.indexOf("phrase");
const weightsOf = (table: { readonly [feature: string]: number }): Float64Array =>
  Float64Array.from(names, (name) => handWeights[name] ?? table[name] ?? 0);
const weightTables = {
  lexical: {
    question: weightsOf(rankWeights.question),
    symbol: weightsOf(rankWeights.symbol),
  },
  hybrid: {
    question: weightsOf(hybridWeights.question),
    symbol: weightsOf(hybridWeights.symbol),
  },
};

function weightsFor(query: RankQuery, isHybrid: boolean): Float64Array {
  const { question, symbol } = weightTables[isHybrid ? "hybrid" : "lexical"];
  return query.symbolName === null ? question : symbol;
}

/** Ranks the files that may answer a query, best first; equal scores in the order of paths. */
export function rankFiles(
  query: RankQuery,
  ranked: RankedCorpus,
  sources: RankSources = {},
): RankedFiles {
  const weights = weightsFor(query, sources.dense !== undefined);
  const { rows, matcher } = featureRows(query, ranked, {
    ...sources,
    candidateCountMax,
    textCountMax,
    score: (values) => dot(weights, values),
  });
  const bonus = isStatement(query.text) ? statementBonus : 0;
  const scored = rows.map((row) => ({
    row,
    score: dot(weights, row.values) + bonus * (row.values[phraseIndex] as number),
  }));
  scored.sort((a, b) => b.score - a.score || a.row.candidate.file - b.row.candidate.file);
  const [best] = scored;
  if (best === undefined) return { files: [], matcher };
  const coverage = best.row.values[names.indexOf("coverFile")] ?? 0;
  const top = 0.5 + 0.5 * Math.min(1, coverage);
  const files = scored.map(({ row, score }) => ({
    file: row.candidate.file,
    bestChunk: row.candidate.bestChunk,
    score,
    relevance: top * Math.exp((score - best.score) / relevanceScale),
    row,
    weights,
  }));
  return { files, matcher };
}

/** An error message and the like, searched as it is written: no question, and too long to occur by chance. */
function isStatement(text: string): boolean {
  return (
    /\S\s+\S+\s+\S/.test(text) && !/^(?:how|what|when|where|which|who|whose|why)\b|\?$/i.test(text)
  );
}

function dot(weights: Float64Array, values: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < weights.length; index += 1)
    sum += (weights[index] as number) * (values[index] as number);
  return sum;
}

/** The features of a file by name, each with its weight, those that count most first. */
export function explainFile(
  file: RankedFile,
): { readonly feature: string; readonly value: number; readonly weight: number }[] {
  return names
    .map((feature, index) => ({
      feature,
      value: file.row.values[index] ?? 0,
      weight: file.weights[index] ?? 0,
    }))
    .filter(({ value, weight }) => value * weight !== 0)
    .sort((a, b) => Math.abs(b.value * b.weight) - Math.abs(a.value * a.weight));
}
