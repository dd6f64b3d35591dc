import type { WalkedFile } from "../files/index.ts";
import { chunkText, scanTerms } from "../index/index.ts";
import { pathWordsOf } from "../store/index.ts";
import { type CodeSymbol, releaseTrees } from "../syntax/index.ts";
import { type ChunkedFile, ChunkScorer, type ScoredChunk } from "./chunk-scorer.ts";
import type { CorpusView } from "./corpus-view.ts";
import type { FileReader } from "./file-reader.ts";
import { MemoryCorpusBuilder, withSymbols } from "./memory-corpus.ts";
import { Phrase } from "./phrase.ts";
import { readQueryTerms } from "./query-terms.ts";
import { findCandidates } from "./ranker/candidates.ts";
import type { DenseFiles } from "./ranker/dense-files.ts";
import { RankedCorpus } from "./ranker/feature-rows.ts";
import { rarityOf } from "./ranker/field-scores.ts";
import { explainFile, rankFiles, type RankedFile } from "./ranker/rank-files.ts";
import { readRankQuery } from "./ranker/rank-query.ts";
import { flattenSymbols, type SymbolReader } from "./symbol-reader.ts";

/** One feature of a hit's file, and what it is multiplied with. */
export interface ExplainedFeature {
  readonly feature: string;
  readonly value: number;
  readonly weight: number;
}

/** A chunk that answers a query. */
export interface RankedChunk extends ScoredChunk {
  readonly file: WalkedFile;
  /** 0 to 1. */
  readonly relevance: number;
  /** Where it was asked for: what speaks for the file, most important first. */
  readonly features?: readonly ExplainedFeature[];
}

/** What to search. */
export interface RankedSearchOptions {
  readonly query: string;
  readonly reader: FileReader;
  readonly symbols: SymbolReader;
  /** Words that name the project itself. */
  readonly projectWords: ReadonlySet<string>;
  readonly isExplained?: boolean;
  /** Aim for the size of a chunk of a file that is newer than its index. */
  readonly chunkSizeCharacters: number;
}

/** An index, and how its files are read. */
export interface SearchedCorpus {
  readonly ranked: RankedCorpus;
  readonly fileOf: (file: number) => WalkedFile;
  /** How near the files are to the query by their vectors, where these are known. */
  readonly dense?: DenseFiles;
}

/** Files that are shown of an answer. */
const shownCountMax = 40;
/** Bytes parsed at most where no index knows the definitions. */
const parsedBytesMax = 6 * 1024 * 1024;
/** Files parsed at most. */
const parsedCountMax = 60;

/** Answers from an index: the files by their rank, and the best chunk of each before the second of any. */
export async function searchCorpus(
  options: RankedSearchOptions,
  searched: SearchedCorpus,
): Promise<RankedChunk[]> {
  const query = readRankQuery(options.query, options);
  const { ranked, fileOf } = searched;
  const { reader } = options;
  const files = rankFiles(query, ranked, {
    readText: (file) => reader.readText(fileOf(file)),
    ...(searched.dense === undefined
      ? {}
      : { dense: searched.dense, importance: ranked.corpus.importGraph?.importance }),
  });
  return await chooseChunks({ options, files: files.slice(0, shownCountMax), searched });
}

/**
 * Answers without an index: one is built in memory for the terms of the query, from all files for text and comments,
 * and from the files that these suggest for definitions.
 */
export async function searchFiles(
  options: RankedSearchOptions & {
    readonly files: readonly WalkedFile[];
  },
): Promise<RankedChunk[]> {
  const { files, reader, symbols, chunkSizeCharacters } = options;
  const query = readRankQuery(options.query, options);
  const terms = [...query.groups.flatMap(({ forms }) => forms), ...query.compounds];
  const builder = new MemoryCorpusBuilder({ chunkSizeCharacters, terms });
  for (const file of files) {
    const text = reader.readText(file) ?? null;
    const { relativePath: path, sizeBytes, language } = file;
    builder.add({ path, sizeBytes, language, text, symbols: [] });
  }
  const plain = builder.finish();
  const found = findCandidates(query, new RankedCorpus(plain), parsedCountMax);
  const symbolsOfFile = new Map<number, readonly CodeSymbol[]>();
  for (const { file: number } of found.list) {
    const file = files[number] as WalkedFile;
    if (symbols.parsedBytes + file.sizeBytes > parsedBytesMax) continue;
    const text = reader.readText(file);
    if (text === undefined) continue;
    symbolsOfFile.set(number, symbols.symbolsOf(file, text));
    await releaseTrees();
  }
  const corpus = withSymbols(plain, symbolsOfFile, terms);
  return await searchCorpus(options, {
    ranked: new RankedCorpus(corpus),
    fileOf: (file) => files[file] as WalkedFile,
  });
}

