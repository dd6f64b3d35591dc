import { errors, type CommandError } from "../envelope/index.ts";
import { benchCommand } from "./bench/index.ts";
import { benchNdcgCommand } from "./bench-ndcg/index.ts";
import type { CommandDefinition } from "./command.ts";
import { contextCommand } from "./context/index.ts";
import { diffCommand } from "./diff/index.ts";
import { editCommand } from "./edit/index.ts";
import { existsCommand } from "./exists/index.ts";
import { explainCommand } from "./explain/index.ts";
import { findFilesCommand } from "./find/index.ts";
import { impactCommand } from "./impact/index.ts";
import { indexCommand } from "./index-folder/index.ts";
import { initCommand } from "./init/index.ts";
import { mapCommand } from "./map/index.ts";
import { nearestName } from "./nearest-name.ts";
import { renameCommand } from "./rename/index.ts";
import { runProgramCommand } from "./run-program/index.ts";
import { searchCommand } from "./search/index.ts";
import { outlineCommand } from "./outline/index.ts";
import { readCommand } from "./read/index.ts";
import { statsCommand } from "./stats/index.ts";

/** The command table: each command once, in the order of `--help`. */
export const commandTable: readonly CommandDefinition[] = [
  searchCommand,
  readCommand,
  findFilesCommand,
  editCommand,
  renameCommand,
  outlineCommand,
  contextCommand,
  mapCommand,
  impactCommand,
  explainCommand,
  existsCommand,
  runProgramCommand,
  diffCommand,
  indexCommand,
  initCommand,
  statsCommand,
  benchCommand,
  benchNdcgCommand,
];

/** Finds a command by its name; `undefined` when this build does not have it. */
export function findCommand(name: string): CommandDefinition | undefined {
  return commandTable.find((command) => command.name === name);
}

/**
 * Makes the error for a name that is not a command: that it is only a command line, or what was meant.
 *
 * @param names The names that would have been right.
 */
export function unknownCommand(name: string, names: readonly string[]): CommandError {
  if (findCommand(name) !== undefined)
    return new errors.invalid_command({
      command: name,
      reason: `it is not offered here, only as a command line: \`codetool ${name}\``,
    });
  const nearest = nearestName(name, names);
  const hint = nearest === undefined ? "" : `; did you mean "${nearest}"`;
  return new errors.invalid_command({
    command: name.slice(0, 100),
    reason: `there is no such command${hint}`,
  });
}
