import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type IndexMeta, readMeta, syncDirectory } from "./index-meta.ts";
import { openSegment, type Segment } from "./segment.ts";
import { segmentFiles } from "./segment-writer.ts";

/** The folder of an index below the root of what it covers. */
export const indexFolder = join(".codetool", "index");

/** Finds the nearest folder upwards, the given one included, that has an index. */
export function findIndexRoot(directory: string): string | undefined {
  for (let candidate = directory; ; candidate = dirname(candidate)) {
    if (existsSync(join(candidate, indexFolder, "meta.json"))) return candidate;
    if (dirname(candidate) === candidate) return undefined;
  }
}

/** Makes the folder of an index, which git is told to leave alone. */
export function makeIndexFolder(root: string): {
  readonly directory: string;
  readonly isNew: boolean;
} {
  const directory = join(root, indexFolder);
  const isNew = !existsSync(directory);
  mkdirSync(join(directory, "segments"), { recursive: true, mode: 0o700 });
  const ignore = join(root, ".codetool", ".gitignore");
  if (!existsSync(ignore)) writeFileSync(ignore, "*\n");
  return { directory, isNew };
}

/** Removes the files of an index without `meta.json`: their generations would be taken for those that come. */
export function clearIndex(directory: string): void {
  for (const kind of segmentFiles) rmSync(join(directory, `${kind}.bin`), { force: true });
  rmSync(join(directory, "segments"), { recursive: true, force: true });
  mkdirSync(join(directory, "segments"), { mode: 0o700 });
}

/** Where the files of a segment are first written. */
export function segmentDirectory(directory: string, generation: number): string {
  return join(directory, "segments", String(generation));
}

/** How often a reader tries again when writers replace what it is about to open. */
const openAttemptsMax = 5;

/** A generation of an index, open. */
export interface OpenGeneration {
  readonly meta: IndexMeta;
  readonly segments: readonly Segment[];
}

/**
 * Opens the current generation.
 *
 * @returns `undefined` when there is none, or it cannot be read as a whole: the index counts as missing.
 */
export function openGeneration(directory: string): OpenGeneration | undefined {
  for (let attempt = 0; attempt < openAttemptsMax; attempt += 1) {
    const meta = readMeta(directory);
    if (meta === undefined) return undefined;
    const segments = openSegments(directory, meta);
    if (segments === undefined) continue;
    for (const segment of segments)
      for (let at = 0; at + 1 < segment.removed.length; at += 2) {
        const taken = segments[segment.removed[at] as number]?.isRemoved;
        if (taken !== undefined) taken[segment.removed[at + 1] as number] = 1;
      }
    return { meta, segments };
  }
  return undefined;
}

function openSegments(directory: string, meta: IndexMeta): Segment[] | undefined {
  const segments: Segment[] = [];
  try {
    for (const generation of meta.segments)
      segments.push(openSegment([directory, segmentDirectory(directory, generation)], generation));
    return segments;
  } catch {
    // A writer was faster, or a file is damaged: the next attempt tells which.
    for (const segment of segments) segment.close();
    return undefined;
  }
}

/**
 * After a generation became current: moves a new base to the names that the specification gives the files, and removes
 * what no generation refers to. A crash in between leaves files in their folder, where readers look too.
 */
export function tidyGeneration(directory: string, meta: IndexMeta): void {
  const base = meta.segments[0] as number;
  const own = segmentDirectory(directory, base);
  if (existsSync(own)) {
    for (const kind of segmentFiles) {
      const from = join(own, `${kind}.bin`);
      if (existsSync(from)) renameSync(from, join(directory, `${kind}.bin`));
    }
    syncDirectory(directory);
  }
  const kept = new Set(meta.segments.slice(1).map(String));
  for (const name of readdirSync(join(directory, "segments")))
    if (!kept.has(name))
      rmSync(join(directory, "segments", name), { recursive: true, force: true });
}
