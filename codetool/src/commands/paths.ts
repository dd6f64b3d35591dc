import { accessSync, constants, statSync, type Stats } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { errors } from "../envelope/index.ts";
import { findProjectRoot } from "../files/index.ts";
import type { CommandContext } from "./command.ts";
import { foundElsewhere } from "./found-elsewhere.ts";
import { isWithin, locate, realPathOf } from "./locate.ts";
import { nearestPath } from "./nearest-path.ts";

/** A path argument, found on disk. */
export interface Target {
  readonly absolutePath: string;
  readonly isDirectory: boolean;
  /**
   * The folder of the tree that it belongs to, absolute: the git work tree or the index above it, else the folder given
   * (for a file the working directory that it is below, or its own folder).
   */
  readonly root: string;
  /** What the paths of the answer are relative to; `undefined` where they are absolute. */
  readonly shownFrom: string | undefined;
}

/**
 * Finds a path argument on disk. All commands name files this way: an argument is looked up from the working directory
 * and nowhere else, and the paths of the answer are relative to the working directory too, with `../` where they lead out of it, or
 * absolute when the argument is. So they can be given back, from the same place, to any command and any other program.
 *
 * @throws file_not_found, which says so where the tree's root has such a file; permission_denied; invalid_argument for an
 *   empty path, a pipe, a socket and a device.
 */
export function resolveTarget(argument: string, context: CommandContext): Target {
  if (argument === "")
    throw new errors.invalid_argument({ argument: "path", reason: "it is empty" });
  const workingDirectory = realPathOf(context.workingDirectory);
  const absolutePath = locate(argument, workingDirectory);
  const stats = statOf(absolutePath, argument);
  if (stats === undefined) throw notFound(argument, context);
  if (context.mayShow?.(absolutePath) === false)
    throw new errors.permission_denied({ path: argument });
  const isDirectory = stats.isDirectory();
  if (!isDirectory && !stats.isFile())
    throw new errors.invalid_argument({
      argument,
      reason: "it is not a plain file and not a folder",
    });
  if (isDirectory) requireReadable(absolutePath, argument);
  const folder = isDirectory ? absolutePath : dirname(absolutePath);
  return {
    absolutePath,
    isDirectory,
    root: treeOf({ folder, isDirectory, workingDirectory }, context),
    shownFrom: isAbsolute(argument) ? undefined : workingDirectory,
  };
}

/** Writes an absolute path as the answer shows it, with forward slashes; `.` for the working directory itself. */
export function displayPath(
  { shownFrom }: Pick<Target, "shownFrom">,
  absolutePath: string,
): string {
  const shown = shownFrom === undefined ? absolutePath : relative(shownFrom, absolutePath) || ".";
  return withForwardSlashes(shown);
}

/** The root of a target's tree as `data.root` of an answer shows it: absolute, with forward slashes. */
export function displayRoot({ root }: Pick<Target, "root">): string {
  return withForwardSlashes(root);
}

/** The same for several targets; `null` where they are of several trees. */
export function displayCommonRoot(targets: readonly Pick<Target, "root">[]): string | null {
  const [first, ...others] = targets;
  const isCommon = first !== undefined && others.every(({ root }) => root === first.root);
  return isCommon ? displayRoot(first) : null;
}

/**
 * Makes the error for an argument that is not there. Where the root of the working directory's tree has such a file, it
 * says by which path.
 */
export function notFound(
  argument: string,
  context: Pick<CommandContext, "workingDirectory" | "environment" | "mayShow">,
): Error {
  const { mayShow } = context;
  const folder = realPathOf(context.workingDirectory);
  const root = isAbsolute(argument) ? undefined : findProjectRoot(folder);
  const missing = new errors.file_not_found({
    path: argument,
    ...nearestPath(argument, folder, context),
  });
  if (root === undefined || root === folder) return missing;
  const fromRoot = resolve(root, argument);
  const isThere = isWithin(fromRoot, root) && isReadable(fromRoot) && (mayShow?.(fromRoot) ?? true);
  if (!isThere) return missing;
  return foundElsewhere(argument, {
    place: "at the root of the tree",
    path: displayPath({ shownFrom: folder }, fromRoot),
  });
}

function withForwardSlashes(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}

/** The root of the tree around a folder; where that may not be shown, the highest folder above the target that may. */
function treeOf(
  at: {
    readonly folder: string;
    readonly isDirectory: boolean;
    readonly workingDirectory: string;
  },
  { mayShow }: CommandContext,
): string {
  const { folder, isDirectory, workingDirectory } = at;
  const isBelow = !isDirectory && isWithin(folder, workingDirectory);
  const root = findProjectRoot(folder) ?? (isBelow ? workingDirectory : folder);
  if (mayShow === undefined || mayShow(root)) return root;
  let highest = folder;
  while (highest !== dirname(highest) && mayShow(dirname(highest))) highest = dirname(highest);
  return highest;
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** A walk leaves out a folder that cannot be listed; when the caller names such a folder, that is an error. */
function requireReadable(directory: string, argument: string): void {
  if (!isReadable(directory)) throw new errors.permission_denied({ path: argument });
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
