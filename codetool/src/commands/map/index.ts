/**
 * The command `map`: the most important symbols of a tree, within a budget.
 *
 *   graph of imports ─ rank of files ─▶ flows on to the symbols that files use ─ budget ─▶ files with signatures
 *
 * It must not know how an import is resolved: `imports/` says that.
 */
export { mapCommand } from "./command.ts";
