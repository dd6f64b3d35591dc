/**
 * One segment of the index: the columns of its files, chunks, symbols, imports, terms and vectors, each written by a
 * builder and read in place. A segment is never changed once it is written.
 *
 *   files ─ SegmentBuilder ─▶ SegmentContent ─ writeSegment ─▶ sections ─ openSegment ─▶ Segment
 *
 * This folder must not know: generations, which files of a segment were taken back, who writes.
 */
export { addFile, type FileToAdd } from "./add-file.ts";
export { mayHoldAll, writeBloomFilter } from "./bloom-filter.ts";
export { SegmentBuilder } from "./builder.ts";
export { mergeChunks, readChunks } from "./chunk-columns.ts";
export { type ChunkedFile, embedLater } from "./embed-chunks.ts";
export { type SegmentContent, type SegmentFileKind, segmentFiles } from "./content.ts";
export type { FieldPostings } from "./field-reader.ts";
export { mergeFileTables, readFileTable } from "./file-columns.ts";
export { type FilesInOrder, filesInOrder } from "./files-in-order.ts";
export { readGraph } from "./graph-columns.ts";
export { mergeImportRecords, readImportingFiles } from "./import-columns.ts";
export { pathWordsOf } from "./path-words.ts";
export { type FieldName, openSegment, Segment } from "./segment.ts";
export { mergeSymbols, type ShownDefinition, type StoredSymbol } from "./symbol-columns.ts";
export {
  certainStamp,
  columnsOf,
  fineGrainMs,
  isPastGrain,
  noTreeState,
  readTreeState,
  type StampColumns,
  stampAt,
  type StoredTreeState,
  type TreeState,
} from "./tree-state.ts";
export { TrigramSet, trigramsOf } from "./trigram-set.ts";
export { mergeVectors } from "./vector-columns.ts";
export { type WordPiece, wordPiecesOf } from "./word-cover.ts";
export { writeSegment, writeSegmentToMemory } from "./writer.ts";
