import { saturate } from "../../index/index.ts";
import { classOfPath } from "../../files/index.ts";
import { type NameMatcher, type RankQuery, wordsOfName } from "../ranker/index.ts";
import { TextLines } from "./text-lines.ts";
import { isFunctionKind, type Unit, unitsOf, type UnitSymbol } from "./units.ts";
import { findWordSpots, firstSpotFrom, type WordSpots } from "./word-spots.ts";
import type { Chunk } from "../../index/index.ts";

/** A file whose places are compared. */
export interface PlacedFile {
  readonly path: string;
  readonly text: Buffer;
  readonly symbols: readonly UnitSymbol[];
  readonly chunks: readonly Chunk[];
  /** How near each chunk is to the query; absent where that is not known. */
  readonly nearness?: Float32Array;
  /** The nearness of the nearest chunk of any file. */
  readonly nearest: number;
  /** How far its score is below the best file's. */
  readonly below: number;
  /** Its place among the files, the first being 0. */
  readonly rank: number;
}

/** A place with its features, in the order of `placeFeatureNames`. */
export interface PlaceRow {
  readonly unit: Unit;
  readonly values: number[];
  /** The words of the query in it, a bit each, as the groups of the query are. */
  readonly bits: number;
  /** Finds the line to point at. */
  readonly line1: () => number;
}

/** Bytes of a unit that is neither long nor short. */
const unitBytesMean = 900;
const neighbourBytesMax = 40;

interface Told {
  readonly query: RankQuery;
  readonly matcher: NameMatcher;
  readonly spots: WordSpots;
  readonly lines: TextLines;
  readonly file: PlacedFile;
  /** Of each group of the query in a stretch; used again for the next one. */
  readonly counts: Float64Array;
  readonly ofFile: FactsOfFile;
  /** By the list of the definitions around, which the places in them share. */
  readonly around: Map<readonly UnitSymbol[], AroundFacts>;
}

/** What the words in a stretch of text say. */
interface Stretch {
  readonly bits: number;
  readonly bm25: number;
  readonly pairs: number;
}

/** The features of a place, in the order of its values. */
export const placeFeatureNames = [
  "fileBelow",
  "fileRank",
  "bm25",
  "coverHead",
  "count",
  "name",
  "isAsked",
  "aroundShare",
  "pairs",
  "near",
  "nearInFile",
  "isFunction",
  "isHeader",
  "isValue",
  "isType",
  "isPlain",
  "size",
  "isOneLine",
  "isTestUnit",
  "isExported",
  "isAtTop",
  "isTest",
  "isDocs",
  "isOther",
  "bm25InFile",
] as const;

/** One of `placeFeatureNames`. */
export type PlaceFeature = (typeof placeFeatureNames)[number];

const bm25At = placeFeatureNames.indexOf("bm25");
const bm25InFileAt = placeFeatureNames.indexOf("bm25InFile");

/** Works out the features of the places of a file. */
export function placeRows(query: RankQuery, matcher: NameMatcher, file: PlacedFile): PlaceRow[] {
  const lines = new TextLines(file.text);
  const spots = findWordSpots(file.text, matcher);
  const told: Told = {
    query,
    matcher,
    spots,
    lines,
    file,
    counts: new Float64Array(query.groups.length),
    ofFile: factsOf(file, query),
    around: new Map(),
  };
  const rows = unitsOf(file.text, lines, file).map((unit) => rowOf(told, unit));
  let most = 1e-6;
  for (const { values } of rows) most = Math.max(most, values[bm25At] as number);
  for (const { values } of rows) values[bm25InFileAt] = (values[bm25At] as number) / most;
  return rows;
}

/** What all places of a file share. */
interface FactsOfFile {
  readonly nearInFile: number;
  readonly isTest: number;
  readonly isDocs: number;
  readonly isOther: number;
}

