import { errors } from "../envelope/index.ts";
import { classOfPath, type WalkedFile } from "../files/index.ts";
import {
  DenseFiles,
  factorOfClass,
  FileReader,
  hitCountMax,
  type LineScanner,
  literalScanner,
  makePatternMatcher,
  nearestChunks,
  PatternCostError,
  type PatternFault,
  patternScanner,
  type Place,
  type PrintedCapture,
  readQuery,
  type RankedChunk,
  RankedCorpus,
  type RankedHit,
  rankHitFiles,
  isQualifiedBy,
  isTestWanted,
  readQualifiedName,
  scanFiles,
  type ScanOptions,
  searchByPipeline,
  searchCorpus,
  type SearchedCorpus,
  searchFiles,
  type SearchMode,
  type SymbolReader,
} from "../search/index.ts";
import { releaseTrees } from "../syntax/index.ts";
import type { IndexedCorpus } from "../store/index.ts";
import type { NarrowFiles } from "./narrow-files.ts";
import type { SearchRequest } from "./search-request.ts";
import { answerByStructure } from "./search-structural.ts";

/** All ranked places that answer a search. */
export interface Answer {
  readonly mode: SearchMode;
  /** Best first. */
  readonly places: readonly Place[];
  /** Matching lines, or chunks; those that are not ranked any more too. */
  readonly matchCount: number;
  readonly unreadableCount: number;
  /** Of a search by structure: what the placeholders stand for in a file, by the line of the match. */
  readonly capturesIn?: (
    file: WalkedFile,
    text: Buffer,
    lines: ReadonlySet<number>,
  ) => ReadonlyMap<number, readonly PrintedCapture[]>;
}

/** An index that is searched by meaning. */
export interface MeaningIndex {
  readonly corpus: IndexedCorpus;
  readonly fileOf: (file: number) => WalkedFile;
  /** False for files outside of what is searched. */
  readonly isIncluded: (file: number) => boolean;
}

/** What a search runs over. */
export interface Surroundings {
  /** The files to search, walked when they are asked for. */
  readonly walk: () => readonly WalkedFile[];
  /** Leaves out what an index knows to be in vain. */
  readonly narrow: NarrowFiles;
  /** The index, where there is one. */
  readonly searched?: SearchedCorpus;
  /** The same for a search by meaning. */
  readonly meaning?: MeaningIndex;
  /** Opens the index where neither is given: for a text that occurs nowhere. */
  readonly openIndex?: () => Promise<Pick<Surroundings, "searched" | "meaning"> | undefined>;
  /** Words that name the project itself. */
  readonly projectWords: ReadonlySet<string>;
  readonly chunkSizeCharacters: number;
  /** Larger files are left out. */
  readonly fileSizeBytesMax: number;
  readonly symbols: SymbolReader;
  /** Remarks are added here. */
  readonly warnings: string[];
}

/** Bytes parsed at most to tell definitions of methods from calls. */
const definitionCheckBytesMax = 512 * 1024;
const windowLines = 10;

/** Whether the answer comes from an index, where there is one, from the first. */
export function isRanked({ way, query, fusion }: SearchRequest): boolean {
  const isSaid = way === "bm25" || way === "hybrid" || way === "semantic";
  return isSaid || fusion !== null || (way === null && readQuery(query).way === "bm25");
}

/**
 * Answers a search in the mode its flags say, else in the one its query suggests.
 *
 * @throws invalid_argument for a `--regex` that is no pattern.
 */
