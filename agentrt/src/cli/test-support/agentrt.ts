/** The command line as a value: words in, exit code and texts out, in the process of the test. */
import process from "node:process";
import { runCommandLine } from "../run-command-line.ts";
import { createStyle } from "../style.ts";
import { createTell } from "../tell.ts";

/** How a command line ended. */
export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where a command line runs. */
export interface Surroundings {
  /** The working directory. */
  readonly directory: string;
  /** All of its environment variables; default none. */
  readonly environment?: { readonly [name: string]: string };
}

/**
 * Runs a command line with nobody at a terminal, one at a time: meanwhile its working directory is that of the process.
 * For commands that load no user code and set nothing else of the process: the others have a process each, through the
 * launcher.
 *
 * @param words The command line without `agentrt`.
 */
export async function agentrt(
  words: readonly string[],
  { directory, environment = {} }: Surroundings,
): Promise<Outcome> {
  let stdout = "";
  let stderr = "";
  const before = process.cwd();
  process.chdir(directory);
  const running = runCommandLine(words, {
    print: (text) => void (stdout += text),
    ...createTell((text) => void (stderr += text)),
    addVariables: () => undefined,
    style: createStyle({ isTerminal: false, environment }),
    outliveOutput: () => undefined,
    endAtReturn: () => undefined,
    confirm: undefined,
    environment,
    directory,
  });
  const exitCode = await running.finally(() => process.chdir(before));
  return { exitCode, stdout, stderr };
}
