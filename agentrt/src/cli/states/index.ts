/**
 * The work of the `state` commands: saved states as text, and their move from one store to another.
 *
 * It must not know flags.
 */
export { runMigration } from "./migration.ts";
export { shownState, stateCount, stateText } from "./state-text.ts";
