import { errors } from "../../envelope/index.ts";
import { classOfPath, type WalkedFile } from "../../files/index.ts";
import { makePatternMatcher, PatternCostError, type PatternFault } from "../../patterns/index.ts";
import {
  factorOfClass,
  FileReader,
  hitCountMax,
  isQualifiedBy,
  isTestWanted,
  listOf,
  type LineScanner,
  literalScanner,
  patternScanner,
  type Place,
  putBodiesFirst,
  type RankedHit,
  type RankedHits,
  type RankedList,
  rankHitFiles,
  readQualifiedName,
  readQuery,
  scanFiles,
  type ScanOptions,
  type ScanResult,
} from "../../search/index.ts";
import { hasSymbols, releaseTrees } from "../../syntax/index.ts";
import type { Surroundings } from "./answer.ts";
import type { SearchRequest } from "./request.ts";

/** Bytes parsed at most to tell definitions of methods from calls. */
const definitionCheckBytesMax = 512 * 1024;

/**
 * Makes the scanner for a search by text or pattern. A query that only looks like a pattern, and is not a
 * valid one, is searched as text.
 *
 * @throws invalid_argument for a `--regex` that is not a pattern.
 */
export function scannerOf(request: SearchRequest, warnings: string[]): LineScanner {
  const way = request.way ?? readQuery(request.query).way;
  if (way !== "pattern") return textScanner(request);
  const made = makePatternMatcher(request.query);
  if ("fault" in made) {
    // What is wrong with the query is said of the query, not of what is made of it.
    if (request.way === "pattern") throw notAPattern(request.query, made.fault);
    warnings.push(
      `The query is not a valid pattern (${made.fault.reason}): it was searched as text`,
    );
    return textScanner(request);
  }
  const { isCaseIgnored, isWordOnly } = request;
  if (!isCaseIgnored && !isWordOnly) return patternScanner(made.matcher);
  return flaggedScanner(request.query, request);
}

/** Finds the query as it is written, or as the flags say. */
function textScanner(request: SearchRequest): LineScanner {
  const { query, isCaseIgnored, isWordOnly } = request;
  if (!isCaseIgnored && !isWordOnly) return literalScanner(query);
  const escaped = query.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  return flaggedScanner(escaped, request);
}

function flaggedScanner(pattern: string, request: SearchRequest): LineScanner {
  const { query, isCaseIgnored, isWordOnly } = request;
  const made = makePatternMatcher(isCaseIgnored ? `(?i)${pattern}` : pattern, { isWordOnly });
  if ("fault" in made) throw notAPattern(query, made.fault);
  return patternScanner(made.matcher);
}

/**
 * Runs a scan. When a pattern is given up because it is too costly, the caller gets an error.
 *
 * @throws invalid_argument for a pattern that is too costly.
 */
export async function withinCost<Result>(
  query: string,
  scan: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await scan();
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
    reason: `it is not a valid pattern, at character ${fault.column1}: ${fault.reason}`,
  });
}

/** Places found by text or pattern. */
export interface FoundText {
  /** Best first. */
  readonly places: RankedList<Place>;
  /** Matching lines, those that are not ranked any more too. */
  readonly matchCount: number;
  /** What `grep -rn` would print of them at least, bytes. */
  readonly grepBytes: number;
  readonly unreadableCount: number;
  /** Where all files were read: those that gave no text. */
  readonly filesWithoutText?: readonly WalkedFile[];
}

/**
 * Finds the lines that hold a text or match a pattern.
 *
 * @throws invalid_argument for a `--regex` that is not a pattern.
 */
export async function findText(
  request: SearchRequest,
  surroundings: Surroundings,
): Promise<FoundText> {
  const scanner = scannerOf(request, surroundings.warnings);
  const { hits, ...found } = await scanText(request, scanner, surroundings);
  const places = request.isExplained
    ? await explainedPlaces(hits, scanner)
    : placesOf(hits, scanner);
  return { places, ...found };
}

