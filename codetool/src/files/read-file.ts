import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { type FileStamp, stampOf } from "./file-stamp.ts";
import { binaryProbeBytes, hasUtf16Mark, isBinary, searchableText } from "../text/index.ts";

/** The bytes of a file, or why there are none. */
export type FileContent =
  | {
      readonly kind: "file";
      readonly bytes: Buffer;
      /** As it was before the first byte was read: what is written meanwhile gives another. */
      readonly stamp: FileStamp;
    }
  | { readonly kind: "missing" | "denied" | "directory" | "special" }
  | { readonly kind: "too_large"; readonly sizeBytes: number }
  | { readonly kind: "failed"; readonly reason: string };

const kindOfCode: ReadonlyMap<string, "missing" | "denied"> = new Map([
  ["ENOENT", "missing"],
  ["ENOTDIR", "missing"],
  ["ELOOP", "missing"],
  ["ENAMETOOLONG", "missing"],
  ["EACCES", "denied"],
  ["EPERM", "denied"],
]);

/**
 * Reads a whole file. Links are followed; a pipe, socket or device is never waited for.
 *
 * @param path Absolute.
 * @param options.sizeBytesMax Larger files are not read.
 */
export function readFileBytes(
  path: string | Buffer,
  options: { readonly sizeBytesMax: number },
): FileContent {
  let descriptor: number;
  try {
    // Non-blocking, so that opening a pipe without a writer does not wait.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    return failureOf(error);
  }
  try {
    const stat = fstatSync(descriptor);
    if (stat.isDirectory()) return { kind: "directory" };
    if (!stat.isFile()) return { kind: "special" };
    if (stat.size > options.sizeBytesMax) return { kind: "too_large", sizeBytes: stat.size };
    if (stat.size === 0) return readUnsized(descriptor, stampOf(stat), options.sizeBytesMax);
    const bytes = Buffer.allocUnsafe(stat.size);
    return {
      kind: "file",
      bytes: bytes.subarray(0, fill(descriptor, bytes, 0)),
      stamp: stampOf(stat),
    };
  } catch (error) {
    return failureOf(error);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Reads the text of a file that a walk found, in UTF-8: of a binary one only the beginning is read.
 *
 * @param path Absolute.
 * @param options.sizeBytesMax Larger files are not read.
 * @returns `undefined` for a binary file, and for one that is gone, grown or unreadable by now.
 */
export function readTextBytes(
  path: string,
  { sizeBytesMax }: { readonly sizeBytesMax: number },
): Buffer | undefined {
  return readText(path, sizeBytesMax, (sizeBytes) => Buffer.allocUnsafe(sizeBytes));
}

/** Tells, by the beginning of a file, whether `readTextBytes` would read it. */
export function isTextFile(
  path: string,
  { sizeBytesMax }: { readonly sizeBytesMax: number },
): boolean {
  const memoryOf = (sizeBytes: number): Buffer =>
    Buffer.allocUnsafe(Math.min(sizeBytes, binaryProbeBytes));
  return probeText(path, { sizeBytesMax, memoryOf }, () => true) ?? false;
}

/** Reads one text after the other into the same memory, for who is done with each before the next. */
export class PassingTexts {
  #memory = Buffer.alloc(0);

  /** As `readTextBytes`; what was read before is overwritten. */
  read(path: string, { sizeBytesMax }: { readonly sizeBytesMax: number }): Buffer | undefined {
    return readText(path, sizeBytesMax, (sizeBytes) => {
      if (sizeBytes > this.#memory.length) this.#memory = Buffer.allocUnsafeSlow(2 * sizeBytes);
      return this.#memory;
    });
  }
}

/** @param memoryOf Gives memory of at least so many bytes. */
function readText(
  path: string,
  sizeBytesMax: number,
  memoryOf: (sizeBytes: number) => Buffer,
): Buffer | undefined {
  return probeText(
    path,
    { sizeBytesMax, memoryOf },
    ({ descriptor, bytes, probeBytes, sizeBytes }) =>
      searchableText(bytes.subarray(0, fill(descriptor, bytes.subarray(0, sizeBytes), probeBytes))),
  );
}

/** A text whose beginning was read. */
interface ProbedText {
  readonly descriptor: number;
  readonly bytes: Buffer;
  /** How much of it was read. */
  readonly probeBytes: number;
  readonly sizeBytes: number;
}

/**
 * Opens a file and reads its beginning, to see whether it is a text.
 *
 * @param options.memoryOf Gives memory for a file of so many bytes: for its beginning at least.
 * @param use What is done with a text.
 * @returns `undefined` for what is none, is too large, gone or unreadable.
 */
function probeText<Result>(
  path: string,
  options: { readonly sizeBytesMax: number; readonly memoryOf: (sizeBytes: number) => Buffer },
  use: (text: ProbedText) => Result | undefined,
): Result | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch {
    // Gone or closed to us since the walk: it is left out, like one that was never there.
    return undefined;
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile() || stat.size > options.sizeBytesMax) return undefined;
    const bytes = options.memoryOf(stat.size);
    const probeBytes = fill(
      descriptor,
      bytes.subarray(0, Math.min(stat.size, binaryProbeBytes)),
      0,
    );
    const probe = bytes.subarray(0, probeBytes);
    if (isBinary(probe) && !hasUtf16Mark(probe)) return undefined;
    return use({ descriptor, bytes, probeBytes, sizeBytes: stat.size });
  } catch {
    // A failing disk or a file that is being replaced.
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** Reads a file that says it is empty: those of `/proc` and `/sys` have content all the same. */
function readUnsized(descriptor: number, stamp: FileStamp, sizeBytesMax: number): FileContent {
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  for (;;) {
    const part = Buffer.allocUnsafe(1 << 16);
    const count = readSync(descriptor, part, 0, part.length, null);
    if (count === 0) return { kind: "file", bytes: Buffer.concat(parts), stamp };
    sizeBytes += count;
    if (sizeBytes > sizeBytesMax) return { kind: "too_large", sizeBytes };
    parts.push(part.subarray(0, count));
  }
}

/** Fills `bytes` from `start` on, less where the file has become shorter; returns where it ended. */
function fill(descriptor: number, bytes: Uint8Array, start: number): number {
  let filled = start;
  while (filled < bytes.length) {
    const count = readSync(descriptor, bytes, filled, bytes.length - filled, null);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

function failureOf(error: unknown): FileContent {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  const kind = kindOfCode.get(code);
  if (kind !== undefined) return { kind };
  // Opening a socket or a device without a driver fails with this.
  if (code === "ENXIO" || code === "ENODEV") return { kind: "special" };
  return { kind: "failed", reason: code === "" ? String(error) : code };
}
