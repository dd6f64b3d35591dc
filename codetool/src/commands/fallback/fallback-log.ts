import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { thisProcess } from "../../system/index.ts";

/** At this size a new log begins; the one before is kept next to it. */
export const logSizeBytesMax = 10_000_000;
/** An argument is cut here: a query may be a whole file. */
const argumentCharactersMax = 1000;
const argumentCountMax = 20;
/** So many characters of all arguments together are kept. */
const argumentsCharactersMax = 5000;

/** One internal failure after which another program answered. */
export interface FallbackRecord {
  /** When, whole seconds since 1970. */
  readonly tsSeconds: number;
  readonly command: string;
  /** The command's input as `name=value`. */
  readonly args: readonly string[];
  /** What failed, on one line. */
  readonly error: string;
  /** The command line that answered instead. */
  readonly fallbackCommand: string;
  /** Bytes of its output. */
  readonly fallbackBytes: number;
}

/**
 * Where fallbacks are logged: `CODETOOL_ERRORS_FILE`, else `~/.codetool/errors.jsonl`; `undefined` where there is no home.
 */
export function fallbackLogPath(environment: {
  readonly [name: string]: string | undefined;
}): string | undefined {
  const named = environment["CODETOOL_ERRORS_FILE"];
  if (named !== undefined && named !== "") return named;
  const home = environment["HOME"] ?? environment["USERPROFILE"];
  return home === undefined || home === "" ? undefined : join(home, ".codetool", "errors.jsonl");
}

/**
 * Appends one line of JSON. Only its owner may read and write the file (mode 0600). At 10 MB it is renamed to
 * `<name>.1`, which replaces an older one.
 *
 * @throws The file system's error.
 */
export function appendFallback(path: string, record: FallbackRecord): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (sizeOf(path) > logSizeBytesMax) rotate(path);
  const line = JSON.stringify({
    ts: record.tsSeconds,
    command: record.command,
    args: keptOf(record.args),
    error: record.error.slice(0, argumentCharactersMax),
    fallback_cmd: record.fallbackCommand.slice(0, argumentCharactersMax),
    fallback_bytes: record.fallbackBytes,
  });
  appendFileSync(path, `${line}\n`, { mode: 0o600 });
  // One that was there before may have been made with another mask.
  chmodSync(path, 0o600);
}

/**
 * Lets a log begin again; the one before is kept as `<name>.1`. Of two processes that find it full, the second would put
 * the new log in place of the old one: it puts it back.
 *
 * @throws The file system's error.
 */
export function rotate(path: string): void {
  const aside = `${path}.${thisProcess().id}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    // The other was faster.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  if (sizeOf(aside) > logSizeBytesMax) return renameSync(aside, `${path}.1`);
  appendFileSync(path, readFileSync(aside), { mode: 0o600 });
  rmSync(aside);
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** The first arguments, each cut, as far as they fit. */
function keptOf(args: readonly string[]): string[] {
  const kept: string[] = [];
  let rest = argumentsCharactersMax;
  for (const arg of args.slice(0, argumentCountMax)) {
    const text = arg.slice(0, Math.min(rest, argumentCharactersMax));
    kept.push(text);
    rest -= text.length;
  }
  return kept;
}
