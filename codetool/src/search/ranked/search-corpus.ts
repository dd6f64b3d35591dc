import type { WalkedFile } from "../../files/index.ts";
import { type CodeSymbol, releaseTrees } from "../../syntax/index.ts";
import { ChosenChunks, unindexedParsedBytesMax } from "./chosen-chunks.ts";
import type { RankedChunk, RankedSearchOptions, SearchedCorpus } from "./searched-corpus.ts";
import { QueryCorpusBuilder, withSymbols } from "../corpus/index.ts";
import type { RankedList } from "./lazy-list.ts";
import { findCandidates, RankedCorpus, rankFiles, readRankQuery } from "../ranker/index.ts";

/** Files that are shown of an answer. */
const shownCountMax = 40;
/** Files parsed at most. */
const parsedCountMax = 60;

/** Answers from an index: the files by their rank, and the best chunk of each before the second of any. */
export function searchCorpus(
  options: RankedSearchOptions,
  searched: SearchedCorpus,
): RankedList<RankedChunk> {
  const query = readRankQuery(options.query, options);
  const { ranked, fileOf } = searched;
  const { reader } = options;
  const { files, matcher } = rankFiles(query, ranked, {
    // For a question, the texts are read for the places in them.
    ...(query.symbolName === null ? {} : { readText: (file) => reader.readText(fileOf(file)) }),
    ...(searched.dense === undefined
      ? {}
      : { dense: searched.dense, importance: ranked.corpus.importGraph?.importance }),
  });
  return new ChosenChunks({
    options,
    query,
    matcher,
    files: files.slice(0, shownCountMax),
    searched,
  });
}

/** The files of an index that have to do with a query, best first, 60 at most. */
export function rankedFilesOf(
  options: Omit<RankedSearchOptions, "symbols" | "chunkSizeCharacters">,
  { ranked, fileOf, dense }: SearchedCorpus,
): { readonly file: WalkedFile; readonly relevance: number }[] {
  const query = readRankQuery(options.query, options);
  const { files } = rankFiles(query, ranked, {
    readText: (file) => options.reader.readText(fileOf(file)),
    ...(dense === undefined ? {} : { dense, importance: ranked.corpus.importGraph?.importance }),
  });
  return files.map(({ file, relevance }) => ({ file: fileOf(file), relevance }));
}

/**
 * Answers without an index: one is built in memory for the terms of the query, from all files for text and comments,
 * and from the files that these suggest for definitions.
 */
export async function searchFiles(
  options: RankedSearchOptions & {
    readonly files: readonly WalkedFile[];
  },
): Promise<RankedList<RankedChunk>> {
  const { files, reader, symbols, chunkSizeCharacters } = options;
  const query = readRankQuery(options.query, options);
  const terms = [...query.groups.flatMap(({ forms }) => forms), ...query.compounds];
  const builder = new QueryCorpusBuilder({ chunkSizeCharacters, terms });
  for (const file of files) {
    const text = reader.readText(file) ?? null;
    const { relativePath: path, sizeBytes, language } = file;
    builder.add({ path, sizeBytes, language, text, symbols: [] });
  }
  const plain = builder.finish();
  const found = findCandidates(query, new RankedCorpus(plain), { countMax: parsedCountMax });
  const symbolsOfFile = new Map<number, readonly CodeSymbol[]>();
  for (const { file: number } of found.list) {
    const file = files[number] as WalkedFile;
    if (symbols.parsedBytes + file.sizeBytes > unindexedParsedBytesMax) continue;
    const text = reader.readText(file);
    if (text === undefined) continue;
    symbolsOfFile.set(number, symbols.symbolsOf(file, text));
    await releaseTrees();
  }
  const corpus = withSymbols(plain, symbolsOfFile, terms);
  return searchCorpus(options, {
    ranked: new RankedCorpus(corpus),
    fileOf: (file) => files[file] as WalkedFile,
  });
}
