import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { BundleSource } from "./crash-bundle.ts";
import type { Place } from "./error-parts.ts";
import { sourceLineCount, sourcePlaceCountMax } from "./limits.ts";

/** Larger files are not read. */
const fileSizeMax = 4 * 1024 * 1024;
const lineLengthMax = 300;

/**
 * Reads the lines around places of a stack.
 *
 * @param folder Of the project: places count from it.
 * @param places Innermost first.
 * @returns The first places whose files can be read.
 */
export function sourcesOf(folder: string, places: readonly Place[]): BundleSource[] {
  return places.slice(0, sourcePlaceCountMax).flatMap((place) => {
    const text = readSource(folder, place.file);
    if (text === undefined) return [];
    const first = Math.max(1, place.line - sourceLineCount);
    const lines = text
      .split("\n")
      .slice(first - 1, place.line + sourceLineCount)
      .map((each, index) => ({ line: first + index, text: each.slice(0, lineLengthMax) }));
    return [{ ...place, sha256: hashOf(text), lines }];
  });
}

/**
 * Says which files are not any more what they were.
 *
 * @param folder Of the project.
 * @param sources Of a bundle.
 */
export function changedSources(folder: string, sources: readonly BundleSource[]): string[] {
  const changed = sources.filter(({ file, sha256 }) => {
    const text = readSource(folder, file);
    return text === undefined || hashOf(text) !== sha256;
  });
  return [...new Set(changed.map(({ file }) => file))];
}

function readSource(folder: string, file: string): string | undefined {
  const path = join(folder, file);
  try {
    return statSync(path).size > fileSizeMax ? undefined : readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
