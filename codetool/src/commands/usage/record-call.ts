import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { lineOf, type UsageRow } from "./usage-row.ts";

/** A log of this size is folded. */
export const logSizeBytesMax = 256 * 1024;
/** Where a log cannot be folded, nothing is recorded from this size on. */
const logSizeBytesLimit = 16 * 1024 * 1024;

/** A call that was answered. */
export interface AnsweredCall {
  readonly tsSeconds: number;
  readonly command: string;
  /** Of the answer as the caller got it. */
  readonly actualBytes: number;
  /** What the Unix way would have printed; absent where nothing honest can be said: then nothing is saved. */
  readonly unixOutput?: { readonly way: string; readonly sizeBytes: number } | undefined;
  readonly wallMs: number;
}

/**
 * Records a call: one line at the end of the log, in one write. It takes less than a tenth of a millisecond.
 *
 * @param sizeBytesMax From this size on the log is folded.
 * @returns Whether the log is to be folded now.
 * @throws The file system's error.
 */
export function recordCall(
  path: string,
  call: AnsweredCall,
  sizeBytesMax = logSizeBytesMax,
): boolean {
  const { tsSeconds, command, actualBytes, unixOutput } = call;
  const baselineBytes = unixOutput?.sizeBytes ?? actualBytes;
  const row: UsageRow = {
    tsSeconds,
    command,
    calls: 1,
    actualBytes,
    baselineBytes,
    // As `estimateTokens` counts.
    tokensSaved: Math.floor(baselineBytes / 4) - Math.floor(actualBytes / 4),
    wallMs: Math.round(call.wallMs),
  };
  const line = Buffer.from(lineOf(row, unixOutput?.way ?? "none"));
  const descriptor = openLog(path);
  try {
    const stat = fstatSync(descriptor);
    const isFile = stat.isFile();
    if (isFile && stat.size > logSizeBytesLimit) return false;
    // One that was there before may have been made with another mask.
    if (isFile && (stat.mode & 0o77) !== 0) fchmodSync(descriptor, 0o600);
    writeSync(descriptor, line);
    return isFile && stat.size + line.length > sizeBytesMax;
  } finally {
    closeSync(descriptor);
  }
}

/** Only its owner may read and write it. What is a pipe that nobody reads is refused instead of waited for. */
function openLog(path: string): number {
  const { O_NONBLOCK }: { readonly [name: string]: number | undefined } = { ...constants };
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (O_NONBLOCK ?? 0);
  try {
    return openSync(path, flags, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return openSync(path, flags, 0o600);
  }
}
