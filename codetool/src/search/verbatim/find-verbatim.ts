import { classOfPath, type FileClass } from "../../files/index.ts";
import type { CorpusView } from "../../store/index.ts";
import { isSmallWord, rarityOf } from "../ranker/index.ts";
import { type AskedWord, bestWording, type Wording, wordsOfText } from "./longest-runs.ts";

/** A place that says a long part of a query as it is written. */
export interface VerbatimPlace {
  readonly file: number;
  /** Its chunk's number within the file. */
  readonly chunk: number;
  readonly line1: number;
  /** Share of the query that it says, by weight; 0 to 1. */
  readonly share: number;
}

/** What is looked through. */
export interface VerbatimSources {
  readonly corpus: CorpusView;
  readonly isIncluded: ((file: number) => boolean) | undefined;
  /** The text of a file, `undefined` when it cannot be read; valid until the next call. */
  readonly readText: (file: number) => Buffer | undefined;
}

/** Chunks that are read, those that hold most of the query's words. */
const chunkCountMax = 40;
const wordCountMax = 32;
const placeCountMax = 5;
/** What a place has to say at least. */
const shareMin = 0.4;
/** The same for one whose longest run is longer. */
const shareOfLongMin = 0.25;
/** The same for one whose longest run is of two words. */
const shareOfShortMin = 0.5;
const contentWordsMin = 2;
const runWordsMin = 3;
const longRunWords = 4;

/** A number is a value mostly, which the place that prints it does not say; of two places that say the rest it decides. */
const number = /^\d+$/;
const numberWeightMax = 0.1;

const question =
  /^(?:how|what|when|where|which|who|whose|why)\b|^(?:is|are|am|was|were|do|does|can|could|may|should|will|would|has|have)\b.*\?$/is;
/** Of what ends like a question and may be a message, so much has to be in one run. */
const runShareOfQuestionMin = 0.6;

const classFactors: { readonly [Class in FileClass]?: number } = {
  test: 0.5,
  example: 0.5,
  docs: 0.5,
  data: 0.7,
  config: 0.7,
  generated: 0.5,
  vendored: 0.5,
};

/**
 * Finds the places that print a message: those where a long run of the query's words is, as it is written, values between
 * the runs. Most of the query first. Nothing for a question, or where no place says enough of it.
 */
export function findVerbatim(query: string, sources: VerbatimSources): readonly VerbatimPlace[] {
  const text = query.trim();
  if (question.test(text) || text.split(/\s+/).length < runWordsMin) return [];
  const asked = readAsked(text, sources.corpus);
  if (asked.filter(({ isContent, weight }) => isContent && weight > 0).length < contentWordsMin)
    return [];
  const total = asked.reduce((sum, { weight }) => sum + weight, 0);
  const runMin = text.endsWith("?") ? runShareOfQuestionMin * asked.length : 0;
  const placesOf = new Map<string, number[]>();
  for (const [place, { word }] of asked.entries())
    placesOf.set(word, [...(placesOf.get(word) ?? []), place]);
  const found: (VerbatimPlace & { readonly score: number })[] = [];
  for (const [file, chunks] of chunksToRead(asked, sources)) {
    const text = sources.readText(file);
    if (text === undefined) continue;
    const factor = classFactors[classOfPath(sources.corpus.file(file).path)] ?? 1;
    const own = sources.corpus.chunksOf(file);
    for (const number of chunks) {
      const chunk = own[number];
      if (chunk === undefined) continue;
      // A message may go on in the next chunk.
      const end = own[number + 1]?.endByte ?? chunk.endByte;
      const words = wordsOfText(text, chunk.startByte, Math.min(text.length, end));
      const wording = bestWording(words, asked, placesOf);
      if (wording === undefined || !saysEnough(wording, total)) continue;
      if (wording.runWords < runMin) continue;
      const line1 = chunk.startLine1 + linesBefore(text, chunk.startByte, wording.start);
      const share = Math.min(1, wording.weight / total);
      if (factor <= 0.5 && share < 0.9) continue;
      const at = own.findIndex((one) => one.startLine1 <= line1 && line1 <= one.endLine1);
      const score = (factor * wording.score) / total;
      found.push({ file, chunk: at < 0 ? number : at, line1, share, score });
    }
  }
  found.sort((a, b) => b.score - a.score || a.file - b.file || a.line1 - b.line1);
  const best = found[0]?.score ?? 0;
  const seen = new Set<string>();
  return found
    .filter(({ file, line1, score }) => {
      const key = `${file} ${line1}`;
      if (seen.has(key) || score < 0.6 * best) return false;
      seen.add(key);
      return true;
    })
    .slice(0, placeCountMax);
}

