/**
 * What searches that read texts share: reading files and their symbols, finding lines, judging what a line looks like,
 * and collecting hits in their order.
 *
 * This folder must not know: which kind of search runs, indexes.
 */
export { type DefinitionTest, HitRanking } from "./collected-hits.ts";
export { FileReader } from "./file-reader.ts";
export { factorOfClass, isTestWanted } from "./file-weight.ts";
export {
  isBorder,
  isCommentLine,
  LineJudge,
  type LineHit,
  type LineJudgement,
} from "./line-judgement.ts";
export {
  endOfLineAt,
  type LineScanner,
  literalScanner,
  patternScanner,
  startOfText,
} from "./line-scanner.ts";
export { type RankedHit, type RankedHits, withRelevance } from "./ranked-hits.ts";
export { type SymbolAround, SymbolReader, SymbolsByLine } from "./symbol-reader.ts";
