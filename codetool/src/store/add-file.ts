import type { WalkedFile } from "../files/index.ts";
import { extractSymbols, releaseTrees } from "../syntax/index.ts";
import { isBinary } from "../text/index.ts";
import type { SegmentBuilder } from "./segment-builder.ts";

/** A file that was read. */
export interface ReadFile {
  readonly bytes: Buffer;
  readonly modifiedMs: number;
  /** XXH3-128 of the bytes. */
  readonly hash: string;
}

/** Adds a file to a segment: binary content by name alone, a text with chunks, terms and definitions. */
export async function addFile(
  builder: SegmentBuilder,
  file: WalkedFile,
  { bytes, modifiedMs, hash }: ReadFile,
): Promise<void> {
  const { relativePath: path, language } = file;
  const indexed = { path, sizeBytes: bytes.length, modifiedMs, hash, language };
  if (isBinary(bytes)) {
    builder.add(indexed, null);
    return;
  }
  const symbols = language === null ? [] : extractSymbols(bytes.toString("utf8"), language).symbols;
  builder.add(indexed, { text: bytes, symbols });
  await releaseTrees();
}
