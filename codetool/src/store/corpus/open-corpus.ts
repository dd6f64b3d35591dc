import { join } from "node:path";
import {
  isSameStamp,
  languageOfPath,
  readFileBytes,
  stampOf,
  statAt,
  type WalkedFile,
  walkFiles,
} from "../../files/index.ts";
import { wallClockMs } from "../../system/index.ts";
import { compareBytes, contentHash, hasContentHash } from "../../text/index.ts";
import {
  addFile,
  type ChunkedFile,
  embedLater,
  mayHoldAll,
  noTreeState,
  type FileToAdd,
  readGraph,
  readTreeState,
  type Segment,
  SegmentBuilder,
  stampAt,
  type StoredTreeState,
  trigramsOf,
} from "../segment/index.ts";
import {
  anyFolderChanged,
  changedFiles,
  endsOfPaths,
  graphOfChangedTree,
  graphOfTree,
  haveRulesChanged,
  indexFolder,
  LookThread,
  openGeneration,
  type OpenGeneration,
  pathsBelow,
  type SeenStamps,
  type StampedFiles,
  stampedFolders,
  type ThreadedLook,
} from "../folder/index.ts";
import { IndexedCorpus } from "./indexed-corpus.ts";
import { segmentInMemory } from "./index-in-memory.ts";

/** How many files and folders have their times checked for one answer. */
const lookCountMax = 100_000;
/** How many changed files, and bytes of them, are read for one answer. */
const freshCountMax = 500;
const freshBytesMax = 16 * 1024 * 1024;
/** How many files that were only touched, copied or linked, and bytes of them, are compared with their hashes. */
const doubtfulCountMax = 10_000;
const doubtfulBytesMax = 128 * 1024 * 1024;
/** How many results that were computed over a corpus are kept. */
const keptCountMax = 16;
/** The content of these files decides which files belong to the tree. */
const ignoreFilePattern = /(?:^|\/)\.(?:gitignore|codetoolignore)$/;

/** The options for opening an index. */
export interface OpenCorpusOptions {
  /** Absolute path of the folder that the index covers. */
  readonly root: string;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly fileSizeBytesMax: number;
}

/** An index with the changes of the tree since it was written. */
export interface OpenCorpus extends Disposable {
  readonly corpus: IndexedCorpus;
  /** Remarks on what the index may not know of the tree. */
  readonly warnings: readonly string[];
  /** True when it has exactly the files that a walk would find now. */
  readonly isWhole: boolean;
  /** Files that are in no index because they are too large, in the byte order of their paths. */
  readonly leftOut: readonly WalkedFile[];
  /** Files that were read because they are newer than the index. */
  readonly freshCount: number;
  /** Whether a text, whatever the case of its ASCII letters, may be in a file; "no" is certain without `warnings`. */
  mayHold(text: string): boolean;
  /** Returns the result that was computed over the corpus under this name, else makes and keeps it. */
  keep<Kept>(name: string, make: () => Kept): Kept;
}

/** An index together with the state of the tree at one check. */
export interface Look extends Omit<OpenCorpus, typeof Symbol.dispose> {
  /** Relative paths of all folders, where they were walked because some came or went. */
  readonly folders: readonly string[] | undefined;
  /** Identifies the state that this check found among those of other checks of the same index. */
  readonly finding: string;
  /** A file has further names: what is written by one outside of the tree shows only in the file's stamp. */
  readonly isAnyLinked: boolean;
}

/**
 * Opens the index of a folder and adds the changes since it was made, in memory: changed and new files are read, removed
 * files are left out. Nothing is written.
 *
 * The stamps of all folders and the ignore rules show whether files were added or removed, and the stamps of all files whether
 * they changed: a microsecond each. A file that has its size and time and another inode or time of change, as after a copy, is read and
 * compared with the hash that is stored. Both checks are bounded; `warnings` says what was not checked because of a bound.
 *
 * @returns `undefined` where there is no index that can be read.
 */