function saysEnough({ weight, runWords, runContentWords }: Wording, total: number): boolean {
  if (runContentWords < 1) return false;
  const share = weight / total;
  if (runWords >= longRunWords || runContentWords >= 3)
    return share >= shareOfLongMin && runContentWords >= contentWordsMin;
  return runWords >= runWordsMin && runContentWords >= contentWordsMin
    ? share >= shareMin
    : share >= shareOfShortMin;
}

function readAsked(query: string, corpus: CorpusView): readonly AskedWord[] {
  const bytes = Buffer.from(query, "utf8");
  return wordsOfText(bytes, 0, bytes.length)
    .slice(0, wordCountMax)
    .map(({ word }) => {
      const isContent = !isSmallWord(word) && word.length > 1 && !number.test(word);
      const holders = corpus.postingsOf("body", word).documents.length;
      const rarity = holders === 0 ? 0 : rarityOf(corpus.chunkCount, holders);
      if (number.test(word)) return { word, isContent, weight: Math.min(rarity, numberWeightMax) };
      if (/^\d/.test(word)) return { word, isContent, weight: 0 };
      return { word, isContent, weight: isContent ? rarity : Math.min(rarity, 0.5) };
    });
}

/** The chunks that hold most of the query's content, by file. */
function chunksToRead(
  asked: readonly AskedWord[],
  { corpus, isIncluded }: VerbatimSources,
): ReadonlyMap<number, readonly number[]> {
  const scores = new Float64Array(corpus.chunkCount);
  const touched: number[] = [];
  const words = new Map(asked.map((entry) => [entry.word, entry]));
  for (const { word, weight, isContent } of words.values()) {
    if (!isContent || weight === 0) continue;
    const { documents } = corpus.postingsOf("body", word);
    for (let at = 0; at < documents.length; at += 1) {
      const chunk = documents[at] as number;
      if (scores[chunk] === 0) touched.push(chunk);
      scores[chunk] = (scores[chunk] as number) + weight;
    }
  }
  for (const { word, weight } of words.values()) {
    if (!number.test(word) || weight === 0) continue;
    for (const chunk of corpus.postingsOf("body", word).documents)
      if (scores[chunk] !== 0) scores[chunk] = (scores[chunk] as number) + weight;
  }
  const sorted = Float64Array.from(touched, (chunk) => scores[chunk] as number).sort();
  const least = sorted[Math.max(0, sorted.length - chunkCountMax * 4)] ?? 0;
  const best = touched
    .filter((chunk) => (scores[chunk] as number) >= least)
    .sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
  const byFile = new Map<number, number[]>();
  let count = 0;
  for (const chunk of best) {
    if (count === chunkCountMax) break;
    const file = fileOfChunk(corpus.chunkStarts, chunk);
    if (isIncluded?.(file) === false) continue;
    count += 1;
    const first = corpus.chunkStarts[file] as number;
    byFile.set(file, [...(byFile.get(file) ?? []), chunk - first]);
  }
  return byFile;
}

function fileOfChunk(starts: Uint32Array, chunk: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low + 1 < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] as number) <= chunk) low = middle;
    else high = middle;
  }
  return low;
}

function linesBefore(text: Buffer, start: number, offset: number): number {
  let count = 0;
  for (let at = text.indexOf(0x0a, start); at >= 0 && at < offset; at = text.indexOf(0x0a, at + 1))
    count += 1;
  return count;
}
