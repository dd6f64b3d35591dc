/**
 * An index as a search sees it: the interface `CorpusView`, and a part of a corpus that looks like a whole one.
 *
 * This folder must not know: queries, ranking, where an index is kept.
 */
export { MemoryCorpusBuilder, withSymbols } from "./memory-corpus.ts";
export { storedOutline } from "./stored-outline.ts";
export { SubCorpus } from "./sub-corpus.ts";
export type { CorpusField, CorpusFile, CorpusSymbol, CorpusView } from "./view.ts";
