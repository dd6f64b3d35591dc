import type { WalkedFile } from "../../files/index.ts";
import { FileReader } from "../../search/index.ts";
import { nearestName } from "../nearest-name.ts";
import type { SearchedFiles } from "./answer.ts";

/** Bytes that are read at most for a word like the one asked for. */
const readBytesMax = 16 * 1024 * 1024;
/** Shorter ones are near to everything. */
const wordLengthMin = 4;

/**
 * Finds the word in some files that is most like a query that occurs nowhere: one that was mistyped, or is written in
 * another case. An index says which files to read; without one all are read, up to a bound.
 *
 * @returns `undefined` for a query of several words, and where nothing is like it.
 */
export function nearestWord(
  query: string,
  { walk, holdingLike }: Pick<SearchedFiles, "walk" | "holdingLike">,
): string | undefined {
  const wanted = query.trim();
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(wanted) || wanted.length < wordLengthMin)
    return undefined;
  if (holdingLike === undefined || !/^\w+$/.test(wanted)) return nearestIn(walk(), wanted);
  for (const files of holdingLike(wanted)) {
    const nearest = nearestIn(files, wanted);
    if (nearest !== undefined) return nearest;
  }
  return undefined;
}

function nearestIn(files: readonly WalkedFile[], wanted: string): string | undefined {
  const lowest = wanted.length - Math.floor(wanted.length / 3);
  const highest = wanted.length + Math.floor(wanted.length / 3);
  const words = new Set<string>();
  const reader = new FileReader();
  let restBytes = readBytesMax;
  for (const file of files) {
    restBytes -= file.sizeBytes;
    if (restBytes < 0) break;
    const text = reader.readText(file)?.toString("utf8") ?? "";
    for (const [word] of text.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu))
      if (word.length >= lowest && word.length <= highest) words.add(word);
  }
  const candidates = [...words];
  const lower = wanted.toLowerCase();
  return candidates.find((word) => word.toLowerCase() === lower) ?? nearestName(wanted, candidates);
}
