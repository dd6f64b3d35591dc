import { writeSync } from "node:fs";
import process from "node:process";
import { version } from "../system/index.ts";

/**
 * Answers `--version` alone, the one question that needs nothing of the rest: before that is loaded.
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
    // The ordinary way knows what to do with a full pipe, and with one that nobody reads.
    return false;
  }
}
