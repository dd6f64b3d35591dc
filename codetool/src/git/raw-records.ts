/** One record of `git diff --raw -z`. */
export interface RawRecord {
  readonly oldMode: string;
  readonly newMode: string;
  /** Forty or more digits; zeros for a file that does not exist or has no blob yet. */
  readonly oldId: string;
  readonly newId: string;
  /** The first letter: A, C, D, M, R, T, U, X. */
  readonly status: string;
  readonly oldPath: Buffer;
  /** The same as `oldPath`, except for R and C. */
  readonly newPath: Buffer;
}

const colon = 0x3a;

/**
 * Reads the records at the beginning of the output of `git diff --raw -z`.
 *
 * @returns The records, and where the patch begins, if one was asked for.
 */
export function parseRawRecords(output: Buffer): {
  readonly records: readonly RawRecord[];
  readonly end: number;
} {
  const records: RawRecord[] = [];
  let at = 0;
  const field = (): Buffer => {
    const nul = output.indexOf(0, at);
    if (nul === -1) throw new Error("git diff --raw ended in the middle of a record");
    const bytes = output.subarray(at, nul);
    at = nul + 1;
    return bytes;
  };
  while (output[at] === colon) {
    const head = field().toString("latin1").slice(1).split(" ");
    const [oldMode = "", newMode = "", oldId = "", newId = "", status = ""] = head;
    const letter = status.charAt(0);
    const oldPath = field();
    const newPath = letter === "R" || letter === "C" ? field() : oldPath;
    records.push({ oldMode, newMode, oldId, newId, status: letter, oldPath, newPath });
  }
  // One more NUL is between the records and the patch.
  if (records.length > 0 && output[at] === 0) at += 1;
  return { records, end: at };
}
