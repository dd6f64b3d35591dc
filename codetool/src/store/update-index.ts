import { join } from "node:path";
import { readFileBytes, walkFiles, type WalkedFile } from "../files/index.ts";
import { extractSymbols, releaseTrees } from "../syntax/index.ts";
import { compareBytes, contentHash, isBinary } from "../text/index.ts";
import {
  clearIndex,
  indexFolder,
  makeIndexFolder,
  openGeneration,
  type OpenGeneration,
  segmentDirectory,
  tidyGeneration,
} from "./index-folder.ts";
import { type IndexLock, lockIndex } from "./index-lock.ts";
import { type IndexMeta, readMeta, syncDirectory, writeMeta } from "./index-meta.ts";
import { formatVersion } from "./section-file.ts";
import { SegmentBuilder } from "./segment-builder.ts";
import { writeSegment } from "./segment-writer.ts";

/** Segments besides the base; one more, and they become one. */
const deltaCountMax = 8;
/** Share of the files in segments besides the base; above it the base is built anew. */
const deltaShareMax = 0.25;
/** A file changed so shortly before the index was made may have changed again within the grain of its time. */
const timeGrainMs = 2000;

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
  readonly process: { readonly id: number; readonly isAlive: (id: number) => boolean };
  /** Told how far the run is, for a progress line. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

/** What a run did. */
export interface UpdateResult {
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
 * @throws IndexBusy while another process writes; the file system's error when it cannot be written.
 */
export async function updateIndex(options: UpdateOptions): Promise<UpdateResult> {
  const directory = makeIndexFolder(options.root);
  const lock = lockIndex(directory, options.process);
  if ("holder" in lock) throw new IndexBusy(lock.holder);
  return await new IndexRun(options, directory).run(lock);
}

/** A file of the index, by its place. */
interface KnownFile {
  readonly segment: number;
  readonly file: number;
}

class IndexRun {
  readonly #options: UpdateOptions;
  readonly #directory: string;
  readonly #startMs: number;
  #unreadableCount = 0;

  constructor(options: UpdateOptions, directory: string) {
    this.#options = options;
    this.#directory = directory;
    this.#startMs = options.nowMs();
  }

  async run(lock: IndexLock): Promise<UpdateResult> {
    let current: OpenGeneration | undefined;
    try {
      current = this.#openCurrent();
      return await this.#update(current);
    } finally {
      for (const segment of current?.segments ?? []) segment.close();
      lock.release();
    }
  }

