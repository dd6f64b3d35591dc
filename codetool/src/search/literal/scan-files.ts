import { classOfPath, type WalkedFile } from "../../files/index.ts";
import {
  type DefinitionTest,
  endOfLineAt,
  factorOfClass,
  FileReader,
  HitRanking,
  isTestWanted,
  LineJudge,
  type LineScanner,
  type RankedHits,
} from "../scan/index.ts";

/** What a scan over files found. */
export interface ScanResult {
  readonly hits: RankedHits;
  /** Matching lines, those beyond `hitCountMax` too. */
  readonly matchCount: number;
  /** What `grep -rn` would print of the first 2 000 matching lines, bytes. */
  readonly grepBytes: number;
  readonly unreadableCount: number;
  /** The files that gave no text, binary and unreadable ones, in no order. */
  readonly filesWithoutText: readonly WalkedFile[];
}

/** What to scan for, and how to rank. */
export interface ScanOptions {
  /** In the byte order of their paths. */
  readonly files: readonly WalkedFile[];
  readonly scanner: LineScanner;
  /** The query; hits that hold it as it is written go before those that a pattern found otherwise. */
  readonly query: string;
  /** Asked for hits that only the syntax tells from uses, the likeliest first. */
  readonly isDefinition: DefinitionTest;
  /**
   * Told of files that probably hold a definition, while others are read, until it says true. The text is valid until it
   * returns.
   */
  readonly onLikely?: (file: WalkedFile, text: Buffer) => boolean;
  /** Told, before `isDefinition` is asked, which files it will be asked about, the likeliest first. */
  readonly beforeAsking?: (
    files: Iterable<WalkedFile>,
    readText: (file: WalkedFile) => Buffer | undefined,
  ) => Promise<void>;
  /** Hits kept for ranking and paging; further ones are counted. Default `hitCountMax`. */
  readonly hitCountMax?: number;
}

/** Hits kept for ranking and paging, if nothing else is said. */
export const hitCountMax = 20_000;

/** Lines whose length is looked for: each takes a tenth of a microsecond. */
const measuredCountMax = 2000;

/** Scans files and ranks what is found. */
export async function scanFiles(options: ScanOptions): Promise<ScanResult> {
  const { files, scanner, query } = options;
  const reader = new FileReader();
  const ranking = new HitRanking();
  const weight = { isTestWanted: isTestWanted(query) };
  const judge = new LineJudge(query.split(/\r?\n/, 1)[0] ?? "");
  const keptCountMax = options.hitCountMax ?? hitCountMax;
  let matchCount = 0;
  let keptCount = 0;
  let grepBytes = 0;
  let { onLikely } = options;
  for (const file of files) {
    const text = reader.readText(file);
    if (text === undefined) continue;
    const fileClass = classOfPath(file.relativePath);
    const factor = factorOfClass(fileClass, weight);
    const isC = file.language === "c" && !file.relativePath.endsWith(".h");
    let isFirst = true;
    // Of one file it prints no path.
    const pathBytes = files.length === 1 ? 0 : file.relativePath.length;
    scanner.scan(text, (line) => {
      matchCount += 1;
      if (keptCount >= keptCountMax && !isFirst) return true;
      if (isFirst) ranking.beginFile(file, { factor, mayDefine: fileClass !== "docs" });
      isFirst = false;
      keptCount += 1;
      const span = line.findSpan();
      const hit = { lineStart: line.findStart(), matchStart: span.start, matchEnd: span.end };
      if (keptCount <= measuredCountMax)
        // Two colons around the number of the line, which has a digit at least, the line and its end.
        grepBytes += pathBytes + 4 + endOfLineAt(text, span.start) - hit.lineStart;
      const judgement = judge.judge(text, hit, isC);
      ranking.add(hit, judgement);
      if (onLikely !== undefined && factor === 1 && judgement.definition === "likely") {
        if (onLikely(file, text)) onLikely = undefined;
      }
      return true;
    });
  }
  const readText = (file: WalkedFile): Buffer | undefined => reader.readText(file);
  await options.beforeAsking?.(ranking.likelyFiles(), readText);
  const hits = ranking.finish(readText, options.isDefinition);
  const { unreadableCount, unreadableFiles, binaryFiles } = reader;
  const filesWithoutText = [...binaryFiles, ...unreadableFiles];
  return { hits, matchCount, grepBytes, unreadableCount, filesWithoutText };
}

/** Whether anything matches, and what was not searched for that. */
export interface FoundMatch {
  readonly isFound: boolean;
  readonly unreadableCount: number;
  /** Of the files that were read. */
  readonly binaryFiles: readonly WalkedFile[];
}

/** Tells whether anything matches; the first match ends the scan. */
export function hasMatch(files: readonly WalkedFile[], scanner: LineScanner): FoundMatch {
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
  const { unreadableCount, binaryFiles } = reader;
  return { isFound, unreadableCount, binaryFiles };
}
