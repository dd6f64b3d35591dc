/**
 * Other corpora than that of a whole index, each a `CorpusView` of the store: some files of an index as one of their
 * own, and the texts of files taken apart for the terms of one query. The latter is not a second index in memory
 * (`indexInMemory` of the store is that one): it parses nothing and keeps the postings of the query's terms only, which
 * takes a thirtieth of the time.
 *
 * This folder must not know: queries, ranking, where an index is kept.
 */
export { QueryCorpusBuilder, withSymbols } from "./query-corpus.ts";
export { storedOutline } from "./stored-outline.ts";
export { SubCorpus } from "./sub-corpus.ts";
