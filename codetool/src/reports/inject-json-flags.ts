import { commandsIn, type ReadScript } from "./commands-in.ts";
import { findTool, matchCommand } from "./tool.ts";
import { tools } from "./tools.ts";

/**
 * Adds the flag that makes a tool print JSON, right after its subcommand.
 *
 * @returns The words as they were, where the tool has no such flag, its command line decides on the output already, or it
 *   is run by a script or a shell, whose text is left alone.
 */
export function injectJsonFlags(
  argv: readonly string[],
  readScript: ReadScript,
): readonly string[] {
  const [command] = commandsIn(argv, readScript);
  if (command?.argvOffset === undefined) return argv;
  const found = findTool(tools, command.words);
  const json = found?.tool.json;
  if (found === undefined || json === undefined) return argv;
  const args = command.words.slice(found.matchedCount);
  const end = args.findIndex((word) => /^(?:--|--?args)$/.test(word));
  const own = end === -1 ? args : args.slice(0, end);
  if (own.some((word) => json.conflict.test(word))) return argv;
  const commands = json.commands ?? found.tool.commands;
  const matched = commands
    .map((each) => matchCommand(each, command.words))
    .find((count) => count > 0);
  if (matched === undefined) return argv;
  const at = command.argvOffset + matched;
  return [...argv.slice(0, at), ...json.flags, ...argv.slice(at)];
}
