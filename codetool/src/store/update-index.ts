import { join } from "node:path";
import { readFileBytes, type WalkedFile, type WalkedFolder, walkFiles } from "../files/index.ts";
import { compareBytes, contentHash } from "../text/index.ts";
import type { ReadFile } from "./add-file.ts";
import { gatherFiles, type GatherPlan, runsFolder } from "./gather-files.ts";
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
import { type IndexMeta, readMeta, syncDirectory, writeMeta } from "./index-meta.ts";
import { IndexFault } from "./index-fault.ts";
import { removeAny } from "./own-files.ts";
import { formatVersion } from "./section-file.ts";
import type { ImportGraph } from "../imports/index.ts";
import { readGraph } from "./graph-columns.ts";
import { IndexedCorpus } from "./indexed-corpus.ts";
import type { Segment } from "./segment.ts";
import { graphOfChangedTree, graphOfTree, pathsBelow } from "./tree-graph.ts";
import type { SegmentContent } from "./segment-content.ts";
import { writeSegment } from "./segment-writer.ts";
import { certainTime, fineGrainMs, readTreeState, type TreeState } from "./tree-state.ts";

/** Segments besides the base; one more, and they become one. */
const deltaCountMax = 8;
/** Share of the files in segments besides the base; above it the base is built anew. */
const deltaShareMax = 0.25;
/** What a run is to do. */
export interface UpdateOptions {
  /** Absolute path of the folder that the index covers. */
  readonly root: string;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly chunkSizeCharacters: number;
  readonly fileSizeBytesMax: number;
  /** Takes nothing over from the index that is there. */
  readonly isRebuild: boolean;
  /** The time, milliseconds since the Unix epoch. */
  readonly nowMs: () => number;
  readonly process: WriterProcess;
  /** Takes what is there as whole, without checking every byte of it: for a run that follows another one. */
  readonly isTrusting?: boolean;
  /** Told the folders that were walked, the root's empty path first. */
  readonly onFolders?: (relativePaths: readonly string[]) => void;
  /** How files are divided among runs and threads; default by their size and the machine's cores. */
  readonly gathering?: GatherPlan;
  /** Told how far the run is, for a progress line. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  /** Ends the run before it wrote anything that counts; its reason is thrown. */
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
 * Brings the index of a folder up to date, or makes it: files whose size and time, or else whose content, did not
 * change are left as they are. What is written becomes visible at once, by one rename at the end; a run that ends
 * before leaves the index as it was.
 *
 * @throws IndexBusy while another process writes; IndexFault where something else lies in the index's place; the file system's error when it cannot be written.
 */
export async function updateIndex(options: UpdateOptions): Promise<UpdateResult> {
  const { directory, isNew } = makeIndexFolder(options.root);
  // The folder that it was made in changed this moment; a moment later its time is certain.
  if (isNew) await new Promise((resolve) => setTimeout(resolve, fineGrainMs + 5));
  const lock = lockIndex(directory, options.process);
  if ("holder" in lock) throw new IndexBusy(lock.holder);
  return await new IndexRun(options, directory, lock).run();
}

/** A file of the index, by its place. */
interface KnownFile {
  readonly segment: number;
  readonly file: number;
}

/** A file as it stands now. */
interface StandingFile {
  readonly hash: string;
  /** NaN when it is too young to be known by it. */
  readonly timeMs: number;
}

interface Comparison {
  readonly changed: { readonly file: WalkedFile; readonly isKnown: boolean }[];
  readonly removed: KnownFile[];
  readonly standing: Map<string, StandingFile>;
  /** Content stands, but not the time that it was known by. */
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

