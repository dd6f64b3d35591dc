import process from "node:process";
import { createTextLog, type Log, type Redactor, type System } from "../core/index.ts";

/**
 * Makes the default log of a runtime.
 *
 * @param system Dates the lines.
 * @param redactor Takes secrets out of them.
 * @returns Text lines on stderr, `info` and above.
 */
export function defaultLog(system: System, redactor: Redactor): Log {
  return createTextLog({
    write: (line) => void process.stderr.write(line),
    nowMs: () => system.nowMs(),
    redactor,
  });
}
