import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeBloomFilter } from "./bloom-filter.ts";
import { writeField } from "./field-writer.ts";
import { SectionWriter } from "./section-file.ts";
import type { SegmentBuilder } from "./segment-builder.ts";

/** The files of a segment. */
export const segmentFiles = ["chunks", "sparse", "symbols", "bloom"] as const;

/** One of them. */
export type SegmentFileKind = (typeof segmentFiles)[number];

/** What of the segments before a segment takes back. */
export interface Retractions {
  /** Pairs of a segment's place in the list and a file of it that is gone, or is in this segment anew. */
  readonly removed: readonly (readonly [segment: number, file: number])[];
}

/**
 * Writes a segment into a folder of its own, each file synced to the disk.
 *
 * @param directory Made, with what is above it, mode 0700.
 * @throws the file system's error; what was written then is of no use.
 */
export function writeSegment(
  directory: string,
  builder: SegmentBuilder,
  options: { readonly generation: number; readonly retractions: Retractions },
): void {
  // What a run that did not end has left there.
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const write = (kind: SegmentFileKind, fill: (writer: SectionWriter) => void): void => {
    const writer = new SectionWriter(join(directory, `${kind}.bin`), {
      kind,
      generation: options.generation,
    });
    try {
      fill(writer);
      writer.finish();
    } catch (error) {
      writer.close();
      throw error;
    }
  };
  write("chunks", (writer) => {
    builder.files.write(writer);
    builder.chunks.write(writer);
    writer.section("removed", Uint32Array.from(options.retractions.removed.flat()));
  });
  write("sparse", (writer) => {
    writeField(writer, "body", builder.body.finish().parts);
    writeField(writer, "names", builder.names.finish().parts);
    writeField(writer, "comments", builder.comments.finish().parts);
  });
  write("symbols", (writer) => builder.symbols.write(writer));
  write("bloom", (writer) => writeBloomFilter(writer, builder.trigrams));
}
