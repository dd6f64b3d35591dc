import { existsSync, lstatSync } from "node:fs";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { errors } from "../../envelope/index.ts";
import { findGitRoot } from "../../files/index.ts";
import type { CommandContext } from "../command.ts";
import { locate, realPathOf } from "../locate.ts";
import { notFound } from "../paths.ts";

/** What the path argument of `diff` means; the file need not exist any more. */
export interface DiffTarget {
  /** A folder that is there and lies in the same work tree; absolute, links resolved. */
  readonly folder: string;
  /** Relative to the work tree's root, with forward slashes; `undefined` for all of it. */
  readonly path: string | undefined;
  readonly isThere: boolean;
  /** What the paths of the answer are relative to; `undefined` where they are absolute. */
  readonly shownFrom: string | undefined;
}

/**
 * Finds what a path argument means in the history of its work tree; what is not there may be a deleted file.
 *
 * @param argument Absent for the whole work tree of the working directory.
 * @param options.action What is about to be done, for errors: `"compare with HEAD"`.
 * @throws file_not_found when no folder above it is there; permission_denied; invalid_argument for an empty path;
 *   git_error outside of a work tree.
 */
export function resolveDiffTarget(
  argument: string | undefined,
  options: { readonly context: CommandContext; readonly action: string },
): DiffTarget {
  const { context, action } = options;
  const workingDirectory = realPathOf(context.workingDirectory);
  if (argument === undefined) {
    requireRoot(workingDirectory, workingDirectory, action);
    const shownFrom = workingDirectory;
    return { folder: workingDirectory, path: undefined, isThere: true, shownFrom };
  }
  if (argument === "")
    throw new errors.invalid_argument({ argument: "path", reason: "it is empty" });
  const given = locate(argument, workingDirectory);
  const isFound = isThere(given, argument);
  const meant = withoutLinks(given, argument);
  const folder = nearestFolder(meant);
  if (folder === undefined) throw notFound(argument, context);
  if (!isFound && findGitRoot(folder) === undefined) throw notFound(argument, context);
  const root = requireRoot(folder, argument, action);
  const path = relative(root, meant).split(sep).join("/");
  return {
    folder,
    path: path === "" ? undefined : path,
    isThere: isFound,
    shownFrom: isAbsolute(argument) ? undefined : workingDirectory,
  };
}

function requireRoot(folder: string, shown: string, action: string): string {
  const root = findGitRoot(folder);
  if (root === undefined)
    throw new errors.git_error({ action, reason: `"${shown}" is in no git work tree` });
  return root;
}

function isThere(path: string, argument: string | undefined): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EACCES" || code === "EPERM")
      throw new errors.permission_denied({ path: argument ?? "." }, { cause: error });
    // ENOTDIR and the like: nothing is there under this name.
    return false;
  }
}

/** Resolves the links of the folders above; the last name may be a link that is under version control itself. */
function withoutLinks(path: string, argument: string): string {
  const parent = dirname(path);
  const folder = nearestExisting(parent);
  if (folder === undefined) throw new errors.file_not_found({ path: argument });
  const real = realPathOf(folder);
  if (parent === path || findGitRoot(real) === undefined) return realPathOf(path);
  return join(real, relative(folder, path));
}

function nearestFolder(path: string): string | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isDirectory() === true ? path : nearestExisting(dirname(path));
}

function nearestExisting(path: string): string | undefined {
  for (let folder = path; ; folder = dirname(folder)) {
    if (existsSync(folder)) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}
