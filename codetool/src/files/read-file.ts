import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

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
  path: string,
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
    return { kind: "file", bytes: readAll(descriptor, stat.size), modifiedMs: stat.mtimeMs };
  } catch (error) {
    return failureOf(error);
  } finally {
    closeSync(descriptor);
  }
}

/** Reads up to the size the file had when it was opened; a file that shrank gives less. */
function readAll(descriptor: number, sizeBytes: number): Buffer {
  const bytes = Buffer.allocUnsafe(sizeBytes);
  let filled = 0;
  while (filled < sizeBytes) {
    const count = readSync(descriptor, bytes, filled, sizeBytes - filled, null);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

function failureOf(error: unknown): FileContent {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  const kind = kindOfCode.get(code);
  if (kind !== undefined) return { kind };
  // Opening a socket or a device without a driver fails with this.
  if (code === "ENXIO" || code === "ENODEV") return { kind: "special" };
  return { kind: "failed", reason: code === "" ? String(error) : code };
}
