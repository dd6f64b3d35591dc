/**
 * Search for a structure: nodes of syntax trees that a pattern of code matches.
 *
 * This folder must not know: indexes, the ranker, how hits are shown.
 */
export {
  capturesByPlace,
  PatternByLanguage,
  scanStructure,
  type SearchedLanguage,
  spanKeyOf,
  type StructuralResult,
  type StructuralScanOptions,
} from "./scan-structure.ts";
