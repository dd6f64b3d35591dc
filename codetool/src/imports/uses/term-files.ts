/**
 * Turns places where a term occurs into the files they are in.
 *
 * @param documents Numbers of documents (chunks), ascending.
 * @param documentEnds Of each file, the number of the first document behind its own.
 * @returns Numbers of files, ascending, each once.
 */
export function filesOfDocuments(documents: Uint32Array, documentEnds: Uint32Array): Uint32Array {
  const files = new Uint32Array(Math.min(documents.length, documentEnds.length));
  let count = 0;
  let file = 0;
  for (const document of documents) {
    const isInLast = count > 0 && document < (documentEnds[file] as number);
    if (isInLast) continue;
    file = firstEndAbove(documentEnds, document, file);
    if (file === documentEnds.length) break;
    files[count] = file;
    count += 1;
  }
  return files.slice(0, count);
}

/** The first file from `start` on that ends behind a document, found in steps that double. */
function firstEndAbove(ends: Uint32Array, document: number, start: number): number {
  let low = start;
  let step = 1;
  while (low + step < ends.length && (ends[low + step - 1] as number) <= document) {
    low += step;
    step *= 2;
  }
  let high = Math.min(ends.length, low + step);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ends[middle] as number) <= document) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The term under which a name is found in an index: its last word, in small letters.
 *
 * @returns `null` for a name without a word in it, for example an operator.
 */
export function referenceTermOf(name: string): string | null {
  const words = name.match(/[\p{L}\p{N}_]+/gu);
  return words?.at(-1)?.toLowerCase() ?? null;
}