export async function answerQuery(
  request: SearchRequest,
  surroundings: Surroundings,
): Promise<Answer> {
  const reading = request.way === null ? readQuery(request.query) : null;
  const way = request.way ?? reading?.way ?? "literal";
  const { warnings, walk } = surroundings;
  if (request.fusion !== null)
    return await answerByFusion({ request, fusion: request.fusion, surroundings });
  if (way === "structural") {
    const { narrow } = surroundings;
    const found = await answerByStructure(request.query, { files: walk(), narrow, warnings });
    if (reading === null || found.matchCount > 0) return found;
    // What looks like a pattern may be text: a variable of a shell, a price.
    const { answer: asText } = await scanText({ ...request, way: "literal" }, surroundings);
    if (asText.matchCount === 0) return found;
    warnings.push("The query was taken as text: it occurs as it stands");
    return asText;
  }
  if (way === "semantic") return await answerByMeaning(request, surroundings);
  if (way === "bm25" || way === "hybrid") return await answerByRank(request, surroundings);
  // First, since what may be parsed for a search is better spent on these.
  const defined = reading === null ? [] : await qualifiedDefinitions(request, surroundings);
  const found = await scanText(request, surroundings);
  if (reading === null) return found.answer;
  const answer = withNamedFiles(withDefinitions(found.answer, defined), request.query, walk());
  if (answer.matchCount > 0) return answer;
  warnings.push("The text occurs nowhere: what it is about was searched");
  const index = await surroundings.openIndex?.();
  return await answerByRank(request, { ...surroundings, ...index });
}

/**
 * Makes the scanner for a search by text or pattern. A query that only looks like a pattern is taken as text when it
 * is none.
 *
 * @throws invalid_argument for a `--regex` that is no pattern.
 */
export function scannerOf(request: SearchRequest, warnings: string[]): LineScanner {
  const way = request.way ?? readQuery(request.query).way;
  if (way !== "pattern") return literalScanner(request.query);
  const made = makePatternMatcher(request.query);
  if ("matcher" in made) return patternScanner(made.matcher);
  if (request.way === "pattern") throw notAPattern(request.query, made.fault);
  warnings.push(`The query is no pattern (${made.fault.reason}): it was taken as text`);
  return literalScanner(request.query);
}

/**
 * Runs a scan and turns a pattern's giving up into an error for the caller.
 *
 * @throws invalid_argument for a pattern that is too costly.
 */
export function withinCost<Result>(query: string, scan: () => Result): Result {
  try {
    return scan();
  } catch (error) {
    if (!(error instanceof PatternCostError)) throw error;
    throw new errors.invalid_argument(
      {
        argument: query.slice(0, 200),
        reason: `${error.message}; search fewer files, or more simply`,
      },
      { cause: error },
    );
  }
}

function notAPattern(query: string, fault: PatternFault): Error {
  return new errors.invalid_argument({
    argument: query.slice(0, 200),
    reason: `no pattern, at character ${fault.column1}: ${fault.reason}`,
  });
}

/** An answer by text or pattern, and the hits that it shows. */
interface ScannedAnswer {
  readonly answer: Answer;
  readonly hits: readonly RankedHit[];
}

async function scanText(
  request: SearchRequest,
  surroundings: Surroundings,
): Promise<ScannedAnswer> {
  const { walk, narrow, symbols, warnings } = surroundings;
  const scanner = scannerOf(request, warnings);
  const options: ScanOptions = {
    files: narrow(
      walk(),
      scanner.required.map((text) => [text]),
    ),
    scanner,
    query: request.query,
    isDefinition: (file, readText, line1, name) => {
      if (!symbols.has(file) && symbols.parsedBytes + file.sizeBytes > definitionCheckBytesMax)
        return false;
      return symbols.isDefinedAt(file, { name, line1 }, readText);
    },
  };
  const scanned = withinCost(request.query, () => scanFiles(options));
  if (scanned.matchCount > hitCountMax)
    warnings.push(`There are ${scanned.matchCount} matches: ${hitCountMax} of them are ranked`);
  const reader = new FileReader();
  const hits = await rankHitFiles({ ...surroundings, query: request.query, reader }, scanned.hits);
  const { matchCount, unreadableCount } = scanned;
  const places = hits.map(placeOfHit);
  return { answer: { mode: "literal", places, matchCount, unreadableCount }, hits };
}

function placeOfHit({ file, line1, matchStart, matchEnd, relevance }: RankedHit): Place {
  return { file, line1, span: { start: matchStart, end: matchEnd }, relevance };
}

