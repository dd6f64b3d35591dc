import { lstatSync, type Stats, statSync } from "node:fs";

/**
 * What shows without a look at its content that a file may have changed; what git's index compares too. Size and time of
 * change can be kept by who writes. The time of the inode cannot, and a file that was put in the place of another has
 * another inode.
 */
export interface FileStamp {
  readonly sizeBytes: number;
  /** When the content was written, milliseconds since the Unix epoch; anybody may set it. */
  readonly modifiedMs: number;
  /** When content, name or mode changed last, milliseconds since the Unix epoch; set only by the system. */
  readonly changedMs: number;
  readonly inode: number;
}

/**
 * What the system says of a path; of a link itself, unless it is followed.
 *
 * @returns `undefined` where there is nothing, or where nothing is said to this user.
 */
export function statAt(path: string, { isFollowed = false } = {}): Stats | undefined {
  try {
    return (isFollowed ? statSync : lstatSync)(path, { throwIfNoEntry: false });
  } catch {
    // A folder on the way that may not be entered, or a loop of links.
    return undefined;
  }
}

/** The stamp of what was looked at. */
export function stampOf(stat: Stats): FileStamp {
  return {
    sizeBytes: stat.size,
    modifiedMs: stat.mtimeMs,
    changedMs: stat.ctimeMs,
    inode: stat.ino,
  };
}

/** True when nothing shows a change between two looks. A time that is NaN equals nothing. */
export function isSameStamp(left: FileStamp, right: FileStamp): boolean {
  return (
    left.sizeBytes === right.sizeBytes &&
    left.modifiedMs === right.modifiedMs &&
    left.changedMs === right.changedMs &&
    left.inode === right.inode
  );
}
