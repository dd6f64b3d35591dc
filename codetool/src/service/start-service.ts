import type { ChildProcess } from "node:child_process";
import process from "node:process";
import { programWords } from "./identity.ts";

/** This program's command line for a process that goes on when this one ends. */
export interface ServiceStart {
  /** Words after the program's name. */
  readonly argv: readonly string[];
  readonly environment: { readonly [name: string]: string | undefined };
  readonly workingDirectory: string;
}

/** Starts this program once more, in its own session: what ends this process does not end that one. */
export async function startProgram(
  { argv, environment, workingDirectory }: ServiceStart,
  output: "ignore" | "pipe",
): Promise<ChildProcess> {
  // Most processes start no other.
  const { spawn } = await import("node:child_process");
  const [program, ...script] = programWords();
  const own = script.length === 0 ? [] : [...process.execArgv, ...script];
  const child = spawn(program, [...own, ...argv], {
    cwd: workingDirectory,
    env: { ...environment },
    detached: true,
    stdio: ["ignore", output, "ignore"],
    windowsHide: true,
  });
  child.unref();
  return child;
}