export async function openCorpus(options: OpenCorpusOptions): Promise<OpenCorpus | undefined> {
  const opened = openLook(options);
  if (opened === undefined) return undefined;
  const close = (): void => opened[Symbol.dispose]();
  try {
    return { ...(await opened.look()), [Symbol.dispose]: close };
  } catch (error) {
    close();
    throw error;
  }
}

/**
 * Opens the index of a folder, for any number of checks of the tree.
 *
 * @returns `undefined` where there is no index that can be read.
 */
export function openLook(options: OpenCorpusOptions): CorpusLook | undefined {
  const open = openGeneration(join(options.root, indexFolder));
  if (open === undefined) return undefined;
  try {
    return new CorpusLook(options, open);
  } catch (error) {
    for (const segment of open.segments) segment.close();
    throw error;
  }
}

/** What stays the same for every check of a tree with an index. */
interface LookedAt {
  readonly options: OpenCorpusOptions;
  readonly open: OpenGeneration;
  readonly stored: IndexedCorpus;
  /** The stamps that the last run saw. */
  readonly tree: StoredTreeState;
}

/** An open index, and how the tree is compared with it. */
export class CorpusLook implements Disposable {
  readonly #lookedAt: LookedAt;

  constructor(options: OpenCorpusOptions, open: OpenGeneration) {
    const newest = open.segments.at(-1);
    const stored = new IndexedCorpus(open.segments, (corpus) =>
      newest === undefined
        ? graphOfTree({ files: corpus.importingFiles(), absolutePathOf: pathsBelow(options.root) })
        : readGraph(newest.file("imports")),
    );
    const tree = newest === undefined ? noTreeState : readTreeState(newest.file("chunks"));
    this.#lookedAt = { options, open, stored, tree };
  }

  /** Relative paths of the folders that the index covers. */
  folders(): string[] {
    return this.#lookedAt.tree.folders.map(({ relativePath }) => relativePath);
  }

