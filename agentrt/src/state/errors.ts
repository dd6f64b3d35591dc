import { defineErrors, reasonOf } from "../core/index.ts";

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
  WRITE_FAILED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { path: string; agent: string; reason: string }) =>
      `Cannot save the state of "${d.agent}" in "${d.path}": ${d.reason}`,
    remedy:
      "Free the disk or end the program that holds the file; after the file was replaced, start the runtime again",
  },
  CORRUPT: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { path: string; agent: string; reason: string }) =>
      `Cannot read the state of "${d.agent}" from "${d.path}": ${d.reason}`,
    remedy: "Restore the file, or delete that agent's row of its table agent_state",
  },
  CLOSED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: false,
    message: (d: { path: string }) => `Cannot use state file "${d.path}": the store is closed`,
    remedy: "Open the store again",
  },
});

const openReasons: { readonly [code: string]: string } = {
  ENOENT: "its folder is not there",
  ENOTDIR: "a part of its path is no folder",
  EISDIR: "it is a folder",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
};

/**
 * Makes the error of a state file, or of the lock beside it, that cannot be opened.
 *
 * @param path The state file.
 * @param cause What opening it threw.
 * @returns The error, its reason in words where the code is a usual one.
 */
export function openFailed(path: string, cause: unknown): Error {
  const code = (cause as NodeJS.ErrnoException | null)?.code ?? "";
  const reason = openReasons[code] ?? reasonOf(cause);
  return new stateErrors.OPEN_FAILED({ path, reason }, { cause });
}
