import { createHash } from "node:crypto";
import { readFileSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import type { BundleSource } from "./crash-bundle.ts";
import type { Place } from "./error-parts.ts";
import { sourceLineCount, sourcePlaceCountMax } from "./limits.ts";

/** Larger files are not read. */
const fileSizeMax = 4 * 1024 * 1024;
/** Of a line; longer ones are cut where they are shown, without their secrets. */
const lineLengthMax = 1200;
/** What agents are written in. A place can be invented by who sends a text that an error repeats. */
const sourcePattern = /\.[cm]?[jt]sx?$/;

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

/** Source files of the project, and nothing that a link of it leads to elsewhere. */
function readSource(folder: string, file: string): string | undefined {
  if (!sourcePattern.test(file)) return undefined;
  try {
    const path = realpathSync(join(folder, file));
    if (!path.startsWith(`${realpathSync(folder)}${sep}`)) return undefined;
    const stats = statSync(path);
    return stats.isFile() && stats.size <= fileSizeMax ? readFileSync(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
