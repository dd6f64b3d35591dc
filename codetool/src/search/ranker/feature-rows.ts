import { type DenseFiles, far } from "./dense-files.ts";
import type { CorpusView } from "../../store/index.ts";
import { type Candidate, findCandidates } from "./candidates.ts";
import { type FeatureInput, features, type FittingSymbol, textFeatures } from "./features.ts";
import { CorpusFacts } from "./field-scores.ts";
import { FileFactsCache } from "./file-facts.ts";
import { NameMatcher } from "./name-words.ts";
import type { RankQuery } from "./query.ts";
import { readTextFacts, type TextFacts } from "./text-facts.ts";

/** A corpus made ready for ranking: what does not change from query to query is worked out once. */
export class RankedCorpus {
  readonly corpus: CorpusView;
  readonly files: FileFactsCache;
  /** Which files are searched; `undefined` for all. */
  readonly isIncluded: ((file: number) => boolean) | undefined;
  #facts: CorpusFacts | undefined;

  constructor(corpus: CorpusView, isIncluded?: (file: number) => boolean) {
    this.corpus = corpus;
    this.isIncluded = isIncluded;
    this.files = new FileFactsCache(corpus);
  }

  /** Counted when they are first asked for: a search for a text ranks a few files of it as their own corpus. */
  get facts(): CorpusFacts {
    this.#facts ??= new CorpusFacts(this.corpus);
    return this.#facts;
  }
}

/** What else a ranking may know. */
export interface RankSources {
  /** The text of a file, `undefined` when it cannot be read; absent where texts are to tell nothing. */
  readonly readText?: (file: number) => Buffer | undefined;
  /** How much of the tree depends on each file, above 0 to 1; absent where that is not known. */
  readonly importance?: Float32Array | undefined;
  /** How near the files are by their vectors; absent without a model. */
  readonly dense?: DenseFiles;
}

/** A candidate with its features, in the order of `features`. */
export interface FeatureRow {
  readonly candidate: Candidate;
  readonly values: Float64Array;
}

/** The candidates of a query, and what tells its words in a text. */
export interface FeatureRows {
  readonly rows: readonly FeatureRow[];
  readonly matcher: NameMatcher;
}

/** Files that are candidates only by their vectors. */
const nearestCountMax = 30;
/** How near they are at least, measured against the nearest file. */
const nearestShareMin = 0.5;
const noText: TextFacts = { head: 0, pairs: 0, phrase: 0 };

/** What is computed, and for how many. */
export interface FeatureOptions extends RankSources {
  readonly candidateCountMax: number;
  /** Files that are read, those with the highest score without it. */
  readonly textCountMax: number;
  /** The score of a row; without it the first candidates are read. */
  readonly score?: (values: Float64Array) => number;
}

/**
 * Works out the features of the files that may answer a query: first those that the index tells, then, for the best
 * of them, those of their text.
 */
export function featureRows(
  query: RankQuery,
  ranked: RankedCorpus,
  options: FeatureOptions,
): FeatureRows {
  const { corpus } = ranked;
  const { dense } = options;
  const nearest = (dense?.first(nearestCountMax) ?? []).filter(
    (file) => (dense?.figuresOf(file).share ?? 0) >= nearestShareMin,
  );
  const candidates = findCandidates(query, ranked, {
    countMax: options.candidateCountMax,
    others: nearest,
  });
  const matcher = new NameMatcher(query, candidates.groupWeights);
  const most = mostOf(candidates.list);
  const asked = query.symbolName === null ? query.identifiers : [query.symbolName];
  const anyName = matcher.spots.patternWith(asked) ?? /[^]/g;
  const inputs = candidates.list.map((candidate): FeatureInput => {
    const { file } = candidate;
    // If none of its names holds a word of the query, none of its definitions fits.
    const symbols = candidate.namesMerged > 0 ? ranked.files.symbolsHolding(file, anyName) : [];
    const { lineCount, language } = corpus.file(file);
    const fits: FittingSymbol[] = [];
    for (const named of symbols) {
      if (!matcher.spots.mayHold(named.symbol.name)) continue;
      const { share, precision } = matcher.fit(named.words);
      if (share > 0) fits.push({ named, share, precision });
    }
    return {
      query,
      matcher,
      candidate,
      path: ranked.files.factsOf(file),
      symbols,
      symbolCount: corpus.symbolCountOf(file),
      fits,
      text: noText,
      lineCount,
      language,
      most,
      importance: options.importance?.[file] ?? 0,
      dense: options.dense?.figuresOf(file) ?? far,
    };
  });
  const rows = inputs.map((input) => rowOf(input));
  const { score } = options;
  const order = rows.map((row, index) => ({ index, score: score?.(row.values) ?? -index }));
  order.sort((a, b) => b.score - a.score || a.index - b.index);
  const { readText } = options;
  for (const { index } of readText === undefined ? [] : order.slice(0, options.textCountMax)) {
    const input = inputs[index] as FeatureInput;
    const text = readText?.(input.candidate.file);
    if (text === undefined) continue;
    const told = { ...input, text: readTextFacts(query, matcher, text) };
    const values = rows[index]?.values;
    for (const at of textIndexes) if (values !== undefined) values[at] = functions[at]?.(told) ?? 0;
  }
  return { rows, matcher };
}

const functions = Object.values(features);
const textIndexes = textFeatures.map((name) => Object.keys(features).indexOf(name));

function rowOf(input: FeatureInput): FeatureRow {
  const values = new Float64Array(functions.length);
  for (let at = 0; at < functions.length; at += 1)
    values[at] = (functions[at] as (typeof functions)[number])(input);
  return { candidate: input.candidate, values };
}

const smallest = 1e-9;

function mostOf(list: readonly Candidate[]): FeatureInput["most"] {
  const most = (read: (candidate: Candidate) => number): number =>
    list.reduce((largest, candidate) => Math.max(largest, read(candidate)), smallest);
  return {
    chunkPlain: most((candidate) => candidate.chunkPlain),
    chunkMerged: most((candidate) => candidate.chunkMerged),
    secondMerged: most((candidate) => candidate.secondMerged),
    filePlain: most((candidate) => candidate.filePlain),
    fileMerged: most((candidate) => candidate.fileMerged),
    namesPlain: most((candidate) => candidate.namesPlain),
    namesMerged: most((candidate) => candidate.namesMerged),
    commentsMerged: most((candidate) => candidate.commentsMerged),
  };
}
