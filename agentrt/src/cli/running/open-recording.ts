import { appendFileSync, writeFileSync } from "node:fs";
import { reasonOf } from "../../core/index.ts";
import { cliErrors } from "../errors.ts";

/** Messages to models may be private. */
const mode = 0o600;

/**
 * Begins the file of a recording; what was in it is gone.
 *
 * @param path Where it is.
 * @returns Writes one line, at once: a run that is killed has lost none.
 * @throws AGENTRT_CLI_RECORDING_FAILED when it cannot be written.
 */
export function openRecording(path: string): (line: string) => void {
  try {
    writeFileSync(path, "", { mode });
  } catch (error) {
    throw new cliErrors.RECORDING_FAILED({ path, reason: reasonOf(error) });
  }
  return (line) => appendFileSync(path, line, { mode });
}
