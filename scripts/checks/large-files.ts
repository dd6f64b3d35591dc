import { createHash } from "node:crypto";
import type { Fault } from "./check.ts";

/** A file that git tracks, by its path from the root. */
export interface TrackedFile {
  readonly file: string;
  readonly bytes: Uint8Array;
}

/** Large files that git keeps, by the SHA-256 of their content: docs/adr/0016. */
export type LargeFiles = { readonly [file: string]: string };

/** Files above this size need a row. */
export const sizeBytesMax = 1_000_000;

/** Refuses a large file that is not listed, and a listed one whose content changed: git would keep both for ever. */
export function checkLargeFiles(files: readonly TrackedFile[], listed: LargeFiles): Fault[] {
  return files.flatMap(({ file, bytes }) => {
    if (bytes.length <= sizeBytesMax) return [];
    const wanted = listed[file];
    const found = createHash("sha256").update(bytes).digest("hex");
    if (wanted === found) return [];
    const what = wanted === undefined ? `has ${bytes.length} bytes` : "changed";
    return [{ file, line1: 1, message: `${what}: large files live outside git (docs/adr/0016)` }];
  });
}
