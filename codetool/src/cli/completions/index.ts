/**
 * Completions: what a shell offers behind `codetool`, made from the command table.
 *
 *   rows of the table ─ completedCommands ─▶ words and what follows them ─▶ a script of bash, zsh or fish
 *
 * A script needs no call of codetool while it completes, so that pressing Tab starts nothing.
 */
import type { CommandDescription } from "../../commands/index.ts";
import { bashCompletions } from "./bash.ts";
import { completedCommands, completedGlobals } from "./completed-words.ts";
import { fishCompletions } from "./fish.ts";
import { zshCompletions } from "./zsh.ts";

/**
 * Writes the completions of all commands for a shell.
 *
 * @param shell `bash`, `zsh` or `fish`.
 */
export function renderCompletions(
  shell: string,
  descriptions: readonly CommandDescription[],
): string {
  const write =
    shell === "fish" ? fishCompletions : shell === "zsh" ? zshCompletions : bashCompletions;
  return write(completedCommands(descriptions), completedGlobals);
}
