import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { lockIndex } from "../../store/index.ts";
import { thisProcess, wallClockMs } from "../../system/index.ts";
import { mergeRows } from "./merge-rows.ts";
import { totalsFolder } from "./usage-file.ts";
import { parse, readLines, readRow, totalOf, type UsageRow } from "./usage-row.ts";

/** Every line of a log of ours begins so. */
const lineStart = Buffer.from('{"ts":');
/**
 * How long a log that was folded is kept at least: a process that opened it before, and writes after, is heard the next
 * time.
 */
const keptMs = 10_000;

/** What was folded. */
interface Totals {
  /** How often; the log that was folded last has this number. */
  readonly generation: number;
  /** How many bytes of that log are in the rows. */
  readonly offset: number;
  readonly rows: readonly UsageRow[];
}

/**
 * Folds a log into totals, so that it begins again. Without effect while another process does, or has just done it, and
 * for a file that is something else.
 *
 * @param options.keptMs How long the log that was folded last is kept at least.
 * @throws The file system's error.
 */
export function foldUsage(path: string, options: { readonly keptMs?: number } = {}): void {
  const folder = totalsFolder(path);
  if (!existsSync(path) || !isLog(path) || isRecent(folder, options.keptMs ?? keptMs)) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = lockIndex(folder, thisProcess());
  if ("holder" in lock) return;
  try {
    // Another may have done it meanwhile.
    if (isRecent(folder, options.keptMs ?? keptMs)) return;
    const before = readTotals(folder);
    const generation = before.generation + 1;
    const next = foldedLog(folder, generation);
    // One is there where a process was ended before it wrote the totals.
    if (!existsSync(next)) renameSync(path, next);
    const last = readFrom(foldedLog(folder, before.generation), before.offset);
    const added = readFrom(next, 0);
    const nowSeconds = Math.floor(wallClockMs() / 1000);
    const rows = mergeRows([...before.rows, ...last.rows, ...added.rows], nowSeconds);
    writeTotals(folder, { generation, offset: added.end, rows });
    // Before the last one, where a process was ended before it removed that.
    for (const number of [before.generation - 1, before.generation])
      rmSync(foldedLog(folder, number), { force: true });
  } finally {
    lock.release();
  }
}

/**
 * Reads all that was recorded.
 *
 * @throws The file system's error for a log that is there and cannot be read.
 */
export function readAll(path: string): UsageRow[] {
  const folder = totalsFolder(path);
  const { generation, offset, rows } = readTotals(folder);
  return [
    ...rows,
    ...readFrom(foldedLog(folder, generation), offset).rows,
    ...readFrom(foldedLog(folder, generation + 1), 0).rows,
    ...readFrom(path, 0).rows,
  ];
}

/**
 * Runs something while nobody folds.
 *
 * @returns `undefined` while another process does.
 */
export function whileUnfolded<Result>(path: string, run: () => Result): Result | undefined {
  const folder = totalsFolder(path);
  if (!existsSync(folder)) {
    const result = run();
    // The first fold may have come in between.
    return existsSync(folder) ? undefined : result;
  }
  let lock: ReturnType<typeof lockIndex>;
  try {
    lock = lockIndex(folder, thisProcess());
  } catch {
    // Who cannot lock cannot fold either.
    return run();
  }
  if ("holder" in lock) return undefined;
  try {
    return run();
  } finally {
    lock.release();
  }
}

/** Removes a log and its totals. */
export function removeAll(path: string): void {
  const folder = totalsFolder(path);
  rmSync(path, { force: true });
  const { generation } = readTotals(folder);
  // The totals last: without them the logs that were folded would count again.
  for (const number of [generation, generation + 1])
    rmSync(foldedLog(folder, number), { force: true });
  rmSync(totalsFile(folder), { force: true });
}

/** Whether this is a file that begins as a log of ours does, is empty, or is not there. */
export function isLog(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return true;
  if (!stat.isFile()) return false;
  if (stat.size === 0) return true;
  const descriptor = openSync(path, "r");
  try {
    const head = Buffer.alloc(lineStart.length);
    readSync(descriptor, head, 0, head.length, 0);
    return head.equals(lineStart);
  } finally {
    closeSync(descriptor);
  }
}

const totalsFile = (folder: string): string => join(folder, "totals.json");
const foldedLog = (folder: string, generation: number): string =>
  join(folder, `folded-${generation}.jsonl`);

/** Whether a log was folded a short time ago. */
function isRecent(folder: string, withinMs: number): boolean {
  const stat = statSync(totalsFile(folder), { throwIfNoEntry: false });
  return stat !== undefined && Math.abs(wallClockMs() - stat.mtimeMs) < withinMs;
}

function readTotals(folder: string): Totals {
  const text = readBytes(totalsFile(folder), 0).toString("utf8");
  const value = parse(text) as { readonly [name: string]: unknown } | undefined | null;
  const { generation, offset, rows } = value ?? {};
  if (typeof generation !== "number" || typeof offset !== "number" || !Array.isArray(rows))
    return { generation: 0, offset: 0, rows: [] };
  return { generation, offset, rows: rows.flatMap((row) => readRow(row) ?? []) };
}

/** Puts new totals in place of the old ones, whole or not at all. */
function writeTotals(folder: string, { generation, offset, rows }: Totals): void {
  const path = totalsFile(folder);
  const text = JSON.stringify({ generation, offset, rows: rows.map(totalOf) });
  writeFileSync(`${path}.new`, `${text}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** Reads the whole lines of a log from an offset on, and says where they end. A missing log has none. */
function readFrom(
  path: string,
  offset: number,
): { readonly rows: readonly UsageRow[]; readonly end: number } {
  const bytes = readBytes(path, offset);
  const end = bytes.lastIndexOf(0x0a) + 1;
  return { rows: readLines(bytes.toString("utf8", 0, end)), end: offset + end };
}

/** Reads a file from an offset on; what is not a file, or is not there, is empty. */
function readBytes(path: string, offset: number): Buffer {
  const { O_NONBLOCK }: { readonly [name: string]: number | undefined } = { ...constants };
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (O_NONBLOCK ?? 0));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return Buffer.alloc(0);
    throw error;
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return Buffer.alloc(0);
    const bytes = Buffer.alloc(Math.max(0, stat.size - offset));
    const count = readSync(descriptor, bytes, 0, bytes.length, offset);
    return bytes.subarray(0, count);
  } finally {
    closeSync(descriptor);
  }
}
