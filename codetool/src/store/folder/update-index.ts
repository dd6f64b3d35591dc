import { join } from "node:path";
import {
  type FileStamp,
  isSameStamp,
  readFileBytes,
  syncDirectory,
  type WalkedFile,
} from "../../files/index.ts";
import { compareBytes, contentHash } from "../../text/index.ts";
import {
  certainStamp,
  columnsOf,
  fineGrainMs,
  type FileToAdd,
  readGraph,
  type SegmentContent,
  type TreeState,
  writeSegment,
} from "../segment/index.ts";
import type { gatherFiles, GatherPlan } from "../gather/index.ts";
import {
  clearIndex,
  indexFolder,
  makeIndexFolder,
  openGeneration,
  type OpenGeneration,
  segmentDirectory,
  tidyGeneration,
} from "./index-folder.ts";
import { type IndexLock, lockIndex, type WriterProcess } from "./index-lock.ts";
import { type IndexMeta, readMeta, writeMeta } from "./index-meta.ts";
import { IndexFault } from "../index-fault.ts";
import { removeAny } from "../own-files.ts";
import { formatVersion } from "../sections/index.ts";
import type { ImportGraph } from "../../imports/index.ts";
import { type KnownFile, KnownTree, mergeByPath } from "./known-tree.ts";
import { seeKnownTree, type SeenTree, walkTree } from "./seen-tree.ts";
import { countStanding } from "./standing-counts.ts";
import { pathsBelow } from "./paths-below.ts";
import { graphOfChangedTree, graphOfTree } from "./tree-graph.ts";
import { sleep } from "../../system/index.ts";

/** How many segments there may be in addition to the base; one more, and they are merged. */
const deltaCountMax = 8;
/** Share of the files that may be in segments other than the base; above it the base is built again. */
const deltaShareMax = 0.25;
/** The options of a run. */
export interface UpdateOptions {
  /** Absolute path of the folder that the index covers. */
  readonly root: string;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly chunkSizeCharacters: number;
  readonly fileSizeBytesMax: number;
  /** Builds from scratch, without the index that exists. */
  readonly isRebuild: boolean;
  /** The time, milliseconds since the Unix epoch. */
  readonly nowMs: () => number;
  readonly process: WriterProcess;
  /** Trusts the existing index without checking every byte of it: for a run that follows another one. */
  readonly isTrusting?: boolean;
  /** Gets the folders that were walked, the root's empty path first. */
  readonly onFolders?: (relativePaths: readonly string[]) => void;
  /** How files are divided among runs and threads; default by their size and the machine's cores. */
  readonly gathering?: GatherPlan;
  /** Gets the progress of the run, for a progress line. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  /** Ends the run before its result becomes visible; its reason is thrown. */
  readonly signal?: AbortSignal;
}

/** What a run did. */
export interface UpdateResult {
  /** Of the index, as it is now. */
  readonly generation: number;
  readonly filesIndexed: number;
  readonly chunks: number;
  readonly filesChanged: number;
  readonly filesUnchanged: number;
  readonly filesRemoved: number;
  /** Files by language; those of no known one are not counted. */
  readonly languages: ReadonlyMap<string, number>;
  readonly warnings: readonly string[];
}

/** Another process is writing the index. */
export class IndexBusy extends Error {
  readonly holder: number;

  constructor(holder: number) {
    super(`process ${holder} is writing the index`);
    this.name = "IndexBusy";
    this.holder = holder;
  }
}

/**
 * Brings the index of a folder up to date, or makes it: files whose size, times and inode, or else whose content, did
 * not change are left as they are. What is written becomes visible at once, by one rename at the end; a run that ends
 * before leaves the index as it was.
 *
 * @throws IndexBusy while another process writes; IndexFault where something else lies in the index's place; the file system's error when it cannot be written.
 */
export async function updateIndex(options: UpdateOptions): Promise<UpdateResult> {
  const { directory, isNew } = makeIndexFolder(options.root);
  // Making the folder changed its parent just now; a moment later the time of the parent is reliable.
  if (isNew) await sleep(fineGrainMs + 5);
  const lock = lockIndex(directory, options.process);
  if ("holder" in lock) throw new IndexBusy(lock.holder);
  return await new IndexRun(options, directory, lock).run();
}

/** A file as it is now. */
interface StandingFile {
  readonly hash: string;
  /** It equals nothing when it is too recent to be reliable. */
  readonly stamp: FileStamp;
}

interface Comparison {
  readonly changed: { readonly file: SeenTree["files"][number]; readonly isKnown: boolean }[];
  readonly removed: KnownFile[];
  readonly standing: Map<string, StandingFile>;
  /** True when a file has the same content and another stamp than the index says. */
  isTouched: boolean;
}

