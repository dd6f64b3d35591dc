import process from "node:process";
import type { CommandIo } from "./command.ts";
import { confirmOnTerminal } from "./confirm.ts";
import { cliErrors } from "./errors.ts";
import { createStyle } from "./style.ts";
import { createTell } from "./tell.ts";

/**
 * Runs the command line of this process and sets its exit code. Called by `bin/agentrt.cjs`, so there is no top-level
 * await here, and everything heavy is imported by the command that needs it.
 */
export function main(): void {
  const life = { isOutputVital: true, endsAtReturn: false };
  for (const stream of [process.stdout, process.stderr])
    endOnClosedPipe(stream, { isVital: () => life.isOutputVital });
  const io: CommandIo = {
    print: (text) => void process.stdout.write(text),
    ...createTell((text) => void process.stderr.write(text)),
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
  const { redacted, runCommandLine } = await import("./run-command-line.ts");
  const tell = await redacted(io);
  // Node ends a program that has nothing left to wait for, and calls that a success.
  const onNothingLeft = (): void => {
    process.exitCode = reportError(new cliErrors.NOTHING_LEFT({}), tell);
  };
  process.once("beforeExit", onNothingLeft);
  try {
    process.exitCode = await runCommandLine(process.argv.slice(2), io);
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
