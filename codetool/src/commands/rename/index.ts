/**
 * The command `rename`: a definition at file level and the names that resolve to it, over imports and scopes.
 *
 *   old ─ findDefinition ─▶ file ─ findProviders ─▶ files that offer it ─ resolveUses ─▶ places ─▶ edit
 *
 * The same name in another scope, or imported from elsewhere, stays. What may be meant and cannot be resolved is listed and
 * left. It must not know how files are written: the command `edit` does that.
 */
export { renameCommand } from "./command.ts";
