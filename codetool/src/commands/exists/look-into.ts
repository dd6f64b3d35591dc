import { closeSync, constants, openSync, readSync } from "node:fs";
import type { WalkedFile } from "../../files/index.ts";
import { type LineScanner, literalScanner } from "../../search/index.ts";

/** Bytes of files that searches leave out that are read before a text is denied; takes tens of milliseconds. */
const sumBytesMax = 64 * 1024 * 1024;
const blockBytes = 4 * 1024 * 1024;

/** What a look into files that searches leave out found. */
export interface LookedInto {
  /** The first file that holds the text, as bytes. */
  readonly holder: WalkedFile | undefined;
  /** Files that were not read to their end. */
  readonly rest: readonly WalkedFile[];
}

/**
 * Looks for a text in files that searches leave out, large and binary ones, in blocks: so that what is denied is in no file.
 *
 * @param files The smallest are read first, 64 MiB in all.
 */
export function lookInto(pattern: string, files: readonly WalkedFile[]): LookedInto {
  const scanner = literalScanner(pattern);
  const wide = Buffer.from(pattern, "utf16le");
  const needles = [wide, Buffer.from(wide).swap16()];
  // A line break may take another byte in the file.
  const overlapBytes = 2 * Buffer.byteLength(pattern);
  const block = Buffer.allocUnsafe(blockBytes + overlapBytes);
  const rest: WalkedFile[] = [];
  let sumBytes = 0;
  for (const file of files.toSorted((left, right) => left.sizeBytes - right.sizeBytes)) {
    sumBytes += file.sizeBytes;
    const isHeld =
      sumBytes > sumBytesMax
        ? undefined
        : isIn(file.absolutePath, { scanner, needles, block, overlapBytes });
    if (isHeld === true) return { holder: file, rest };
    if (isHeld === undefined) rest.push(file);
  }
  return { holder: undefined, rest };
}

/** `undefined` where the file cannot be read. */
function isIn(
  path: string,
  by: {
    readonly scanner: LineScanner;
    /** The text in UTF-16. */
    readonly needles: readonly Buffer[];
    readonly block: Buffer;
    readonly overlapBytes: number;
  },
): boolean | undefined {
  const { scanner, needles, block, overlapBytes } = by;
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    let kept = 0;
    for (;;) {
      const count = readSync(descriptor, block, kept, block.length - kept, null);
      if (count === 0) return false;
      const end = kept + count;
      const bytes = block.subarray(0, end);
      let isFound = needles.some((needle) => bytes.includes(needle));
      scanner.scan(bytes, () => {
        isFound = true;
        return false;
      });
      if (isFound) return true;
      kept = Math.min(overlapBytes, end);
      block.copyWithin(0, end - kept, end);
    }
  } catch {
    // Denied, or gone meanwhile: it counts as not looked into.
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
