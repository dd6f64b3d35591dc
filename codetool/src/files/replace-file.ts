import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { nameHash } from "../text/index.ts";
import { syncDirectory } from "./sync-directory.ts";

/** Why a file could not be replaced; it is as it was. */
export type ReplaceFailure = "denied" | "full" | "missing" | "changed" | "busy" | "failed";

/** Thrown where a file could not be replaced. */
export class ReplaceError extends Error {
  readonly failure: ReplaceFailure;
  /** Absolute. */
  readonly path: string;

  constructor(failure: ReplaceFailure, path: string, options?: { readonly cause: unknown }) {
    const { cause } = options ?? {};
    super(cause instanceof Error ? cause.message : failure, options);
    this.name = "ReplaceError";
    this.failure = failure;
    this.path = path;
  }
}

/** A process that replaces files, and what it knows of others. */
export interface ReplacingProcess {
  readonly id: number;
  /** What tells it from an earlier or later process with the same id; digits, or empty. */
  readonly mark: string;
  /** Whether a process lives that has the id and the mark. */
  readonly isAlive: (id: number, mark: string) => boolean;
}

/** New content next to a file, complete and on the disk, about to take its place. */
export interface StagedFile {
  /** Absolute, links resolved. */
  readonly path: string;
  /** Puts it in the file's place, as one step. */
  commit(): void;
  /** Takes it away again, where it is not in place yet. Twice does no harm. */
  discard(): void;
}

/** What is staged. */
export interface StageOptions {
  /** Absolute, links resolved: what a link leads to is replaced, not the link. */
  readonly path: string;
  /** The content that the new one was made from. */
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  readonly process: ReplacingProcess;
}

const leftoverName = /^\.codetool-edit-([0-9a-f]+)-(\d+)-(\d*)-(\d+)\.tmp$/;

/** Tells whether a name is that of a file's new content before it is in place, or of one whose process was killed. */
export function isStagedName(name: string): boolean {
  return name.startsWith(".codetool-edit-") && leftoverName.test(name);
}

/**
 * Writes the new content of a file next to it: with its mode and owner, and synced to the disk. `commit` renames it over
 * the file, so that anybody sees the old content or the new one and never a part, even when this process is killed.
 *
 * Two processes that stage for one file at once do not both go on: each makes its file first and then looks for others.
 * What killed processes left in the folder is taken away.
 *
 * @throws ReplaceError; nothing is left behind then.
 */
export function stageFile(options: StageOptions): StagedFile {
  const { path, before, after, process } = options;
  const folder = dirname(path);
  const target = nameHash(basename(path)).toString(16);
  const prefix = `.codetool-edit-${target}-${process.id}-${process.mark}-`;
  let stagedPath: string | undefined;
  const discard = (): void => {
    if (stagedPath !== undefined) rmSync(stagedPath, { force: true });
    stagedPath = undefined;
  };
  try {
    accessSync(path, constants.W_OK);
    const { descriptor, name } = createIn(folder, prefix);
    stagedPath = join(folder, name);
    try {
      writeWhole(descriptor, after);
      takeModeOf(path, descriptor);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    refuseOthers({ folder, own: name, target, path, process });
    requireSame(path, before);
  } catch (error) {
    discard();
    throw asReplaceError(error, path);
  }
  return {
    path,
    discard,
    commit: () => {
      if (stagedPath === undefined) throw new Error("it is not staged any more");
      try {
        requireSame(path, before);
        renameSync(stagedPath, path);
        stagedPath = undefined;
        syncDirectory(folder);
      } catch (error) {
        discard();
        throw asReplaceError(error, path);
      }
    },
  };
}

/** Makes a file that nobody else has; the number is for the same process doing so twice. */
function createIn(folder: string, prefix: string): { descriptor: number; name: string } {
  for (let attempt = 0; ; attempt += 1) {
    const name = `${prefix}${attempt}.tmp`;
    try {
      return { descriptor: openSync(join(folder, name), "wx", 0o600), name };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || attempt === 1000) throw error;
    }
  }
}

function writeWhole(descriptor: number, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length)
    written += writeSync(descriptor, bytes, written, bytes.length - written);
}

/** Gives the new file mode and owner of the old one; an owner that we may not give stays ours. */
function takeModeOf(path: string, descriptor: number): void {
  const { mode, uid, gid } = statSync(path);
  const own = fstatSync(descriptor);
  if (own.uid !== uid || own.gid !== gid) {
    try {
      fchownSync(descriptor, uid, gid);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EPERM") throw error;
    }
  }
  fchmodSync(descriptor, mode & 0o7777);
}

/** Takes leftovers away, and refuses to go on while there is a process that is at the same file. */
function refuseOthers(options: {
  readonly folder: string;
  readonly own: string;
  readonly target: string;
  readonly path: string;
  readonly process: ReplacingProcess;
}): void {
  const { folder, own, target, path, process } = options;
  for (const name of namesIn(folder)) {
    const found = name === own ? null : leftoverName.exec(name);
    if (found === null) continue;
    const [, otherTarget, id, mark] = found;
    const isOurs = Number(id) === process.id && mark === process.mark;
    if (!isOurs && !process.isAlive(Number(id), mark ?? ""))
      rmSync(join(folder, name), { force: true });
    else if (otherTarget === target) throw new ReplaceError("busy", path);
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A folder may be written to and not listed: then nobody sees the others, and the content is still compared.
    return [];
  }
}

function requireSame(path: string, before: Uint8Array): void {
  if (!readFileSync(path).equals(before)) throw new ReplaceError("changed", path);
}

const failureOfCode: ReadonlyMap<string, ReplaceFailure> = new Map([
  ["EACCES", "denied"],
  ["EPERM", "denied"],
  ["EROFS", "denied"],
  ["ENOSPC", "full"],
  ["EDQUOT", "full"],
  ["EFBIG", "full"],
  ["ENOENT", "missing"],
  ["ENOTDIR", "missing"],
]);

function asReplaceError(error: unknown, path: string): ReplaceError {
  if (error instanceof ReplaceError) return error;
  const code = (error as NodeJS.ErrnoException).code ?? "";
  return new ReplaceError(failureOfCode.get(code) ?? "failed", path, { cause: error });
}