/** Chooses the chunks to show of ranked files. */
async function chooseChunks(given: {
  readonly options: RankedSearchOptions;
  readonly files: readonly RankedFile[];
  readonly searched: SearchedCorpus;
}): Promise<RankedChunk[]> {
  const { options, files, searched } = given;
  const { ranked, fileOf } = searched;
  const { corpus, facts } = ranked;
  const scorer = new ChunkScorer({
    query: readQueryTerms(options.query),
    phrase: new Phrase(options.query),
    statistics: {
      weightOf: (term) =>
        rarityOf(corpus.chunkCount, corpus.postingsOf("body", term).documents.length),
      lengthMean: facts.lengthMeanOf("body"),
    },
  });
  const first: RankedChunk[] = [];
  const others: RankedChunk[] = [];
  for (const entry of files) {
    const file = fileOf(entry.file);
    const text = options.reader.readText(file);
    if (text === undefined) continue;
    const structure = await structureOf({ number: entry.file, file, text }, corpus, options);
    const [best, ...rest] = scorer.score(text, structure);
    const features = options.isExplained === true ? { features: explainFile(entry) } : {};
    const { relevance } = entry;
    // A file that is found by its meaning alone is shown where that is nearest, one found by its name from its beginning.
    const nearest = searched.dense?.figuresOf(entry.file).nearestChunk ?? 0;
    const top = best ?? wholeChunk(structure.chunks[nearest] ?? structure.chunks[0]);
    if (top === undefined) continue;
    first.push({ ...top, file, relevance, ...features });
    const scale = relevance / Math.max(top.score, Number.MIN_VALUE);
    others.push(
      ...rest.map((chunk) => ({ ...chunk, file, relevance: chunk.score * scale, ...features })),
    );
  }
  const lowest = first.at(-1)?.relevance ?? 1;
  others.sort((a, b) => b.relevance - a.relevance);
  return [...first, ...others.map((hit) => ({ ...hit, relevance: hit.relevance * lowest }))];
}

function wholeChunk(chunk: ScoredChunk["chunk"] | undefined): ScoredChunk | undefined {
  return chunk === undefined ? undefined : { chunk, line1: chunk.startLine1, score: 1 };
}

/** Chunks and definitions of a file: as the index has them, else read anew where the file is another by now. */
export async function structureOf(
  { number, file, text }: { number: number; file: WalkedFile; text: Buffer },
  corpus: CorpusView,
  { symbols, chunkSizeCharacters }: RankedSearchOptions,
): Promise<ChunkedFile> {
  const stored = corpus.symbolsOf(number);
  const hasChanged = corpus.files[number]?.sizeBytes !== text.length;
  if (!hasChanged && !symbols.has(file)) {
    const parents = new Set(stored.map(({ parent }) => parent));
    const placed = stored.map(({ name, startLine1, endLine1 }, index) => ({
      name,
      startLine1,
      endLine1,
      isLeaf: !parents.has(index),
    }));
    const lengths = lengthsWithoutPath(corpus, number);
    return { chunks: corpus.chunksOf(number), symbols: placed, lengths };
  }
  const isParsed = symbols.has(file) || symbols.parsedBytes + text.length <= parsedBytesMax;
  const own = isParsed ? symbols.symbolsOf(file, text) : [];
  await releaseTrees();
  return {
    chunks: chunkText(text, own, chunkSizeCharacters),
    symbols: flattenSymbols(own).map(({ name, startLine1, endLine1, children }) => ({
      name,
      startLine1,
      endLine1,
      isLeaf: children.length === 0,
    })),
  };
}

/** Numbers of terms of a file's chunks: the index counts the words of its path among them. */
function lengthsWithoutPath(corpus: CorpusView, number: number): number[] {
  const { path = "", firstChunk = 0, chunkEnd = 0 } = corpus.files[number] ?? {};
  let pathLength = 0;
  for (const words of pathWordsOf(path))
    pathLength += scanTerms(words, 0, words.length, () => undefined);
  const lengths = corpus.lengthsOf("body").subarray(firstChunk, chunkEnd);
  return Array.from(lengths, (length) => length - pathLength);
}