function factsOf({ path, nearness }: PlacedFile, query: RankQuery): FactsOfFile {
  const fileClass = classOfPath(path);
  let nearInFile = 1e-6;
  if (nearness !== undefined)
    for (let at = 0; at < nearness.length; at += 1)
      nearInFile = Math.max(nearInFile, nearness[at] as number);
  return {
    nearInFile,
    isTest: fileClass === "test" && !query.isTestWanted ? 1 : 0,
    isDocs: fileClass === "docs" && !query.isDocsWanted ? 1 : 0,
    isOther: fileClass !== "source" && fileClass !== "test" && fileClass !== "docs" ? 1 : 0,
  };
}

/** What the definitions around a place say. */
interface AroundFacts {
  readonly share: number;
  readonly isTest: boolean;
}

const testName = /^(?:test|it|describe|should)(?:[_A-Z\s]|s$|$)|(?:Test|Tests|Spec)$|^tests?$/;

function aroundOf({ around, matcher }: Told, unit: Unit): AroundFacts {
  const known = around.get(unit.around);
  if (known !== undefined) return known;
  const words = unit.around.flatMap(({ name }) =>
    matcher.spots.mayHold(name) ? wordsOfName(name) : [],
  );
  const isTest = unit.around.some(({ name }) => testName.test(name));
  const facts = { share: matcher.fit(words).share, isTest };
  around.set(unit.around, facts);
  return facts;
}

function rowOf(told: Told, unit: Unit): PlaceRow {
  const { query, matcher, lines, file, ofFile } = told;
  const { symbol, startLine1, endLine1, commentLine1, isHeader } = unit;
  const body = readStretch(told, lines.startOf(startLine1), lines.startOf(endLine1 + 1));
  const comment =
    commentLine1 < startLine1
      ? readStretch(told, lines.startOf(commentLine1), lines.startOf(startLine1))
      : nothing;
  const head =
    body.bits === 0 ? 0 : bitsIn(told, lines.startOf(startLine1), lines.startOf(startLine1 + 1));
  const around = aroundOf(told, unit);
  const near = nearnessOf(unit, file);
  const bits = body.bits | comment.bits;
  const lineCount = endLine1 - startLine1 + 1;
  const kind = symbol?.kind;
  const isFunction = kind !== undefined && isFunctionKind(kind);
  const isTestUnit = around.isTest || (symbol !== null && testName.test(symbol.name));
  const values = [
    -Math.min(30, file.below) / 10,
    1 / (1 + file.rank),
    body.bm25 + comment.bm25,
    matcher.shareOf(head),
    bitCount(bits) / Math.max(1, query.groups.length),
    nameFit(symbol, matcher),
    askedShare(symbol, query),
    around.share,
    Math.max(body.pairs, comment.pairs) / Math.max(1, query.groups.length - 1),
    near / Math.max(1e-6, file.nearest),
    near / ofFile.nearInFile,
    isFunction ? 1 : 0,
    isHeader ? 1 : 0,
    kind === "const" ? 1 : 0,
    kind !== undefined && !isFunction && kind !== "const" && !isHeader ? 1 : 0,
    symbol === null ? 1 : 0,
    Math.log2(Math.min(256, lineCount)) / 8,
    lineCount === 1 ? 1 : 0,
    isTestUnit && !query.isTestWanted ? 1 : 0,
    symbol?.isExported === true ? 1 : 0,
    startLine1 <= 5 ? 1 : 0,
    ofFile.isTest,
    ofFile.isDocs,
    ofFile.isOther,
    0,
  ];
  return { unit, values, bits, line1: () => lineToShow(told, startLine1, endLine1) };
}

function nameFit(symbol: UnitSymbol | null, matcher: NameMatcher): number {
  if (symbol === null || !matcher.spots.mayHold(symbol.name)) return 0;
  const { share, precision } = matcher.fit(wordsOfName(symbol.name));
  return share * (0.4 + 0.6 * precision);
}

