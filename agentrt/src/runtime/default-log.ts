import process from "node:process";
import { createTextLog, type Log, type System } from "../core/index.ts";

/**
 * Makes the default log of a runtime.
 *
 * @param system Dates the lines.
 * @returns Text lines on stderr, `info` and above.
 */
export function defaultLog(system: System): Log {
  return createTextLog({
    write: (line) => void process.stderr.write(line),
    nowMs: () => system.nowMs(),
  });
}
