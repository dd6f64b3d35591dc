/**
 * The command `search`.
 *
 *   input ─ request ─▶ files or index ─▶ query/ answers ─▶ page within the limits ─▶ payload, with a way to continue
 *
 * `query/` finds and orders matches; this folder opens the files or the index to search, and cuts pages.
 *
 * It must not know how a ranking is made.
 */
export { searchCommand } from "./command.ts";
