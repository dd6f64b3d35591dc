/**
 * Edits: a text and what is asked of it in, the edited text and what has changed out. Everything is pure.
 *
 *     text ─ extractSymbols ─▶ scopeOf ─ stretches ─┐
 *     pairs ─ checkReplacements ────────────────────┴▶ replaceInText ─▶ text + TextHunk[] ─┬▶ lineChangesOf
 *     name path ─▶ findSymbols ─▶ symbolEdit ───────────▶ TextEdit ─────────────────────┤  (what the answer lists)
 *                                                                                      ├▶ unifiedDiff
 *                                                                                      └▶ compareSyntax
 *
 * Offsets are UTF-16 units of the decoded text. What lies outside of a hunk is the same text to the last unit: edits of
 * edits are kept as pieces of the first text (`PieceList`), so the hunks of a whole sequence are against it.
 *
 * Texts are looked for in a view in which every line end is a line feed, and what is put in gets the line ends of its
 * place; a text or pattern that names a carriage return is taken as it is.
 *
 * Patterns are those of `patterns/`: they end. A scope or symbol that is not there, or there twice, is an answer with a
 * reason and the names there are, never the whole file.
 *
 * It must not know files, encodings, commands or the envelope.
 */
export { type EditedLines, lineChangesOf, type LineHunk, lineHunksOf } from "./line-changes.ts";
export { type NearMiss, nearMissOf } from "./near-miss.ts";
export { type TextHunk, tightHunk } from "./piece-list.ts";
export {
  type CheckedReplacement,
  checkReplacements,
  type EditedText,
  type Replacement,
  replaceInText,
} from "./replace-all.ts";
export { type EditScope, scopeOf, type ScopeRequest } from "./scope.ts";
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
