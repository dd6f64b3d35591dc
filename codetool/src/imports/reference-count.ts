import type { ImportGraph } from "./import-graph.ts";

/** How much a definition is used, by two measures of different strictness. */
export interface ReferenceCount {
  /** Other files in which the name occurs as a word, and which do not define it themselves. */
  readonly fileCount: number;
  /** Those of them that import the file of the definition. */
  readonly importerCount: number;
}

/** What is known of a name. Both lists are numbers of files, ascending, each once. */
export interface NameOccurrences {
  /** Files in which the name occurs: from the terms of an index, where letter case does not count. */
  readonly files: Uint32Array;
  /** Files that define it. */
  readonly definers: Uint32Array;
}

/**
 * Counts the files that use a definition.
 *
 * The first measure is cheap and knows no scopes: `get` is everywhere. The second holds where imports are resolved, and
 * tells two definitions of one name apart. Files are counted and not occurrences: a file that repeats a name does not
 * need it more, and the file of the definition, whose path often holds the name too, does not count.
 *
 * @param definer Number of the file with the definition.
 */
export function countReferences(
  { importers }: Pick<ImportGraph, "importers">,
  definer: number,
  { files, definers }: NameOccurrences,
): ReferenceCount {
  let fileCount = 0;
  let importerCount = 0;
  let nextDefiner = 0;
  let edge = importers.starts[definer] ?? 0;
  const edgeEnd = importers.starts[definer + 1] ?? 0;
  for (const file of files) {
    while (nextDefiner < definers.length && (definers[nextDefiner] as number) < file) {
      nextDefiner += 1;
    }
    while (edge < edgeEnd && (importers.files[edge] as number) < file) edge += 1;
    if (file === definer || definers[nextDefiner] === file) continue;
    fileCount += 1;
    if (edge < edgeEnd && importers.files[edge] === file) importerCount += 1;
  }
  return { fileCount, importerCount };
}

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