/** Which files go into a new segment, what it takes back, and which segments stay. */
interface Plan {
  readonly files: readonly WalkedFile[];
  readonly removed: readonly (readonly [segment: number, file: number])[];
  readonly kept: readonly number[];
}

type RunCounts = Pick<UpdateResult, "filesChanged" | "filesRemoved" | "warnings">;

class IndexRun {
  readonly #options: UpdateOptions;
  readonly #directory: string;
  readonly #lock: IndexLock;
  readonly #startMs: number;
  readonly #remarks: string[] = [];
  #unreadableCount = 0;

  constructor(options: UpdateOptions, directory: string, lock: IndexLock) {
    this.#options = options;
    this.#directory = directory;
    this.#lock = lock;
    this.#startMs = options.nowMs();
  }

  async run(): Promise<UpdateResult> {
    let current: OpenGeneration | undefined;
    try {
      current = this.#openCurrent();
      return await this.#update(current);
    } finally {
      for (const segment of current?.segments ?? []) segment.close();
      this.#lock.release();
    }
  }

  /** The existing index, if the run may build on it. */
  #openCurrent(): OpenGeneration | undefined {
    if (this.#options.isRebuild) return undefined;
    const current = this.#openWhole();
    if (current === undefined) return undefined;
    const isFitting =
      current.meta.chunk_size === this.#options.chunkSizeCharacters &&
      current.meta.file_size_max === this.#options.fileSizeBytesMax;
    if (isFitting) return current;
    for (const segment of current.segments) segment.close();
    return undefined;
  }