  /**
   * Compares the tree with the index.
   *
   * @param before The result of the check before: if nothing changed since, its corpus and cached results stay.
   * @param seen What was seen of the stamps of the tree; default it is looked at.
   */
  async look(before?: Look, seen?: SeenStamps): Promise<Look> {
    return await new FreshLook(this.#lookedAt, seen).run(before);
  }

  /**
   * Begins to compare the tree with the index in another thread.
   *
   * @returns What the result is if nothing changed; `undefined` where that is unlikely, or not worth a thread.
   */
  async lookAhead(): Promise<LookAhead | undefined> {
    return await new FreshLook(this.#lookedAt).ahead();
  }

  /** Starts a thread that looks at the stamps of the tree; `undefined` where there is none, or where it would not pay. */
  startThread(): LookThread | undefined {
    return new FreshLook(this.#lookedAt).startThread();
  }

  /** Whether the files of the index are still as long as they were when they were opened. */
  isWhole(): boolean {
    return this.#lookedAt.open.segments.every((segment) => segment.isWhole());
  }

  /** Closes the index. */
  [Symbol.dispose](): void {
    for (const segment of this.#lookedAt.open.segments) segment.close();
  }
}

/** A look at a tree that goes on while its likely result is used. */
export interface LookAhead extends Pick<ThreadedLook, "finish"> {
  readonly likely: Look;
}

/** A file that may have changed. */
interface Suspect {
  readonly file: WalkedFile;
  /** In the stored corpus; `undefined` for a new file. */
  readonly number: number | undefined;
}

interface ChangedFile {
  readonly file: WalkedFile;
  readonly content: FileToAdd;
}

class FreshLook {
  readonly #options: OpenCorpusOptions;
  readonly #open: OpenGeneration;
  readonly #stored: IndexedCorpus;
  readonly #tree: StoredTreeState;
  #folders: string[] | undefined;
  readonly #warnings: string[] = [];
  /** Files that are to be read, with their number in the stored corpus where they have one. */
  readonly #suspects: Suspect[] = [];
  readonly #gone: number[] = [];
  /** Files that are too large. */
  readonly #leftOut: WalkedFile[] = [];
  /** The suspects whose content did not change, and those that are too large by now. */
  #settledCount = 0;
  #isAnyLinked = false;
  readonly #seen: SeenStamps | undefined;

  constructor({ options, open, stored, tree }: LookedAt, seen?: SeenStamps) {
    this.#seen = seen;
    this.#options = options;
    this.#open = open;
    this.#stored = stored;
    this.#tree = tree;
  }

  /** See `CorpusLook.lookAhead`. */
  async ahead(): Promise<LookAhead | undefined> {
    const look = this.startThread()?.begin();
    if (look === undefined || this.#haveRulesChanged()) return undefined;
    this.#lookAtLeftOut();
    if (this.#suspects.length > 0) return undefined;
    return { likely: await this.#result(undefined), finish: () => look.finish() };
  }

  /** See `CorpusLook.startThread`. */
  startThread(): LookThread | undefined {
    const { fileCount } = this.#stored;
    if (!LookThread.isOffered(fileCount)) return undefined;
    if (Math.max(this.#tree.folderStamps.inodes.length, fileCount) > lookCountMax) return undefined;
    const folders = stampedFolders(this.#tree);
    const files = this.#stampedFiles();
    return LookThread.start(this.#options.root, folders, files);
  }

  async run(before: Look | undefined): Promise<Look> {
    if (this.#haveFoldersChanged() || this.#haveRulesChanged()) this.#compareWithWalk();
    else {
      this.#compareStamps();
      const rules = this.#suspects.some(({ file }) => ignoreFilePattern.test(file.relativePath));
      if (rules || this.#gone.length > 0) {
        this.#suspects.length = 0;
        this.#gone.length = 0;
        this.#leftOut.length = 0;
        this.#compareWithWalk();
      }
    }
    return await this.#result(before);
  }

  async #result(before: Look | undefined): Promise<Look> {
    const changed = await this.#readSuspects();
    const warnings = this.#warnings;
    const folders = this.#folders;
    const finding = JSON.stringify([
      changed.map(({ file, content }) => [file.relativePath, content.hash]),
      this.#gone,
      warnings,
    ]);
    const isAnyLinked = this.#isAnyLinked;
    const leftOut = this.#leftOut.toSorted((a, b) => compareBytes(a.relativePath, b.relativePath));
    const isWhole = this.#isWhole(changed.length);
    if (before?.finding === finding) return { ...before, folders, isAnyLinked, leftOut, isWhole };
    const isFresh = changed.length === 0 && this.#gone.length === 0;
    const segments = isFresh ? this.#open.segments : await this.#withOverlay(changed);
    const corpus = isFresh ? this.#stored : this.#overlaid(segments, changed);
    const freshCount = changed.length;
    // Not in this function, whose scope has the look before: functions keep their scope, and each look would keep all before it.
    return {
      corpus,
      warnings,
      isWhole,
      folders,
      finding,
      isAnyLinked,
      leftOut,
      freshCount,
      keep: keeper(),
      mayHold: holder(segments),
    };
  }

  #isWhole(readCount: number): boolean {
    const { meta } = this.#open;
    // A new or changed file that was not read is missing from the answer.
    const isAllRead = this.#suspects.length === readCount + this.#settledCount;
    return (
      this.#warnings.length === 0 &&
      isAllRead &&
      meta.unread_count === 0 &&
      meta.file_size_max === this.#options.fileSizeBytesMax
    );
  }

  #haveFoldersChanged(): boolean {
    const { length } = this.#tree.folderStamps.inodes;
    const { root } = this.#options;
    const haveChanged =
      this.#seen?.isAnyFolderChanged ??
      anyFolderChanged(root, stampedFolders(this.#tree, lookCountMax));
    if (haveChanged) return true;
    if (length > lookCountMax)
      this.#warnings.push(
        `There are ${length} folders: new files in ${length - lookCountMax} of them are missing until \`codetool index\` runs`,
      );
    return false;
  }

  /** Rules outside of the tree, and in files that they leave out themselves, are in no file of the index. */
  #haveRulesChanged(): boolean {
    return haveRulesChanged(this.#options, this.#tree.rules, wallClockMs());
  }

  /** Finds the files that are gone or are not as the index has them, by their stamps. */
  #compareStamps(): void {
    const { fileCount } = this.#stored;
    const stamps = this.#tree.files;
    const range = { start: 0, end: Math.min(fileCount, lookCountMax) };
    const found = this.#seen ?? changedFiles(this.#options.root, this.#stampedFiles(), range);
    this.#isAnyLinked = found.isAnyLinked;
    for (const number of found.changed) {
      const { path, sizeBytes, language } = this.#stored.file(number);
      const absolutePath = this.#absolute(path);
      const stat = statAt(absolutePath);
      if (stat === undefined || !stat.isFile()) {
        this.#gone.push(number);
        continue;
      }
      const stamp = stampOf(stat);
      if (isSameStamp(stamp, stampAt(stamps, number, sizeBytes))) continue;
      const file = {
        absolutePath,
        relativePath: path,
        ...stamp,
        language: language ?? languageOfPath(path),
      };
      this.#suspects.push({ file, number });
    }
    this.#lookAtLeftOut();
    if (fileCount > lookCountMax)
      this.#warnings.push(
        `There are ${fileCount} files: changes of ${fileCount - lookCountMax} of them are missing until \`codetool index\` runs`,
      );
  }

  #stampedFiles(): StampedFiles {
    const { fileCount } = this.#stored;
    const [paths, sizes] = this.#stored.identityOf(0, fileCount);
    const pathEnds = this.#stored.pathEnds ?? endsOfPaths(paths, fileCount);
    return { fileCount, paths, pathEnds, sizes, stamps: this.#tree.files };
  }

  /** A file that was too large may be small by now. */
  #lookAtLeftOut(): void {
    const { fileSizeBytesMax } = this.#options;
    for (const relativePath of this.#tree.leftOut.slice(0, lookCountMax)) {
      const absolutePath = this.#absolute(relativePath);
      const stat = statAt(absolutePath);
      if (stat?.isFile() !== true) continue;
      const language = languageOfPath(relativePath);
      const file = { absolutePath, relativePath, ...stampOf(stat), language };
      if (stat.size > fileSizeBytesMax) this.#leftOut.push(file);
      else this.#suspects.push({ file, number: undefined });
    }
  }

  #compareWithWalk(): void {
    const { root, environment, fileSizeBytesMax } = this.#options;
    const folders: string[] = [];
    const onFolder = ({ relativePath }: { readonly relativePath: string }): void =>
      void folders.push(relativePath);
    const walked = walkFiles({ root, environment, sizeBytesMax: fileSizeBytesMax, onFolder });
    this.#folders = folders;
    this.#leftOut.push(...walked.leftOut);
    this.#warnings.push(...walked.warnings);
    this.#isAnyLinked = walked.files.some(({ linkCount }) => linkCount > 1);
    const numbers = new Map(this.#stored.files.map(({ path }, number) => [path, number]));
    for (const file of walked.files) {
      const number = numbers.get(file.relativePath);
      numbers.delete(file.relativePath);
      const isKnown =
        number !== undefined &&
        isSameStamp(file, stampAt(this.#tree.files, number, this.#stored.sizeBytesOf(number)));
      if (!isKnown) this.#suspects.push({ file, number });
    }
    this.#gone.push(...numbers.values());
  }

  /** Reads what may have changed; what has the hash that is stored did not. */
  async #readSuspects(): Promise<ChangedFile[]> {
    const { fileSizeBytesMax } = this.#options;
    const changed: ChangedFile[] = [];
    let restBytes = freshBytesMax;
    let staleCount = 0;
    for (const { file, number } of await this.#withoutUnchanged()) {
      if (changed.length === freshCountMax || restBytes <= 0) {
        staleCount += 1;
        continue;
      }
      const content = readFileBytes(file.absolutePath, { sizeBytesMax: fileSizeBytesMax });
      if (content.kind !== "file") {
        if (number !== undefined) this.#gone.push(number);
        if (content.kind !== "too_large") continue;
        this.#leftOut.push({ ...file, sizeBytes: content.sizeBytes });
        this.#settledCount += 1;
        continue;
      }
      const { bytes, stamp } = content;
      restBytes -= bytes.length;
      const hash = await contentHash(bytes);
      if (number !== undefined && hash === this.#stored.hashOf(number)) {
        this.#settledCount += 1;
        continue;
      }
      if (number !== undefined) this.#gone.push(number);
      changed.push({ file, content: { bytes, stamp, hash } });
    }
    if (staleCount > 0)
      this.#warnings.push(
        `${changed.length + staleCount} files changed since the index was made: the answer has the earlier state of ${staleCount} of them; run \`codetool index\``,
      );
    return changed;
  }

  /**
   * The suspects without those that have the content they had. Files with the size and time that they had are compared by
   * their hashes: after a copy of a tree all its files are among them.
   */
  async #withoutUnchanged(): Promise<Suspect[]> {
    const { fileSizeBytesMax } = this.#options;
    const rest: Suspect[] = [];
    let [comparedCount, restBytes, uncomparedCount] = [0, doubtfulBytesMax, 0];
    for (const suspect of this.#suspects) {
      const { file, number } = suspect;
      if (number === undefined || !this.#looksSame(file, number)) {
        rest.push(suspect);
        continue;
      }
      if (comparedCount === doubtfulCountMax || restBytes <= 0) {
        uncomparedCount += 1;
        continue;
      }
      const content = readFileBytes(file.absolutePath, { sizeBytesMax: fileSizeBytesMax });
      comparedCount += 1;
      restBytes -= file.sizeBytes;
      const isSame =
        content.kind === "file" &&
        (await hasContentHash(content.bytes, this.#stored.hashOf(number)));
      if (isSame) this.#settledCount += 1;
      else rest.push(suspect);
    }
    if (uncomparedCount > 0)
      this.#warnings.push(
        `${comparedCount + uncomparedCount} files were copied, restored or linked since the index was made: the answer takes ${uncomparedCount} of them as unchanged; run \`codetool index\``,
      );
    return rest;
  }

  #looksSame({ sizeBytes, modifiedMs }: WalkedFile, number: number): boolean {
    const known = this.#stored.file(number);
    return known.sizeBytes === sizeBytes && known.modifiedMs === modifiedMs;
  }

  async #withOverlay(changed: readonly ChangedFile[]): Promise<Segment[]> {
    const chunked: ChunkedFile[] = [];
    const builder = new SegmentBuilder(this.#open.meta.chunk_size, null, (file) => {
      chunked.push(file);
    });
    const sorted = changed.toSorted((a, b) =>
      compareBytes(a.file.relativePath, b.file.relativePath),
    );
    for (const { file, content } of sorted) await addFile(builder, file, content);
    const generation = this.#open.meta.generation + 1;
    // Most queries ask for no meaning.
    const overlay = segmentInMemory(builder, generation, () => embedLater(chunked, generation));
    return [...this.#open.segments, overlay];
  }

  #overlaid(
    segments: readonly Segment[],
    changed: readonly { readonly file: WalkedFile }[],
  ): IndexedCorpus {
    const stored = this.#stored;
    const paths = new Set(changed.map(({ file }) => file.relativePath));
    return stored.without(
      this.#gone,
      () =>
        new IndexedCorpus(segments, (corpus) =>
          graphOfChangedTree(
            { files: corpus.importingFiles(), absolutePathOf: (path) => this.#absolute(path) },
            { files: stored.importingFiles(), graph: () => stored.importGraph },
            paths,
          ),
        ),
    );
  }

  #absolute(relativePath: string): string {
    return pathsBelow(this.#options.root)(relativePath);
  }
}

/** Keeps results by name, a few of them. */
function keeper(): OpenCorpus["keep"] {
  const kept = new Map<string, unknown>();
  return <Kept>(name: string, make: () => Kept): Kept => {
    if (kept.size >= keptCountMax) kept.clear();
    if (!kept.has(name)) kept.set(name, make());
    return kept.get(name) as Kept;
  };
}

/** Tells whether a text may be in a file of the segments. */
function holder(segments: readonly Segment[]): OpenCorpus["mayHold"] {
  return (text) => {
    const trigrams = trigramsOf(Buffer.from(text, "utf8"));
    return segments.some((segment) => mayHoldAll(segment.file("bloom"), trigrams));
  };
}
