import type { CommandIo } from "./command.ts";

/**
 * Runs one command line. Everything heavy is imported by the command that needs it.
 *
 * @param words The command line without the program's own name.
 * @param io The world.
 * @returns The exit code. It reports what goes wrong in one line.
 */
export async function runCommandLine(words: readonly string[], io: CommandIo): Promise<number> {
  const { reportError } = await import("./report-error.ts");
  try {
    const [{ runProgram }, { commands }, { readVersion }] = await Promise.all([
      import("./program.ts"),
      import("./commands/index.ts"),
      import("./read-version.ts"),
    ]);
    return await runProgram(words, { commands, version: readVersion(), io });
  } catch (error) {
    return reportError(error, await redacted(io));
  }
}

/** A `tell` that removes secrets: an error may carry what a server or a file said. */
export async function redacted({ tell, environment }: CommandIo): Promise<CommandIo["tell"]> {
  const { createRedactor } = await import("../core/index.ts");
  return (line) => tell(createRedactor(environment).text(line));
}
