import { existsSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";

/** Folder and file names that mark a project's root, nearest first wins. */
const indexMark = ".codetool/index";

/**
 * Finds the root of the git work tree that holds a folder, by the `.git` in it; links are not resolved.
 *
 * @param directory Absolute.
 */
export function findGitRoot(directory: string): string | undefined {
  return findUpwards(directory, (candidate) => existsSync(join(candidate, ".git")));
}

/**
 * Finds the project that holds a folder: the nearest folder upwards with an index or a `.git`.
 *
 * @param directory Absolute.
 */
export function findProjectRoot(directory: string): string | undefined {
  return findUpwards(
    directory,
    (candidate) => existsSync(join(candidate, indexMark)) || existsSync(join(candidate, ".git")),
  );
}

/**
 * Finds the folder that git keeps `info/exclude` and `config` in, for a plain repository as for a linked work tree or
 * a submodule, whose `.git` is a file.
 */
export function findGitCommonDirectory(gitRoot: string): string | undefined {
  const mark = join(gitRoot, ".git");
  const pointer = readSmallFile(mark);
  if (pointer === undefined) return existsSync(mark) ? mark : undefined;
  const target = /^gitdir: (.+?)\r?\n?$/.exec(pointer)?.[1];
  if (target === undefined) return undefined;
  const directory = isAbsolute(target) ? target : resolve(gitRoot, target);
  const common = readSmallFile(join(directory, "commondir"))?.trim();
  return common === undefined ? directory : resolve(directory, common);
}

/** Reads a text that may not be there; `undefined` for a folder, a missing or an unreadable file. */
export function readSmallFile(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // Whatever prevents reading it, the answer is the same: nothing is known.
    return undefined;
  }
}

function findUpwards(
  directory: string,
  isRoot: (candidate: string) => boolean,
): string | undefined {
  let candidate = directory;
  for (;;) {
    if (isRoot(candidate)) return candidate;
    const parent = dirname(candidate);
    if (parent === candidate) return undefined;
    candidate = parent;
  }
}
