import { classOfPath, type WalkedFile } from "../../files/index.ts";
import {
  byteOffsetsOf,
  compilePattern,
  hasErrorNodes,
  languagesReadFrom,
  openForPatterns,
  type PatternSource,
  releaseTrees,
  type StructuralCapture,
  type StructuralMatch,
  type StructuralPattern,
} from "../../syntax/index.ts";
import {
  endOfLineAt,
  factorOfClass,
  FileReader,
  HitRanking,
  isTestWanted,
  type LineHit,
  type LineJudgement,
  type RankedHit,
  startOfText,
} from "../scan/index.ts";

/** What a search by structure found. */
export interface StructuralResult {
  /** Best first: one of each file, then the others. */
  readonly hits: readonly RankedHit[];
  /** Matches, those inside of others and those beyond `hitCountMax` too. */
  readonly matchCount: number;
  readonly unreadableCount: number;
  /** The files in languages that have a grammar, by language, most files first. */
  readonly languages: readonly SearchedLanguage[];
  /** Files that were not looked at: their texts together are too long. */
  readonly leftOutCount: number;
  /** Files that were not parsed: too long, or written so that no parser ends. */
  readonly unparsedCount: number;
  /** Files without a match that have errors of syntax, where one may be missed; counted where the first match is enough. */
  readonly brokenCount: number;
}

/** One language of the files that were searched. */
export interface SearchedLanguage {
  readonly language: string;
  readonly fileCount: number;
  /** The pattern is code in it. */
  readonly isCompiled: boolean;
}

/** What to look for. */
export interface StructuralScanOptions {
  readonly files: readonly WalkedFile[];
  readonly pattern: string;
  /** Leaves out files that surely hold none of some groups of texts; default: none. */
  readonly narrow?: (
    files: readonly WalkedFile[],
    groups: readonly (readonly Buffer[])[],
  ) => readonly WalkedFile[];
  /** The first match ends the scan. */
  readonly isFirstEnough?: boolean;
  /** Bytes parsed at most; default 256 MiB. */
  readonly parsedBytesMax?: number;
  /** Hits kept for ranking and paging; further ones are counted. */
  readonly hitCountMax: number;
}

const parsedBytesMaxDefault = 256 * 1024 * 1024;

/** A match is what was asked for, wherever it is: only what its file is for tells one from another. */
const judgement: LineJudgement = {
  definition: "no",
  isDeclaration: false,
  name: "",
  isWord: true,
  isLiteral: true,
  isImport: false,
  isComment: false,
};

/** What a pattern found in a text. */
interface ReadText {
  readonly matches: readonly StructuralMatch[];
  readonly isParsed: boolean;
  /** Looks through the whole tree. */
  readonly hasErrors: () => boolean;
}

