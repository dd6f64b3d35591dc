/**
 * Patterns of code: read, compiled for a grammar, and matched against syntax trees.
 *
 * This folder must not know: files, how matches are ranked.
 */
export {
  compilePattern,
  faultOfPattern,
  type StructuralCapture,
  type StructuralMatch,
  type StructuralPattern,
} from "./pattern.ts";
