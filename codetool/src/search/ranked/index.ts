/**
 * Search for words: the ranker orders the files; for a question, the places in the first ones are compared, for a name one
 * chunk of each is chosen to be shown. Lines that say the query as it is written come before both.
 *
 *   query ─ rankFiles (ranker/) ─▶ files ─ ChosenChunks (places/, verbatim/) ─▶ RankedChunk[]
 *
 * The files of a literal search are put in the order of the same ranker (`rankHitFiles`).
 *
 * This folder must not know: commands, budgets, how a chunk is printed.
 */
export { chunkScorerFor, structureOf } from "./chosen-chunks.ts";
export { listOf, mapList, type RankedList } from "./lazy-list.ts";
export { nearestChunks } from "./nearest-chunks.ts";
export { rankHitFiles } from "./order-hit-files.ts";
export { rankedFilesOf, searchCorpus, searchFiles } from "./search-corpus.ts";
export type {
  ExplainedFeature,
  NumberedCorpus,
  RankedChunk,
  RankedSearchOptions,
  SearchedCorpus,
} from "./searched-corpus.ts";
export { verbatimChunks, verbatimPlaces, withVerbatim } from "./verbatim-chunks.ts";
export type { WhyPlace } from "./why-place.ts";
