import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { formatVersion } from "./section-file.ts";

/** What `meta.json` says of an index, without the hashes of its files. */
export interface IndexMeta {
  /** Of the format. */
  readonly version: number;
  /** Counts the runs that changed the index. */
  readonly generation: number;
  /** When the run began, as ISO 8601: what changed since then is newer than the index. */
  readonly timestamp: string;
  /** Aim for the size of chunks, characters. */
  readonly chunk_size: number;
  /** Larger files are left out; bytes. */
  readonly file_size_max: number;
  readonly file_count: number;
  /** Generations of the segments, the base first. */
  readonly segments: readonly number[];
}

const filesMark = ',\n"files": ';

/** Reads `meta.json` up to the hashes; `undefined` when there is none, or it is no index of this version. */
export function readMeta(directory: string): IndexMeta | undefined {
  let text: string;
  try {
    text = readFileSync(join(directory, "meta.json"), "utf8");
  } catch {
    // No index, or one that may not be read: there is none for us.
    return undefined;
  }
  const end = text.indexOf(filesMark);
  try {
    const meta = JSON.parse(end < 0 ? text : `${text.slice(0, end)}}`) as IndexMeta;
    return meta.version === formatVersion && Array.isArray(meta.segments) ? meta : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Writes `meta.json` and renames it into place: the moment in which a generation becomes the current one.
 *
 * @param hashes XXH3-128 of each file by path.
 */
export function writeMeta(
  directory: string,
  meta: IndexMeta,
  hashes: Iterable<readonly [path: string, hash: string]>,
): void {
  const lines: string[] = [];
  for (const [path, hash] of hashes) lines.push(`${JSON.stringify(path)}: "${hash}"`);
  const head = JSON.stringify(meta, null, 1).slice(0, -2);
  const text = `${head}${filesMark}{\n${lines.join(",\n")}\n}}\n`;
  const temporary = join(directory, "meta.json.new");
  const descriptor = openSync(temporary, "w", 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, join(directory, "meta.json"));
  syncDirectory(directory);
}

/** Makes the names in a folder last; where a folder cannot be synced, as on Windows, the system sees to it. */
export function syncDirectory(directory: string): void {
  let descriptor: number;
  try {
    descriptor = openSync(directory, "r");
  } catch {
    return;
  }
  try {
    fsyncSync(descriptor);
  } catch {
    // Not offered for folders here.
  } finally {
    closeSync(descriptor);
  }
}
