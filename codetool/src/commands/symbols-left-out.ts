import type { ExtractedSymbols } from "../syntax/index.ts";

/**
 * Makes the remark on symbols that are missing from what was found in a file: without it, an answer is taken for one
 * about all of them.
 *
 * @param file As the caller named it, or as the answer shows it.
 * @returns None where all symbols are there.
 */
export function remarksOnSymbols(
  { isComplete, unparsed }: ExtractedSymbols,
  file: string,
): string[] {
  if (unparsed !== undefined)
    return [
      `"${file}" is not parsed: ${unparsed}. Its symbols are not known; "read --lines" and "search --literal" read it all the same`,
    ];
  return isComplete
    ? []
    : [`"${file}" is too large or too deeply nested: some symbols are left out`];
}
