/**
 * The command `search`.
 *
 *   input ─ request ─▶ files or index ─▶ query/ answers ─▶ page within the limits ─▶ payload, with a way to continue
 *
 * How matches are found and ordered is the business of `query/`; this room opens what is searched and cuts pages.
 *
 * It must not know how a ranking is made.
 */
export { searchCommand } from "./command.ts";
