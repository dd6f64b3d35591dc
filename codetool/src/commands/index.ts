/**
 * The commands: typed input in, payload out.
 *
 *   argv | JSONL line | MCP call ─▶ { name: value } ─ checkInput ─▶ CommandInput ─ run ─▶ CommandResult ─▶ Outcome
 *
 * `table.ts` is the command table: one row per command, as data (`command.ts`). Argument parsing, `--help`, `batch` and
 * MCP are made from it, so that a flag is in one place. The fronts differ in how they read input and where they
 * write; a command cannot tell them apart.
 *
 * Each command has a folder:
 *
 *   command.ts   its row of the table: flags, positionals, help, how a payload is shown to people; light
 *   run.ts       what it does; loads parsers, walkers and indexes, and is loaded when the command runs
 *   index.ts     the door: exports the row and nothing that is heavy
 *
 * `query/`, `project/` and `fallback/` are what commands share beyond the files next to this one: `paths.ts` and
 * `locate.ts` (how every command names files), `open-file.ts`, `open-index.ts`, `settings.ts` (what the environment sets) and others.
 *
 * `executeCommand` is the one way to run a row: it checks the input, turns what is thrown into an error outcome and never
 * throws itself.
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
  type CommandTraits,
  type FlagDefinition,
  type FlagValue,
  type LogLevel,
  type PositionalDefinition,
} from "./command.ts";
export { budgetFlag, globalFlags } from "./global-flags.ts";
export { foundElsewhere } from "./found-elsewhere.ts";
export { isWithin, locate } from "./locate.ts";
export { familiarFlag } from "./familiar-flags.ts";
export { nearestName } from "./nearest-name.ts";
export { ResidentIndexes } from "./resident-indexes.ts";
export { envelopeLine, executeCommand, executeStream } from "./execute-command.ts";
export { readLogLevel } from "./settings.ts";
export { workingDirectoryAt } from "./working-directory.ts";
export { commandTable, findCommand, unknownCommand } from "./table.ts";
