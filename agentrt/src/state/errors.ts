import { defineErrors } from "../core/index.ts";

/** Errors of state stores. */
export const stateErrors = defineErrors("AGENTRT_STATE", {
  LOCKED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { path: string; processId: number | undefined }) =>
      `Cannot write state file "${d.path}": process ${d.processId ?? "unknown"} writes it already`,
    remedy: "Stop that process, or give this one another file",
  },
  OPEN_FAILED: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { path: string; reason: string }) =>
      `Cannot open state file "${d.path}": ${d.reason}`,
    remedy:
      "Correct the path and its permissions; a file that is no SQLite database is never overwritten",
  },
  CORRUPT: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { path: string; agent: string; reason: string }) =>
      `Cannot read the state of "${d.agent}" from "${d.path}": ${d.reason}`,
    remedy: "Remove that agent's state with `agentrt state clear`, or restore the file",
  },
  CLOSED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: false,
    message: (d: { path: string }) => `Cannot use state file "${d.path}": the store is closed`,
    remedy: "Open the store again",
  },
});
