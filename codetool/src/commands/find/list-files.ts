import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { listNames, type NameListing, walkFiles, type WalkedFile } from "../../files/index.ts";
import { type IndexedCorpus, pathsBelow } from "../../store/index.ts";
import { compareBytes } from "../../text/index.ts";
import type { CommandContext } from "../command.ts";
import { openIndexOf } from "../open-index.ts";
import type { Target } from "../paths.ts";

/** A file that `find` may list. */
export interface ListedFile extends WalkedFile {
  /** What an up-to-date index says of it; absent when the file has to be read. */
  readonly known?: { readonly lines: number; readonly symbols: number | null };
  /** Why its content is not looked into, where that is known. */
  readonly unsearched?: Unsearched;
}

/** Why the content of a file is not looked into. */
export type Unsearched = "large" | "binary" | "unreadable";

/** The files below a target. */
export interface FileListing {
  /** In the byte order of their paths; binary ones may be among those without `known`. */
  readonly files: readonly ListedFile[];
  readonly warnings: readonly string[];
}

/** Which files. */
export interface ListOptions {
  readonly depthMax: number | undefined;
  readonly fileSizeBytesMax: number;
  /** Symbols are asked for. */
  readonly hasSymbols: boolean;
}

/**
 * Lists the files below a target: from the index that covers it, where that has every file that a walk would find and
 * none that it would not; else by a walk.
 *
 * @throws IndexFault when the index is damaged.
 */
export async function listFiles(
  target: Target,
  context: CommandContext,
  options: ListOptions,
): Promise<FileListing> {
  const known = target.isDirectory ? await filesOfIndex(target, context, options) : undefined;
  if (known !== undefined) return { files: known, warnings: [] };
  const { depthMax, fileSizeBytesMax } = options;
  const { files, leftOut, warnings } = walkFiles({
    root: target.absolutePath,
    environment: context.environment,
    sizeBytesMax: fileSizeBytesMax,
    ...(depthMax === undefined ? {} : { depthMax }),
  });
  return { files: withLarge(files, leftOut), warnings };
}

function withLarge(
  files: readonly ListedFile[],
  large: readonly WalkedFile[],
): readonly ListedFile[] {
  if (large.length === 0) return files;
  const marked = large.map((file) => ({ ...file, unsearched: "large" as const }));
  return [...files, ...marked].toSorted((left, right) =>
    compareBytes(left.relativePath, right.relativePath),
  );
}

/** Which names. */
export interface NameOptions {
  readonly depthMax: number | undefined;
  /** Tests a path relative to the target. */
  readonly isMatch: (path: string) => boolean;
}

/**
 * Lists the names of the files below a folder, relative to it, for answers that do not need file contents. It walks the
 * folders, which is faster than checking whether an index is up to date. No file is opened.
 */
export function listFileNames(
  target: Target,
  { environment }: CommandContext,
  { depthMax, isMatch }: NameOptions,
): NameListing {
  const root = target.absolutePath;
  const depth = depthMax === undefined ? {} : { depthMax };
  const { paths, warnings } = listNames({ root, environment, ...depth });
  return { paths: paths.filter(isMatch), warnings };
}

/**
 * Lists the folders at a depth that hold files further down, relative to the target, with a slash at the end. Only the
 * names of files decide, with an index and without.
 */
export function listClosedFolders(
  target: Target,
  { environment }: CommandContext,
  { depthMax, isMatch }: Required<Pick<NameOptions, "isMatch">> & { readonly depthMax: number },
): string[] {
  const folders = new Set<string>();
  for (const path of listNames({ root: target.absolutePath, environment }).paths) {
    let slash = -1;
    for (let depth = 0; depth < depthMax; depth += 1) {
      slash = path.indexOf("/", slash + 1);
      if (slash < 0) break;
    }
    if (slash >= 0 && !folders.has(path.slice(0, slash + 1)) && isMatch(path))
      folders.add(path.slice(0, slash + 1));
  }
  return [...folders];
}

async function filesOfIndex(
  target: Target,
  context: CommandContext,
  { depthMax = Infinity, hasSymbols }: ListOptions,
): Promise<readonly ListedFile[] | undefined> {
  const found = await openIndexOf(target, context);
  if (found === undefined) return undefined;
  const { root } = found;
  using open = found.open;
  const { corpus } = open;
  const below = relative(root, target.absolutePath).replaceAll(sep, "/");
  // Outside of git, ignore files above the folder that is walked do not count.
  const isWhole = open.isWhole && (below === "" || existsSync(join(root, ".git")));
  const start = below === "" ? 0 : corpus.firstFrom(`${below}/`);
  // "0" is what comes behind "/".
  const end = below === "" ? corpus.fileCount : corpus.firstFrom(`${below}0`);
  if (!isWhole || start === end) return undefined;
  const prefixLength = below === "" ? 0 : below.length + 1;
  const absolutePathOf = pathsBelow(root);
  const files: ListedFile[] = [];
  for (let number = start; number < end; number += 1) {
    const file = listed(number, { corpus, prefixLength, absolutePathOf, hasSymbols });
    if (!isDeeper(file.relativePath, depthMax)) files.push(file);
  }
  const large = open.leftOut
    .filter(({ relativePath: path }) => below === "" || path.startsWith(`${below}/`))
    .map((file) => ({ ...file, relativePath: file.relativePath.slice(prefixLength) }))
    .filter(({ relativePath }) => !isDeeper(relativePath, depthMax));
  return withLarge(files, large);
}

function listed(
  number: number,
  from: {
    readonly corpus: IndexedCorpus;
    readonly prefixLength: number;
    readonly absolutePathOf: (path: string) => string;
    readonly hasSymbols: boolean;
  },
): ListedFile {
  const { corpus, prefixLength, absolutePathOf, hasSymbols } = from;
  const { path, sizeBytes, modifiedMs, language, isText, lineCount } = corpus.file(number);
  const file = {
    relativePath: path.slice(prefixLength),
    absolutePath: absolutePathOf(path),
    sizeBytes,
    modifiedMs,
    language,
  };
  if (!isText) return { ...file, unsearched: "binary" };
  return {
    ...file,
    known: { lines: lineCount, symbols: hasSymbols ? corpus.symbolCountOf(number) : null },
  };
}

function isDeeper(path: string, depthMax: number): boolean {
  if (depthMax === Infinity) return false;
  let depth = 1;
  for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1)) depth += 1;
  return depth > depthMax;
}
