/**
 * The index as one corpus: the segments of a generation joined, with what changed since indexed in memory, so that
 * answers are those of an index built again.
 *
 * This folder must not know: who writes the index, queries and ranking.
 */
export { CorporaAhead } from "./corpora-ahead.ts";
export type { CorpusField, CorpusFile, CorpusSymbol, CorpusView } from "./corpus-view.ts";
export type { TextGroup } from "./files-that-may-hold.ts";
export { indexInMemory } from "./index-in-memory.ts";
export type { IndexedCorpus } from "./indexed-corpus.ts";
export { openCorpus, type OpenCorpus, type OpenCorpusOptions } from "./open-corpus.ts";
export { ResidentCorpora } from "./resident-corpora.ts";
export { WordIndex } from "./word-index.ts";