  /** What is there and may be built upon. */
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
      this.#remarks.push(`The index was built anew, "${error.path}": ${error.reason}`);
      return undefined;
    }
  }

  async #update(current: OpenGeneration | undefined): Promise<UpdateResult> {
    const { root, environment, fileSizeBytesMax } = this.#options;
    const folders: WalkedFolder[] = [];
    const onFolder = ({ relativePath, modifiedMs }: WalkedFolder): void => {
      const seenMs = this.#options.nowMs();
      folders.push({ relativePath, modifiedMs: certainTime(modifiedMs, seenMs) });
    };
    const walked = walkFiles({ root, environment, sizeBytesMax: fileSizeBytesMax, onFolder });
    this.#options.onFolders?.(folders.map(({ relativePath }) => relativePath));
    const found = await this.#compare(current, walked.files);
    const { changed, removed, standing } = found;
    const filesRemoved = removed.length - changed.filter(({ isKnown }) => isKnown).length;
    const warnings = [...this.#remarks, ...walked.warnings];
    const isTreeKnown = current !== undefined && !found.isTouched && hasFolders(current, folders);
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
      const sorted = [...standing].sort(([a], [b]) => compareBytes(a, b));
      const tree = {
        fileTimesMs: Float64Array.from(sorted, ([, { timeMs }]) => timeMs),
        folders,
      };
      const graph = this.#graph(current, { plan, content });
      const unreadCount = this.#unreadableCount + walked.warnings.length;
      const meta = this.#write(content, { generation, plan, tree, graph, unreadCount });
      this.#publish(
        meta,
        sorted.map(([path, { hash }]) => [path, hash] as const),
      );
      return this.#resultOf(counts);
    } finally {
      gathered.release();
    }
  }

  /** Makes a generation the current one. */
  #publish(meta: IndexMeta, hashes: readonly (readonly [path: string, hash: string])[]): void {
    // Another process took this one for gone: its index counts.
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

  /** Tells what of the tree stands as it was, what is new or changed, and what is gone. */
  async #compare(
    current: OpenGeneration | undefined,
    files: readonly WalkedFile[],
  ): Promise<Comparison> {
    const known = knownFiles(current);
    const times = timesOf(current);
    const found: Comparison = {
      changed: [],
      removed: [],
      standing: new Map(),
      isTouched: false,
    };
    const alive = new Set<string>();
    for (const file of files) {
      alive.add(file.relativePath);
      const place = known.get(file.relativePath);
      if (current === undefined || place === undefined) {
        found.changed.push({ file, isKnown: false });
        continue;
      }
      const hash = hashAt(current, place);
      const knownMs = times.get(file.relativePath);
      const sizeBytes = current.segments[place.segment]?.files.sizes[place.file];
      if (sizeBytes === file.sizeBytes && knownMs === file.modifiedMs) {
        found.standing.set(file.relativePath, { hash, timeMs: knownMs });
        continue;
      }
      const content = sizeBytes === file.sizeBytes ? await this.#read(file) : undefined;
      if (content?.hash === hash) {
        found.standing.set(file.relativePath, { hash, timeMs: content.timeMs });
        found.isTouched ||= !Number.isNaN(content.timeMs);
      } else {
        found.changed.push({ file, isKnown: true });
        found.removed.push(place);
      }
    }
    for (const [path, place] of known) if (!alive.has(path)) found.removed.push(place);
    return found;
  }

  /** The generation to be made; what lies there without a current one goes. */
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
      readonly tree: TreeState;
      readonly graph: ImportGraph;
      readonly unreadCount: number;
    },
  ): IndexMeta {
    const { generation, plan, tree, graph, unreadCount } = parts;
    const own = segmentDirectory(this.#directory, generation);
    try {
      writeSegment(own, content, { generation, removed: plan.removed, tree, graph });
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
    parts: { readonly plan: Plan; readonly content: SegmentContent },
  ): ImportGraph {
    const { plan, content } = parts;
    const absolutePathOf = pathsBelow(this.#options.root);
    const own = content.importingFiles();
    const newest = current?.segments.at(-1);
    if (current === undefined || newest === undefined || plan.kept.length === 0)
      return graphOfTree({ files: own, absolutePathOf });
    const gone = Map.groupBy(plan.removed, ([segment]) => segment);
    const kept = plan.kept.flatMap((_, place) => {
      const segment = current.segments[place] as Segment;
      const removed = new Set(gone.get(place)?.map(([, file]) => file));
      return segment.importingFiles.filter(
        (_file, file) => segment.isRemoved[file] === 0 && !removed.has(file),
      );
    });
    const files = [...kept, ...own].sort((a, b) => compareBytes(a.path, b.path));
    const graph = (): ImportGraph => readGraph(newest.file("imports"));
    const known = { files: new IndexedCorpus(current.segments, graph).importingFiles(), graph };
    const changed = new Set(own.map(({ path }) => path));
    return graphOfChangedTree({ files, absolutePathOf }, known, changed);
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
    const inBase = new Set<string>();
    for (const [index, path] of base.files.paths.entries())
      if (base.isRemoved[index] === 0) inBase.add(path);
    for (const { segment, file } of found.removed)
      if (segment === 0) inBase.delete(base.files.paths[file] as string);
    const outside = found.walked.filter((file) => !inBase.has(file.relativePath));
    const goneCount = base.files.paths.length - inBase.size;
    if (Math.max(outside.length, goneCount) > 16 + deltaShareMax * found.walked.length)
      return { files: found.walked, removed: [], kept: [] };
    if (current.segments.length <= deltaCountMax)
      return {
        files: found.changed,
        removed: found.removed.map(({ segment, file }) => [segment, file] as const),
        kept: current.meta.segments,
      };
    const gone: (readonly [number, number])[] = [];
    for (const [index, path] of base.files.paths.entries())
      if (!inBase.has(path)) gone.push([0, index]);
    return { files: outside, removed: gone, kept: [current.meta.segments[0] as number] };
  }

  async #gather(
    files: readonly WalkedFile[],
    standing: Map<string, StandingFile>,
  ): ReturnType<typeof gatherFiles> {
    const { chunkSizeCharacters, fileSizeBytesMax, onProgress, gathering, signal } = this.#options;
    const directory = join(this.#directory, "segments");
    // What a run that was ended has left there.
    removeAny(join(directory, runsFolder));
    const seenMs = this.#options.nowMs();
    let done = 0;
    onProgress?.({ done, total: files.length });
    return await gatherFiles(
      files,
      { chunkSizeCharacters, fileSizeBytesMax, directory, signal, ...gathering },
      (file, gathered) => {
        done += 1;
        onProgress?.({ done, total: files.length });
        if (gathered === undefined) {
          // Denied, or gone or grown since the walk: the result says how many there were.
          this.#unreadableCount += 1;
          return;
        }
        const timeMs = certainTime(gathered.modifiedMs, seenMs);
        standing.set(file.relativePath, { hash: gathered.hash, timeMs });
      },
    );
  }

  async #read(file: WalkedFile): Promise<(ReadFile & { readonly timeMs: number }) | undefined> {
    const seenMs = this.#options.nowMs();
    const content = readFileBytes(file.absolutePath, {
      sizeBytesMax: this.#options.fileSizeBytesMax,
    });
    if (content.kind !== "file") return undefined;
    const { bytes, modifiedMs } = content;
    const timeMs = certainTime(modifiedMs, seenMs);
    return { bytes, modifiedMs, timeMs, hash: await contentHash(bytes) };
  }

  #result({ meta, segments }: OpenGeneration, counts: RunCounts): UpdateResult {
    const languages = new Map<string, number>();
    let filesIndexed = 0;
    let chunks = 0;
    for (const { files, isRemoved } of segments)
      for (let index = 0; index < files.paths.length; index += 1) {
        if (isRemoved[index] === 1) continue;
        filesIndexed += 1;
        chunks +=
          (files.chunkEnds[index] as number) -
          (index === 0 ? 0 : (files.chunkEnds[index - 1] as number));
        const language = files.languageOf(index);
        if (language !== null) languages.set(language, (languages.get(language) ?? 0) + 1);
      }
    return {
      generation: meta.generation,
      filesIndexed,
      chunks,
      filesUnchanged: filesIndexed - counts.filesChanged,
      languages,
      ...counts,
    };
  }
}

