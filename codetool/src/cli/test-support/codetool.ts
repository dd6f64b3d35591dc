import { devNull } from "node:os";
import process from "node:process";
import { codetoolCommand, runProgram, type ProgramExit } from "testkit";
import { GatheredStream } from "../gathered-stream.ts";
import { Output } from "../output.ts";
import { defectLine, runCommandLine } from "../run-command-line.ts";

/** The program that starts codetool, and its first arguments: for tests that need a process. */
export const { command, args: firstArgs } = codetoolCommand();

/** What every command prints. */
export interface Envelope<Data = { readonly [key: string]: unknown }> {
  readonly version: string;
  /** The request that `batch` answers. */
  readonly id?: string | number;
  readonly command: string;
  readonly status: string;
  readonly tokens: number;
  readonly data?: Data;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly suggestion?: string;
  };
  readonly fallback?: boolean;
  readonly warnings?: readonly string[];
}

/** An envelope that a test reads the data of. */
export interface Answer<Data = { readonly [key: string]: unknown }> extends Envelope<Data> {
  readonly data: Data;
}

/** What a command line is run with. */
export interface CodetoolOptions {
  readonly workingDirectory: string;
  /** Added to this process's environment. */
  readonly environment?: { readonly [name: string]: string | undefined };
  /** What standard input holds; empty without it. */
  readonly input?: string | Uint8Array;
  /** User and group to run as, which takes a process. */
  readonly userId?: number;
  readonly groupId?: number;
}

/**
 * Runs codetool to its end, in this process: the command line is a function of its words and streams. Where
 * `CODETOOL_E2E_BINARY` names an executable, that is run instead.
 */
export async function runCodetool(
  args: readonly string[],
  options: CodetoolOptions,
): Promise<ProgramExit> {
  if (firstArgs.length === 0 || options.userId !== undefined)
    return await runProgram(command, [...firstArgs, ...args], options);
  const { workingDirectory, environment, input } = options;
  const stdout = new GatheredStream();
  const stderr = new GatheredStream();
  const output = new Output({ openStream: () => stdout });
  const line = {
    argv: args,
    invokedAs: ["codetool"],
    // Calls of tests are not recorded among those of whoever runs them.
    environment: { ...process.env, CODETOOL_STATS_FILE: devNull, ...environment },
    workingDirectory,
    stdin: chunksOf(input),
    stdout: output,
    stderr,
  };
  let code = 1;
  try {
    code = await runCommandLine(line);
  } catch (error) {
    await output.write(await defectLine(error));
  }
  return {
    code,
    signal: null,
    stdout: stdout.bytes().toString(),
    stderr: stderr.bytes().toString(),
  };
}

/** Runs lines of JSON through `codetool batch`, which must end well. */
export async function runBatch<Data = { readonly [key: string]: unknown }>(
  requests: readonly object[],
  options: Omit<CodetoolOptions, "input">,
): Promise<Answer<Data>[]> {
  const input = requests.map((request) => `${JSON.stringify(request)}\n`).join("");
  const exit = await runCodetool(["batch"], { ...options, input });
  if (exit.code !== 0 || exit.stderr !== "")
    throw new Error(`batch ended with ${exit.code}: ${exit.stderr}`);
  return exit.stdout
    .trimEnd()
    .split("\n")
    .map((answer) => JSON.parse(answer) as Answer<Data>);
}

async function* chunksOf(input: string | Uint8Array = ""): AsyncIterable<Uint8Array> {
  if (input.length > 0) yield Buffer.from(input);
}
