/**
 * The index on the disk: built once, brought up to date in the time of what changed, read a few kilobytes at a time.
 *
 *   .codetool/index/meta.json            which generation counts, and the hash of every file
 *   .codetool/index/{chunks,sparse,embeddings,symbols,imports,bloom}.bin   the base segment
 *   .codetool/index/segments/<generation>/              what changed since, each as a segment of its own
 *
 * A segment is an index of some files: columns of numbers, paths and names, and for three fields (body, names,
 * comments) the terms with the places where they occur. It is never changed once it is written. A file that changes
 * goes into a new segment, and the file of the older one is taken back; answers are the same as from an index built
 * anew, because what counts over all documents (how many there are, how many hold a term, their mean length) is
 * counted over those that stand.
 *
 * A run writes its segment beside the others, syncs it, and renames `meta.json` into place: from then on it is there,
 * and before that it is not. Readers open files by generation and try again when a writer was faster. One process
 * writes at a time. Whatever is read is checked against checksums; damage is a fault, for which an index is left aside,
 * and never an answer.
 *
 * This folder must not know: queries and ranking, commands, budgets.
 */
export {
  findIndexRoot,
  indexFolder,
  openGeneration,
  type OpenGeneration,
} from "./folder/index-folder.ts";
export { IndexFault } from "./index-fault.ts";
export { indexInMemory } from "./corpus/index-in-memory.ts";
export type { IndexedCorpus } from "./corpus/indexed-corpus.ts";
export { openCorpus, type OpenCorpus, type OpenCorpusOptions } from "./corpus/open-corpus.ts";
export { ResidentCorpora } from "./corpus/resident-corpora.ts";
export {
  IndexBusy,
  updateIndex,
  type UpdateOptions,
  type UpdateResult,
} from "./folder/update-index.ts";
export {
  countStanding,
  countStandingSymbols,
  type StandingCounts,
} from "./folder/standing-counts.ts";
export type { TextGroup } from "./corpus/files-that-may-hold.ts";
export { WordIndex } from "./corpus/word-index.ts";
export { commentLinesOf } from "./segment/comment-lines.ts";
export { pathWordsOf } from "./segment/path-words.ts";
export { lowerBound } from "./sections/lower-bound.ts";
export { pathsBelow, resolverOfTree } from "./folder/tree-graph.ts";
