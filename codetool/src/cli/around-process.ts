import { fstatSync } from "node:fs";
import process from "node:process";

/** The folder that this process works in; `undefined` where it was deleted. */
export function workingDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/** False for what is not a terminal for sure. */
export function isTerminal(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    // It is closed.
    return false;
  }
}
