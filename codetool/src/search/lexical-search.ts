import { classOfPath, type WalkedFile } from "../files/index.ts";
import { chunkText, type Postings, PostingsBuilder } from "../index/index.ts";
import { FileReader } from "./file-reader.ts";
import { factorOfClass } from "./file-weight.ts";
import { CandidateScorer, type FileScore, type ScoredChunk } from "./lexical-candidate.ts";
import { PathMatcher } from "./name-match.ts";
import { Phrase } from "./phrase.ts";
import { type QueryTerms, readQueryTerms } from "./query-terms.ts";
import type { SymbolReader } from "./symbol-reader.ts";
import { releaseTrees } from "../syntax/index.ts";

/** A chunk that answers a query. */
export interface LexicalHit extends ScoredChunk {
  readonly file: WalkedFile;
  /** 0 to 1. */
  readonly relevance: number;
}

/** What a lexical search found. */
export interface LexicalResult {
  /** Best first: one chunk of each file, then the others. */
  readonly hits: readonly LexicalHit[];
  readonly unreadableCount: number;
}

/** What to search. */
export interface LexicalOptions {
  readonly files: readonly WalkedFile[];
  readonly query: string;
  readonly chunkSizeCharacters: number;
  readonly symbols: SymbolReader;
}

/** Files that are looked into closely: parsed, and cut at their definitions. */
const candidateCountMax = 40;

/** Bytes parsed at most; candidates beyond it, which rank lower, are cut at lines. */
const parsedBytesMax = 6 * 1024 * 1024;

/**
 * Finds the chunks that a query is about, by its words.
 *
 * Two passes: the first reads all files, scores chunks cut at lines and ranks files; the second parses the best files,
 * cuts them at their definitions and chooses the chunk to show. Nothing is kept between the passes but numbers.
 */
export async function searchLexically(options: LexicalOptions): Promise<LexicalResult> {
  const query = readQueryTerms(options.query);
  const reader = new FileReader();
  const phrase = new Phrase(options.query);
  const indexed = indexFiles(options, { query, phrase, reader });
  const { postings } = indexed;
  const ranked = rankFiles(options.files, query, indexed);
  const scorer = new CandidateScorer({
    query,
    phrase,
    postings,
    sizeMax: options.chunkSizeCharacters,
  });
  const first: LexicalHit[] = [];
  const others: LexicalHit[] = [];
  for (const candidate of ranked) {
    const text = reader.readText(candidate.file);
    if (text === undefined) continue;
    const isParsed = options.symbols.parsedBytes + text.length <= parsedBytesMax;
    const symbols = isParsed ? options.symbols.symbolsOf(candidate.file, text) : [];
    const [best, ...rest] = scorer.score(candidate, text, symbols);
    await releaseTrees();
    if (best === undefined) continue;
    first.push({ ...best, file: candidate.file, relevance: best.score });
    others.push(
      ...rest.map((chunk) => ({ ...chunk, file: candidate.file, relevance: chunk.score })),
    );
  }
  // Sorting is stable, and files come in the order of the walk: equal scores are ordered by path and offset.
  const byScore = (a: LexicalHit, b: LexicalHit): number => b.relevance - a.relevance;
  first.sort(byScore);
  const lowest = Math.min(1, first.at(-1)?.relevance ?? 1);
  others.sort(byScore);
  const hits = [...first, ...others.map((hit) => ({ ...hit, relevance: hit.relevance * lowest }))];
  return { hits, unreadableCount: reader.unreadableCount };
}

/** All files after the first pass. */
interface IndexedFiles {
  readonly postings: Postings;
  /** `ends[f]` is the number of the first document after those of file f. */
  readonly ends: Uint32Array;
  /** 1 for the files that hold the query as it stands. */
  readonly hasPhrase: Uint8Array;
}

