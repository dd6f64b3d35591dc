/**
 * Search for a text or a regular expression: lines of files that hold it, the best first.
 *
 * This folder must not know: indexes, the ranker, how hits are shown.
 */
export { putBodiesFirst } from "./put-bodies-first.ts";
export {
  hasMatch,
  hitCountMax,
  scanFiles,
  type ScanOptions,
  type ScanResult,
} from "./scan-files.ts";
