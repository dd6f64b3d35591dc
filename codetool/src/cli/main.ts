import process from "node:process";

/**
 * Runs codetool on this process: its arguments, streams and environment. Sets the exit code and lets the process end by
 * itself, so that everything written is written out.
 */
export function main(): void {
  void run();
}

async function run(): Promise<void> {
  const { defectLine, runCommandLine } = await import("./run-command-line.ts");
  const { Output } = await import("./output.ts");
  try {
    process.exitCode = await runCommandLine({
      argv: process.argv.slice(2),
      invokedAs: [process.argv0, process.argv[1] ?? ""],
      environment: process.env,
      workingDirectory: process.cwd(),
      stdin: process.stdin,
      stdout: process.stdout,
      stderr: process.stderr,
    });
  } catch (error) {
    process.exitCode = 1;
    await defectLine(error)
      .then(async (line) => await new Output(process.stdout).write(line))
      .catch((failure: unknown) => {
        // Standard output itself is what fails.
        process.stderr.write(
          `codetool: ${failure instanceof Error ? failure.message : String(failure)}\n`,
        );
      });
  }
}
