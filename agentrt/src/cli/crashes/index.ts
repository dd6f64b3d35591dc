/**
 * `agentrt crash`: the records of crashes for people and scripts, and what writes them during `agentrt run`.
 *
 * The folder must not know how a record is replayed.
 */
export { openRunCrashes, type RunCrashes } from "./open-run-crashes.ts";
export { crashListCommand, crashShowCommand } from "./crash-commands.ts";
