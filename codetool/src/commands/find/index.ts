/**
 * The command `find_files`: names of files, by pattern, by what changed since a commit, by what they have to do with a query.
 *
 *   names of the tree or the index ─ pattern, depth, changed since ─▶ files ─ inspect ─▶ list or tree within the limits
 *
 * `related-files.ts` is loaded only when a query is given: it brings the search engine.
 */
export { findFilesCommand } from "./command.ts";
