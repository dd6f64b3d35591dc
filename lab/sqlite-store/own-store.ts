import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ImportGraph } from "../../codetool/src/imports/index.ts";
import {
  indexFolder,
  makeIndexFolder,
  openGeneration,
  segmentDirectory,
} from "../../codetool/src/store/folder/index-folder.ts";
import { type IndexMeta, writeMeta } from "../../codetool/src/store/folder/index-meta.ts";
import { IndexedCorpus } from "../../codetool/src/store/corpus/indexed-corpus.ts";
import { MergedRuns } from "../../codetool/src/store/gather/merged-runs.ts";
import { writeRun } from "../../codetool/src/store/gather/write-run.ts";
import { formatVersion } from "../../codetool/src/store/sections/index.ts";
import { columnsOf, SegmentBuilder, writeSegment } from "../../codetool/src/store/segment/index.ts";
import {
  chunkSizeCharacters,
  type CorpusStore,
  type OpenStore,
  type PreparedFile,
} from "./corpus-store.ts";

/** No import is resolved here: that is the same work whatever the storage. */
const noEdges = {
  starts: new Uint32Array(1),
  files: new Uint32Array(0),
  percents: new Uint8Array(0),
};
const noGraph: ImportGraph = {
  fileCount: 0,
  imports: noEdges,
  importers: noEdges,
  importance: new Float32Array(0),
};

/** codetool's own store: segments of sorted columns. Without vectors and imports. */
export class OwnStore implements CorpusStore {
  readonly #root: string;
  readonly #directory: string;

  constructor(root: string) {
    this.#root = root;
    this.#directory = join(root, indexFolder);
  }

  build(batches: Iterable<readonly PreparedFile[]>): void {
    rmSync(join(this.#root, ".codetool"), { recursive: true, force: true });
    makeIndexFolder(this.#root);
    const scratch = join(this.#directory, "segments", "runs");
    mkdirSync(scratch);
    const runs: string[] = [];
    const files: PreparedFile[] = [];
    for (const batch of batches) {
      const run = join(scratch, String(runs.length));
      writeRun(run, builderOf(batch));
      runs.push(run);
      for (const file of batch) files.push({ ...file, text: null, symbols: [] });
    }
    const meta = metaOf({ generation: 1, fileCount: files.length, segments: [1] });
    writeSegment(segmentDirectory(this.#directory, 1), new MergedRuns(runs, scratch), {
      generation: 1,
      removed: [],
      tree: { files: columnsOf(files.map(stampOf)), folders: [], leftOut: [], rules: "" },
      graph: noGraph,
    });
    rmSync(scratch, { recursive: true });
    writeMeta(this.#directory, meta, hashesOf(files));
  }

  update(file: PreparedFile): void {
    const current = openGeneration(this.#directory);
    if (current === undefined) throw new Error("there is no index");
    const corpus = new IndexedCorpus(current.segments, () => noGraph);
    const generation = current.meta.generation + 1;
    const removed = current.segments.flatMap(({ files, isRemoved }, segment) =>
      files.paths.flatMap((path, own) =>
        path === file.path && isRemoved[own] === 0 ? [[segment, own] as const] : [],
      ),
    );
    const hashes = corpus.files.map(
      ({ path }, number) => [path, path === file.path ? file.hash : corpus.hashOf(number)] as const,
    );
    writeSegment(segmentDirectory(this.#directory, generation), builderOf([file]), {
      generation,
      removed,
      tree: {
        files: columnsOf(corpus.files.map(stampOf)),
        folders: [],
        leftOut: [],
        rules: "",
      },
      graph: noGraph,
    });
    const segments = [...current.meta.segments, generation];
    writeMeta(
      this.#directory,
      metaOf({ generation, fileCount: corpus.fileCount, segments }),
      hashes,
    );
    for (const segment of current.segments) segment.close();
  }

  open(): OpenStore {
    const segments = openGeneration(this.#directory)?.segments;
    if (segments === undefined) throw new Error("there is no index");
    const corpus = new IndexedCorpus(segments, () => noGraph);
    return {
      view: corpus,
      filesThatMayHold: (text) => corpus.filesThatMayHold([[Buffer.from(text)]]),
      verify: () => {
        for (const segment of segments) segment.verify();
      },
      [Symbol.dispose]: () => {
        for (const segment of segments) segment.close();
      },
    };
  }
}

/** Of a tree that is never compared. */
function stampOf({ modifiedMs }: { readonly modifiedMs: number }): {
  readonly modifiedMs: number;
  readonly changedMs: number;
  readonly inode: number;
} {
  return { modifiedMs, changedMs: modifiedMs, inode: 0 };
}

function builderOf(files: readonly PreparedFile[]): SegmentBuilder {
  const builder = new SegmentBuilder(chunkSizeCharacters, null);
  // Without an embedder there is nothing to wait for.
  for (const { text, symbols, ...file } of files)
    void builder.add(file, text === null ? null : { text, symbols, imports: new Uint8Array(0) });
  return builder;
}

function metaOf(parts: {
  readonly generation: number;
  readonly fileCount: number;
  readonly segments: readonly number[];
}): IndexMeta {
  return {
    version: formatVersion,
    generation: parts.generation,
    timestamp: new Date(0).toISOString(),
    chunk_size: chunkSizeCharacters,
    file_size_max: 1024 ** 2,
    file_count: parts.fileCount,
    unread_count: 0,
    segments: parts.segments,
  };
}

function hashesOf(files: readonly PreparedFile[]): (readonly [path: string, hash: string])[] {
  return files.map(({ path, hash }) => [path, hash] as const);
}
