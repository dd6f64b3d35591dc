/**
 * Search: a query and files in, ranked places out.
 *
 *   query ─ readQuery ─▶ literal ┬─ literalScanner ─┐
 *                                └─ makePatternMatcher ─ patternScanner ─┴ scanFiles ─▶ RankedHits ──┐
 *                        bm25 ─┬─── readRankQuery ─ rankFiles ─ ChosenChunks ───────▶ RankedChunk[] ┴ PresentedFile
 *                              └─── findVerbatim ──────────────────┘
 *
 * A literal scan works on bytes and finds lines; what a line looks like (a definition, an import, a whole word) and
 * what its file is for decide the order. A ranked search puts files first, by the features of `ranker/` over an index
 * (`CorpusView`, on disk or in memory); for a question, `places/` then compares the definitions in the first of them, and what says a
 * long part of the query as it is written (`verbatim/`) comes first.
 * The best place of each file comes before the second of any, except a second place that answers a question nearly as
 * well. Equal scores are ordered by path and line, so that the same tree gives the same answer.
 *
 * A search by structure parses the files that hold what every match holds, each in its own language, and finds nodes.
 *
 * Patterns are ours: parsed with positions for errors, run as automata, so that no pattern can take more than time in
 * proportion to the text. The price is that there is no look-around and no back-reference.
 *
 * Files are read one after the other into one buffer; what is kept of them are numbers. Nothing is written.
 *
 * This folder must not know: commands, budgets, the envelope.
 */
export {
  advance,
  type Continuation,
  digestOf,
  digestOfColumns,
  digestOfContents,
  digestOfFiles,
  readToken,
  writeToken,
} from "./continuation.ts";
export { standingPlaces } from "./evidence.ts";
export { storedOutline } from "./corpus/index.ts";
export {
  factorOfClass,
  FileReader,
  isTestWanted,
  type LineScanner,
  literalScanner,
  patternScanner,
  type RankedHit,
  type RankedHits,
  type SymbolAround,
  SymbolReader,
  SymbolsByLine,
} from "./scan/index.ts";
export { isQualifiedBy, readQualifiedName, readQuery, type SearchMode } from "./query/index.ts";
export {
  hasMatch,
  hitCountMax,
  putBodiesFirst,
  scanFiles,
  type ScanOptions,
  type ScanResult,
} from "./literal/index.ts";
export {
  type ExplainedFeature,
  listOf,
  mapList,
  nearestChunks,
  type NumberedCorpus,
  type RankedChunk,
  rankedFilesOf,
  type RankedSearchOptions,
  type RankedList,
  rankHitFiles,
  searchCorpus,
  type SearchedCorpus,
  searchFiles,
  verbatimPlaces,
  type WhyPlace,
} from "./ranked/index.ts";
export { DenseFiles, projectWordsOf, RankedCorpus } from "./ranker/index.ts";
export { searchByPipeline } from "./search-by-pipeline.ts";
export {
  type ContextUnit,
  type Place,
  PresentedFile,
  type PrintedCapture,
  type PrintedMatch,
} from "./presented-file.ts";
export {
  capturesByPlace,
  PatternByLanguage,
  scanStructure,
  type SearchedLanguage,
  spanKeyOf,
  type StructuralResult,
  type StructuralScanOptions,
} from "./structural/index.ts";
