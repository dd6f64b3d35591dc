import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";

/** What a process of the same program is started with. */
export interface StartOptions {
  /** What becomes of its stdin, stdout and stderr. */
  readonly stdio: readonly ["ignore" | "pipe", "inherit" | "pipe", "inherit" | "pipe"];
  /** True for one that gets no signals of the terminal. */
  readonly isApart?: boolean;
  readonly environment: { readonly [name: string]: string };
}

/** Starts `agentrt` once more, with the same Node and its flags. */
export function startAgentrt(words: readonly string[], options: StartOptions): ChildProcess {
  const { stdio, isApart = false, environment } = options;
  const [, program = ""] = process.argv;
  return spawn(process.execPath, [...process.execArgv, program, ...words], {
    stdio: [...stdio],
    detached: isApart,
    env: { ...process.env, ...environment },
  });
}

/** How a process ended. */
export interface ProcessEnd {
  /** Its exit code; 1 where a signal ended it. */
  readonly code: number;
  readonly signal: NodeJS.Signals | null;
}

/** @returns How it ends; a process that cannot be started has ended with 1. */
export function endOf(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise((settle) => {
    child.once("exit", (code, signal) => settle({ code: code ?? 1, signal }));
    child.once("error", () => settle({ code: 1, signal: null }));
  });
}
