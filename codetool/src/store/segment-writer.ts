import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeBloomFilter } from "./bloom-filter.ts";
import type { ImportGraph } from "../imports/index.ts";
import { writeGraph } from "./graph-columns.ts";
import { writeField } from "./field-writer.ts";
import { SectionWriter } from "./section-file.ts";
import { createFileSink, MemoryStorage, type SectionSink } from "./section-storage.ts";
import type { SegmentBuilder } from "./segment-builder.ts";
import { type TreeState, writeTreeState } from "./tree-state.ts";

/** The files of a segment. */
export const segmentFiles = [
  "chunks",
  "sparse",
  "embeddings",
  "symbols",
  "imports",
  "bloom",
] as const;

/** One of them. */
export type SegmentFileKind = (typeof segmentFiles)[number];

/**
 * Writes a segment into a folder of its own, each file synced to the disk.
 *
 * @param directory Made, with what is above it, mode 0700; what a run that did not end has left there goes.
 * @throws the file system's error; what was written then is of no use.
 */
export function writeSegment(
  directory: string,
  builder: SegmentBuilder,
  options: WriteSegmentOptions,
): void {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const kind of segmentFiles)
    writeKind(createFileSink(join(directory, `${kind}.bin`)), kind, { builder, ...options });
}

/** Writes a segment into memory. */
export function writeSegmentToMemory(
  builder: SegmentBuilder,
  options: WriteSegmentOptions,
): ReadonlyMap<SegmentFileKind, MemoryStorage> {
  const files = new Map<SegmentFileKind, MemoryStorage>();
  for (const kind of segmentFiles) {
    const storage = new MemoryStorage();
    writeKind(storage, kind, { builder, ...options });
    files.set(kind, storage);
  }
  return files;
}

/** What is written beside the content. */
export interface WriteSegmentOptions {
  readonly generation: number;
  /** A segment's place in the list, and a file of it that is gone, or is in this segment anew. */
  readonly removed: readonly (readonly [segment: number, file: number])[];
  readonly tree: TreeState;
  /** Of all files that stand with this segment; `null` where nobody reads it from here. */
  readonly graph: ImportGraph | null;
}

function writeKind(
  sink: SectionSink,
  kind: SegmentFileKind,
  {
    builder,
    generation,
    removed,
    tree,
    graph,
  }: WriteSegmentOptions & { readonly builder: SegmentBuilder },
): void {
  const writer = new SectionWriter(sink, { kind, generation });
  try {
    switch (kind) {
      case "chunks":
        builder.files.write(writer);
        builder.chunks.write(writer);
        writeTreeState(writer, tree);
        writer.section("removed", Uint32Array.from(removed.flat()));
        break;
      case "sparse":
        writeField(writer, "body", builder.body.finish().parts);
        writeField(writer, "names", builder.names.finish().parts);
        writeField(writer, "comments", builder.comments.finish().parts);
        break;
      case "embeddings":
        builder.vectors.write(writer);
        break;
      case "symbols":
        builder.symbols.write(writer);
        break;
      case "imports":
        builder.imports.write(writer);
        if (graph !== null) writeGraph(writer, graph);
        break;
      case "bloom":
        writeBloomFilter(writer, builder.trigrams);
        break;
    }
    writer.finish();
  } catch (error) {
    writer.close();
    throw error;
  }
}