async function scanText(
  request: SearchRequest,
  scanner: LineScanner,
  surroundings: Surroundings,
): Promise<Omit<FoundText, "places"> & Pick<ScanResult, "hits">> {
  const { files, index, symbols, projectWords, warnings } = surroundings;
  const mayAskSymbols = (file: WalkedFile): boolean =>
    symbols.has(file) || symbols.parsedBytes + file.sizeBytes <= definitionCheckBytesMax;
  const options = {
    files: files.filesHolding(scanner.required.map((text) => [text])),
    scanner,
    query: request.query,
    isDefinition: (file, place, readText) =>
      mayAskSymbols(file) && symbols.isDefinedAt(file, place, readText),
    ...(index === undefined ? parsingAhead(symbols, mayAskSymbols) : {}),
  } satisfies ScanOptions;
  const scanned = await withinCost(request.query, () => scanFiles(options));
  if (scanned.matchCount > hitCountMax)
    warnings.push(`There are ${scanned.matchCount} matches: ${hitCountMax} of them are ranked`);
  const reader = new FileReader();
  const ranked = await rankHitFiles(
    {
      query: request.query,
      reader,
      symbols,
      projectWords,
      chunkSizeCharacters: surroundings.sizes.chunkSizeCharacters,
      ...(index === undefined ? {} : { searched: index.searched }),
    },
    scanned.hits,
  );
  const hits = putBodiesFirst(ranked, (file) => {
    const text = mayAskSymbols(file) ? reader.readText(file) : undefined;
    return text === undefined ? undefined : { text, symbols: symbols.symbolsOf(file, text) };
  });
  await releaseTrees();
  const { matchCount, grepBytes, unreadableCount, filesWithoutText } = scanned;
  const isAllRead = index === undefined && options.files === files.walk();
  const found = { hits, matchCount, grepBytes, unreadableCount };
  return { ...found, ...(isAllRead ? { filesWithoutText } : {}) };
}

/** Parses in other threads what `isDefinition` will be asked about. */
function parsingAhead(
  symbols: Surroundings["symbols"],
  mayAskSymbols: (file: WalkedFile) => boolean,
): Required<Pick<ScanOptions, "onLikely" | "beforeAsking">> {
  return {
    onLikely: (file, text) => {
      const isAsked = hasSymbols(file.language) && mayAskSymbols(file);
      if (isAsked) symbols.parseAhead(file, text);
      return isAsked;
    },
    beforeAsking: async (likely, readText) => {
      // As `mayAskSymbols` will judge when each of them is asked about.
      let restBytes = definitionCheckBytesMax - symbols.parsedBytes;
      for (const file of likely) {
        if (symbols.has(file) || file.sizeBytes > restBytes) continue;
        const text = readText(file);
        if (text === undefined) continue;
        restBytes -= text.length;
        symbols.parseAhead(file, text);
      }
      await symbols.parsedAhead();
    },
  };
}

/** Lines after the first line of a definition that are shown with it. */
const definitionLinesBehind = 1;

function placesOf(hits: RankedHits, scanner: LineScanner): RankedList<Place> {
  return {
    count: hits.count,
    first: async (count) =>
      await Promise.resolve(
        hits.first(count).map((hit, index) => placeOf(hit, scanner, index === 0)),
      ),
  };
}

/** The same places, each with why it comes before the next one of its file. */
async function explainedPlaces(hits: RankedHits, scanner: LineScanner): Promise<RankedList<Place>> {
  const { whyLine } = await import("./why-line.ts");
  const all = hits.first(hits.count);
  const behind = new Map<RankedHit, RankedHit>();
  const lastOf = new Map<WalkedFile, RankedHit>();
  for (const hit of all) {
    const before = lastOf.get(hit.file);
    if (before !== undefined) behind.set(before, hit);
    lastOf.set(hit.file, hit);
  }
  return {
    count: all.length,
    // Lines are counted only for what is shown.
    first: async (count) =>
      await Promise.resolve(
        all.slice(0, count).map((hit, index) => {
          const why = whyLine(hit, behind.get(hit));
          return { ...placeOf(hit, scanner, index === 0), why };
        }),
      ),
  };
}

