import { classOfPath, type WalkedFile } from "../files/index.ts";
import { compareBytes } from "../text/index.ts";
import { FileReader } from "./file-reader.ts";
import { factorOfClass } from "./file-weight.ts";
import { judgeLine, type LineHit, type LineJudgement } from "./line-judgement.ts";
import type { LineScanner } from "./line-scanner.ts";

/** A ranked hit. */
export interface RankedHit extends LineHit {
  readonly file: WalkedFile;
  /** 0 to 1. */
  readonly relevance: number;
}

/** What a scan over files found. */
export interface ScanResult {
  /** Best first: one of each file, then the others. */
  readonly hits: readonly RankedHit[];
  /** Matching lines, those beyond `hitCountMax` too. */
  readonly matchCount: number;
  readonly unreadableCount: number;
}

/** What to scan for, and how to rank. */
export interface ScanOptions {
  readonly files: readonly WalkedFile[];
  readonly scanner: LineScanner;
  /** The query; hits that hold it as it stands go before those that a pattern found otherwise. */
  readonly query: string;
  /**
   * Asked for hits that may be definitions, the likeliest first: whether the line defines the name. `readText` gives
   * the file's text, valid until the next call.
   */
  readonly isDefinition: (
    file: WalkedFile,
    readText: () => Buffer | undefined,
    line1: number,
    name: string,
  ) => boolean;
  /** Hits kept for ranking and paging; further ones are counted. Default `hitCountMax`. */
  readonly hitCountMax?: number;
}

/** Hits kept for ranking and paging, if nothing else is said. */
export const hitCountMax = 20_000;

interface FoundHit extends LineHit {
  score: number;
}

interface FileHits {
  readonly file: WalkedFile;
  readonly hits: FoundHit[];
  best: FoundHit;
}

/** A hit that its line alone does not tell from a use. */
interface PossibleDefinition {
  readonly found: FileHits;
  readonly hit: FoundHit;
  readonly name: string;
  /** False for what looks no different from a call. */
  readonly isLikely: boolean;
  /** Score if it is a definition, less for what looks like a call. */
  readonly rank: number;
  readonly scoreIfDefinition: number;
}

/** Scans files and ranks what is found. */
export function scanFiles(options: ScanOptions): ScanResult {
  const { files, scanner, query } = options;
  const reader = new FileReader();
  const found: FileHits[] = [];
  const possible: PossibleDefinition[] = [];
  const isTestWanted = /tests?|spec|mock|fixture/i.test(query);
  const lineQuery = query.split(/\r?\n/, 1)[0] ?? "";
  const keptCountMax = options.hitCountMax ?? hitCountMax;
  let isDefinitionKnown = false;
  let matchCount = 0;
  let keptCount = 0;
  for (const file of files) {
    const text = reader.readText(file);
    if (text === undefined) continue;
    const factor = factorOfClass(classOfPath(file.relativePath), { isTestWanted });
    let current: FileHits | undefined;
    scanner.scan(text, (line) => {
      matchCount += 1;
      if (keptCount >= keptCountMax && current !== undefined) return true;
      keptCount += 1;
      const span = line.findSpan();
      const { line1, lineStart } = line;
      const hit = { line1, lineStart, matchStart: span.start, matchEnd: span.end };
      const judgement = judgeLine(text, hit, lineQuery);
      const isDefinition = judgement.definition === "yes";
      const scored = { ...hit, score: factor * scoreOf(judgement, isDefinition) };
      if (current === undefined) {
        current = { file, hits: [scored], best: scored };
        found.push(current);
      } else {
        current.hits.push(scored);
        if (scored.score > current.best.score) current.best = scored;
      }
      isDefinitionKnown ||= isDefinition;
      if (isDefinition || judgement.definition === "no") return true;
      const scoreIfDefinition = factor * scoreOf(judgement, true);
      const isLikely = judgement.definition === "likely";
      const rank = isLikely ? scoreIfDefinition : scoreIfDefinition / 2;
      const { name } = judgement;
      possible.push({ found: current, hit: scored, name, isLikely, rank, scoreIfDefinition });
      return true;
    });
  }
  findDefinitions(possible, reader, { isDefinition: options.isDefinition, isDefinitionKnown });
  return { hits: rankHits(found), matchCount, unreadableCount: reader.unreadableCount };
}

/**
 * Asks which of the possible definitions are some. Parsing takes time and has a bound, so those that would rank highest
 * are asked first, among equals those of small files, and what looks like a call only where nothing else is defined.
 */
function findDefinitions(
  possible: readonly PossibleDefinition[],
  reader: FileReader,
  options: {
    readonly isDefinition: ScanOptions["isDefinition"];
    readonly isDefinitionKnown: boolean;
  },
): void {
  const ordered = possible.toSorted(
    (a, b) => b.rank - a.rank || a.found.file.sizeBytes - b.found.file.sizeBytes,
  );
  let { isDefinitionKnown } = options;
  for (const { found, hit, name, isLikely, scoreIfDefinition } of ordered) {
    if (!isLikely && isDefinitionKnown) continue;
    const readText = (): Buffer | undefined => reader.readText(found.file);
    if (!options.isDefinition(found.file, readText, hit.line1, name)) continue;
    isDefinitionKnown = true;
    hit.score = scoreIfDefinition;
    if (hit.score > found.best.score) found.best = hit;
  }
}

/** Tells whether anything matches; the first match ends the scan. */
export function hasMatch(
  files: readonly WalkedFile[],
  scanner: LineScanner,
): { isFound: boolean; unreadableCount: number } {
  const reader = new FileReader();
  let isFound = false;
  for (const file of files) {
    const text = reader.readText(file);
    if (text !== undefined)
      scanner.scan(text, () => {
        isFound = true;
        return false;
      });
    if (isFound) break;
  }
  return { isFound, unreadableCount: reader.unreadableCount };
}

function scoreOf(judgement: LineJudgement, isDefinition: boolean): number {
  let score = 0.5;
  if (judgement.isLiteral) score += 0.1;
  if (judgement.isWord) score += 0.15;
  if (isDefinition) score += 0.25;
  else if (judgement.isDeclaration) score += 0.1;
  else if (judgement.isImport) score -= 0.1;
  else if (judgement.isComment) score -= 0.05;
  return score;
}

/** One hit of each file first, so that the first page shows where else to look; ties by path and line. */
function rankHits(found: readonly FileHits[]): RankedHit[] {
  const byFile = found.toSorted(
    (a, b) => b.best.score - a.best.score || compareBytes(a.file.relativePath, b.file.relativePath),
  );
  const first = byFile.map(({ file, best }) => rank(file, best, best.score));
  const lowest = first.at(-1)?.relevance ?? 1;
  const others = byFile
    .flatMap(({ file, hits, best }) =>
      hits.filter((hit) => hit !== best).map((hit) => ({ file, hit })),
    )
    .sort(
      (a, b) =>
        b.hit.score - a.hit.score ||
        compareBytes(a.file.relativePath, b.file.relativePath) ||
        a.hit.line1 - b.hit.line1,
    )
    .map(({ file, hit }) => rank(file, hit, hit.score * lowest));
  return [...first, ...others];
}

function rank(file: WalkedFile, hit: FoundHit, relevance: number): RankedHit {
  const { line1, lineStart, matchStart, matchEnd } = hit;
  return { file, line1, lineStart, matchStart, matchEnd, relevance };
}
