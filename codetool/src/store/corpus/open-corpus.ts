import { statSync } from "node:fs";
import { join } from "node:path";
import { languageOfPath, readFileBytes, type WalkedFile, walkFiles } from "../../files/index.ts";
import { openEmbedder } from "../../model/index.ts";
import { compareBytes, contentHash } from "../../text/index.ts";
import {
  addFile,
  mayHoldAll,
  noTreeState,
  type FileToAdd,
  readGraph,
  readTreeState,
  type Segment,
  SegmentBuilder,
  type StoredTreeState,
  trigramsOf,
} from "../segment/index.ts";
import {
  graphOfChangedTree,
  graphOfTree,
  indexFolder,
  openGeneration,
  type OpenGeneration,
  pathsBelow,
} from "../folder/index.ts";
import { IndexedCorpus } from "./indexed-corpus.ts";
import { segmentInMemory } from "./index-in-memory.ts";
import { anyFolderChanged, changedFiles } from "./changed-files.ts";

/** How many files and folders have their times checked for one answer. */
const lookCountMax = 100_000;
/** How many changed files, and bytes of them, are read for one answer. */
const freshCountMax = 500;
const freshBytesMax = 16 * 1024 * 1024;
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
}

/**
 * Opens the index of a folder and adds the changes since it was made, in memory: changed and new files are read, removed
 * files are left out. Nothing is written.
 *
 * The times of all folders show whether files were added or removed, and the times of all files whether they changed: a
 * microsecond each. Both checks are bounded; `warnings` says what was not checked because of a bound.
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
  /** The times that the last run saw. */
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
   */
  async look(before?: Look): Promise<Look> {
    return await new FreshLook(this.#lookedAt).run(before);
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

class FreshLook {
  readonly #options: OpenCorpusOptions;
  readonly #open: OpenGeneration;
  readonly #stored: IndexedCorpus;
  readonly #tree: StoredTreeState;
  #folders: string[] | undefined;
  readonly #warnings: string[] = [];
  /** Files that are to be read, with their number in the stored corpus where they have one. */
  readonly #suspects: { readonly file: WalkedFile; readonly number: number | undefined }[] = [];
  readonly #gone: number[] = [];
  /** The suspects whose content did not change. */
  #unchangedCount = 0;

  constructor({ options, open, stored, tree }: LookedAt) {
    this.#options = options;
    this.#open = open;
    this.#stored = stored;
    this.#tree = tree;
  }

  async run(before: Look | undefined): Promise<Look> {
    if (this.#haveFoldersChanged()) this.#compareWithWalk();
    else {
      this.#compareTimes();
      const rules = this.#suspects.some(({ file }) => ignoreFilePattern.test(file.relativePath));
      if (rules || this.#gone.length > 0) {
        this.#suspects.length = 0;
        this.#gone.length = 0;
        this.#compareWithWalk();
      }
    }
    const changed = await this.#readSuspects();
    const warnings = this.#warnings;
    const folders = this.#folders;
    const finding = JSON.stringify([
      changed.map(({ file, content }) => [file.relativePath, content.hash]),
      this.#gone,
      warnings,
    ]);
    if (before?.finding === finding) return { ...before, folders };
    const isFresh = changed.length === 0 && this.#gone.length === 0;
    const segments = isFresh ? this.#open.segments : await this.#withOverlay(changed);
    const kept = new Map<string, unknown>();
    return {
      corpus: isFresh ? this.#stored : this.#overlaid(segments, changed),
      warnings,
      isWhole: this.#isWhole(changed.length),
      folders,
      finding,
      freshCount: changed.length,
      keep: <Kept>(name: string, make: () => Kept): Kept => {
        if (kept.size >= keptCountMax) kept.clear();
        if (!kept.has(name)) kept.set(name, make());
        return kept.get(name) as Kept;
      },
      mayHold: (text) => {
        const trigrams = trigramsOf(Buffer.from(text, "utf8"));
        return segments.some((segment) => mayHoldAll(segment.file("bloom"), trigrams));
      },
    };
  }

  #isWhole(readCount: number): boolean {
    const { meta } = this.#open;
    // A new or changed file that was not read is missing from the answer.
    const isAllRead = this.#suspects.length === readCount + this.#unchangedCount;
    return (
      this.#warnings.length === 0 &&
      isAllRead &&
      meta.unread_count === 0 &&
      meta.file_size_max === this.#options.fileSizeBytesMax
    );
  }

  #haveFoldersChanged(): boolean {
    const { folderTimesMs } = this.#tree;
    const count = Math.min(folderTimesMs.length, lookCountMax);
    if (anyFolderChanged(this.#options.root, this.#tree, count)) return true;
    if (folderTimesMs.length > lookCountMax)
      this.#warnings.push(
        `There are ${folderTimesMs.length} folders: new files in ${folderTimesMs.length - lookCountMax} of them are missing until \`codetool index\` runs`,
      );
    return false;
  }

  /** Finds the files that are gone or are not as the index has them, by their times and sizes. */
  #compareTimes(): void {
    const { fileCount } = this.#stored;
    const times = this.#tree.fileTimesMs;
    for (const number of changedFiles(this.#options.root, this.#stored, {
      timesMs: times,
      countMax: lookCountMax,
    })) {
      const { path, sizeBytes, language } = this.#stored.file(number);
      const absolutePath = this.#absolute(path);
      const stat = statSync(absolutePath, { throwIfNoEntry: false });
      if (stat === undefined || !stat.isFile()) {
        this.#gone.push(number);
        continue;
      }
      if (stat.size === sizeBytes && stat.mtimeMs === times[number]) continue;
      const file = {
        absolutePath,
        relativePath: path,
        sizeBytes: stat.size,
        modifiedMs: stat.mtimeMs,
        language: language ?? languageOfPath(path),
      };
      this.#suspects.push({ file, number });
    }
    if (fileCount > lookCountMax)
      this.#warnings.push(
        `There are ${fileCount} files: changes of ${fileCount - lookCountMax} of them are missing until \`codetool index\` runs`,
      );
  }

  #compareWithWalk(): void {
    const { root, environment, fileSizeBytesMax } = this.#options;
    const folders: string[] = [];
    const onFolder = ({ relativePath }: { readonly relativePath: string }): void =>
      void folders.push(relativePath);
    const walked = walkFiles({ root, environment, sizeBytesMax: fileSizeBytesMax, onFolder });
    this.#folders = folders;
    const times = this.#tree.fileTimesMs;
    const numbers = new Map(this.#stored.files.map(({ path }, number) => [path, number]));
    for (const file of walked.files) {
      const number = numbers.get(file.relativePath);
      numbers.delete(file.relativePath);
      const isKnown =
        number !== undefined &&
        this.#stored.files[number]?.sizeBytes === file.sizeBytes &&
        times[number] === file.modifiedMs;
      if (!isKnown) this.#suspects.push({ file, number });
    }
    this.#gone.push(...numbers.values());
  }

  /** Reads what may have changed; what has the hash that is stored did not. */
  async #readSuspects(): Promise<{ readonly file: WalkedFile; readonly content: FileToAdd }[]> {
    const changed: { readonly file: WalkedFile; readonly content: FileToAdd }[] = [];
    let restBytes = freshBytesMax;
    let staleCount = 0;
    for (const { file, number } of this.#suspects) {
      if (changed.length === freshCountMax || restBytes <= 0) {
        staleCount += 1;
        continue;
      }
      const { fileSizeBytesMax } = this.#options;
      const content = readFileBytes(file.absolutePath, { sizeBytesMax: fileSizeBytesMax });
      if (content.kind !== "file") {
        if (number !== undefined) this.#gone.push(number);
        continue;
      }
      const { bytes, modifiedMs } = content;
      restBytes -= bytes.length;
      const hash = await contentHash(bytes);
      if (number !== undefined && hash === this.#stored.hashOf(number)) {
        this.#unchangedCount += 1;
        continue;
      }
      if (number !== undefined) this.#gone.push(number);
      changed.push({ file, content: { bytes, modifiedMs, hash } });
    }
    if (staleCount > 0)
      this.#warnings.push(
        `${changed.length + staleCount} files changed since the index was made: the answer has the earlier state of ${staleCount} of them; run \`codetool index\``,
      );
    return changed;
  }

  async #withOverlay(
    changed: readonly { readonly file: WalkedFile; readonly content: FileToAdd }[],
  ): Promise<Segment[]> {
    const sizeBytes = changed.reduce((sum, { content }) => sum + content.bytes.length, 0);
    const builder = new SegmentBuilder(this.#open.meta.chunk_size, await openEmbedder(sizeBytes));
    const sorted = changed.toSorted((a, b) =>
      compareBytes(a.file.relativePath, b.file.relativePath),
    );
    for (const { file, content } of sorted) await addFile(builder, file, content);
    const overlay = segmentInMemory(builder, this.#open.meta.generation + 1);
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
