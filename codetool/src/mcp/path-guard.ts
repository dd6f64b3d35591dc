import { realpathSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { errors } from "../envelope/index.ts";

/** Keeps the paths of requests inside of some folders, links resolved. */
export class PathGuard {
  readonly #roots: readonly string[];

  /** @param roots Absolute paths; a path that does not exist allows nothing. */
  constructor(roots: readonly string[]) {
    this.#roots = roots.flatMap((root) => realPathOf(root) ?? []);
  }

  /** Where relative paths begin: the first root. */
  get workingDirectory(): string | undefined {
    return this.#roots[0];
  }

  /**
   * Resolves a path of a request: from the first root in which it is there.
   *
   * @returns Absolute.
   * @throws permission_denied for a path that is, or leads, outside of the roots.
   */
  resolve(path: string): string {
    const candidates = isAbsolute(path)
      ? [resolve(path)]
      : this.#roots.map((root) => resolve(root, path));
    for (const candidate of candidates) {
      const real = realPathOf(candidate);
      if (real !== undefined && this.#isInside(real)) return candidate;
      if (real !== undefined) throw new errors.permission_denied({ path });
    }
    // It does not exist: whether it would be inside decides between the two errors. Neither reveals what else exists.
    const [first] = candidates;
    if (first !== undefined && this.#isInside(realParentOf(first))) return first;
    throw new errors.permission_denied({ path });
  }

  /** Tells whether what is at an absolute path lies inside of the roots, links resolved. */
  contains(absolutePath: string): boolean {
    const real = realPathOf(absolutePath);
    return real !== undefined && this.#isInside(real);
  }

  #isInside(real: string): boolean {
    return this.#roots.some((root) => {
      const way = relative(root, real);
      return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
    });
  }
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** The nearest folder upwards that exists. */
function realParentOf(path: string): string {
  for (let parent = dirname(path); ; parent = dirname(parent)) {
    const real = realPathOf(parent);
    if (real !== undefined || parent === dirname(parent)) return real ?? parent;
  }
}
