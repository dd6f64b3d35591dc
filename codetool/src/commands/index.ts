/**
 * The commands: typed input in, payload out.
 *
 *   argv | JSONL line | MCP call ─▶ { name: value } ─ checkInput ─▶ CommandInput ─ run ─▶ CommandResult ─▶ Outcome
 *
 * `table.ts` is the command table: one row a command, as data (`command.ts`). Argument parsing, `--help`, `batch` and
 * MCP are made from it, so that a flag stands in one place. The fronts differ in how they read input and where they
 * write; what a command does they cannot tell.
 *
 * `runCommand` is the one way to run a row: it checks the input, turns what is thrown into an error outcome and never
 * throws itself. `paths.ts` is how every command names files, `settings.ts` what the environment sets.
 *
 * A row's own file is light; its `run` loads parsers, walkers and indexes when it is called.
 *
 * It must not know argv, JSON-RPC, standard streams or exit codes.
 */
export { checkInput } from "./check-input.ts";
export {
  logLevels,
  type CommandContext,
  type CommandDefinition,
  type CommandDescription,
  type CommandInput,
  type CommandResult,
  type FlagDefinition,
  type FlagValue,
  type LogLevel,
  type PositionalDefinition,
} from "./command.ts";
export { budgetFlag, globalFlags } from "./global-flags.ts";
export { nearestName } from "./nearest-name.ts";
export { ResidentIndexes } from "./resident-indexes.ts";
export { envelopeLine, runCommand, runStream } from "./execute-command.ts";
export { readLogLevel } from "./settings.ts";
export { commandTable, findCommand, isLaterCommand, unknownCommand } from "./table.ts";
