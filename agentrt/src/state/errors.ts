import { defineErrors, reasonOf } from "../core/index.ts";

/** Errors of state stores. */
export const stateErrors = defineErrors("AGENTRT_STATE", {
  LOCKED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { path: string; holder: string }) =>
      `Cannot write the states in "${d.path}": ${d.holder} writes them already`,
    remedy: "Stop that process, or give this one another file or database",
  },
  FENCED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { path: string; agent: string }) =>
      `Cannot use the state of "${d.agent}" in "${d.path}": another process has taken it over`,
    remedy: "Send again: the process that has it now answers; nothing was saved here",
  },
  OPEN_FAILED: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { path: string; reason: string }) =>
      `Cannot open state file "${d.path}": ${d.reason}`,
    remedy:
      "Correct the path and its permissions; a file that is not a SQLite database is never overwritten",
  },
  UNAVAILABLE: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { path: string; agent: string | undefined; reason: string }) =>
      `Cannot reach ${d.agent === undefined ? "the states" : `the state of "${d.agent}"`} in "${d.path}": ${d.reason}`,
    remedy:
      "Start the database, free the disk or end the program that holds the file; agents go on by themselves then",
  },
  FILE_GONE: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { path: string; agent: string }) =>
      `Cannot save the state of "${d.agent}" in "${d.path}": the file was deleted or replaced while it was open`,
    remedy: "Put the file back and start the runtime again",
  },
  WRITE_FAILED: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { path: string; agent: string; reason: string }) =>
      `Cannot save the state of "${d.agent}" in "${d.path}": ${d.reason}`,
    remedy: "Correct what the reason names, such as the rights of the database's user",
  },
  WRITE_ALL_FAILED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { path: string; reason: string }) =>
      `Cannot change the states in "${d.path}": ${d.reason}`,
    remedy: "Nothing was changed; free the disk or end the program that holds the file, and repeat",
  },
  TOO_LARGE: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { agent: string; limit: string }) =>
      `Cannot save the state of "${d.agent}": it has more than ${d.limit}`,
    remedy: "Keep what is large in a separate file or database, and its name in the state",
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
    message: (d: { path: string }) => `Cannot use state store "${d.path}": the store is closed`,
    remedy: "Open the store again",
  },
  READ_FAILED: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { path: string; agent: string | undefined; reason: string }) =>
      `Cannot read ${d.agent === undefined ? "the states" : `the state of "${d.agent}"`} from "${d.path}": ${d.reason}`,
    remedy:
      "Restore a damaged file; of a database, see that it runs and that its user may read agentrt_agent_state",
  },
  DATABASE_FAILED: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { database: string; reason: string }) =>
      `Cannot open state database "${d.database}": ${d.reason}`,
    remedy:
      "See that the database runs, that URL and password are right, and that its user may create or write the table agentrt_agent_state",
  },
  BUCKET_FAILED: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { bucket: string; reason: string }) =>
      `Cannot open state bucket "${d.bucket}": ${d.reason}`,
    remedy:
      "Start the server with JetStream (nats-server -js), and let its user make or write the bucket",
  },
  URL_INVALID: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    // The text is not repeated: a broken URL may hold a password where nobody expects it.
    message: (d: { reason: string }) => `Cannot use the URL of the state database: ${d.reason}`,
    remedy: "Write postgresql://user:password@host:5432/database, special characters %-encoded",
  },
  DRIVER_MISSING: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { store: string; install: string }) =>
      `Cannot open a ${d.store} state store: its driver is not installed; \`${d.install}\` brings it`,
    remedy: "Install it next to agentrt, and start again",
  },
  KEY_INVALID: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { variable: string; reason: string }) =>
      `Cannot use the state key in the environment variable ${d.variable}: ${d.reason}`,
    remedy: "Set it to the base64 of 32 random bytes, as `openssl rand -base64 32` prints",
  },
  KEY_RING_INVALID: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { reason: string }) => `Cannot use the ring of state keys: ${d.reason}`,
    remedy:
      "Give keys as {id: variable}, ids from 0 to 255, and current_key_id as one of them; or only key_env",
  },
  DECRYPTION_FAILED: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { agent: string; keyId: number | undefined; reason: string }) =>
      `Cannot decrypt the state of "${d.agent}"${d.keyId === undefined ? "" : ` with key ${d.keyId}`}: ${d.reason}`,
    remedy: "Give the key that wrote it, under the same id; a state that was altered is lost",
  },
  PLAINTEXT_FOUND: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { agent: string }) =>
      `Cannot take the state of "${d.agent}": it is not encrypted, and only encrypted states are wanted`,
    remedy:
      "Set allow_plaintext_read to true until every agent has saved its state once, or clear that state",
  },
  DSN_INVALID: {
    exitCode: 2,
    httpStatus: 400,
    isRetryable: false,
    message: (d: { argument: string }) =>
      `Cannot use ${d.argument} as a state store: neither sqlite:<path>, nor postgresql://…, nor nats://…, nor a path that ends in .db, .sqlite or .sqlite3`,
    remedy: "Write for example sqlite:agency_state.db",
  },
  SAME_STORE: {
    exitCode: 1,
    httpStatus: 400,
    isRetryable: false,
    message: (d: { path: string }) =>
      `Cannot migrate "${d.path}" to itself: source and destination are the same`,
    remedy: "Give another destination",
  },
});

const openReasons: { readonly [code: string]: string } = {
  ENOENT: "its folder is not there",
  ENOTDIR: "a part of its path is not a folder",
  EISDIR: "it is a folder",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
};

/**
 * Makes the error of a state file, or of the lock next to it, that cannot be opened.
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
