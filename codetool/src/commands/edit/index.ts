/**
 * The command `edit`: replacements in files, by text, pattern or symbol, all of them or none.
 *
 *   input ─ request ─▶ files ─ planFile ─▶ planned texts ─ write ─▶ payload with what changed
 *
 * Every file is planned before one is written. The replacements themselves are pure and are in `edits/`.
 */
export { editCommand } from "./command.ts";
export { editPlaces } from "./edit-places.ts";
export type { EditedFiles } from "./payload.ts";
export type { FilePlaces } from "./request.ts";
export { renderPlainEdit } from "./plain.ts";
