import process from "node:process";
import { printable } from "../core/index.ts";
import type { CommandIo } from "./command.ts";
import { confirmOnTerminal } from "./confirm.ts";
import { cliErrors } from "./errors.ts";
import { createStyle } from "./style.ts";

/**
 * Runs the command line of this process and sets its exit code. Called by `bin/agentrt.cjs`, so there is no top-level
 * await here, and everything heavy is imported by the command that needs it.
 */
export function main(): void {
  const life = { isOutputVital: true, endsAtReturn: false };
  const masks: ((text: string) => string)[] = [];
  for (const stream of [process.stdout, process.stderr])
    endOnClosedPipe(stream, { isVital: () => life.isOutputVital });
  const io: CommandIo = {
    print: (text) => void process.stdout.write(text),
    tell: (line) => {
      const shown = masks.reduce((text, mask) => mask(text), line);
      process.stderr.write(`${printable(shown)}\n`);
    },
    hide: (mask) => void masks.push(mask),
    addVariables: (variables) => {
      for (const [name, value] of Object.entries(variables)) process.env[name] ??= value;
    },
    style: createStyle({ isTerminal: process.stdout.isTTY, environment: process.env }),
    outliveOutput: () => {
      life.isOutputVital = false;
    },
    endAtReturn: () => {
      life.endsAtReturn = true;
    },
    confirm: process.stdin.isTTY && process.stderr.isTTY ? confirmOnTerminal : undefined,
    environment: process.env,
    directory: process.cwd(),
  };
  void run(io).then(async () => {
    if (!life.endsAtReturn) return;
    const { leaveProcess } = await import("./running/index.ts");
    await leaveProcess(Number(process.exitCode ?? 0), life);
  });
}

async function run(io: CommandIo): Promise<void> {
  const { reportError } = await import("./report-error.ts");
  const { createRedactor } = await import("../core/index.ts");
  // An error may carry what a server or a file said.
  const tell = (line: string): void => io.tell(createRedactor(io.environment).text(line));
  // Node ends a program that has nothing left to wait for, and calls that a success.
  const onNothingLeft = (): void => {
    process.exitCode = reportError(new cliErrors.NOTHING_LEFT({}), tell);
  };
  process.once("beforeExit", onNothingLeft);
  try {
    const [{ runProgram }, { commands }, { readVersion }] = await Promise.all([
      import("./program.ts"),
      import("./commands/index.ts"),
      import("./read-version.ts"),
    ]);
    const words = process.argv.slice(2);
    process.exitCode = await runProgram(words, { commands, version: readVersion(), io });
  } catch (error) {
    process.exitCode = reportError(error, tell);
  } finally {
    process.off("beforeExit", onNothingLeft);
  }
}

/** `agentrt topology show … | head` closes the pipe early; that is not a failure, and no reason to stop serving. */
function endOnClosedPipe(
  stream: NodeJS.WriteStream,
  { isVital }: { readonly isVital: () => boolean },
): void {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (!isVital()) return;
    if (error.code !== "EPIPE") throw error;
    process.exit(process.exitCode ?? 0);
  });
}
