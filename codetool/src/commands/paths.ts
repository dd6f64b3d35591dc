import { accessSync, constants, statSync, type Stats } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { errors } from "../envelope/index.ts";
import { findProjectRoot } from "../files/index.ts";
import type { CommandContext } from "./command.ts";

/** A path argument, found on disk. */
export interface Target {
  readonly absolutePath: string;
  readonly isDirectory: boolean;
  /** What the paths of the answer are relative to; `undefined` where they are absolute. */
  readonly root: string | undefined;
}

/**
 * Finds a path argument on disk, and what the paths of the answer are relative to. All commands name files this way:
 *
 * - relative to the project of the argument: the git work tree or index root above it, else the folder given (for a
 *   file without a project, the working directory);
 * - absolute, when the argument is absolute and outside of the working directory's project.
 *
 * A relative path that does not exist is also looked up from the root of the working directory's project, so that the
 * paths of an answer work as arguments in any folder of the project.
 *
 * @throws file_not_found, permission_denied; invalid_argument for an empty path, a pipe, a socket and a device.
 */
export function resolveTarget(argument: string, context: CommandContext): Target {
  if (argument === "")
    throw new errors.invalid_argument({ argument: "path", reason: "it is empty" });
  const { workingDirectory } = context;
  const { absolutePath, stats } = findOnDisk(argument, workingDirectory);
  const isDirectory = stats.isDirectory();
  if (!isDirectory && !stats.isFile())
    throw new errors.invalid_argument({
      argument,
      reason: "it is not a plain file and not a folder",
    });
  if (isDirectory) requireReadable(absolutePath, argument);
  const outer = findProjectRoot(workingDirectory) ?? workingDirectory;
  if (isAbsolute(argument) && !isWithin(absolutePath, outer))
    return { absolutePath, isDirectory, root: undefined };
  const folder = isDirectory ? absolutePath : dirname(absolutePath);
  const project = findProjectRoot(folder);
  if (project !== undefined) return { absolutePath, isDirectory, root: project };
  if (isDirectory) return { absolutePath, isDirectory, root: absolutePath };
  const isBelow = isWithin(absolutePath, workingDirectory);
  return { absolutePath, isDirectory, root: isBelow ? workingDirectory : undefined };
}

/** Writes an absolute path as the answer shows it: with forward slashes, relative to the target's root. */
export function displayPath(target: Target, absolutePath: string): string {
  const shown = target.root === undefined ? absolutePath : relative(target.root, absolutePath);
  return sep === "/" ? shown : shown.replaceAll(sep, "/");
}

/** Tells whether a path is a folder or below it. */
function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function findOnDisk(
  argument: string,
  workingDirectory: string,
): { readonly absolutePath: string; readonly stats: Stats } {
  const absolutePath = resolve(workingDirectory, argument);
  const stats = statOf(absolutePath, argument);
  if (stats !== undefined) return { absolutePath, stats };
  const project = isAbsolute(argument) ? undefined : findProjectRoot(workingDirectory);
  if (project !== undefined && project !== workingDirectory) {
    const fromProject = resolve(project, argument);
    const found = statOf(fromProject, argument);
    if (found !== undefined) return { absolutePath: fromProject, stats: found };
  }
  throw new errors.file_not_found({ path: argument });
}

/** A walk leaves out a folder that cannot be listed; when the caller names such a folder, that is an error. */
function requireReadable(directory: string, argument: string): void {
  try {
    accessSync(directory, constants.R_OK);
  } catch (error) {
    throw new errors.permission_denied({ path: argument }, { cause: error });
  }
}

function statOf(absolutePath: string, argument: string): Stats | undefined {
  try {
    return statSync(absolutePath, { throwIfNoEntry: false });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EACCES" || code === "EPERM")
      throw new errors.permission_denied({ path: argument }, { cause: error });
    // ENOTDIR, ELOOP, ENAMETOOLONG: nothing has this name.
    return undefined;
  }
}
