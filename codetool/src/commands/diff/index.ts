/**
 * The command `diff`: what changed lines mean.
 *
 *   target (commits, index, work tree) ─ git ─▶ changed files ─ compare ─▶ hunks by function ─ budget ─▶ payload
 *
 * The comparison of two texts is pure and is in `diffs/`; git is asked through `git/`.
 */
export { diffCommand } from "./command.ts";
