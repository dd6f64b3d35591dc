import process from "node:process";
import { printable } from "../core/printable.ts";
import type { CommandIo } from "./command.ts";
import { createStyle } from "./style.ts";

/**
 * Runs the command line of this process and sets its exit code. Called by `bin/agentrt.cjs`, so there is no top-level
 * await here, and everything heavy is imported by the command that needs it.
 */
export function main(): void {
  endQuietlyOnClosedPipe(process.stdout);
  endQuietlyOnClosedPipe(process.stderr);
  void run();
}

async function run(): Promise<void> {
  const io: CommandIo = {
    print: (text) => void process.stdout.write(text),
    tell: (line) => void process.stderr.write(`${printable(line)}\n`),
    style: createStyle({ isTerminal: process.stdout.isTTY, environment: process.env }),
    environment: process.env,
    directory: process.cwd(),
  };
  const { reportError } = await import("./report-error.ts");
  try {
    const [{ runProgram }, { commands }, { readVersion }] = await Promise.all([
      import("./program.ts"),
      import("./commands.ts"),
      import("./version.ts"),
    ]);
    const words = process.argv.slice(2);
    process.exitCode = await runProgram(words, { commands, version: readVersion(), io });
  } catch (error) {
    process.exitCode = reportError(error, io.tell);
  }
}

/** `agentrt topology show … | head` closes the pipe early; that is no failure. */
function endQuietlyOnClosedPipe(stream: NodeJS.WriteStream): void {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(process.exitCode ?? 0);
  });
}
