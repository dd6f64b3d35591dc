import { readFileBytes, type WalkedFile } from "../../files/index.ts";
import { isPastGrain } from "../../store/index.ts";
import { checksumOf } from "../../text/index.ts";

/** How many of the newest files are read at most; where more changed at once, the rest is known by its stamps. */
const readCountMax = 1000;
/** How much of them is read at most. */
const readBytesMax = 16 * 1024 * 1024;

/**
 * What a walk knows of what files hold, besides their paths, sizes and times, for `digestOfContents`: when their inodes
 * changed, and their numbers. The clock of a file system moves in steps of some milliseconds, so that of two changes in a
 * row the second can leave no trace there. It can do so only in files whose inodes changed last of all: what these hold
 * counts too.
 */
export function knownByWalk(
  files: readonly Pick<WalkedFile, "absolutePath" | "sizeBytes" | "changedMs" | "inode">[],
): Float64Array {
  let newestMs = 0;
  for (const { changedMs = 0 } of files) if (changedMs > newestMs) newestMs = changedMs;
  const known: number[] = [];
  let [readCount, readBytes] = [0, 0];
  for (const { absolutePath, sizeBytes, changedMs = 0, inode = 0 } of files) {
    known.push(changedMs, inode);
    if (isPastGrain(changedMs, newestMs) || readCount === readCountMax) continue;
    if (readBytes + sizeBytes > readBytesMax) continue;
    readCount += 1;
    readBytes += sizeBytes;
    const read = readFileBytes(absolutePath, { sizeBytesMax: readBytesMax });
    known.push(read.kind === "file" ? checksumOf(read.bytes) : 0);
  }
  return Float64Array.from(known);
}
