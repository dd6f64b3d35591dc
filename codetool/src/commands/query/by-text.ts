import { errors } from "../../envelope/index.ts";
import { classOfPath, type WalkedFile } from "../../files/index.ts";
import { makePatternMatcher, PatternCostError, type PatternFault } from "../../patterns/index.ts";
import {
  factorOfClass,
  FileReader,
  hitCountMax,
  isQualifiedBy,
  isTestWanted,
  type LineScanner,
  literalScanner,
  patternScanner,
  type Place,
  putBodiesFirst,
  type RankedHit,
  rankHitFiles,
  readQualifiedName,
  readQuery,
  scanFiles,
  type ScanOptions,
  type ScanResult,
} from "../../search/index.ts";
import { releaseTrees } from "../../syntax/index.ts";
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
  const body = `(?:${request.query})`;
  return flaggedScanner(isWordOnly ? `\\b${body}\\b` : body, request);
}

/** Finds the query as it is written, or as the flags say. */
function textScanner(request: SearchRequest): LineScanner {
  const { query, isCaseIgnored, isWordOnly } = request;
  if (!isCaseIgnored && !isWordOnly) return literalScanner(query);
  const escaped = query.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  // Where the query begins or ends with no letter, there is no word to end.
  const before = isWordOnly && /^[\p{L}\p{N}_]/u.test(query) ? "\\b" : "";
  const after = isWordOnly && /[\p{L}\p{N}_]$/u.test(query) ? "\\b" : "";
  return flaggedScanner(`${before}${escaped}${after}`, request);
}

function flaggedScanner(pattern: string, { query, isCaseIgnored }: SearchRequest): LineScanner {
  const made = makePatternMatcher(isCaseIgnored ? `(?i)${pattern}` : pattern);
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
  readonly places: readonly Place[];
  /** Matching lines, those that are not ranked any more too. */
  readonly matchCount: number;
  readonly unreadableCount: number;
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
  const { hits, matchCount, unreadableCount } = await scanText(request, scanner, surroundings);
  return { places: placesOf(hits, scanner), matchCount, unreadableCount };
}

async function scanText(
  request: SearchRequest,
  scanner: LineScanner,
  surroundings: Surroundings,
): Promise<ScanResult> {
  const { files, index, symbols, projectWords, warnings } = surroundings;
  const mayAskSymbols = (file: WalkedFile): boolean =>
    symbols.has(file) || symbols.parsedBytes + file.sizeBytes <= definitionCheckBytesMax;
  const options = {
    files: files.filesHolding(scanner.required.map((text) => [text])),
    scanner,
    query: request.query,
    isDefinition: (file, place, readText) =>
      mayAskSymbols(file) && symbols.isDefinedAt(file, place, readText),
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
  return { ...scanned, hits };
}

/** Lines after the first line of a definition that are shown with it. */
const definitionLinesBehind = 1;

/** If the best hit is a definition, it is probably what was searched for: it is shown with its first lines. */
function placesOf(hits: readonly RankedHit[], scanner: LineScanner): Place[] {
  const evidence = { kind: "lines", scanner } as const;
  return hits.map(({ file, line1, matchStart, matchEnd, relevance, isDefinition }, index) => {
    const place = { file, line1, span: { start: matchStart, end: matchEnd }, relevance, evidence };
    if (!isDefinition || index > 0) return place;
    return { ...place, window: { startLine1: line1, endLine1: line1 + definitionLinesBehind } };
  });
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
    .filter(({ isDefinition }) => isDefinition)
    .slice(0, namesakeCountMax)
    .filter(({ file, line1 }) => {
      const text = reader.readText(file);
      if (text === undefined) return false;
      const place = { path: file.relativePath, line1, symbols: symbols.symbolsOf(file, text) };
      return isQualifiedBy(asked.qualifier, place);
    });
  await releaseTrees();
  return placesOf(defining, scanner).map((place) => ({ ...place, relevance: 1 }));
}

/** Puts definitions before the other matches. */
export function withDefinitions(answer: FoundText, defined: readonly Place[]): FoundText {
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
  const places = walk()
    .filter(({ relativePath }) => relativePath === path || relativePath.endsWith(`/${path}`))
    .toSorted((a, b) => factorOf(b) - factorOf(a))
    .map((file) => ({ file, line1: 1, relevance: 1 }));
  return {
    ...answer,
    places: [...places, ...answer.places],
    matchCount: places.length + answer.matchCount,
  };
}
