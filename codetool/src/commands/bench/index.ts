/**
 * The command `bench`: codetool and the Unix way side by side on a tree, in tokens and in time.
 *
 *   tree ─ pickSubjects ─▶ names and files that it has ─ makeTasks ─▶ command lines of both ─ measureTask ─▶ payload
 *
 * Each side is a separate process, from its start to its end, so that both pay for the same. Calls of a bench are not
 * recorded for `stats`.
 */
export { benchCommand } from "./command.ts";
