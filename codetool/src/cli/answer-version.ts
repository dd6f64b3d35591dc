import { writeSync } from "node:fs";
import process from "node:process";
import { version } from "../system/index.ts";

/**
 * Answers a command line that is only `--version`. It needs no other code, so it runs before any of that is loaded.
 *
 * @returns False for another question, and where standard output does not take the answer at once.
 */
export function answerVersion(): boolean {
  const [first, ...others] = process.argv.slice(2);
  if (others.length > 0 || (first !== "--version" && first !== "-V")) return false;
  try {
    writeSync(1, `codetool ${version}\n`);
    return true;
  } catch {
    // The ordinary output handles a full pipe and a pipe that nobody reads.
    return false;
  }
}
