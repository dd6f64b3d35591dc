import { realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";

/**
 * Follows every link of a path.
 *
 * @param path An absolute path.
 * @returns The real path of a regular file, or `undefined` when there is none.
 */
export function realFile(path: string): string | undefined {
  const status = statSync(path, { throwIfNoEntry: false });
  return status?.isFile() === true ? realpathSync(path) : undefined;
}

/**
 * Tells whether a path lies in a folder. Both must be real paths, with no link left to follow.
 *
 * @param folder The folder.
 * @param path The path.
 * @returns True for anything below the folder, at any depth.
 */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
