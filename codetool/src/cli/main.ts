import process from "node:process";
import { answerVersion } from "./answer-version.ts";
import { isTerminal, workingDirectory } from "./around-process.ts";
import { keepCompiled } from "./keep-compiled.ts";
import { onSignals } from "./on-signals.ts";
import { answerByService } from "./answer-by-service.ts";
import type { Output, OutputStream } from "./output.ts";
import { programWords } from "../service/index.ts";

/**
 * Runs codetool on this process: its arguments, streams and environment. Sets the exit code and lets the process end by
 * itself, so that everything written is written out.
 */
export function main(): void {
  if (!answerVersion()) void run();
}

async function run(): Promise<void> {
  keepCompiled(process.env, import.meta.url);
  const { Output } = await import("./output.ts");
  const openStream = (): OutputStream => process.stdout;
  // Windows' pipes want the stream.
  const descriptor = process.platform === "win32" ? {} : { descriptor: 1 };
  const output = new Output({ openStream, ...descriptor });
  let isReading = false;
  const onRead = (): void => {
    isReading = true;
  };
  let signalCode: number | undefined;
  const onHeard = (exitCode: number): void => {
    signalCode = exitCode;
  };
  try {
    const argv = process.argv.slice(2);
    const invokedAs = [process.argv0, process.argv[1] ?? ""];
    const served = await answerByService({ argv, invokedAs, output });
    const exitCode = served ?? (await runArguments(argv, { output, onHeard, onRead, invokedAs }));
    process.exitCode = signalCode ?? exitCode;
    // What was answered does not wait for input that is still open, nor does a process that got a signal to end.
    if (isReading || signalCode !== undefined) process.stdin.destroy();
  } catch (error) {
    process.exitCode = 1;
    const { defectLine } = await import("./run-command-line.ts");
    await output.write(await defectLine(error)).catch((failure: unknown) => {
      // The failure is in standard output itself.
      process.stderr.write(`codetool: ${failure instanceof Error ? failure.message : "failed"}\n`);
    });
  }
}

async function runArguments(
  argv: readonly string[],
  how: {
    readonly output: Output;
    readonly onHeard: (exitCode: number) => void;
    /** Called when standard input is opened. */
    readonly onRead: () => void;
    readonly invokedAs: readonly string[];
  },
): Promise<number> {
  const { output, onHeard, onRead, invokedAs } = how;
  const { runCommandLine } = await import("./run-command-line.ts");
  return await runCommandLine({
    argv,
    invokedAs,
    programWords: programWords(),
    environment: process.env,
    workingDirectory: workingDirectory(),
    // Each stream is opened when it is used: loading the code of streams takes as long as the rest of the start.
    stdin: {
      [Symbol.asyncIterator]: () => {
        onRead();
        return process.stdin[Symbol.asyncIterator]();
      },
    },
    stdout: output,
    stderr: {
      get isTTY() {
        return isTerminal(2) && process.stderr.isTTY;
      },
      write: (text) => process.stderr.write(text),
    },
    onSignal: onSignals(process, onHeard),
    onEnd: (end) => {
      // Listen once for each signal: a user who sends it a second time does not want to wait.
      process.once("SIGINT", () => end(128 + 2));
      process.once("SIGTERM", () => end(0));
    },
  });
}
