import { realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/**
 * The absolute path of an argument, whether it exists or not. `..` behind a link leads to the folder above the one that
 * the link names, as in every other program.
 *
 * @param workingDirectory Absolute, without links.
 */
export function locate(argument: string, workingDirectory: string): string {
  if (sep !== "/" || !/(?:^|\/)\.\.(?:\/|$)/.test(argument))
    return resolve(workingDirectory, argument);
  let path = isAbsolute(argument) ? "/" : workingDirectory;
  for (const part of argument.split("/")) {
    if (part === "" || part === ".") continue;
    path = part === ".." ? dirname(realPathOf(path)) : join(path, part);
  }
  return path;
}

/** The path without links; the path itself where nothing is there, or it may not be looked at. */
export function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** Tells whether a path is a folder or below it; both are absolute. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
