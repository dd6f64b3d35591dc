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

/** What a segment says of its files: gathered by a builder, or by several and put together. */
export interface SegmentContent {
  /** How many files there are. */
  readonly fileCount: number;
  /** Writes the sections of a file of the segment; what only a run knows follows. */
  write(kind: SegmentFileKind, writer: SectionWriter): void;
  /** Which trigrams occur in the files. */
  trigrams(): TrigramSet;
  /** What its files import and define. */
  importingFiles(): ImportingFile[];
}
