import { existsSync, lstatSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { errors } from "../../envelope/index.ts";
import { findGitRoot, findProjectRoot } from "../../files/index.ts";
import type { CommandContext } from "../command.ts";

/** What the path argument of `diff` means; the file need not exist any more. */
export interface DiffTarget {
  /** A folder that is there and lies in the same work tree; absolute, links resolved. */
  readonly folder: string;
  /**
   * Relative to the work tree's root, with forward slashes; none for all of it. Several are guesses for a path that is
   * not there: the first that git knows is meant.
   */
  readonly paths: readonly string[];
  readonly isThere: boolean;
  /** What is before the paths of git in the answer: empty, or the absolute root with a slash. */
  readonly prefix: string;
}

/**
 * Finds what a path argument means in the history of its work tree. As in every command, a relative path that does
 * not exist is also looked up from the project's root; if it is in neither place, it may name a deleted file.
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
  const { workingDirectory } = options.context;
  if (argument === undefined) {
    const folder = realOf(workingDirectory);
    requireRoot(folder, workingDirectory, options.action);
    return { folder, paths: [], isThere: true, prefix: "" };
  }
  if (argument === "")
    throw new errors.invalid_argument({ argument: "path", reason: "it is empty" });
  const given = resolve(workingDirectory, argument);
  const project = isAbsolute(argument) ? undefined : findProjectRoot(workingDirectory);
  const candidates = [given, ...(project === undefined ? [] : [resolve(project, argument)])];
  const found = candidates.find((candidate) => isThere(candidate, argument));
  const meant = (found === undefined ? candidates : [found]).map((path) =>
    withoutLinks(path, argument),
  );
  const [first = given] = meant;
  const folder = nearestFolder(first);
  if (folder === undefined) throw new errors.file_not_found({ path: argument });
  if (found === undefined && findGitRoot(folder) === undefined)
    throw new errors.file_not_found({ path: argument });
  const root = requireRoot(folder, argument, options.action);
  const paths = meant
    .filter((path) => isWithin(path, root))
    .map((path) => relative(root, path).split(sep).join("/"));
  const outer = realOf(findProjectRoot(workingDirectory) ?? workingDirectory);
  const isForeign = isAbsolute(argument) && !isWithin(first, outer);
  return {
    folder,
    paths: paths.includes("") ? [] : [...new Set(paths)],
    isThere: found !== undefined,
    prefix: isForeign ? `${root.split(sep).join("/")}/` : "",
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
  const real = realOf(folder);
  if (parent === path || findGitRoot(real) === undefined) return realOf(path);
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

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // It is gone by now, or may not be read: use the name itself.
    return path;
  }
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