/** The groups of the query in a stretch of text. */
function bitsIn({ spots }: Told, start: number, end: number): number {
  let bits = 0;
  for (let at = firstSpotFrom(spots, start); at < spots.count; at += 1) {
    if ((spots.starts[at] as number) >= end) break;
    bits |= spots.bits[at] as number;
  }
  return bits;
}

const nothing: Stretch = { bits: 0, bm25: 0, pairs: 0 };

function readStretch({ counts, matcher, spots }: Told, start: number, end: number): Stretch {
  const first = firstSpotFrom(spots, start);
  if (first === spots.count || (spots.starts[first] as number) >= end) return nothing;
  counts.fill(0);
  let bits = 0;
  let pairBits = 0;
  let before = 0;
  let beforeStart = -1;
  for (let at = first; at < spots.count; at += 1) {
    const offset = spots.starts[at] as number;
    if (offset >= end) break;
    const own = spots.bits[at] as number;
    bits |= own;
    for (let rest = own; rest !== 0; rest &= rest - 1) {
      const group = 31 - Math.clz32(rest & -rest);
      counts[group] = (counts[group] as number) + 1;
    }
    if (beforeStart >= 0 && offset - beforeStart <= neighbourBytesMax)
      pairBits |= ((before << 1) & own) | (before & (own << 1));
    before = own;
    beforeStart = offset;
  }
  const ratio = Math.max(0.05, (end - start) / unitBytesMean);
  let bm25 = 0;
  let total = 1e-9;
  const { weights } = matcher;
  for (let group = 0; group < weights.length; group += 1) {
    const weight = weights[group] as number;
    total += weight;
    const count = counts[group] as number;
    if (count > 0) bm25 += weight * saturate(count, ratio);
  }
  return { bits, bm25: bm25 / total, pairs: bitCount(pairBits) };
}

/** Lines that are shown together. */
const shownLines = 8;

/**
 * Where those lines of a unit begin that hold most of the query together, the first of several: the first line of the
 * unit, or one with a word of the query.
 */
function lineToShow({ matcher, spots, lines }: Told, first1: number, last1: number): number {
  if (last1 - first1 < shownLines) return first1;
  const from = firstSpotFrom(spots, lines.startOf(first1));
  const to = firstSpotFrom(spots, lines.startOf(last1 + 1));
  const shareFrom = (spot: number, line1: number): number => {
    const end = lines.startOf(line1 + shownLines);
    let bits = 0;
    for (let at = spot; at < to && (spots.starts[at] as number) < end; at += 1)
      bits |= spots.bits[at] as number;
    return matcher.shareOf(bits);
  };
  let best = { line1: first1, share: shareFrom(from, first1) };
  let before1 = first1;
  for (let at = from; at < to; at += 1) {
    const line1 = lines.lineAt(spots.starts[at] as number);
    if (line1 === before1) continue;
    before1 = line1;
    const share = shareFrom(at, line1);
    if (share > best.share + 1e-9) best = { line1, share };
  }
  return best.line1;
}

/** 1 for a definition whose name the query writes as one, 0.6 for one in other letters; less where it lies in a type that is asked for too. */
function askedShare(symbol: UnitSymbol | null, { identifiers }: RankQuery): number {
  if (symbol === null || identifiers.length === 0) return 0;
  const { name } = symbol;
  if (identifiers.includes(name)) return 1;
  const folded = name.toLowerCase();
  return identifiers.some((identifier) => identifier.toLowerCase() === folded) ? 0.6 : 0;
}

/** The nearness of the nearest chunk that a unit lies in or holds. */
function nearnessOf({ startLine1, endLine1 }: Unit, { chunks, nearness }: PlacedFile): number {
  if (nearness === undefined) return 0;
  let low = 0;
  let high = chunks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((chunks[middle] as Chunk).endLine1 < startLine1) low = middle + 1;
    else high = middle;
  }
  let most = 0;
  for (let at = low; at < chunks.length && (chunks[at] as Chunk).startLine1 <= endLine1; at += 1)
    most = Math.max(most, nearness[at] ?? 0);
  return most;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits >>> 0; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
