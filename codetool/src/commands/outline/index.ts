/**
 * The command `outline`: the symbols of files, without their bodies.
 *
 *   files ─ syntax ─▶ symbols ─ selection, nesting, budget ─▶ payload
 */
export { outlineCommand } from "./command.ts";