/**
 * Where a hit is; its line is counted when it is asked for.
 *
 * @param isBest If it is a definition too, it is probably what was searched for: it is shown with its first lines.
 */
function placeOf(hit: RankedHit, scanner: LineScanner, isBest: boolean): Place {
  const { file, matchStart, matchEnd, relevance, isDefinition } = hit;
  const place = {
    file,
    get line1() {
      return hit.line1;
    },
    span: { start: matchStart, end: matchEnd },
    relevance,
    evidence: { kind: "lines", scanner } as const,
  };
  if (!isDefinition || !isBest) return place;
  const { line1 } = hit;
  return { ...place, window: { startLine1: line1, endLine1: line1 + definitionLinesBehind } };
}

/** How many definitions of a name are checked for the type or module that they are in. */
const namesakeCountMax = 40;

/** Finds the definitions of a qualified name such as `Class.method`: the line of a definition has only its last part. */
export async function qualifiedDefinitions(
  request: SearchRequest,
  surroundings: Surroundings,
): Promise<readonly Place[]> {
  const asked = readQualifiedName(request.query);
  if (asked === null) return [];
  const { symbols } = surroundings;
  const named = { ...request, query: asked.name };
  const quiet = { ...surroundings, warnings: [] };
  const scanner = scannerOf(named, quiet.warnings);
  const { hits } = await scanText(named, scanner, quiet);
  const reader = new FileReader();
  const defining = hits
    .first(hits.count)
    .filter(({ isDefinition }) => isDefinition)
    .slice(0, namesakeCountMax)
    .filter(({ file, line1 }) => {
      const text = reader.readText(file);
      if (text === undefined) return false;
      const place = { path: file.relativePath, line1, symbols: symbols.symbolsOf(file, text) };
      return isQualifiedBy(asked.qualifier, place);
    });
  await releaseTrees();
  const explain = request.isExplained ? (await import("./why-line.ts")).whyLine : undefined;
  return defining.map((hit, index) => ({
    ...placeOf(hit, scanner, index === 0),
    relevance: 1,
    ...(explain === undefined ? {} : { why: explain(hit, undefined) }),
  }));
}

/** Puts definitions before the other matches. */
export async function withDefinitions(
  answer: FoundText,
  defined: readonly Place[],
): Promise<FoundText> {
  if (defined.length === 0) return answer;
  // Some languages write both names in the line of the definition.
  const known = Map.groupBy(defined, ({ file }) => file.relativePath);
  const isKnown = (place: Place): boolean =>
    known.get(place.file.relativePath)?.some(({ line1 }) => line1 === place.line1) === true;
  const places = await answer.places.first(answer.places.count);
  const others = places.filter((place) => !isKnown(place));
  const repeatedCount = places.length - others.length;
  return {
    ...answer,
    places: listOf([...defined, ...others]),
    matchCount: defined.length + answer.matchCount - repeatedCount,
  };
}

/**
 * A query that is the name or path of files also finds these files: their first lines come before the lines that mention
 * them, and sources come before copies and built files.
 */
export function withNamedFiles(
  answer: FoundText,
  query: string,
  walk: () => readonly WalkedFile[],
): FoundText {
  const path = query.trim().replace(/^(?:\.\.?\/)+/, "");
  if (!/^[^\s]*[^\s./][./][^\s./]+$/.test(path)) return answer;
  const options = { isTestWanted: isTestWanted(query) };
  const factorOf = ({ relativePath }: WalkedFile): number =>
    factorOfClass(classOfPath(relativePath), options);
  const named = walk()
    .filter(({ relativePath }) => relativePath === path || relativePath.endsWith(`/${path}`))
    .toSorted((a, b) => factorOf(b) - factorOf(a))
    .map((file): Place => ({ file, line1: 1, relevance: 1 }));
  const { places, matchCount } = answer;
  return {
    ...answer,
    places: {
      count: named.length + places.count,
      first: async (count) => [...named, ...(await places.first(count - named.length))],
    },
    matchCount: named.length + matchCount,
  };
}
