/**
 * Search: a query and files in, ranked places out.
 *
 *   query ─ readQuery ─▶ literal ┬─ literalScanner ─┐
 *                                └─ makePatternMatcher ─ patternScanner ─┴ scanFiles ─▶ RankedHit[] ─┐
 *                        bm25 ───── readRankQuery ─ rankFiles ─ ChosenChunks ───────▶ RankedChunk[] ┴ PresentedFile
 *
 * A literal scan works on bytes and finds lines; what a line looks like (a definition, an import, a whole word) and
 * what its file is for decide the order. A ranked search puts files first, by the features of `ranker/` over an index
 * (`CorpusView`, on disk or in memory) and, for the best of them, their text; then it chooses the chunk to show of each.
 * Either way the best place of each file comes before the second of any, and equal scores are ordered by path and
 * line, so that the same tree gives the same answer.
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
  digestOf,
  digestOfColumns,
  digestOfFiles,
  readToken,
  writeToken,
} from "./continuation.ts";
export type { CorpusField, CorpusFile, CorpusSymbol, CorpusView } from "./corpus-view.ts";
export { FileReader } from "./file-reader.ts";
export { factorOfClass, isTestWanted } from "./file-weight.ts";
export { isQualifiedBy, readQualifiedName } from "./qualified-name.ts";
export type { RankedHit } from "./hit-ranking.ts";
export { putBodiesFirst } from "./bodies-first.ts";
export { rankHitFiles } from "./rank-hits.ts";
export {
  type ExplainedFeature,
  type RankedChunk,
  rankedFilesOf,
  type SearchedCorpus,
  searchCorpus,
  searchFiles,
} from "./ranked-search.ts";
export { listOf, mapList, type RankedList } from "./ranked-list.ts";
export { projectWordsOf } from "./ranker/project-words.ts";
export { RankedCorpus } from "./ranker/feature-rows.ts";
export { type LineScanner, literalScanner, patternScanner } from "./line-scanner.ts";
export {
  hasMatch,
  hitCountMax,
  scanFiles,
  type ScanOptions,
  type ScanResult,
} from "./literal-search.ts";
export { searchByPipeline } from "./pipeline/index.ts";
export {
  type ContextUnit,
  type Place,
  PresentedFile,
  type PrintedCapture,
  type PrintedMatch,
} from "./present.ts";
export { DenseFiles } from "./ranker/dense-files.ts";
export { storedOutline } from "./stored-outline.ts";
export { nearestChunks } from "./semantic-search.ts";
export { readQuery, type SearchMode } from "./query-mode.ts";
export {
  PatternByLanguage,
  scanStructure,
  type StructuralResult,
  type StructuralScanOptions,
} from "./structural-search.ts";
export { type ShownSymbol, SymbolReader } from "./symbol-reader.ts";
