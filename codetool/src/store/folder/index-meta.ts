import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { syncDirectory } from "../../files/index.ts";
import { checksumOf } from "../../text/index.ts";
import { IndexFault } from "../index-fault.ts";
import { readOwnFileUntil, removeAny, renameOver } from "../own-files.ts";
import { formatVersion } from "../sections/index.ts";

/** The content of `meta.json`, without the hashes of the files. */
export interface IndexMeta {
  /** Of the format. */
  readonly version: number;
  /** Counts the runs that changed the index. */
  readonly generation: number;
  /** When the run began, as ISO 8601: what changed since then is newer than the index. */
  readonly timestamp: string;
  /** Target size of chunks in characters. */
  readonly chunk_size: number;
  /** Larger files are left out; bytes. */
  readonly file_size_max: number;
  readonly file_count: number;
  /** Files and folders of the tree that could not be read and are missing; an older index does not say. */
  readonly unread_count?: number;
  /** Generations of the segments, the base first. */
  readonly segments: readonly number[];
}

const filesMark = ',\n"files": ';

/**
 * Reads `meta.json` up to the hashes.
 *
 * @returns `undefined` when there is none.
 * @throws IndexFault when it cannot be read, is of another version, or damaged.
 */
export function readMeta(directory: string): IndexMeta | undefined {
  const path = join(directory, "meta.json");
  let head: ReturnType<typeof readOwnFileUntil>;
  try {
    head = readOwnFileUntil(path, filesMark);
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new IndexFault(path, `it cannot be read (${code})`, { cause: error });
  }
  const { text, isMarked } = head;
  const parsed = parseObject(isMarked ? `${text}}` : text);
  if (parsed === undefined) throw new IndexFault(path, "it is damaged");
  const { version, crc, ...rest } = parsed;
  if (version !== formatVersion)
    throw new IndexFault(path, `it is of version ${String(version)}, wanted is ${formatVersion}`);
  const meta = { version, ...rest } as unknown as IndexMeta;
  if (!isMarked || crc !== crcOf(meta)) throw new IndexFault(path, "it is damaged");
  return meta;
}

function parseObject(text: string): { readonly [key: string]: unknown } | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function crcOf(meta: IndexMeta): number {
  return checksumOf(Buffer.from(JSON.stringify(meta)));
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
  const head = JSON.stringify({ ...meta, crc: crcOf(meta) }, null, 1).slice(0, -2);
  const text = `${head}${filesMark}{\n${lines.join(",\n")}\n}}\n`;
  const temporary = join(directory, "meta.json.new");
  removeAny(temporary);
  const descriptor = openSync(temporary, "wx", 0o600);
  try {
    const bytes = Buffer.from(text, "utf8");
    for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
    fsyncSync(descriptor);
  } catch (error) {
    removeAny(temporary);
    throw error;
  } finally {
    closeSync(descriptor);
  }
  renameOver(temporary, join(directory, "meta.json"));
  syncDirectory(directory);
}
