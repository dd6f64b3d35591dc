import { chunkText, scanTerms } from "../../index/index.ts";
import { pathWordsOf, type CorpusView } from "../../store/index.ts";
import { flattenSymbols, releaseTrees } from "../../syntax/index.ts";
import type { WalkedFile } from "../../files/index.ts";
import { checksumOf } from "../../text/index.ts";
import { type ChunkedFile, ChunkScorer, type ScoredChunk } from "./chunk-scorer.ts";
import { HeldChunks } from "./held-chunks.ts";
import { Phrase } from "./phrase.ts";
import { readQueryTerms } from "../query/index.ts";
import type { RankedList } from "./lazy-list.ts";
import type { RankedChunk, RankedSearchOptions, SearchedCorpus } from "./searched-corpus.ts";
import {
  explainFile,
  type RankedCorpus,
  type RankedFile,
  type RankQuery,
  rarityOf,
} from "../ranker/index.ts";

/** Bytes parsed at most where no index knows the definitions. */
export const unindexedParsedBytesMax = 6 * 1024 * 1024;

/** What the chunks of an answer are chosen from. */
export interface ChosenFrom {
  readonly options: RankedSearchOptions;
  readonly query: RankQuery;
  /** Best first. */
  readonly files: readonly RankedFile[];
  readonly searched: SearchedCorpus;
}

/** Makes what scores the chunks of a file for a query. */
export function chunkScorerFor(query: string, { corpus, facts }: RankedCorpus): ChunkScorer {
  return new ChunkScorer({
    query: readQueryTerms(query),
    phrase: new Phrase(query),
    statistics: {
      weightOf: (term) =>
        rarityOf(corpus.chunkCount, corpus.postingsOf("body", term).documents.length),
      lengthMean: facts.lengthMeanOf("body"),
    },
  });
}

/**
 * The chunks of ranked files: the best of each file, then the others that hold a word of the query. Files are read when
 * their chunks are asked for; how many chunks there are the index tells.
 */
export class ChosenChunks implements RankedList<RankedChunk> {
  readonly count: number;
  readonly #from: ChosenFrom;
  readonly #held: readonly ReadonlySet<number>[];
  readonly #scorer: ChunkScorer;

  constructor(from: ChosenFrom) {
    this.#from = from;
    const { ranked } = from.searched;
    const held = new HeldChunks(from.query, ranked.corpus);
    this.#held = from.files.map(({ file }) => held.in(file));
    this.count = this.#held.reduce((sum, chunks) => sum + Math.max(1, chunks.size), 0);
    this.#scorer = chunkScorerFor(from.options.query, ranked);
  }

  async first(count: number): Promise<readonly RankedChunk[]> {
    const { files } = this.#from;
    const first: RankedChunk[] = [];
    const others: RankedChunk[] = [];
    for (const [index, file] of files.entries()) {
      if (first.length >= count) return first;
      const [best, ...rest] = await this.#chunksOf(file, index);
      if (best === undefined) continue;
      first.push(best);
      others.push(...rest);
    }
    const lowest = files.at(-1)?.relevance ?? 1;
    others.sort((a, b) => b.relevance - a.relevance);
    return [...first, ...others.map((hit) => ({ ...hit, relevance: hit.relevance * lowest }))];
  }

  /** The chunks of a file that are in the list, best first; none of one that is gone or empty. */
  async #chunksOf(entry: RankedFile, index: number): Promise<readonly RankedChunk[]> {
    const { options, searched } = this.#from;
    const file = searched.fileOf(entry.file);
    const text = options.reader.readText(file);
    if (text === undefined) return [];
    const { corpus } = searched.ranked;
    const structure = await structureOf({ number: entry.file, file, text }, corpus, options);
    const scored = this.#scorer.score(text, structure);
    // A file that is found only by its meaning is shown where that is nearest, one found by its name from its beginning.
    const nearest = searched.dense?.figuresOf(entry.file).nearestChunk ?? 0;
    const best = scored[0] ?? wholeChunk(structure.chunks[nearest] ?? structure.chunks[0]);
    if (best === undefined) return [];
    const features = options.isExplained === true ? { features: explainFile(entry) } : {};
    const own = { file, checksum: checksumOf(text), ...features };
    const scale = entry.relevance / Math.max(best.score, Number.MIN_VALUE);
    const others = this.#othersOf(structure, scored.slice(1), { best, index });
    return [
      { ...best, ...own, relevance: entry.relevance },
      ...others.map((chunk) => ({ ...chunk, ...own, relevance: chunk.score * scale })),
    ];
  }

  /** As many as were counted: those that the index says hold a word, scored ones first. */
  #othersOf(
    { chunks }: ChunkedFile,
    scored: readonly ScoredChunk[],
    { best, index }: { readonly best: ScoredChunk; readonly index: number },
  ): readonly ScoredChunk[] {
    const held = this.#held[index] ?? new Set();
    const wanted = new Set([...held].map((number) => chunks[number]));
    wanted.delete(best.chunk);
    const known = scored.filter(({ chunk }) => wanted.delete(chunk));
    const rest = [...wanted].flatMap((chunk) =>
      chunk === undefined ? [] : [{ chunk, line1: chunk.startLine1, score: 0 }],
    );
    return [...known, ...rest].slice(0, Math.max(0, held.size - 1));
  }
}

function wholeChunk(chunk: ScoredChunk["chunk"] | undefined): ScoredChunk | undefined {
  return chunk === undefined ? undefined : { chunk, line1: chunk.startLine1, score: 1 };
}

/** Chunks and definitions of a file: as the index has them, else read again where the file is another by now. */
export async function structureOf(
  { number, file, text }: { number: number; file: WalkedFile; text: Buffer },
  corpus: CorpusView,
  { symbols, chunkSizeCharacters }: RankedSearchOptions,
): Promise<ChunkedFile> {
  const stored = corpus.symbolsOf(number);
  const hasChanged = corpus.file(number).sizeBytes !== text.length;
  if (!hasChanged && !symbols.hasOf(file, text)) {
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
  const isParsed =
    symbols.hasOf(file, text) || symbols.parsedBytes + text.length <= unindexedParsedBytesMax;
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
  const { path, firstChunk, chunkEnd } = corpus.file(number);
  let pathLength = 0;
  for (const words of pathWordsOf(path))
    pathLength += scanTerms(words, 0, words.length, () => undefined);
  const lengths = corpus.lengthsOf("body").subarray(firstChunk, chunkEnd);
  return Array.from(lengths, (length) => length - pathLength);
}
