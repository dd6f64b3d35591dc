import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createFileSink, SectionWriter } from "../sections/index.ts";
import { type SegmentContent, segmentFiles } from "../segment/index.ts";

/** The section of a run that holds its trigrams, in place of the filter that a segment makes of them. */
export const trigramBitsName = "trigramBits";

/**
 * Writes what was gathered of some files as a run: the sections of a segment, except what only the end of a run of
 * indexing knows. It is read once, by `MergedRuns`.
 *
 * @param directory Must not exist; what is above it does.
 */
export function writeRun(directory: string, content: SegmentContent): void {
  mkdirSync(directory, { mode: 0o700 });
  for (const kind of segmentFiles) {
    const sink = createFileSink(join(directory, `${kind}.bin`), { isLasting: false });
    const writer = new SectionWriter(sink, { kind, generation: 0 });
    try {
      if (kind === "bloom") writer.section(trigramBitsName, content.trigrams().bits);
      else content.write(kind, writer);
      writer.finish();
    } catch (error) {
      writer.close();
      throw error;
    }
  }
}