  /** The current generation, every byte of it checked. */
  #openWhole(): OpenGeneration | undefined {
    let current: OpenGeneration | undefined;
    try {
      current = openGeneration(this.#directory);
      if (this.#options.isTrusting !== true)
        for (const segment of current?.segments ?? []) segment.verify();
      return current;
    } catch (error) {
      for (const segment of current?.segments ?? []) segment.close();
      if (!(error instanceof IndexFault)) throw error;
      this.#remarks.push(`The index was rebuilt, "${error.path}": ${error.reason}`);
      return undefined;
    }
  }

  async #update(current: OpenGeneration | undefined): Promise<UpdateResult> {
    const tree = new KnownTree(current?.segments ?? []);
    const isAllRead = current?.meta.unread_count === 0;
    const known = isAllRead ? seeKnownTree(this.#options, tree) : undefined;
    const walked = known ?? walkTree(this.#options);
    const { folders, leftOut, rules } = walked;
    this.#options.onFolders?.(folders.map(({ relativePath }) => relativePath));
    const found = await this.#compare(tree, walked.files);
    const { changed, removed, standing } = found;
    const filesRemoved = removed.length - changed.filter(({ isKnown }) => isKnown).length;
    const warnings = [...this.#remarks, ...walked.warnings];
    const isTreeKnown = current !== undefined && !found.isTouched && tree.hasFolders(walked);
    if (isTreeKnown) tidyGeneration(this.#directory, current.meta);
    if (isTreeKnown && changed.length === 0 && removed.length === 0)
      return this.#result(current, { filesChanged: 0, filesRemoved, warnings });
    const plan = this.#plan(current, {
      changed: changed.map(({ file }) => file),
      removed,
      walked: walked.files,
    });
    const generation = this.#nextGeneration();
    const gathered = await this.#gather(plan.files, standing);
    try {
      if (this.#unreadableCount > 0)
        warnings.push(
          `${this.#unreadableCount} ${this.#unreadableCount === 1 ? "file" : "files"} could not be read`,
        );
      const filesChanged = Math.max(0, changed.length - this.#unreadableCount);
      const counts = { filesChanged, filesRemoved, warnings };
      const { content } = gathered;
      if (isTreeKnown && content.fileCount === 0 && plan.removed.length === 0)
        return this.#result(current, counts);
      const sorted = walked.files.flatMap(({ relativePath: path }) => {
        const file = standing.get(path);
        return file === undefined ? [] : [{ path, ...file }];
      });
      const state = {
        files: columnsOf(sorted.map(({ stamp }) => stamp)),
        folders,
        leftOut,
        rules,
      };
      const graph = this.#graph(current, { plan, content, tree });
      const unreadCount = this.#unreadableCount + walked.warnings.length;
      const meta = this.#write(content, { generation, plan, state, graph, unreadCount });
      this.#publish(
        meta,
        sorted.map(({ path, hash }) => [path, hash] as const),
      );
      return this.#resultOf(counts);
    } finally {
      gathered.release();
    }
  }

  /** Makes a generation the current one. */
  #publish(meta: IndexMeta, hashes: readonly (readonly [path: string, hash: string])[]): void {
    // Another process took over the lock because it took this one for dead: its index counts.
    const taker = this.#lock.takenBy();
    if (taker !== undefined) throw new IndexBusy(taker);
    writeMeta(this.#directory, meta, hashes);
    tidyGeneration(this.#directory, meta);
  }

  #resultOf(counts: RunCounts): UpdateResult {
    const made = openGeneration(this.#directory);
    if (made === undefined) throw new Error(`the index in ${indexFolder} cannot be read back`);
    try {
      return this.#result(made, counts);
    } finally {
      for (const segment of made.segments) segment.close();
    }
  }

  /** Compares the tree with the index: what is unchanged, new or changed, and gone. */
  async #compare(tree: KnownTree, files: SeenTree["files"]): Promise<Comparison> {
    const found: Comparison = {
      changed: [],
      removed: [],
      standing: new Map(),
      isTouched: false,
    };
    // Both lists are in the byte order of their paths.
    let place = 0;
    for (const file of files) {
      let known = tree.files[place];
      while (known !== undefined && known.path !== file.relativePath) {
        if (compareBytes(known.path, file.relativePath) > 0) break;
        found.removed.push(known);
        place += 1;
        known = tree.files[place];
      }
      if (known?.path !== file.relativePath) {
        found.changed.push({ file, isKnown: false });
        continue;
      }
      const stamp = tree.stampOf(place);
      place += 1;
      if (stamp !== undefined && isSameStamp(stamp, file))
        found.standing.set(known.path, { hash: tree.hashOf(known), stamp });
      else await this.#compareContent(found, { file, known, tree });
    }
    found.removed.push(...tree.files.slice(place));
    return found;
  }

  /** Reads a file whose stamp changed or is not reliable. */
  async #compareContent(
    found: Comparison,
    pair: {
      readonly file: SeenTree["files"][number];
      readonly known: KnownFile;
      readonly tree: KnownTree;
    },
  ): Promise<void> {
    const { file, known, tree } = pair;
    const content = tree.sizeOf(known) === file.sizeBytes ? await this.#read(file) : undefined;
    if (content !== undefined && content.hash === tree.hashOf(known)) {
      const { hash, stamp } = content;
      found.standing.set(known.path, { hash, stamp });
      found.isTouched ||= !Number.isNaN(stamp.modifiedMs);
    } else {
      found.changed.push({ file, isKnown: true });
      found.removed.push(known);
    }
  }

  /** The number of the generation to make; files of an index without a current generation are removed. */
  #nextGeneration(): number {
    const before = this.#readMeta();
    if (before === undefined) clearIndex(this.#directory);
    return (before?.generation ?? 0) + 1;
  }

  #write(
    content: SegmentContent,
    parts: {
      readonly generation: number;
      readonly plan: Plan;
      readonly state: TreeState;
      readonly graph: ImportGraph;
      readonly unreadCount: number;
    },
  ): IndexMeta {
    const { generation, plan, state, graph, unreadCount } = parts;
    const own = segmentDirectory(this.#directory, generation);
    try {
      const { removed } = plan;
      writeSegment(own, content, { generation, removed, tree: state, graph });
    } catch (error) {
      removeAny(own);
      throw error;
    }
    syncDirectory(join(this.#directory, "segments"));
    return {
      version: formatVersion,
      generation,
      timestamp: new Date(this.#startMs).toISOString(),
      chunk_size: this.#options.chunkSizeCharacters,
      file_size_max: this.#options.fileSizeBytesMax,
      file_count: graph.fileCount,
      unread_count: unreadCount,
      segments: [...plan.kept, generation],
    };
  }

  /** Which files import which, the new segment's among them. */
  #graph(
    current: OpenGeneration | undefined,
    parts: {
      readonly plan: Plan;
      readonly content: SegmentContent;
      readonly tree: KnownTree;
    },
  ): ImportGraph {
    const { plan, content, tree } = parts;
    const absolutePathOf = pathsBelow(this.#options.root);
    const own = content.importingFiles();
    const newest = current?.segments.at(-1);
    if (newest === undefined || plan.kept.length === 0)
      return graphOfTree({ files: own, absolutePathOf });
    const gone = Map.groupBy(plan.removed, ([segment]) => segment);
    const removed = plan.kept.map((_, place) => new Set(gone.get(place)?.map(([, file]) => file)));
    const kept = tree.files
      .filter(({ segment, file }) => removed[segment]?.has(file) === false)
      .map((file) => tree.importingFile(file));
    const known = {
      files: tree.files.map((file) => tree.importingFile(file)),
      graph: (): ImportGraph => readGraph(newest.file("imports")),
    };
    const changed = new Set(own.map(({ path }) => path));
    return graphOfChangedTree({ files: mergeByPath(kept, own), absolutePathOf }, known, changed);
  }

  #readMeta(): IndexMeta | undefined {
    try {
      return readMeta(this.#directory);
    } catch (error) {
      if (error instanceof IndexFault) return undefined;
      throw error;
    }
  }

  /** Which files go into the new segment, what it takes back, and which segments stay. */
  #plan(
    current: OpenGeneration | undefined,
    found: {
      readonly changed: readonly WalkedFile[];
      readonly removed: readonly KnownFile[];
      readonly walked: readonly WalkedFile[];
    },
  ): Plan {
    if (current === undefined) return { files: found.walked, removed: [], kept: [] };
    const base = current.segments[0];
    if (base === undefined) return { files: found.walked, removed: [], kept: [] };
    let inBaseCount = base.isRemoved.reduce((count, isRemoved) => count + 1 - isRemoved, 0);
    for (const { segment } of found.removed) if (segment === 0) inBaseCount -= 1;
    const outsideCount = found.walked.length - inBaseCount;
    const goneCount = base.files.paths.length - inBaseCount;
    if (Math.max(outsideCount, goneCount) > 16 + deltaShareMax * found.walked.length)
      return { files: found.walked, removed: [], kept: [] };
    if (current.segments.length <= deltaCountMax)
      return {
        files: found.changed,
        removed: found.removed.map(({ segment, file }) => [segment, file] as const),
        kept: current.meta.segments,
      };
    // Too many in addition to the base: they are merged into one.
    const inBase = new Set(base.files.paths.filter((_, file) => base.isRemoved[file] === 0));
    for (const { segment, path } of found.removed) if (segment === 0) inBase.delete(path);
    const outside = found.walked.filter((file) => !inBase.has(file.relativePath));
    const gone = [...base.files.paths.entries()].filter(([, path]) => !inBase.has(path));
    return {
      files: outside,
      removed: gone.map(([file]) => [0, file] as const),
      kept: [current.meta.segments[0] as number],
    };
  }

  async #gather(
    files: readonly WalkedFile[],
    standing: Map<string, StandingFile>,
  ): ReturnType<typeof gatherFiles> {
    const { chunkSizeCharacters, fileSizeBytesMax, onProgress, gathering, signal } = this.#options;
    const directory = join(this.#directory, "segments");
    // Loaded only here: threads take longer to load than many an answer from the index.
    const gather = await import("../gather/index.ts");
    // Files that an unfinished run left there.
    removeAny(join(directory, gather.runsFolder));
    const seenMs = this.#options.nowMs();
    let done = 0;
    onProgress?.({ done, total: files.length });
    return await gather.gatherFiles(
      files.map(asPlain),
      { chunkSizeCharacters, fileSizeBytesMax, directory, signal, ...gathering },
      (file, gathered) => {
        done += 1;
        onProgress?.({ done, total: files.length });
        if (gathered === undefined) {
          // Denied, or gone or grown since the walk: the result says how many there were.
          this.#unreadableCount += 1;
          return;
        }
        const stamp = certainStamp(gathered.stamp, seenMs);
        standing.set(file.relativePath, { hash: gathered.hash, stamp });
      },
    );
  }

  async #read(file: WalkedFile): Promise<FileToAdd | undefined> {
    const seenMs = this.#options.nowMs();
    const content = readFileBytes(file.absolutePath, {
      sizeBytesMax: this.#options.fileSizeBytesMax,
    });
    if (content.kind !== "file") return undefined;
    const { bytes } = content;
    const stamp = certainStamp(content.stamp, seenMs);
    return { bytes, stamp, hash: await contentHash(bytes) };
  }

  #result({ meta, segments }: OpenGeneration, counts: RunCounts): UpdateResult {
    const { files, chunks, languages } = countStanding(segments);
    return {
      generation: meta.generation,
      filesIndexed: files,
      chunks,
      filesUnchanged: files - counts.filesChanged,
      languages,
      ...counts,
    };
  }
}

/** The same file as an object that threads get whole. */
function asPlain(file: WalkedFile): WalkedFile {
  const { absolutePath, relativePath, sizeBytes, modifiedMs, language } = file;
  return { absolutePath, relativePath, sizeBytes, modifiedMs, language };
}