  /** What is there and may be built upon. */
  #openCurrent(): OpenGeneration | undefined {
    if (this.#options.isRebuild) return undefined;
    const current = openGeneration(this.#directory);
    if (current === undefined) return undefined;
    const isFitting =
      current.meta.chunk_size === this.#options.chunkSizeCharacters &&
      current.meta.file_size_max === this.#options.fileSizeBytesMax;
    if (isFitting) return current;
    for (const segment of current.segments) segment.close();
    return undefined;
  }

  async #update(current: OpenGeneration | undefined): Promise<UpdateResult> {
    const { root, environment, fileSizeBytesMax } = this.#options;
    const walked = walkFiles({ root, environment, sizeBytesMax: fileSizeBytesMax });
    const known = knownFiles(current);
    const changed: WalkedFile[] = [];
    const removed: KnownFile[] = [];
    const hashes = new Map<string, string>();
    const alive = new Set<string>();
    for (const file of walked.files) {
      alive.add(file.relativePath);
      const place = known.get(file.relativePath);
      if (place === undefined) changed.push(file);
      else if (await this.#hasChanged(current as OpenGeneration, place, file)) {
        changed.push(file);
        removed.push(place);
      } else hashes.set(file.relativePath, hashAt(current as OpenGeneration, place));
    }
    for (const [path, place] of known) if (!alive.has(path)) removed.push(place);
    const filesRemoved =
      removed.length - changed.filter((file) => known.has(file.relativePath)).length;
    const warnings = [...walked.warnings];
    const counts = { filesChanged: changed.length, filesRemoved, warnings };
    if (current !== undefined && changed.length === 0 && removed.length === 0)
      return this.#result(current, counts);
    const plan = this.#plan(current, { changed, removed, walked: walked.files });
    const builder = new SegmentBuilder(this.#options.chunkSizeCharacters);
    await this.#addAll(builder, plan.files, hashes);
    const before = readMeta(this.#directory);
    if (before === undefined) clearIndex(this.#directory);
    const generation = (before?.generation ?? 0) + 1;
    const own = segmentDirectory(this.#directory, generation);
    writeSegment(own, builder, { generation, retractions: { removed: plan.removed } });
    syncDirectory(join(this.#directory, "segments"));
    const meta: IndexMeta = {
      version: formatVersion,
      generation,
      timestamp: new Date(this.#startMs).toISOString(),
      chunk_size: this.#options.chunkSizeCharacters,
      file_size_max: fileSizeBytesMax,
      file_count: hashes.size,
      segments: [...plan.kept, generation],
    };
    writeMeta(
      this.#directory,
      meta,
      [...hashes].sort(([a], [b]) => compareBytes(a, b)),
    );
    tidyGeneration(this.#directory, meta);
    const made = openGeneration(this.#directory);
    if (made === undefined) throw new Error(`the index in ${indexFolder} cannot be read back`);
    try {
      if (this.#unreadableCount > 0)
        warnings.push(`${this.#unreadableCount} files could not be read`);
      return this.#result(made, counts);
    } finally {
      for (const segment of made.segments) segment.close();
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
  ): {
    readonly files: readonly WalkedFile[];
    readonly removed: readonly (readonly [number, number])[];
    readonly kept: readonly number[];
  } {
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

  async #hasChanged(current: OpenGeneration, place: KnownFile, file: WalkedFile): Promise<boolean> {
    const { files } = current.segments[place.segment] as OpenGeneration["segments"][number];
    if (files.sizes[place.file] !== file.sizeBytes) return true;
    const indexedMs = Date.parse(current.meta.timestamp);
    if (files.modified[place.file] === file.modifiedMs && file.modifiedMs < indexedMs - timeGrainMs)
      return false;
    const content = this.#read(file);
    return content === undefined || (await contentHash(content.bytes)) !== hashAt(current, place);
  }

  async #addAll(
    builder: SegmentBuilder,
    files: readonly WalkedFile[],
    hashes: Map<string, string>,
  ): Promise<void> {
    for (const [index, file] of files.entries()) {
      this.#options.onProgress?.({ done: index, total: files.length });
      const content = this.#read(file);
      if (content === undefined) continue;
      const { bytes, modifiedMs } = content;
      const hash = await contentHash(bytes);
      hashes.set(file.relativePath, hash);
      const indexed = {
        path: file.relativePath,
        sizeBytes: bytes.length,
        modifiedMs,
        hash,
        language: file.language,
      };
      if (isBinary(bytes)) {
        builder.add(indexed, null);
        continue;
      }
      const symbols =
        file.language === null ? [] : extractSymbols(bytes.toString("utf8"), file.language).symbols;
      builder.add(indexed, { text: bytes, symbols });
      await releaseTrees();
    }
    this.#options.onProgress?.({ done: files.length, total: files.length });
  }

  #read(file: WalkedFile): { readonly bytes: Buffer; readonly modifiedMs: number } | undefined {
    const content = readFileBytes(file.absolutePath, {
      sizeBytesMax: this.#options.fileSizeBytesMax,
    });
    if (content.kind === "file") return content;
    // Denied, or gone or grown since the walk: the result says how many there were.
    this.#unreadableCount += 1;
    return undefined;
  }

  #result(
    { segments }: OpenGeneration,
    counts: {
      readonly filesChanged: number;
      readonly filesRemoved: number;
      readonly warnings: readonly string[];
    },
  ): UpdateResult {
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

function hashAt(current: OpenGeneration, { segment, file }: KnownFile): string {
  const hashes = current.segments[segment]?.files.hashes.subarray(16 * file, 16 * file + 16);
  return Buffer.from(hashes ?? []).toString("hex");
}
