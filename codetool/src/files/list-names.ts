import { sep } from "node:path";
import { languageOfPath } from "./languages.ts";
import { isTextFile } from "./read-file.ts";
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

/**
 * Keeps the names of texts up to a size. A name that shows a language counts as a text; the other files are opened.
 *
 * @param root Absolute path of the folder that was listed.
 */
export function namesOfTexts(
  root: string,
  paths: readonly string[],
  { sizeBytesMax }: { readonly sizeBytesMax: number },
): string[] {
  const folder = root.endsWith(sep) ? root : `${root}${sep}`;
  return paths.filter(
    (path) =>
      languageOfPath(path) !== null ||
      isTextFile(folder + (sep === "/" ? path : path.replaceAll("/", sep)), { sizeBytesMax }),
  );
}
