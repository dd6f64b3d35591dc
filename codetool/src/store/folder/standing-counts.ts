import type { Segment } from "../segment/index.ts";

/** The counts of an index. */
export interface StandingCounts {
  readonly files: number;
  readonly chunks: number;
  /** Files by language; files of unknown languages are not counted. */
  readonly languages: ReadonlyMap<string, number>;
}

/** Counts what is in segments. */
export function countStanding(segments: readonly Segment[]): StandingCounts {
  const languages = new Map<string, number>();
  let fileCount = 0;
  let chunks = 0;
  for (const { files, isRemoved } of segments) {
    chunks += countEntries(files.chunkEnds, isRemoved);
    for (let file = 0; file < isRemoved.length; file += 1) {
      if (isRemoved[file] === 1) continue;
      fileCount += 1;
      const language = files.languageOf(file);
      if (language !== null) languages.set(language, (languages.get(language) ?? 0) + 1);
    }
  }
  return { files: fileCount, chunks, languages };
}

/** How many definitions are in segments. */
export function countStandingSymbols(segments: readonly Segment[]): number {
  return segments.reduce(
    (sum, { symbols, isRemoved }) => sum + countEntries(symbols.fileEnds, isRemoved),
    0,
  );
}

/** Counts the entries of files that are still there, given where the entries of each file end. */
function countEntries(ends: Uint32Array, isRemoved: Uint8Array): number {
  let count = 0;
  let start = 0;
  for (let file = 0; file < ends.length; file += 1) {
    const end = ends[file] as number;
    if (isRemoved[file] === 0) count += end - start;
    start = end;
  }
  return count;
}
