/**
 * The command `read`: a file, or the part of it that was asked for.
 *
 *   file ─ selection (lines, symbol, skeleton, changed lines) ─▶ pieces ─ budget ─▶ payload
 *
 * It must not know the index: what it shows is on the disk.
 */
export { readCommand } from "./command.ts";
