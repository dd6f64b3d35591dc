/**
 * Edits: a text and a request in, the edited text and its changes out. All functions are pure.
 *
 *     text ─ extractSymbols ─▶ scopeOf ─ stretches ─┐
 *     pairs ─ checkReplacements ────────────────────┴▶ replaceInText ─▶ text + TextHunk[] ─┬▶ lineChangesOf
 *     pattern of code ─ checkStructural ──────────────▶ rewriteStructure ──▶ the same
 *     name path ─▶ findSymbols ─▶ symbolEdit ───────────▶ TextEdit ─────────────────────┤  (what the answer lists)
 *                                                                                      ├▶ unifiedDiff
 *                                                                                      └▶ compareSyntax
 *
 * Offsets are UTF-16 units of the decoded text. The text outside of a hunk stays the same to the last unit. A sequence
 * of edits is kept as pieces of the first text (`PieceList`), so its hunks refer to the first text.
 *
 * Texts are searched for in a view in which every line end is a line feed, and new text gets the line ends of its place.
 * A text or pattern with a carriage return is used unchanged.
 *
 * Patterns are those of `patterns/`, which take linear time. If a scope or symbol does not exist, or exists twice, the
 * answer gives the reason and the names that exist; the edit never falls back to the whole file.
 *
 * It must not know files, encodings, commands or the envelope.
 */
export { type EditedLines, lineChangesOf, type LineHunk, lineHunksOf } from "./line-changes.ts";
export type { LostComment } from "./lost-comments.ts";
export { describeNearMiss, type NearMiss, nearMissOf } from "./near-miss.ts";
export { PieceList, type TextHunk, tightHunk } from "./piece-list.ts";
export {
  type CheckedReplacement,
  checkReplacements,
  type EditedText,
  type FurtherPlaces,
  type Replacement,
  replaceInText,
} from "./replace-all.ts";
export { type EditScope, scopeOf, type ScopeRequest } from "./scope.ts";
export { checkStructural, rewriteStructure, type StructuralRewrite } from "./structural-edit.ts";
export { symbolEdit, type SymbolAction } from "./symbol-edit.ts";
export {
  ambiguity,
  findSymbols,
  type SymbolPath,
  symbolPathsOf,
  withBodies,
  writePath,
} from "./symbol-paths.ts";
export { compareSyntax, type SyntaxVerdict } from "./syntax-comparison.ts";
export { applyEdits, type Stretch, type TextEdit } from "./text-edit.ts";
export { unifiedDiff } from "./unified-diff.ts";
