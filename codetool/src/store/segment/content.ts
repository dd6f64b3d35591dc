import type { ImportingFile } from "../../imports/index.ts";
import type { SectionWriter } from "../sections/index.ts";
import type { TrigramSet } from "./trigram-set.ts";

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

/** The content of a segment: from one builder, or merged from several. */
export interface SegmentContent {
  /** How many files there are. */
  readonly fileCount: number;
  /** Writes the sections of a file of the segment; sections that only a run needs follow. */
  write(kind: SegmentFileKind, writer: SectionWriter): void;
  /** Which trigrams occur in the files. */
  trigrams(): TrigramSet;
  /** What its files import and define. */
  importingFiles(): ImportingFile[];
}
