import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { binaryProbeBytes, isBinary } from "../text/index.ts";

/** The bytes of a file, or why there are none. */
export type FileContent =
  | { readonly kind: "file"; readonly bytes: Buffer; readonly modifiedMs: number }
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
    // Without blocking, so that a pipe that nobody writes to does not hold us at the door.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    return failureOf(error);
  }
  try {
    const stat = fstatSync(descriptor);
    if (stat.isDirectory()) return { kind: "directory" };
    if (!stat.isFile()) return { kind: "special" };
    if (stat.size > options.sizeBytesMax) return { kind: "too_large", sizeBytes: stat.size };
    if (stat.size === 0) return readUnsized(descriptor, stat.mtimeMs, options.sizeBytesMax);
    const bytes = Buffer.allocUnsafe(stat.size);
    return {
      kind: "file",
      bytes: bytes.subarray(0, fill(descriptor, bytes, 0, stat.size)),
      modifiedMs: stat.mtimeMs,
    };
  } catch (error) {
    return failureOf(error);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Reads a file that a walk found, if it is a text: of a binary one only the beginning is read.
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
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch {
    // As of `readTextBytes`: like one that was never there.
    return false;
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile() || stat.size > sizeBytesMax) return false;
    const probe = Buffer.allocUnsafe(Math.min(stat.size, binaryProbeBytes));
    return !isBinary(probe.subarray(0, fill(descriptor, probe, 0, probe.length)));
  } catch {
    // A failing disk.
    return false;
  } finally {
    closeSync(descriptor);
  }
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
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch {
    // Gone or closed to us since the walk: it is left out, like one that was never there.
    return undefined;
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile() || stat.size > sizeBytesMax) return undefined;
    const bytes = memoryOf(stat.size);
    const probeBytes = fill(descriptor, bytes, 0, Math.min(stat.size, binaryProbeBytes));
    if (isBinary(bytes.subarray(0, probeBytes))) return undefined;
    return bytes.subarray(0, fill(descriptor, bytes, probeBytes, stat.size));
  } catch {
    // A failing disk or a file that is being replaced.
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** Reads a file that says it is empty: those of `/proc` and `/sys` have content all the same. */
function readUnsized(descriptor: number, modifiedMs: number, sizeBytesMax: number): FileContent {
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  for (;;) {
    const part = Buffer.allocUnsafe(1 << 16);
    const count = readSync(descriptor, part, 0, part.length, null);
    if (count === 0) return { kind: "file", bytes: Buffer.concat(parts), modifiedMs };
    sizeBytes += count;
    if (sizeBytes > sizeBytesMax) return { kind: "too_large", sizeBytes };
    parts.push(part.subarray(0, count));
  }
}

/** Reads from `start` on up to `end`, less where the file has become shorter; returns where it ended. */
function fill(descriptor: number, bytes: Buffer, start: number, end: number): number {
  let filled = start;
  while (filled < end) {
    const count = readSync(descriptor, bytes, filled, end - filled, null);
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
