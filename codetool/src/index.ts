/**
 * codetool as a library: the same commands that the executable serves, in this process.
 *
 * ```ts
 * import { findCommand, runCommand } from "codetool";
 * const outcome = await runCommand(findCommand("read")!, { file: "a.ts" }, {
 *   workingDirectory: process.cwd(),
 *   environment: process.env,
 * });
 * ```
 */
export {
  commandTable,
  envelopeLine,
  findCommand,
  executeCommand as runCommand,
  type CommandContext,
  type CommandDefinition,
  type CommandDescription,
  type CommandInput,
  type CommandResult,
  type FlagDefinition,
  type FlagValue,
  type LogLevel,
  type PositionalDefinition,
} from "./commands/index.ts";
export { CommandError, version, type Outcome } from "./envelope/index.ts";