function knownFiles(current: OpenGeneration | undefined): Map<string, KnownFile> {
  const known = new Map<string, KnownFile>();
  for (const [segment, { files, isRemoved }] of (current?.segments ?? []).entries())
    for (const [file, path] of files.paths.entries())
      if (isRemoved[file] === 0) known.set(path, { segment, file });
  return known;
}

/** The times that the files were known by when the last run saw them. */
function timesOf(current: OpenGeneration | undefined): Map<string, number> {
  const times = new Map<string, number>();
  const newest = current?.segments.at(-1);
  if (current === undefined || newest === undefined) return times;
  const { fileTimesMs } = readTreeState(newest.file("chunks"));
  const paths = current.segments.flatMap(({ files, isRemoved }) =>
    files.paths.filter((_, file) => isRemoved[file] === 0),
  );
  for (const [index, path] of paths.sort(compareBytes).entries())
    times.set(path, fileTimesMs[index] ?? Number.NaN);
  return times;
}

/** True when the last run saw the same folders with the same times. */
function hasFolders(current: OpenGeneration, folders: readonly WalkedFolder[]): boolean {
  const newest = current.segments.at(-1);
  if (newest === undefined) return false;
  const known = readTreeState(newest.file("chunks")).folders;
  return (
    known.length === folders.length &&
    folders.every(({ relativePath, modifiedMs }, index) => {
      const before = known[index];
      // What is too young again is known no better by a new run.
      const isSame = before?.modifiedMs === modifiedMs || Number.isNaN(modifiedMs);
      return before?.relativePath === relativePath && isSame;
    })
  );
}

function hashAt(current: OpenGeneration, { segment, file }: KnownFile): string {
  const hashes = current.segments[segment]?.files.hashes.subarray(16 * file, 16 * file + 16);
  return Buffer.from(hashes ?? []).toString("hex");
}
