import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { languageOfFile, type WalkedFile } from "../../files/index.ts";
import {
  digestOfColumns,
  digestOfContents,
  digestOfFiles,
  RankedCorpus,
  type NumberedCorpus,
  type SymbolAround,
  storedOutline,
} from "../../search/index.ts";
import { type IndexedCorpus, type OpenCorpus, pathsBelow } from "../../store/index.ts";
import type { CodeSymbol } from "../../syntax/index.ts";
import { hasContentHash } from "../../text/index.ts";
import type { CommandContext } from "../command.ts";
import type { LeftOutFiles } from "./answer.ts";
import type { FilesHolding, NarrowFiles } from "./narrow-files.ts";
import { openIndexOf } from "../open-index.ts";
import type { Target } from "../paths.ts";
import { filesWithLikeWords } from "./like-words.ts";
import type { MeaningIndex } from "./index-by-meaning.ts";
import type { SearchPlace } from "./search-place.ts";

/** An index open for a search below a target. */
export interface OpenSearched extends Disposable {
  readonly searched: NumberedCorpus;
  readonly meaning: MeaningIndex;
  /** The files below the target, paths relative to it. */
  readonly files: () => readonly WalkedFile[];
  /** Tells the files below the target from others. */
  readonly digest: () => string;
  /** Tells what they hold from what they held before. */
  readonly contents: () => string;
  /** The files below the target that the index has only the names of. */
  readonly leftOut: () => LeftOutFiles;
  /** The files are those that a walk would find. */
  readonly isWhole: boolean;
  /** The files, without those that certainly hold none of some groups of texts. */
  readonly filesHolding: FilesHolding;
  /** The files that hold the word most like one, then those with the next one, and so on. */
  readonly holdingLike: (word: string) => Iterable<readonly WalkedFile[]>;
  /** Leaves out files of the index that certainly hold none of some groups of texts. */
  readonly narrow: NarrowFiles;
  /** Finds the definitions around lines of a file, if its text is still the one that was indexed. */
  readonly aroundIn: (
    absolutePath: string,
    text: Uint8Array,
  ) => Promise<((line1: number) => readonly SymbolAround[]) | undefined>;
  /** The definitions in a file, if it has the size that the index knows. */
  readonly symbolsOf: (
    absolutePath: string,
    sizeBytes: number,
  ) => readonly CodeSymbol[] | undefined;
  /** Remarks on what the index may not know of the tree. */
  readonly warnings: readonly string[];
}

/**
 * Opens the index that covers a place, as the tree is now.
 *
 * @returns `undefined` where there is none, or if it has no file of one of the paths: an ignored folder that the caller
 *   names is searched without an index.
 */
export async function openSearched(
  { around: target, targets, isWanted }: SearchPlace,
  context: CommandContext,
): Promise<OpenSearched | undefined> {
  const found = await openIndexOf(target, context);
  if (found === undefined) return undefined;
  const { root, open } = found;
  const { corpus } = open;
  const below = relative(root, target.absolutePath).replaceAll(sep, "/");
  const walked = walkedFrom(corpus, root, below);
  const { start, end } = rangeBelow(corpus, below);
  const isCovered = ({ absolutePath }: Target): boolean => {
    const range = rangeBelow(corpus, relative(root, absolutePath).replaceAll(sep, "/"));
    return range.start < range.end;
  };
  if (!targets.every(isCovered)) {
    open[Symbol.dispose]();
    return undefined;
  }
  const numberAt = (absolutePath: string): number | undefined =>
    corpus.numberOf(relative(root, absolutePath).replaceAll(sep, "/"));
  const numberOf = ({ absolutePath }: WalkedFile): number | undefined => numberAt(absolutePath);
  const wanted = isWanted && wantedIn({ start, end }, withLanguages(open, { isWanted, walked }));
  const isSearched = (file: number): boolean =>
    file >= start && file < end && wanted?.[file - start] !== 0;
  // What a search of its own asks for is not worth keeping for others.
  const keep = <Kept>(name: string, make: () => Kept): Kept =>
    wanted === undefined ? open.keep(`${name} ${below}`, make) : make();
  const isAll = below === "" && wanted === undefined;
  const isIncluded = isAll ? undefined : isSearched;
  const ranked = keep("ranked", () => new RankedCorpus(corpus, isIncluded));
  const numbersIn = (isTaken?: (file: number) => boolean): number[] => {
    const numbers: number[] = [];
    for (let file = start; file < end; file += 1)
      if (isTaken?.(file) !== false && isSearched(file)) numbers.push(file);
    return numbers;
  };
  const files = (): readonly WalkedFile[] => keep("files", () => numbersIn().map(walked));
  return {
    searched: { ranked, fileOf: walked, numberOf },
    meaning: { corpus, fileOf: walked, numberOf, isIncluded },
    files,
    digest: () => keep("digest", () => (isAll ? digestOfAll(corpus) : digestOfFiles(files()))),
    contents: () =>
      keep("contents", () =>
        digestOfContents(hashesIn(corpus, wanted === undefined ? { start, end } : numbersIn())),
      ),
    leftOut: () => ({
      large: largeBelow(open, root, target).filter((file) => isWanted?.(file) ?? true),
      findBinary: () => numbersIn((file) => !corpus.isTextAt(file)).map(walked),
    }),
    // Outside of git, ignore files above the folder that is walked do not count.
    isWhole: open.isWhole && (below === "" || existsSync(join(root, ".git"))),
    filesHolding: (groups) => {
      if (groups.length === 0) return files();
      const mayHold = corpus.filesThatMayHold(groups);
      return numbersIn((file) => mayHold[file] !== 0).map(walked);
    },
    *holdingLike(word) {
      for (const some of filesWithLikeWords(word, corpus, isSearched)) yield some.map(walked);
    },
    narrow: (some, groups) => {
      const mayHold = corpus.filesThatMayHold(groups);
      return some.filter((file) => isIn(mayHold, numberOf(file)));
    },
    ...definitionsIn(corpus, numberAt),
    warnings: open.warnings,
    [Symbol.dispose]: () => open[Symbol.dispose](),
  };
}

