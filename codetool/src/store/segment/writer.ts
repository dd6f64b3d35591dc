import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ImportGraph } from "../../imports/index.ts";
import { writeGraph } from "./graph-columns.ts";
import { removeAny } from "../own-files.ts";
import {
  createFileSink,
  MemoryStorage,
  type SectionSink,
  SectionWriter,
} from "../sections/index.ts";
import { type SegmentContent, type SegmentFileKind, segmentFiles } from "./content.ts";
import { type TreeState, writeTreeState } from "./tree-state.ts";

/**
 * Writes a segment into its own folder, each file synced to the disk.
 *
 * @param directory Made with mode 0700. Its parent folders must exist: a root that was removed meanwhile is not made again.
 *   Files that an unfinished run left there are removed.
 * @throws the file system's error; the files written so far are of no use.
 */
export function writeSegment(
  directory: string,
  content: SegmentContent,
  options: WriteSegmentOptions,
): void {
  removeAny(directory);
  mkdirSync(directory, { mode: 0o700 });
  for (const kind of segmentFiles)
    writeKind(createFileSink(join(directory, `${kind}.bin`)), kind, { content, ...options });
}

/** Writes a segment into memory. */
export function writeSegmentToMemory(
  content: SegmentContent,
  options: WriteSegmentOptions,
): ReadonlyMap<SegmentFileKind, MemoryStorage> {
  const files = new Map<SegmentFileKind, MemoryStorage>();
  for (const kind of segmentFiles) {
    const storage = new MemoryStorage();
    writeKind(storage, kind, { content, ...options });
    files.set(kind, storage);
  }
  return files;
}

/** What is written besides the content. */
export interface WriteSegmentOptions {
  readonly generation: number;
  /** A segment's place in the list, and a file of it that is gone, or is in this segment again. */
  readonly removed: readonly (readonly [segment: number, file: number])[];
  readonly tree: TreeState;
  /** Of all files that are still there with this segment; `null` if it is not read from this segment. */
  readonly graph: ImportGraph | null;
}

function writeKind(
  sink: SectionSink,
  kind: SegmentFileKind,
  {
    content,
    generation,
    removed,
    tree,
    graph,
  }: WriteSegmentOptions & { readonly content: SegmentContent },
): void {
  const writer = new SectionWriter(sink, { kind, generation });
  try {
    content.write(kind, writer);
    if (kind === "chunks") {
      writeTreeState(writer, tree);
      writer.section("removed", Uint32Array.from(removed.flat()));
    }
    if (kind === "imports" && graph !== null) writeGraph(writer, graph);
    writer.finish();
  } catch (error) {
    writer.close();
    throw error;
  }
}
