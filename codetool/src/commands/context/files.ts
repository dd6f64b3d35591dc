import { classOfPath } from "../../files/index.ts";
import type { IndexedCorpus } from "../../store/index.ts";
import type { ProjectCorpus } from "../project/index.ts";
import type { Target } from "../paths.ts";

/** Which files of a folder are shown. */
export interface ContextSelection {
  readonly hasTests: boolean;
  /** How many names a path below the folder may have; `undefined` for no bound. */
  readonly depthMax: number | undefined;
  /** Numbers of files with uncommitted changes: they come first. */
  readonly changed: ReadonlySet<number>;
}

/** A file of the folder, or the file itself. */
export interface ContextFile {
  readonly file: number;
  /** Relative to the folder. */
  readonly path: string;
  readonly symbolCount: number;
}

/**
 * Chooses the files of a context: texts of a known language. Files with uncommitted changes come first, then those less
 * deep, then those with more definitions.
 */
export function contextFilesOf(
  target: Target,
  project: ProjectCorpus,
  { hasTests, depthMax, changed }: ContextSelection,
): ContextFile[] {
  const { corpus, targetPath } = project;
  const range = rangeOf(corpus, targetPath, target.isDirectory);
  const files: ContextFile[] = [];
  for (let file = range.start; file < range.end; file += 1) {
    const { path: whole, language, isText } = corpus.file(file);
    if (!isText || (language === null && target.isDirectory)) continue;
    const path = target.isDirectory
      ? whole.slice(targetPath === "" ? 0 : targetPath.length + 1)
      : whole;
    if (target.isDirectory) {
      // What is a test by its place in the folder: a folder of tests that is asked for is shown.
      if (!hasTests && classOfPath(path) === "test") continue;
      if (depthMax !== undefined && depthOf(path) > depthMax) continue;
    }
    files.push({ file, path, symbolCount: corpus.symbolCountOf(file) });
  }
  const rank = ({ file }: ContextFile): number => (changed.has(file) ? 0 : 1);
  return files.sort(
    (one, other) =>
      rank(one) - rank(other) ||
      depthOf(one.path) - depthOf(other.path) ||
      other.symbolCount - one.symbolCount ||
      one.file - other.file,
  );
}

function rangeOf(
  corpus: IndexedCorpus,
  targetPath: string,
  isDirectory: boolean,
): { readonly start: number; readonly end: number } {
  if (!isDirectory) {
    const number = corpus.numberOf(targetPath);
    return number === undefined ? { start: 0, end: 0 } : { start: number, end: number + 1 };
  }
  if (targetPath === "") return { start: 0, end: corpus.fileCount };
  // "0" is what comes behind "/".
  return { start: corpus.firstFrom(`${targetPath}/`), end: corpus.firstFrom(`${targetPath}0`) };
}

/** 1 for a file of the folder itself. */
function depthOf(path: string): number {
  return path.split("/").length;
}
