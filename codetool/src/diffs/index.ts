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
 * Which lines changed is git's answer; here lines that are one line modified are paired, blocks are cut where one
 * function ends and another begins, and each piece is given the function or method that it belongs to: for lines that
 * came the one they are in now, for lines that went the one they were in.
 *
 * Symbols are compared by words, never by lines: a symbol is the same when its words are, whatever the white space.
 * Only formatting changed when, beyond that, the parser makes the same tree of both, comments left out: so a line that was
 * indented further in Python is not formatting. Renamed is what has another name and the same words else; moved what
 * is elsewhere.
 *
 * It must not know git, files, budgets, or how a diff is shown.
 */
export { compareVersions, type ChangeKind, type FileComparison } from "./compare-file.ts";
export { type FileVersion, readVersion } from "./file-version.ts";
export { type Attribution, type Hunk, hunksOfBlock, type LineSpan } from "./hunk.ts";
export { joinChanges } from "./join-changes.ts";
export type { LineChange } from "./line-change.ts";
export type { NamedSymbol } from "./named-symbol.ts";
export { findTravels, type NotedFile, semanticNotes, travelled } from "./semantic-notes.ts";