/** Tells which files are wanted; one of no known name is opened once for a state of the tree. */
function withLanguages(
  open: OpenCorpus,
  how: {
    readonly isWanted: NonNullable<SearchPlace["isWanted"]>;
    readonly walked: (file: number) => WalkedFile;
  },
): (file: number) => boolean {
  const { isWanted, walked } = how;
  const found = open.keep("shebangs", () => new Map<number, WalkedFile["language"]>());
  const findLanguage = (number: number, file: WalkedFile): WalkedFile["language"] => {
    const known = found.get(number);
    if (known !== undefined) return known;
    const language = languageOfFile(file);
    // One that could not be read now may be read the next time.
    if (language !== undefined) found.set(number, language);
    return language ?? null;
  };
  return (number) => isWanted(walked(number), (file) => findLanguage(number, file));
}

/** The hashes of a range of files, or of some. */
function hashesIn(
  corpus: IndexedCorpus,
  files: { readonly start: number; readonly end: number } | readonly number[],
): Uint8Array {
  return "start" in files ? corpus.hashesBetween(files.start, files.end) : corpus.hashesOf(files);
}

function digestOfAll(corpus: IndexedCorpus): string {
  return digestOfColumns(...corpus.identityOf(0, corpus.fileCount));
}

/** Makes the files of an index as a walk would find them below a path. */
function walkedFrom(
  corpus: IndexedCorpus,
  root: string,
  below: string,
): (file: number) => WalkedFile {
  const prefix = below === "" ? "" : `${below}/`;
  const relativeTo = (path: string): string =>
    path === below ? (path.split("/").at(-1) ?? path) : path.slice(prefix.length);
  const absolutePathOf = pathsBelow(root);
  return (file) => {
    const { path, sizeBytes, modifiedMs, language } = corpus.file(file);
    const relativePath = relativeTo(path);
    return { absolutePath: absolutePathOf(path), relativePath, sizeBytes, modifiedMs, language };
  };
}

/** The files at and below a target that are in no index because of their size, paths relative to the target. */
function largeBelow(open: OpenCorpus, root: string, { absolutePath }: Target): WalkedFile[] {
  const below = relative(root, absolutePath).replaceAll(sep, "/");
  const prefix = below === "" ? "" : `${below}/`;
  return open.leftOut
    .filter(({ relativePath }) => relativePath.startsWith(prefix))
    .map((file) => ({ ...file, relativePath: file.relativePath.slice(prefix.length) }));
}

/** The definitions that the index knows, of files that are still as they were. */
function definitionsIn(
  corpus: IndexedCorpus,
  numberAt: (absolutePath: string) => number | undefined,
): Pick<OpenSearched, "aroundIn" | "symbolsOf"> {
  // What is confirmed as a definition is mostly shown too.
  const outlines = new Map<number, readonly CodeSymbol[]>();
  const outlineAt = (file: number): readonly CodeSymbol[] => {
    const outline = outlines.get(file) ?? storedOutline(corpus, file);
    outlines.set(file, outline);
    return outline;
  };
  return {
    aroundIn: async (absolutePath, text) => {
      const file = numberAt(absolutePath);
      if (file === undefined) return undefined;
      const isSame = await hasContentHash(text, corpus.hashOf(file));
      return isSame ? (line1) => corpus.symbolsAround(file, line1) : undefined;
    },
    symbolsOf: (absolutePath, sizeBytes) => {
      const file = numberAt(absolutePath);
      const isSame = file !== undefined && corpus.sizeBytesOf(file) === sizeBytes;
      return isSame ? outlineAt(file) : undefined;
    },
  };
}

/** Which files of a range are wanted: 1, else 0. */
function wantedIn(
  { start, end }: { readonly start: number; readonly end: number },
  isWanted: (file: number) => boolean,
): Uint8Array {
  return Uint8Array.from({ length: end - start }, (_, index) => Number(isWanted(start + index)));
}

/** The files that a path names, or that lie below it: their numbers follow each other. */
function rangeBelow(
  corpus: IndexedCorpus,
  below: string,
): { readonly start: number; readonly end: number } {
  if (below === "") return { start: 0, end: corpus.fileCount };
  const own = corpus.numberOf(below);
  if (own !== undefined) return { start: own, end: own + 1 };
  // "0" is what comes behind "/".
  return { start: corpus.firstFrom(`${below}/`), end: corpus.firstFrom(`${below}0`) };
}

/** Whether a file may hold a text: files that the index does not have may. */
function isIn(mayHold: Uint8Array, file: number | undefined): boolean {
  return file === undefined || mayHold[file] !== 0;
}