/** First pass: all files, in chunks cut at lines. */
function indexFiles(
  options: LexicalOptions,
  {
    query,
    phrase,
    reader,
  }: { readonly query: QueryTerms; readonly phrase: Phrase; readonly reader: FileReader },
): IndexedFiles {
  const builder = new PostingsBuilder(query.weights.keys());
  const ends = new Uint32Array(options.files.length);
  const hasPhrase = new Uint8Array(options.files.length);
  for (const [index, file] of options.files.entries()) {
    const text = reader.readText(file);
    if (text !== undefined) {
      hasPhrase[index] = phrase.find(text, 0, text.length) < 0 ? 0 : 1;
      const pathWords = pathWordsOf(file.relativePath);
      for (const chunk of chunkText(text, [], options.chunkSizeCharacters))
        builder.addDocument(text, chunk.startByte, chunk.endByte, pathWords);
    }
    ends[index] = builder.documentCount;
  }
  return { postings: builder.finish(), ends, hasPhrase };
}

/** What a path adds to each chunk: the file's stem twice, and its last three folders. */
export function pathWordsOf(relativePath: string): Uint8Array[] {
  const parts = relativePath.split("/");
  const stem = (parts.pop() ?? "").replace(/\.[^.]*$/, "");
  return [stem, stem, ...parts.slice(-3)].map((part) => Buffer.from(part, "utf8"));
}

function rankFiles(
  files: readonly WalkedFile[],
  query: QueryTerms,
  { postings, ends, hasPhrase }: IndexedFiles,
): FileScore[] {
  const chunkScores = postings.score(query.weights);
  const fileScores = scoreWholeFiles(query, postings, ends);
  const paths = new PathMatcher(query, (term) => postings.weightOf(term));
  const raw = files.map((file, index) => {
    const start = index === 0 ? 0 : (ends[index - 1] as number);
    const chunkScore = chunkScores.subarray(start, ends[index]).reduce((a, b) => Math.max(a, b), 0);
    const phraseScore = hasPhrase[index] as number;
    return { file, chunkScore, fileScore: fileScores[index] as number, phraseScore };
  });
  const chunkMax = raw.reduce((most, entry) => Math.max(most, entry.chunkScore), 1e-9);
  const fileMax = raw.reduce((most, entry) => Math.max(most, entry.fileScore), 1e-9);
  return raw
    .filter((entry) => entry.chunkScore > 0 || entry.phraseScore > 0)
    .map((entry) => {
      const scored = {
        file: entry.file,
        chunkScore: entry.chunkScore / chunkMax,
        fileScore: entry.fileScore / fileMax,
        path: paths.scorePath(entry.file.relativePath),
        factor: factorOfClass(classOfPath(entry.file.relativePath), query),
      };
      const firstScore =
        (scored.chunkScore + 0.5 * scored.fileScore + 0.5 * scored.path.stem + entry.phraseScore) *
        scored.factor;
      return { ...scored, firstScore };
    })
    .sort((a, b) => b.firstScore - a.firstScore)
    .slice(0, candidateCountMax);
}

/** BM25 with each file as one document: the chunks of a file are neighbours, so their counts are added up. */
function scoreWholeFiles(query: QueryTerms, postings: Postings, ends: Uint32Array): Float64Array {
  const fileCount = ends.length;
  const lengths = new Float64Array(fileCount);
  let lengthSum = 0;
  const fileOfDocument = new Uint32Array(postings.documentCount);
  for (let file = 0, document = 0; file < fileCount; file += 1)
    for (; document < (ends[file] as number); document += 1) {
      fileOfDocument[document] = file;
      const length = postings.lengthOf(document);
      lengths[file] = (lengths[file] as number) + length;
      lengthSum += length;
    }
  const lengthMean = Math.max(1, lengthSum / Math.max(1, fileCount));
  const scores = new Float64Array(fileCount);
  const counts = new Float64Array(fileCount);
  for (const [term, weight] of query.weights) {
    const { documents, frequencies } = postings.postingsOf(term);
    counts.fill(0);
    const holders: number[] = [];
    for (const [index, document] of documents.entries()) {
      const file = fileOfDocument[document] as number;
      if (counts[file] === 0) holders.push(file);
      counts[file] = (counts[file] as number) + (frequencies[index] as number);
    }
    const rarity = Math.log((fileCount - holders.length + 0.5) / (holders.length + 0.5) + 1);
    for (const file of holders) {
      const count = counts[file] as number;
      const ratio = (lengths[file] as number) / lengthMean;
      const saturated = (count * 2.5) / (count + 1.5 * (0.25 + 0.75 * ratio));
      scores[file] = (scores[file] as number) + weight * rarity * saturated;
    }
  }
  return scores;
}