/** A pattern in the languages that were met so far, compiled once for each. */
export class PatternByLanguage {
  readonly #pattern: string;
  readonly #compiled = new Map<string, StructuralPattern | null>();

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  /** Tells whether the pattern is code in a language. */
  isCodeIn(language: string): boolean {
    return languagesReadFrom(language).some((name) => this.#of(name) !== null);
  }

  /** Groups of texts, all of one of which are in every text of some languages that matches. */
  requiredIn(languages: Iterable<string>): (readonly Buffer[])[] {
    const names = new Set([...languages].flatMap((language) => languagesReadFrom(language)));
    return [...names].flatMap((name) => this.#of(name)?.required ?? []);
  }

  /** False for a file that surely holds no match; no text is parsed for that. */
  mayMatch(language: string, text: Buffer): boolean {
    return languagesReadFrom(language).some((name) => this.#of(name)?.mayMatch(text) === true);
  }

  /** The matches in a text, outer ones before those inside of them. */
  matchesIn(text: string, language: string): readonly StructuralMatch[] {
    return this.readIn(text, language).matches;
  }

  /** The same, and how far the text could be parsed. */
  readIn(text: string, language: string): ReadText {
    const source = openForPatterns(text, language);
    if (source === null) return { matches: [], isParsed: false, hasErrors: () => false };
    const roots: ReturnType<PatternSource["parse"]>[] = [];
    const parse: PatternSource["parse"] = (parserName) => {
      const root = source.parse(parserName);
      roots.push(root);
      return root;
    };
    const matches = this.#of(source.language)?.findAll({ ...source, parse }) ?? [];
    return { matches, isParsed: true, hasErrors: () => roots.some(hasErrorNodes) };
  }

  #of(language: string): StructuralPattern | null {
    let pattern = this.#compiled.get(language);
    if (pattern === undefined) {
      pattern = compilePattern(this.#pattern, language);
      this.#compiled.set(language, pattern);
    }
    return pattern;
  }
}

/** Looks for a structural pattern in files, each in its own language. */
export async function scanStructure(options: StructuralScanOptions): Promise<StructuralResult> {
  const { files, pattern, isFirstEnough = false, hitCountMax } = options;
  const compiled = new PatternByLanguage(pattern);
  const parseable = files.filter(
    ({ language }) => language !== null && languagesReadFrom(language).length > 0,
  );
  const known = new Set(parseable.map(({ language }) => language as string));
  const chosen = options.narrow?.(parseable, compiled.requiredIn(known)) ?? parseable;
  const reader = new FileReader();
  const ranking = new HitRanking();
  const weight = { isTestWanted: isTestWanted(pattern) };
  let restBytes = options.parsedBytesMax ?? parsedBytesMaxDefault;
  let [matchCount, keptCount, leftOutCount, unparsedCount, brokenCount] = [0, 0, 0, 0, 0];
  for (const file of chosen) {
    const text = reader.readText(file);
    if (file.language === null || text === undefined || !compiled.mayMatch(file.language, text))
      continue;
    if (restBytes < text.length) {
      leftOutCount += 1;
      continue;
    }
    restBytes -= text.length;
    const decoded = text.toString("utf8");
    const { matches, isParsed, hasErrors } = compiled.readIn(decoded, file.language);
    if (!isParsed) unparsedCount += 1;
    if (isFirstEnough && matches.length === 0 && hasErrors()) brokenCount += 1;
    const hits = locate(text, decoded, matches);
    matchCount += hits.length;
    const kept = hits.slice(0, Math.max(0, hitCountMax - keptCount));
    keptCount += kept.length;
    if (kept.length > 0) {
      const factor = factorOfClass(classOfPath(file.relativePath), weight);
      ranking.beginFile(file, { factor, mayDefine: false });
      for (const hit of kept) ranking.add(hit, judgement);
    }
    await releaseTrees();
    if (isFirstEnough && matchCount > 0) break;
  }
  const hits = ranking.finish(
    () => undefined,
    () => false,
  );
  const { unreadableCount } = reader;
  const languages = languagesOf(parseable, compiled);
  const counts = { matchCount, unreadableCount, leftOutCount, unparsedCount, brokenCount };
  return { hits: hits.first(Infinity), languages, ...counts };
}

function languagesOf(
  files: readonly WalkedFile[],
  compiled: PatternByLanguage,
): readonly SearchedLanguage[] {
  return [...Map.groupBy(files, ({ language }) => language ?? "")]
    .map(([language, own]) => ({
      language,
      fileCount: own.length,
      isCompiled: compiled.isCodeIn(language),
    }))
    .toSorted((a, b) => b.fileCount - a.fileCount || (a.language < b.language ? -1 : 1));
}

/** Where a match is in bytes of the file, as a name. */
export function spanKeyOf({
  start,
  end,
}: {
  readonly start: number;
  readonly end: number;
}): string {
  return `${start} ${end}`;
}

/** What the placeholders mean at the matches that begin on some lines, by the `spanKeyOf` of the match. */
export function capturesByPlace(
  pattern: PatternByLanguage,
  { text, language }: { readonly text: Buffer; readonly language: string },
  lines: ReadonlySet<number>,
): ReadonlyMap<string, StructuralCapture[]> {
  const decoded = text.toString("utf8");
  const matches = pattern.matchesIn(decoded, language).filter(({ line1 }) => lines.has(line1));
  const captures = new Map<string, StructuralCapture[]>();
  for (const [index, { matchStart, matchEnd }] of locate(text, decoded, matches).entries()) {
    const key = spanKeyOf({ start: matchStart, end: matchEnd });
    const found = matches[index]?.captures();
    if (found !== undefined && !captures.has(key)) captures.set(key, found);
  }
  return captures;
}

/** Turns places of the decoded text into bytes of the file. */
function locate(text: Buffer, decoded: string, matches: readonly StructuralMatch[]): LineHit[] {
  if (matches.length === 0) return [];
  // Bytes that are not UTF-8 become longer when they are decoded: then only the line is certain.
  const isExact = Buffer.byteLength(decoded, "utf8") === text.length;
  const byteOffset = isExact ? byteOffsetsOf(decoded) : null;
  const hits: LineHit[] = [];
  let lineStart = startOfText(text);
  let line1 = 1;
  for (const match of matches) {
    for (; line1 < match.line1; line1 += 1) lineStart = text.indexOf(0x0a, lineStart) + 1;
    const matchStart = byteOffset?.(match.start) ?? lineStart;
    const matchEnd = byteOffset?.(match.end) ?? endOfLineAt(text, lineStart);
    const { endLine1 } = match;
    hits.push({ line1, lineStart, matchStart, matchEnd, endLine1 });
  }
  return hits;
}
