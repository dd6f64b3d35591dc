/**
 * The command `index`: makes the index of a folder, brings it up to date, or keeps it so (`--watch`).
 *
 *   folder ─ walk ─▶ files that changed ─ store/ ─▶ a new generation ─▶ counts
 */
export { indexCommand } from "./command.ts";
