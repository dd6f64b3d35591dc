/**
 * The command `context`: what somebody should know of a part of the project before a change.
 *
 *   project ─ selected files ─▶ doc, entry points, edges to other files, users of symbols ─ budget ─▶ payload
 *
 * It must not know how an import is resolved: `imports/` says that.
 */
export { contextCommand } from "./command.ts";
