import { isUnnameable, visitFiles, type VisitOptions } from "./walk.ts";

/** Names that a walk found. */
export interface NameListing {
  /** Relative to the root, with forward slashes, in the order of their bytes. */
  readonly paths: readonly string[];
  /** As of `walkFiles`. */
  readonly warnings: readonly string[];
}

/**
 * Lists the names of the files below a folder, by the rules of `walkFiles`, only from the listings of its folders: no file is opened.
 */
export function listNames(options: VisitOptions): NameListing {
  const paths: string[] = [];
  const warnings = visitFiles(options, (name, { directory, prefix }) => {
    if (isUnnameable(name, directory)) return false;
    paths.push(prefix + name);
    return true;
  });
  return { paths, warnings };
}