/** Definitions of a name that are looked at for what they stand in. */
const namesakeCountMax = 40;

/** A name with what it stands in asks for its definition, whose own line says the name alone. */
async function qualifiedDefinitions(
  request: SearchRequest,
  surroundings: Surroundings,
): Promise<readonly Place[]> {
  const asked = readQualifiedName(request.query);
  if (asked === null) return [];
  const { symbols } = surroundings;
  const named = { ...request, query: asked.name };
  const { hits } = await scanText(named, { ...surroundings, warnings: [] });
  const reader = new FileReader();
  const places = hits
    .filter(({ isDefinition }) => isDefinition)
    .slice(0, namesakeCountMax)
    .filter(({ file, line1 }) => {
      const text = reader.readText(file);
      if (text === undefined) return false;
      const place = { path: file.relativePath, line1, symbols: symbols.symbolsOf(file, text) };
      return isQualifiedBy(asked.qualifier, place);
    })
    .map((hit) => ({ ...placeOfHit(hit), relevance: 1 }));
  await releaseTrees();
  return places;
}

/** Puts definitions before what else was found. */
function withDefinitions(answer: Answer, defined: readonly Place[]): Answer {
  // Some languages write both names in the line of the definition.
  const known = new Set(defined.map(keyOf));
  const others = answer.places.filter((place) => !known.has(keyOf(place)));
  const repeatedCount = answer.places.length - others.length;
  return {
    ...answer,
    places: [...defined, ...others],
    matchCount: defined.length + answer.matchCount - repeatedCount,
  };
}

function keyOf({ file, line1 }: Place): string {
  return `${file.relativePath}:${line1}`;
}

/**
 * A query that is the name or path of files asks for them too: their first lines come before what mentions them, sources
 * before copies and built files.
 */
function withNamedFiles(answer: Answer, query: string, files: readonly WalkedFile[]): Answer {
  const path = query.trim().replace(/^(?:\.\/)+/, "");
  if (!/^[^\s]*[^\s./][./][^\s./]+$/.test(path)) return answer;
  const options = { isTestWanted: isTestWanted(query) };
  const factorOf = ({ relativePath }: WalkedFile): number =>
    factorOfClass(classOfPath(relativePath), options);
  const places = files
    .filter(({ relativePath }) => relativePath === path || relativePath.endsWith(`/${path}`))
    .toSorted((a, b) => factorOf(b) - factorOf(a))
    .map((file) => ({ file, line1: 1, relevance: 1 }));
  return {
    ...answer,
    places: [...places, ...answer.places],
    matchCount: places.length + answer.matchCount,
  };
}

/** By words, and where the vectors of the chunks are known and nothing else was said, by meaning, too. */
async function answerByRank(request: SearchRequest, surroundings: Surroundings): Promise<Answer> {
  const { walk, searched, warnings } = surroundings;
  const reader = new FileReader();
  const options = {
    ...surroundings,
    query: request.query,
    reader,
    isExplained: request.isExplained,
  };
  const index = (await hybridIndexOf(request, surroundings)) ?? searched;
  if (searched === undefined)
    warnings.push("No index: one was built in memory for this search, nothing was written");
  const hits =
    index === undefined
      ? await searchFiles({ ...options, files: walk() })
      : await searchCorpus(options, index);
  const { unreadableCount } = reader;
  const mode = index?.dense === undefined ? "bm25" : "hybrid";
  return { mode, places: hits.map(placeOfChunk), matchCount: hits.length, unreadableCount };
}

/** An index with the nearness of its files; `undefined` where words alone are to answer. */
async function hybridIndexOf(
  { way, query }: SearchRequest,
  { walk, searched, meaning, chunkSizeCharacters, fileSizeBytesMax }: Surroundings,
): Promise<SearchedCorpus | undefined> {
  if (way === "bm25" || (meaning === undefined && way !== "hybrid")) return undefined;
  const sizes = { chunkSizeCharacters, fileSizeBytesMax };
  const known = meaning ?? (await indexByMeaning(walk(), sizes));
  const { corpus, fileOf, isIncluded } = known;
  const dense = new DenseFiles(corpus, corpus.nearness(await embed(query)), isIncluded);
  const ranked = searched?.ranked ?? new RankedCorpus(corpus, isIncluded);
  return { ranked, fileOf, dense };
}

