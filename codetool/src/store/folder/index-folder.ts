import { existsSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { IndexFault } from "../index-fault.ts";
import { syncDirectory } from "../../files/index.ts";
import { type IndexMeta, readMeta } from "./index-meta.ts";
import { isOwnFolder, removeAny, renameOver } from "../own-files.ts";
import { openSegment, type Segment, segmentFiles } from "../segment/index.ts";

/** The folder of an index below the root of what it covers. */
export const indexFolder = join(".codetool", "index");

/** Finds the nearest folder upwards, the given one included, that has an index. */
export function findIndexRoot(directory: string): string | undefined {
  for (let candidate = directory; ; candidate = dirname(candidate)) {
    if (existsSync(join(candidate, indexFolder, "meta.json"))) return candidate;
    if (dirname(candidate) === candidate) return undefined;
  }
}

/**
 * Makes the folder of an index, which git ignores.
 *
 * @throws IndexFault where something else lies in its place: nothing is written over it, or through a link.
 */
export function makeIndexFolder(root: string): {
  readonly directory: string;
  readonly isNew: boolean;
} {
  const directory = join(root, indexFolder);
  refuseForeign(directory);
  const isNew = !existsSync(directory);
  // Not recursive: a root that was removed meanwhile must not be made again.
  for (const path of [dirname(directory), directory]) makeFolder(path);
  makeSegmentsFolder(directory);
  const ignore = join(root, ".codetool", ".gitignore");
  if (!existsSync(ignore)) writeFileSync(ignore, "*\n");
  return { directory, isNew };
}

/** Refuses what is not an index folder of ours: `.codetool` and `index` as links, which lead elsewhere, or as files. */
function refuseForeign(directory: string): void {
  for (const path of [dirname(directory), directory]) {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return;
    if (stat.isSymbolicLink()) throw new IndexFault(path, "it is a link");
    if (!stat.isDirectory()) throw new IndexFault(path, "it is not a folder");
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function makeSegmentsFolder(directory: string): void {
  const segments = join(directory, "segments");
  if (isOwnFolder(segments)) return;
  removeAny(segments);
  makeFolder(segments);
}

/** Removes the files of an index whose `meta.json` cannot be read: they could be mistaken for files of later generations. */
export function clearIndex(directory: string): void {
  for (const kind of segmentFiles) removeAny(join(directory, `${kind}.bin`));
  removeAny(join(directory, "segments"));
  makeSegmentsFolder(directory);
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
 * @returns `undefined` when there is none.
 * @throws IndexFault when it cannot be read as a whole.
 */
export function openGeneration(directory: string): OpenGeneration | undefined {
  refuseForeign(directory);
  for (let attempt = 1; ; attempt += 1) {
    const meta = readMeta(directory);
    if (meta === undefined) return undefined;
    const segments = openSegments(directory, meta);
    if (segments instanceof IndexFault) {
      if (attempt < openAttemptsMax) continue;
      throw segments;
    }
    for (const segment of segments)
      for (let at = 0; at + 1 < segment.removed.length; at += 2) {
        const taken = segments[segment.removed[at] as number]?.isRemoved;
        if (taken !== undefined) taken[segment.removed[at + 1] as number] = 1;
      }
    return { meta, segments };
  }
}

function openSegments(directory: string, meta: IndexMeta): Segment[] | IndexFault {
  const segments: Segment[] = [];
  try {
    for (const generation of meta.segments)
      segments.push(openSegment([directory, segmentDirectory(directory, generation)], generation));
    return segments;
  } catch (error) {
    for (const segment of segments) segment.close();
    // A writer was faster, or a file is damaged: the next attempt shows which.
    if (error instanceof IndexFault) return error;
    throw error;
  }
}

/**
 * After a generation became current: moves a new base to the names of the base segment's files, and removes
 * what no generation refers to. A crash in between leaves files in their folder, where readers look too.
 */
export function tidyGeneration(directory: string, meta: IndexMeta): void {
  const base = meta.segments[0] as number;
  const own = segmentDirectory(directory, base);
  if (existsSync(own)) {
    for (const kind of segmentFiles) {
      const from = join(own, `${kind}.bin`);
      if (existsSync(from)) renameOver(from, join(directory, `${kind}.bin`));
    }
    syncDirectory(directory);
  }
  const kept = new Set(meta.segments.slice(1).map(String));
  removeAny(join(directory, "meta.json.new"));
  for (const name of readdirSync(join(directory, "segments")))
    if (!kept.has(name)) removeAny(join(directory, "segments", name));
}
