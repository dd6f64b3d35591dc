import { realpathSync } from "node:fs";
import { dirname, isAbsolute, relative, sep } from "node:path";
import { foundElsewhere, isWithin, locate } from "../commands/index.ts";
import { errors } from "../envelope/index.ts";

/** Keeps the paths of requests inside of some folders, links resolved. */
export class PathGuard {
  readonly #roots: readonly string[];

  /** @param roots Absolute paths; a path that does not exist allows nothing. */
  constructor(roots: readonly string[]) {
    this.#roots = roots.flatMap((root) => realOf(root) ?? []);
  }

  /** Where relative paths begin: the first root; `undefined` where there is none. */
  get workingDirectory(): string | undefined {
    return this.#roots[0];
  }

  /**
   * Checks a path of a request, which is looked up from the first root.
   *
   * @throws permission_denied for a path that is, or leads, outside of the roots; file_not_found for a relative one that
   *   only another root has.
   */
  check(path: string): void {
    const [first, ...others] = this.#roots;
    if (first === undefined) throw new errors.permission_denied({ path });
    const located = locate(path, first);
    const real = realOf(located);
    if (real !== undefined && this.#isInside(real)) return;
    // It does not exist: whether it would be inside decides between the two errors. Neither reveals what else exists.
    if (real !== undefined || !this.#isInside(realParentOf(located)))
      throw new errors.permission_denied({ path });
    const other = isAbsolute(path) ? undefined : others.find((root) => this.#has(root, path));
    if (other === undefined) return;
    const meant = relative(first, locate(path, other)).replaceAll(sep, "/");
    throw foundElsewhere(path, { place: "in another root of the client", path: meant });
  }

  /** Tells whether what is at an absolute path lies inside of the roots, links resolved. */
  contains(absolutePath: string): boolean {
    const real = realOf(absolutePath);
    return real !== undefined && this.#isInside(real);
  }

  #has(root: string, path: string): boolean {
    return this.contains(locate(path, root));
  }

  #isInside(real: string): boolean {
    return this.#roots.some((root) => isWithin(real, root));
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** The nearest folder upwards that exists. */
function realParentOf(path: string): string {
  for (let parent = dirname(path); ; parent = dirname(parent)) {
    const real = realOf(parent);
    if (real !== undefined || parent === dirname(parent)) return real ?? parent;
  }
}