/** The vector of a query. */
async function embed(query: string): Promise<Float32Array> {
  const { loadTokenRows, TextEmbedder } = await import("../model/index.ts");
  return new TextEmbedder(await loadTokenRows(query)).embedText(query);
}

/** By the specification's pipeline: the ranks of words and meaning fused, then ranked anew in stages. */
async function answerByFusion(given: {
  readonly request: SearchRequest;
  readonly fusion: NonNullable<SearchRequest["fusion"]>;
  readonly surroundings: Surroundings;
}): Promise<Answer> {
  const { request, fusion, surroundings } = given;
  const { walk, searched, meaning, chunkSizeCharacters, fileSizeBytesMax, warnings } = surroundings;
  const { query, topK, isExplained } = request;
  if (meaning === undefined)
    warnings.push("No index: one was built in memory for this search, nothing was written");
  const sizes = { chunkSizeCharacters, fileSizeBytesMax };
  const { corpus, fileOf, isIncluded } = meaning ?? (await indexByMeaning(walk(), sizes));
  const reader = new FileReader();
  const hits = await searchByPipeline(
    { ...surroundings, query, reader, isExplained },
    {
      ...fusion,
      topK,
      ranked: searched?.ranked ?? new RankedCorpus(corpus, isIncluded),
      fileOf,
      nearness: async () => corpus.nearness(await embed(query)),
    },
  );
  const { unreadableCount } = reader;
  const mode = request.way === "bm25" || request.way === "semantic" ? request.way : "hybrid";
  return { mode, places: hits.map(placeOfChunk), matchCount: hits.length, unreadableCount };
}

async function answerByMeaning(
  request: SearchRequest,
  { walk, meaning, chunkSizeCharacters, fileSizeBytesMax, warnings }: Surroundings,
): Promise<Answer> {
  const query = await embed(request.query);
  const sizes = { chunkSizeCharacters, fileSizeBytesMax };
  const { corpus, fileOf, isIncluded } = meaning ?? (await indexByMeaning(walk(), sizes));
  if (meaning === undefined)
    warnings.push("No index: one was built in memory for this search, nothing was written");
  const places = nearestChunks(corpus, corpus.nearness(query), isIncluded).map(
    ({ file, chunk, relevance }) =>
      placeOfChunk({
        file: fileOf(file),
        chunk,
        line1: chunk.startLine1,
        score: relevance,
        relevance,
      }),
  );
  return { mode: "semantic", places, matchCount: places.length, unreadableCount: 0 };
}

/** Makes an index in memory for searches by meaning. */
export async function indexByMeaning(
  files: readonly WalkedFile[],
  sizes: { readonly chunkSizeCharacters: number; readonly fileSizeBytesMax: number },
): Promise<MeaningIndex> {
  const { indexInMemory } = await import("../store/index.ts");
  const corpus = await indexInMemory(files, sizes);
  const byPath = new Map(files.map((file) => [file.relativePath, file]));
  return {
    corpus,
    isIncluded: () => true,
    fileOf: (file) => byPath.get(corpus.files[file]?.path ?? "") as WalkedFile,
  };
}

/** Shows ten lines of a chunk, the line that it was found by among them. */
function placeOfChunk({ file, chunk, line1, relevance, features }: RankedChunk): Place {
  const startLine1 = Math.max(
    chunk.startLine1,
    Math.min(line1 - 2, chunk.endLine1 - windowLines + 1),
  );
  const endLine1 = Math.min(chunk.endLine1, startLine1 + windowLines - 1);
  const window = { startLine1, endLine1 };
  return { file, line1, window, relevance, ...(features === undefined ? {} : { features }) };
}
