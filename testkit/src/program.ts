import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";

const timeoutMsDefault = 180_000;

/** How a program ended, and all it wrote. */
export interface ProgramExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a program is started with. */
export interface ProgramOptions {
  readonly workingDirectory?: string;
  /** Added to this process's environment; `undefined` removes a variable. */
  readonly environment?: { readonly [name: string]: string | undefined };
  /** Written to standard input, which is then closed; without it standard input is empty. */
  readonly input?: string | Uint8Array;
  /** True to leave standard input open, for `process.stdin`. */
  readonly keepInput?: boolean;
  /**
   * Ends the program with SIGKILL after this long, and says so in its standard error; default 180 000. A machine with much
   * else to do takes more than a minute for what takes seconds on an idle one.
   */
  readonly timeoutMs?: number;
  /** User and group ids to run as. */
  readonly userId?: number;
  readonly groupId?: number;
}

/** A running program whose output can be waited for. */
export class Program implements AsyncDisposable {
  readonly process: ChildProcess;
  readonly #exit: Promise<ProgramExit>;
  readonly #watchers = new Set<() => void>();
  #stdout = "";
  #stderr = "";
  #hasExited = false;

  constructor(child: ChildProcess, timeoutMs: number) {
    this.process = child;
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.#stdout += text;
      this.#wake();
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr += text;
      this.#wake();
    });
    const timer = setTimeout(() => {
      // Whatever fails next fails because of this.
      this.#stderr += `\n[the test ended this program after ${timeoutMs} ms]\n`;
      process.stderr.write(`${child.spawnfile} (${child.pid}) was ended after ${timeoutMs} ms\n`);
      child.kill("SIGKILL");
    }, timeoutMs);
    this.#exit = once(child, "close").then(([code, signal]) => {
      clearTimeout(timer);
      this.#hasExited = true;
      this.#wake();
      return {
        code: code as number | null,
        signal: signal as NodeJS.Signals | null,
        stdout: this.#stdout,
        stderr: this.#stderr,
      };
    });
  }

  /** All it wrote so far. */
  get output(): string {
    return this.#stdout + this.#stderr;
  }

  /** Resolves with the match once standard output or error matches; rejects when the program ends first. */
  async waitFor(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.#stdout) ?? pattern.exec(this.#stderr);
      if (match !== null) return match;
      if (this.#hasExited)
        throw new Error(`the program ended before ${pattern} came:\n${this.output}`);
      await new Promise<void>((resolve) => this.#watchers.add(resolve));
    }
  }

  /** Sends a signal. */
  kill(signal: NodeJS.Signals): void {
    this.process.kill(signal);
  }

  /** Resolves when it has ended and its output is read. */
  exited(): Promise<ProgramExit> {
    return this.#exit;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#hasExited) this.process.kill("SIGKILL");
    await this.#exit;
  }

  #wake(): void {
    const watchers = [...this.#watchers];
    this.#watchers.clear();
    for (const watcher of watchers) watcher();
  }
}

/**
 * Starts a program.
 *
 * @param command Program or absolute path.
 * @param args Its arguments; no shell is involved.
 */
export function startProgram(
  command: string,
  args: readonly string[],
  options: ProgramOptions = {},
): Program {
  const environment: NodeJS.ProcessEnv = { ...process.env, ...options.environment };
  const child = spawn(command, args, {
    stdio: ["pipe", "pipe", "pipe"],
    env: environment,
    ...(options.workingDirectory === undefined ? {} : { cwd: options.workingDirectory }),
    ...(options.userId === undefined ? {} : { uid: options.userId }),
    ...(options.groupId === undefined ? {} : { gid: options.groupId }),
  });
  // A program may end without reading its input; that is its own affair.
  child.stdin.on("error", () => undefined);
  if (options.keepInput !== true) child.stdin.end(options.input ?? "");
  return new Program(child, options.timeoutMs ?? timeoutMsDefault);
}

/** Runs a program to its end. */
export async function runProgram(
  command: string,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<ProgramExit> {
  return await startProgram(command, args, options).exited();
}
