/**
 * The index on the disk: built once, updated in time proportional to the changes, read a few kilobytes at a time.
 *
 *   .codetool/index/meta.json            which generation counts, and the hash of every file
 *   .codetool/index/{chunks,sparse,embeddings,symbols,imports,bloom}.bin   the base segment
 *   .codetool/index/segments/<generation>/              what changed since, each as its own segment
 *
 * A segment is an index of some files: columns of numbers, paths and names, and for three fields (body, names,
 * comments) the terms with the places where they occur. It is never changed once it is written. A file that changes
 * goes into a new segment, and the file of the older one is taken back; answers are the same as from an index built
 * again, because what counts over all documents (how many there are, how many hold a term, their mean length) is
 * counted over the files that were not taken back.
 *
 * A run writes its segment next to the others, syncs it, and renames `meta.json` into place: only then
 * the new generation becomes visible. Readers open files by generation and try again when a writer was faster. One process
 * writes at a time. All bytes that are read are checked against checksums. Damage is a fault: the index is not used,
 * and a damaged block never becomes part of an answer.
 *
 * This folder must not know: queries and ranking, commands, budgets.
 */
export {
  countStanding,
  countStandingSymbols,
  findIndexRoot,
  IndexBusy,
  indexFolder,
  lockIndex,
  openGeneration,
  type OpenGeneration,
  pathsBelow,
  resolverOfTree,
  type StandingCounts,
  updateIndex,
  type UpdateOptions,
  type UpdateResult,
} from "./folder/index.ts";
export { IndexFault } from "./index-fault.ts";
export {
  CorporaAhead,
  type CorpusField,
  type CorpusFile,
  type CorpusSymbol,
  type CorpusView,
  type IndexedCorpus,
  indexInMemory,
  openCorpus,
  type OpenCorpus,
  type OpenCorpusOptions,
  ResidentCorpora,
  type TextGroup,
  WordIndex,
} from "./corpus/index.ts";
export { isPastGrain, pathWordsOf } from "./segment/index.ts";
export { serveThread } from "./serve-thread.ts";
export { lowerBound } from "./sections/index.ts";
