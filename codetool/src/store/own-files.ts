import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
} from "node:fs";

/**
 * Opens a file of the index for reading. Anything in its place that is not a file (a folder, a pipe without a writer) is
 * refused instead of waited for, and so is a link, because it may lead anywhere.
 *
 * @throws the file system's error, `EINVAL` for what is not a file.
 */
export function openOwnFile(path: string): {
  readonly descriptor: number;
  readonly sizeBytes: number;
} {
  const descriptor = openSync(path, openFlags());
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) throw Object.assign(new Error("no file"), { code: "EINVAL" });
    return { descriptor, sizeBytes: stat.size };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Windows has only the first. */
function openFlags(): number {
  const { O_NOFOLLOW, O_NONBLOCK }: { readonly [name: string]: number | undefined } = {
    ...constants,
  };
  return constants.O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0);
}

/** Reads a text file of ours; throws as `openOwnFile`. */
export function readOwnFile(path: string): string {
  const { descriptor } = openOwnFile(path);
  try {
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}

/** How much of a file is read first for what is at its beginning. */
const headBytes = 4096;

/**
 * Reads a text file of ours up to a mark, without what lies behind it; throws as `openOwnFile`.
 *
 * @returns `isMarked` is false where the mark is nowhere: then the text is all of the file.
 */
export function readOwnFileUntil(
  path: string,
  mark: string,
): { readonly text: string; readonly isMarked: boolean } {
  const { descriptor } = openOwnFile(path);
  try {
    let bytes = Buffer.alloc(headBytes);
    for (let filled = 0; ;) {
      const count = readSync(descriptor, bytes, filled, bytes.length - filled, null);
      filled += count;
      const end = bytes.subarray(0, filled).indexOf(mark);
      const isMarked = end >= 0;
      if (isMarked || count === 0)
        return { text: bytes.toString("utf8", 0, isMarked ? end : filled), isMarked };
      if (filled === bytes.length) bytes = Buffer.concat([bytes, Buffer.alloc(bytes.length)]);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Renames a file over whatever lies there, a folder too. */
export function renameOver(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (lstatSync(to, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
    removeAny(to);
    renameSync(from, to);
  }
}

/** Removes whatever has this path; a missing file is not an error. */
export function removeAny(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

/** True for a folder that is there, not by a link. */
export function isOwnFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
