/**
 * Git: asking the program `git` what changed.
 *
 *   folder ─ openWorkTree ─▶ WorkTree ─ readChanges ──▶ ChangedFile[] with line blocks   (git diff ∥ git ls-files)
 *                                │                           └ blob ids ─ readBlobs ─▶ texts       (cat-file --batch)
 *                                ├──── readLineHistory ─▶ commits of some lines   (git diff ∥ git ls-files, git log -L)
 *                                ├──── listChangedPaths, listPathsSince ─▶ paths   (git diff --name-only ∥ git ls-files)
 *                                └──── parseRevision, parseMoment ◀─ what a user typed
 *
 * This is the only folder that starts git (except the fallback of commands that fail). It passes arguments, never a line
 * for a shell. A revision that a user names must not begin with a dash. Paths are passed after `--` as literal path
 * specifications. They come back as bytes that end with NUL, because a path on Linux may hold line breaks, quotes and
 * bytes that are not UTF-8. Blobs are requested by their ids.
 *
 * A start of git costs 10 to 17 ms, more than most of the work on its answer. So there is one `git diff` for files and
 * lines, at the same time one listing of untracked files, and one `cat-file` for all texts.
 *
 * Git's own environment variables are taken out, except those that say where configuration is: in a hook they
 * name the repository that runs the hook, which can be another one. The configuration of a repository cannot run a
 * program (`diff.external`, `textconv`, `core.fsmonitor`) or change the form of the answer (prefixes, colours, context).
 *
 * When git refuses a request, the error is a `git_error` with git's first line. This folder must not know commands, syntax trees, or how a diff is shown.
 */
export { type BlobRequest, readBlobs } from "./read-blobs.ts";
export {
  type ChangedPaths,
  isRevision,
  listChangedPaths,
  listPathsSince,
} from "./changed-paths.ts";
export { parseMoment } from "./moment.ts";
export type { ChangedFile, FileSide, FileStatus, LineBlock } from "./changed-file.ts";
export { isPathIn } from "./is-path-in.ts";
export { readChanges } from "./read-changes.ts";
export { readFileBlocks } from "./read-file-blocks.ts";
export { type LineCommit, type LineHistory, readLineHistory } from "./read-line-history.ts";
export { joinBytes } from "./untracked-file.ts";
export { parseRevision, type Revision } from "./revision.ts";
export { findWorkTree, openWorkTree, type WorkTree } from "./work-tree.ts";
