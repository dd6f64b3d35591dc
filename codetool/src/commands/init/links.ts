import {
  closeSync,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { basename, isAbsolute, join, relative, resolve } from "node:path";
import process from "node:process";
import { errors } from "../../envelope/index.ts";
import type { CommandContext } from "../command.ts";
import type { InitInput } from "./input.ts";
import type { InitLink } from "./payload.ts";
import { isSameFile } from "./server-command.ts";

/** A name that is wanted for the program. */
interface Wanted {
  /** Absolute. */
  readonly path: string;
  /** As it is shown. */
  readonly shown: string;
  /** The program's file, links resolved. */
  readonly program: string;
  /** A launcher finds its package by where it is, so that only a link to it works. */
  readonly isLauncher: boolean;
}

/**
 * Makes the names of `--links`: `codetool-search` and the like, one for each command. A hard link where the disk takes one,
 * else a symbolic one, else a copy. A name that is there already and is another file is never replaced, unless it is a link.
 *
 * @returns `undefined` where none are asked for.
 * @throws invalid_argument for a name that is taken; permission_denied.
 */
export function makeLinks(
  { links: folder, remove: isRemoving, dry_run: isDryRun }: InitInput,
  { program, workingDirectory }: CommandContext,
): readonly InitLink[] | undefined {
  if (folder === undefined) return undefined;
  const file = program?.words.at(-1);
  if (program === undefined || file === undefined)
    throw new errors.invalid_argument({
      argument: folder,
      reason: "it is not known which file this program was started from",
    });
  const directory = resolve(workingDirectory, folder);
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new errors.invalid_argument({
      argument: folder,
      reason: "it is a file, wanted a folder",
    });
  const suffix = process.platform === "win32" ? ".exe" : "";
  const wanted = program.commandNames.map((name): Wanted => {
    const path = join(directory, `codetool-${name}${suffix}`);
    const below = relative(workingDirectory, path);
    const shown = below.startsWith("..") || isAbsolute(below) ? path : below;
    const real = realpathSync(file);
    return { path, shown, program: real, isLauncher: real.endsWith(".cjs") };
  });
  const kinds = wanted.map(kindOf);
  try {
    if (isRemoving === true)
      return wanted.flatMap((each, index) => removed(each, { kind: kinds[index], isDryRun }));
    refuseTaken(wanted, kinds);
    if (isDryRun !== true) mkdirSync(directory, { recursive: true });
    return wanted.map((each, index) => made(each, { kind: kinds[index], isDryRun }));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!["EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST"].includes(code ?? "")) throw error;
    throw new errors.permission_denied({ path: folder, action: "write" }, { cause: error });
  }
}

/** What is there under a name: `other` for what is neither the program nor a link. */
type FoundKind = InitLink["kind"] | "stale" | "other" | "none";

function kindOf({ path, program }: Wanted): FoundKind {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return "none";
  if (stat.isSymbolicLink()) {
    if (isSameFile(path, program)) return "symbolic";
    // A link to an earlier version, or to one that is gone.
    const target = realpathIfThere(path);
    return target === undefined || /^codetool(\.exe|\.cjs)?$/.test(basename(target))
      ? "stale"
      : "other";
  }
  if (isSameFile(path, program)) return "hard";
  return stat.isFile() && stat.size === statSync(program).size && isSameContent(path, program)
    ? "copy"
    : "other";
}

function realpathIfThere(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

const blockBytes = 1024 * 1024;

function isSameContent(left: string, right: string): boolean {
  const descriptors = [left, right].map((path) => openSync(path, "r"));
  try {
    const [one = 0, two = 0] = descriptors;
    const blocks = [Buffer.alloc(blockBytes), Buffer.alloc(blockBytes)] as const;
    for (;;) {
      const count = readSync(one, blocks[0]);
      const other = readSync(two, blocks[1]);
      if (count !== other || !blocks[0].subarray(0, count).equals(blocks[1].subarray(0, count)))
        return false;
      if (count === 0) return true;
    }
  } finally {
    for (const descriptor of descriptors) closeSync(descriptor);
  }
}

function refuseTaken(wanted: readonly Wanted[], kinds: readonly FoundKind[]): void {
  const taken = wanted.find((_each, index) => kinds[index] === "other");
  if (taken === undefined) return;
  throw new errors.invalid_argument({
    argument: taken.shown,
    reason: "another file has this name; take it away first (nothing was linked)",
  });
}

interface Done {
  readonly kind: FoundKind | undefined;
  readonly isDryRun: boolean | undefined;
}

function made(wanted: Wanted, { kind, isDryRun }: Done): InitLink {
  const { path, shown, isLauncher } = wanted;
  if (kind === "hard" || kind === "symbolic" || kind === "copy")
    return { path: shown, action: "unchanged", kind };
  const action = kind === "stale" ? "changed" : "created";
  if (isDryRun === true) return { path: shown, action, kind: isLauncher ? "symbolic" : "hard" };
  const draft = `${path}.${process.pid}`;
  try {
    const name = nameOf(wanted, draft);
    renameSync(draft, path);
    return { path: shown, action, kind: name };
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Gives the program another name, in the best way that the disk takes. */
function nameOf({ program, isLauncher }: Wanted, path: string): InitLink["kind"] {
  const ways: readonly (readonly [InitLink["kind"], () => void])[] = [
    ["hard", () => linkSync(program, path)],
    ["symbolic", () => symlinkSync(program, path)],
    ["copy", () => copyFileSync(program, path)],
  ];
  let failure: unknown;
  for (const [kind, work] of ways) {
    if (isLauncher && kind !== "symbolic") continue;
    try {
      work();
      return kind;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function removed({ path, shown }: Wanted, { kind, isDryRun }: Done): readonly InitLink[] {
  if (kind === undefined || kind === "none" || kind === "other") return [];
  if (isDryRun !== true) rmSync(path);
  return [{ path: shown, action: "removed", kind: kind === "stale" ? "symbolic" : kind }];
}
