import { constants } from "node:os";

/** The number of a signal, for the exit code `128 + n` that shells give; 0 for one that the system does not have. */
export function signalNumberOf(signal: NodeJS.Signals): number {
  return constants.signals[signal] ?? 0;
}
