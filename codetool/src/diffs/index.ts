/**
 * Diffs: what changed lines mean.
 *
 *   two texts ─ readVersion ─▶ FileVersion (symbols with their paths, owners of lines, imports)
 *                                   │ two of them
 *                                   ├─ compareVersions ─▶ FileComparison: what came, went, was renamed, moved, changed
 *   blocks of lines ─ hunksOfBlock ─┤                          │
 *                                   ▼                          ▼ those of all files
 *                                 Hunk[]                  semanticNotes ─▶ sentences
 *
 * Git says which lines changed. Here a removed and an added line are paired if they are one modified line, blocks are cut
 * where one function ends and another begins, and each piece gets the function or method that it belongs to: an added
 * line the one it is in now, a removed line the one it was in.
 *
 * Symbols are compared by words, never by lines: a symbol is the same if its words are, whatever the white space. Only
 * formatting changed if the parser also makes the same tree of both, without comments: so a deeper indentation in Python
 * is not formatting. A symbol is renamed if it has another name and otherwise the same words, and moved if it is in
 * another place.
 *
 * It must not know git, files, budgets, or how a diff is shown.
 */
export { compareVersions, type ChangeKind, type FileComparison } from "./compare-file.ts";
export { type FileVersion, readVersion } from "./file-version.ts";
export { type Attribution, type Hunk, hunksOfBlock, type LineSpan } from "./hunk.ts";
export { joinChanges } from "./join-changes.ts";
export { leadingCommentLine1 } from "./leading-comment.ts";
export type { LineChange } from "./line-change.ts";
export type { NamedSymbol } from "./named-symbol.ts";
export { findTravels, type NotedFile, semanticNotes, travelled } from "./semantic-notes.ts";
