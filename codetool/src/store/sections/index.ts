/**
 * Files of named sections: columns of numbers and bytes, written once, checked block by block when they are read. Tools
 * for columns are here too: columns that grow, copies of sections, search in sorted columns.
 *
 * This folder must not know: what a section means.
 */
export { asBuffer } from "./as-buffer.ts";
export { appendSection, copyPlaces, copySections } from "./copy-sections.ts";
export { formatVersion, SectionFile, SectionWriter } from "./file.ts";
export { GrowingBytes, GrowingColumn } from "./growing-column.ts";
export { orderByHash } from "./hash-order.ts";
export { lowerBound } from "./lower-bound.ts";
export { createFileSink, MemoryStorage, openFileSource, type SectionSink } from "./storage.ts";
